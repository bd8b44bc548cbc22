/* Extrapolation of a fit that converges slowly: SQUAREM (Varadhan and Roland, Scand. J. Statist. 35, 2008,
 * scheme S3).
 *
 * The EM steps x0 -> x1 -> x2 of such a fit lie nearly on a line and continue along it,
 *
 *     x = x0 + 2 a r + a^2 w,    r = x1 - x0,  w = (x2 - x1) - r,  a = |r| / |w|,
 *
 * x being the points, their coefficients and ln sigma2, |.| over the points. a = 1 is x2 itself. The step
 * after an extrapolation is an EM step from x, so that a fit ends at points that have a posterior. x keeps
 * the covariance of x2 and so has a bound, which the guard checks. A warm fit converges slowly from its first
 * iteration on. */
#ifndef SFGP_EM_EXTRAPOLATION_H
#define SFGP_EM_EXTRAPOLATION_H

#include "em/problem.h"
#include "em/state.h"

typedef struct sfgp_em_extrapolation {
    double *path[3];   /* x0, x1, x2; NULL: this variant is not accelerated */
    int count;         /* of them that are there */
    bool pending;      /* the state is an extrapolated one */
    double most;       /* longest step length a */
    double bound;      /* of x1 */
    double divergence; /* of x2 */
    double motion;     /* from x1 to x2 */
} sfgp_em_extrapolation;

/* Room for x0, x1, x2. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_extrapolation_new(sfgp_context *context, const sfgp_basis *basis,
                                   sfgp_em_extrapolation *extrapolation);
void sfgp_extrapolation_clear(sfgp_em_extrapolation *extrapolation);
/* Forgets the path, and resets the guard: what comes next starts elsewhere. */
void sfgp_extrapolation_reset(sfgp_em *em);
/* After a step: adds it to the path, and extrapolates after the third while the fit converges slowly. last_sigma2: before the step;
 * is_final: no more target points will come in. O(N d + m). */
void sfgp_extrapolation_advance(sfgp_em *em, double last_sigma2, bool is_final);
/* Goes back to x2; the E-step has to be made again. O(N d + m). */
void sfgp_extrapolation_retract(sfgp_em *em);

#endif
