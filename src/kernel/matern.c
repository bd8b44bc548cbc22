/* Matern kernels of smoothness 1/2 (laplace), 3/2 and 5/2: a polynomial of the scaled distance t = sqrt(2 nu)
 * r / length times exp(-t) (Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006,
 * section 4.2.1). Displacements are continuous, once and twice differentiable: rougher than with se, so that
 * a factor of the same accuracy needs more columns. */
#include "base/exponential.h"
#include "base/simd.h"
#include "kernel/kernel.h"

#include <math.h>

/* t[k] = factor * r[k], decay[k] = variance * exp(-t[k]) */
SFGP_SIMD static void scale_distances(int64_t n, double factor, double variance, const double *distance2,
                                      double *t, double *decay)
{
    if (n <= 0) /* or the compiler thinks that t may be read before it is written */
        return;
    for (int64_t k = 0; k < n; k++)
        t[k] = factor * sqrt(distance2[k]);
    sfgp_exponential(n, variance, -1, t, decay);
}

/* variance * exp(-r / length) */
static void add_laplace(int64_t n, double length, double variance, const double *distance2, double *values)
{
    double t[SFGP_KERNEL_CHUNK], decay[SFGP_KERNEL_CHUNK];
    scale_distances(n, 1 / length, variance, distance2, t, decay);
    for (int64_t k = 0; k < n; k++)
        values[k] += decay[k];
}

/* variance * (1 + t) exp(-t), t = sqrt(3) r / length */
static void add_matern32(int64_t n, double length, double variance, const double *distance2, double *values)
{
    double t[SFGP_KERNEL_CHUNK], decay[SFGP_KERNEL_CHUNK];
    scale_distances(n, sqrt(3) / length, variance, distance2, t, decay);
    for (int64_t k = 0; k < n; k++)
        values[k] += (1 + t[k]) * decay[k];
}

/* variance * (1 + t + t^2 / 3) exp(-t), t = sqrt(5) r / length */
static void add_matern52(int64_t n, double length, double variance, const double *distance2, double *values)
{
    double t[SFGP_KERNEL_CHUNK], decay[SFGP_KERNEL_CHUNK];
    scale_distances(n, sqrt(5) / length, variance, distance2, t, decay);
    for (int64_t k = 0; k < n; k++)
        values[k] += (1 + t[k] + t[k] * t[k] / 3) * decay[k];
}

const sfgp_kernel_type sfgp_kernel_laplace = {"laplace", add_laplace};
const sfgp_kernel_type sfgp_kernel_matern32 = {"matern32", add_matern32};
const sfgp_kernel_type sfgp_kernel_matern52 = {"matern52", add_matern52};
