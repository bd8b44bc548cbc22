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

static void remember(const sfgp_em *em, sfgp_duplicate *duplicate)
{
    const sfgp_basis *basis = em->problem->basis;
    sfgp_similarity_apply(&em->state.pose, basis->count, em->state.points, duplicate->points);
    duplicate->sigma2 = em->state.sigma2[0];
    duplicate->set = true;
}

/* So close that both are one. */
static bool is_duplicate(const sfgp_em *em, const sfgp_duplicate *duplicate)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_tuning *tuning = sfgp_tuning_of(basis);
    const double sigma2 = em->state.sigma2[0];
    double *here = em->deltas; /* free between steps */
    if (!duplicate->set || fabs(log(sigma2 / duplicate->sigma2)) > tuning->duplicate_sigma2)
        return false;
    sfgp_similarity_apply(&em->state.pose, basis->count, em->state.points, here);
    return sfgp_points_apart(basis->count, basis->dimension, duplicate->points, here) <
           tuning->duplicate_distance * sqrt(sigma2);
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
        remember(em, duplicate);
    return sfgp_em_run_to(em, iterations, outcome);
}
