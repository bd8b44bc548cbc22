/* exp over arrays, without branches or calls, so that the compiler makes vector code of it. The E-step and
 * the kernels use it. */
#ifndef SFGP_BASE_EXPONENTIAL_H
#define SFGP_BASE_EXPONENTIAL_H

#include <stdint.h>

/* y[k] = scale * exp(factor * x[k]) for k < n; x may be y. Error below 2 ulp of exp; results under 1e-307 are
 * 0. factor * x[k] must be below 700. */
void sfgp_exponential(int64_t n, double scale, double factor, const double *x, double *y);
/* y[k] += scale * exp(factor * x[k]). */
void sfgp_exponential_add(int64_t n, double scale, double factor, const double *x, double *y);

#endif
