/* M-step of a fit: the posterior of the coefficients given the responsibilities (gpr/posterior.h).
 *
 * A fit that learns makes again only what has changed: B'WB when W has moved (a quasi-Newton step otherwise,
 * which the guard checks), and the posterior variance when sigma2 has moved. It rests where the exact M-step
 * rests. ADR 0016. */
#ifndef SFGP_EM_MSTEP_H
#define SFGP_EM_MSTEP_H

#include "em/em.h"

/* Mean, coefficients and variance of em->posterior. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_em_mstep(sfgp_em *em);
/* weights (N): W_i = n_i / sigma2_i, a target point counts for as many as it stands for; residuals (N x d): W_i (label_i - rbar_i). */
void sfgp_em_weigh_shifts(const sfgp_em *em, double *weights, double *residuals);
/* Whether the posterior variance belongs to the sigma2 of the state, nearly; else the next M-step makes it.
 */
bool sfgp_em_variance_is_current(sfgp_em *em);

#endif
