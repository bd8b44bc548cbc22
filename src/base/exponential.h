/* exp over arrays, written so that the compiler turns it into SIMD: the E-step and the kernels live on it. */
#ifndef SFGP_BASE_EXPONENTIAL_H
#define SFGP_BASE_EXPONENTIAL_H

#include <stdint.h>

/* y[k] = scale * exp(factor * x[k]) for k < n; x may be y. Error below 2 ulp of exp; results under 1e-307 are
 * 0. factor * x[k] must be below 700. */
void sfgp_exponential(int64_t n, double scale, double factor, const double *x, double *y);
/* y[k] += the same. */
void sfgp_exponential_add(int64_t n, double scale, double factor, const double *x, double *y);

#endif
