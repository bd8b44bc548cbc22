/* exp over arrays by range reduction and a Taylor series. The error bound stands in exponential.h. */
#include "base/exponential.h"
#include "base/simd.h"

#include <string.h>

/* exp(x) = 2^k exp(r) with k = round(x / ln 2) and |r| <= ln(2)/2, exp(r) by its Taylor series to r^13
 * (remainder 4e-18). Adding 1.5 * 2^52 rounds x / ln 2 to an integer in the low bits, which become the
 * exponent of 2^k. There is no branch and no call, so loops around it vectorise. */
static inline double exponential(double x)
{
    const double shift = 0x1.8p52;
    double clipped = x < -708.0 ? -708.0 : x;
    double shifted = clipped * 0x1.71547652b82fep0 + shift;
    double k = shifted - shift;
    double r = (clipped - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double p = 1.0 / 6227020800.0;
    int64_t bits;
    double power;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (int64_t)((uint64_t)(bits + 1023) << 52);
    memcpy(&power, &bits, sizeof power);
    return x < -708.0 ? 0.0 : p * power;
}

SFGP_SIMD void sfgp_exponential(int64_t n, double scale, double factor, const double *x, double *y)
{
    for (int64_t k = 0; k < n; k++)
        y[k] = scale * exponential(factor * x[k]);
}

SFGP_SIMD void sfgp_exponential_add(int64_t n, double scale, double factor, const double *x, double *y)
{
    for (int64_t k = 0; k < n; k++)
        y[k] += scale * exponential(factor * x[k]);
}
