/* The E-step with soft responsibilities (paper, eq. 12): stores P, or computes only its sums by tiles. */
#include "base/lanes.h"
#include "correspond/estep.h"
#include "correspond/tiles.h"

#include <math.h>

#define TWO_PI 6.283185307179586476925
#define CACHE 16384   /* pairs that a lane caches: as many as the second-level cache of a processor holds */
#define CACHE_EACH 16 /* for larger shapes: so many pairs for each point of the lane */

static sfgp_estep estep_of(const sfgp_estep_rule *rule, const sfgp_kdtree *tree, const double *target,
                           sfgp_estep_state state, sfgp_responsibilities *r)
{
    const int64_t half = sfgp_sparse_capacity(&r->matrix) / 2 / SFGP_LANES,
                  each = CACHE_EACH * r->count / SFGP_LANES,
                  most = (each > CACHE ? each : CACHE) + r->targets;
    const double outlier = rule->omega / (1 - rule->omega) * (double)r->count * rule->density;
    return (sfgp_estep){.rule = rule,
                        .tree = tree,
                        .target = target,
                        .state = state,
                        .r = r,
                        .outlier = outlier,
                        .least = log(rule->prune * outlier * (rule->clutter ? rule->least_clutter : 1)),
                        .share = rule->share > 0 ? log(rule->share) : 0,
                        .scale = log(TWO_PI * state.sigma2[0]),
                        .room = half < most ? half : most};
}

/* A double holds the number exactly. */
static double count_missing(const void *weights, int64_t first, int64_t end)
{
    const double *weight = weights;
    int64_t missing = 0;
    for (int64_t i = first; i < end; i++)
        missing += weight[i] == 0;
    return (double)missing;
}

sfgp_status sfgp_estep_soft(sfgp_context *context, const sfgp_estep_rule *rule, const sfgp_kdtree *tree,
                            const double *target, sfgp_estep_state state, sfgp_responsibilities *r)
{
    sfgp_estep s = estep_of(rule, tree, target, state, r);
    sfgp_status status = SFGP_OK;
    if (rule->tiles && rule->pmin == 0) {
        sfgp_estep_tiles(&s, rule->tiles);
    } else {
        sfgp_estep_count(&s);
        status = sfgp_estep_whole(context, &s);
    }
    if (status == SFGP_OK)
        r->missing = (int64_t)sfgp_lanes_sum(r->count, count_missing, r->weight);
    return status;
}
