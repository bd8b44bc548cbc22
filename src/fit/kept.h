/* A fit that is kept while another is tried. */
#ifndef SFGP_FIT_KEPT_H
#define SFGP_FIT_KEPT_H

#include "fit/solver.h"

typedef struct sfgp_kept {
    double *part[4]; /* fitted points, coefficients, variance, mixing weights: N x d, m, N, N */
    double noise, omega, divergence, evidence;
    sfgp_start begun;
    int64_t age, thinning;
} sfgp_kept;

/* Room for a fit of a method that searches. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_kept_new(const sfgp_solver *solver, sfgp_kept *kept);
void sfgp_kept_clear(sfgp_kept *kept);
void sfgp_kept_take(const sfgp_solver *solver, sfgp_kept *kept);
/* Back to it, seen from the pose that the solver has, and a step, for the posterior that belongs to it.
 * Errors of the step. */
sfgp_status sfgp_kept_restore(const sfgp_kept *kept, sfgp_solver *solver);

#endif
