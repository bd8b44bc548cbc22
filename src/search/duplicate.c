/* Fits that turn out to be the fit of another start are ended early (ADR 0017). */
#include "search/duplicate.h"
#include "base/memory.h"
#include "em/loop.h"
#include "geom/measure.h"
#include "search/tuning.h"

#include <math.h>

sfgp_status sfgp_duplicate_new(sfgp_context *context, const sfgp_basis *basis, sfgp_duplicate *duplicate)
{
    *duplicate = (sfgp_duplicate){0};
    return sfgp_allocate(context, basis->count * basis->dimension, &duplicate->points);
}

void sfgp_duplicate_clear(sfgp_duplicate *duplicate)
{
    sfgp_free(duplicate->points);
    *duplicate = (sfgp_duplicate){0};
}

void sfgp_duplicate_remember(const sfgp_basis *basis, const sfgp_em_state *state, sfgp_duplicate *duplicate)
{
    sfgp_similarity_apply(&state->pose, basis->count, state->points, duplicate->points);
    duplicate->sigma2 = state->sigma2[0];
    duplicate->set = true;
}

bool sfgp_duplicate_is_near(const sfgp_basis *basis, const sfgp_em_state *state,
                            const sfgp_duplicate *duplicate, double near, double *room)
{
    const double sigma2 = state->sigma2[0];
    if (fabs(log(sigma2 / duplicate->sigma2)) > sfgp_tuning_of(basis)->duplicate_sigma2)
        return false;
    sfgp_similarity_apply(&state->pose, basis->count, state->points, room);
    return sfgp_points_apart(basis->count, basis->dimension, duplicate->points, room) < near * sqrt(sigma2);
}

/* Both are one. */
static bool is_duplicate(const sfgp_em *em, const sfgp_duplicate *duplicate)
{
    const sfgp_basis *basis = em->problem->basis;
    double *room = em->deltas; /* free between steps */
    return duplicate->set && sfgp_duplicate_is_near(basis, &em->state, duplicate,
                                                    sfgp_tuning_of(basis)->duplicate_distance, room);
}

sfgp_status sfgp_duplicate_run(sfgp_em *em, const sfgp_em_start *start, int64_t iterations,
                               sfgp_duplicate *duplicate, bool *same, sfgp_outcome *outcome)
{
    const int64_t after = (int64_t)sfgp_tuning_of(em->problem->basis)->duplicate_after;
    *same = false;
    sfgp_status status = sfgp_em_begin(em, start);
    if (status == SFGP_OK)
        status = sfgp_em_run_to(em, iterations < after ? iterations : after, outcome);
    if (status != SFGP_OK || *outcome != SFGP_MAX_ITERATIONS || em->state.iteration < after)
        return status;
    if (duplicate && is_duplicate(em, duplicate)) {
        *same = true;
        return SFGP_OK;
    }
    if (duplicate && !duplicate->set)
        sfgp_duplicate_remember(em->problem->basis, &em->state, duplicate);
    return sfgp_em_run_to(em, iterations, outcome);
}
