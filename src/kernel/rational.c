/* Kernels whose tails fall like a power of the distance: points far apart stay correlated. Both are mixtures
 * of squared exponentials over all lengths, hence positive definite. BCPD's option -G has them too, in
 * another scale: its rational quadratic b^2 / (r^2 + b^2) is rq with length = b / sqrt(2), and its inverse
 * multiquadric (r^2 + b^2)^(-1/2) is imq with length = b and variance = 1 / b; here k(x, x) is the variance,
 * whatever the length. */
#include "base/simd.h"
#include "kernel/kernel.h"

#include <math.h>

/* Rational quadratic of shape 1: variance / (1 + r^2 / (2 length^2)) */
SFGP_SIMD static void add_rq(int64_t n, double length, double variance, const double *distance2,
                             double *values)
{
    const double factor = 0.5 / (length * length);
    for (int64_t k = 0; k < n; k++)
        values[k] += variance / (1 + factor * distance2[k]);
}

/* Inverse multiquadric: variance / sqrt(1 + r^2 / length^2) */
SFGP_SIMD static void add_imq(int64_t n, double length, double variance, const double *distance2,
                              double *values)
{
    const double factor = 1 / (length * length);
    for (int64_t k = 0; k < n; k++)
        values[k] += variance / sqrt(1 + factor * distance2[k]);
}

const sfgp_kernel_type sfgp_kernel_rq = {"rq", add_rq};
const sfgp_kernel_type sfgp_kernel_imq = {"imq", add_imq};
