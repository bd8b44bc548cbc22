/* Minimum of a smooth function of many variables by L-BFGS (Liu, Nocedal, Math. Program. 45, 1989) with the
 * line search of More and Thuente. The work is done by libLBFGS on one thread. Its own memory (about 15 n
 * doubles) comes from malloc and not from the context. */
#ifndef SFGP_LINALG_MINIMISE_H
#define SFGP_LINALG_MINIMISE_H

#include "base/context.h"

#include <stdbool.h>

/* f(x) and its gradient (n doubles, overwritten); finite for every finite x. */
typedef double (*sfgp_objective)(void *user, const double *x, double *gradient);
/* Called with every accepted x, which is that of the last evaluation. Returns true to stop. */
typedef bool (*sfgp_observer)(void *user, int64_t iteration, const double *x);

typedef struct sfgp_problem {
    int64_t n;
    sfgp_objective objective;
    sfgp_observer observe;
    void *user;
    int64_t max_iterations; /* 0: x stays as it is */
    double gradient;        /* tolerance: converged when |gradient| <= this times max(1, |x|) */
} sfgp_problem;

typedef struct sfgp_minimum {
    double value;
    int64_t iterations;
    bool converged; /* small gradient, stopped by observe, or no step lowers f */
} sfgp_minimum;

/* x: the start on entry, the best point on return. f never ends above its start. Errors: SFGP_ERROR_MEMORY,
 * SFGP_ERROR_NUMERIC when f(start) is not finite. */
sfgp_status sfgp_minimise(sfgp_context *context, const sfgp_problem *problem, double *x,
                          sfgp_minimum *minimum);

#endif
