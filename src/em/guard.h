/* Guard: every approximate step is checked by the evidence bound of the E-step that follows it.
 *
 * An extrapolation may lose a little of the bound, as it can escape shallow maxima (ADR 0014). Beyond that
 * the state goes back to the last EM step. A quasi-Newton M-step with an older B'WB may lose nothing: after
 * a loss B'WB is made again, and from then on reused half as long (ADR 0016). An exact M-step
 * may lose some of the bound as well, because the mixing weights are smoothed. That says nothing of B'WB (ADR 0041). */
#ifndef SFGP_EM_GUARD_H
#define SFGP_EM_GUARD_H

#include "em/problem.h"

typedef struct sfgp_em_guard {
    double bound;      /* of the last M-step; minus infinity after a restart */
    double gram_scale; /* factor on the drift that is allowed to B'WB */
    bool reused;       /* the last M-step had an older B'WB */
    bool fell;         /* that M-step lost some of the bound */
} sfgp_em_guard;

/* Before a fit, a snapshot or other target points: no bound to compare with. */
void sfgp_guard_reset(sfgp_em_guard *guard);
/* Whether the extrapolation before the last E-step has lost too much. */
bool sfgp_guard_rejects(const sfgp_em *em);
/* Takes the bound of the state that the M-step starts from. */
void sfgp_guard_record(sfgp_em *em);

#endif
