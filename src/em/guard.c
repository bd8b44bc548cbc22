/* The one check of all approximate steps (ADR 0014, 0016). */
#include "em/guard.h"
#include "em/em.h"

#include <math.h>

void sfgp_guard_reset(sfgp_em_guard *guard)
{
    *guard = (sfgp_em_guard){.bound = -HUGE_VAL, .gram_scale = 1};
}

bool sfgp_guard_rejects(const sfgp_em *em)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    const double loss = em->schedule->extrapolation_loss * em->label_weight * (double)r->targets;
    return em->extrapolation.pending &&
           !(r->missing < r->count && em->state.bound >= em->extrapolation.bound - loss);
}

void sfgp_guard_record(sfgp_em *em)
{
    sfgp_em_guard *guard = &em->guard;
    guard->fell = guard->reused && !em->extrapolation.pending && em->state.bound < guard->bound;
    guard->bound = em->state.bound;
    if (guard->fell)
        guard->gram_scale *= em->schedule->gram_distrust;
}
