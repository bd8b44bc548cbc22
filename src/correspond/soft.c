/* The E-step with soft responsibilities (paper, eq. 12): stores P, or computes only its sums by tiles. */
#include "base/lanes.h"
#include "correspond/estep.h"
#include "correspond/tiles.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925
#define CACHE 16384   /* pairs that a lane caches: as many as the second-level cache of a processor holds */
#define CACHE_EACH 16 /* for larger shapes: so many pairs for each point of the lane */

static sfgp_estep estep_of(const sfgp_estep_rule *rule, const sfgp_kdtree *tree, sfgp_estep_state state,
                           sfgp_responsibilities *r)
{
    const int64_t half = sfgp_sparse_capacity(&r->matrix) / 2 / SFGP_LANES,
                  each = CACHE_EACH * r->count / SFGP_LANES,
                  most = (each > CACHE ? each : CACHE) + r->targets;
    const double outlier = rule->omega / (1 - rule->omega) * (double)r->count * rule->density;
    return (sfgp_estep){.rule = rule,
                        .tree = tree,
                        .state = state,
                        .r = r,
                        .outlier = outlier,
                        .least = log(rule->prune * outlier),
                        .scale = log(TWO_PI * state.sigma2[0]),
                        .room = half < most ? half : most};
}

static void count_missing(const sfgp_estep *s)
{
    const double *weight = s->r->weight;
    int64_t missing = 0;
#pragma omp parallel for schedule(static) reduction(+ : missing)
    for (int64_t i = 0; i < s->r->count; i++)
        missing += weight[i] == 0;
    s->r->missing = missing;
}

sfgp_status sfgp_estep_soft(sfgp_context *context, const sfgp_estep_rule *rule, const sfgp_kdtree *tree,
                            const double *target, sfgp_estep_state state, sfgp_responsibilities *r)
{
    sfgp_estep s = estep_of(rule, tree, state, r);
    sfgp_status status = SFGP_OK;
    if (rule->tiles && rule->pmin == 0) {
        sfgp_estep_tiles(&s, rule->tiles);
    } else {
        sfgp_estep_count(&s);
        status = sfgp_estep_whole(context, &s, target);
    }
    if (status == SFGP_OK)
        count_missing(&s);
    return status;
}
