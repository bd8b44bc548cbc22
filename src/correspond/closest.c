/* The E-step of hard labels: each reference point gets its closest target point. */
#include "correspond/correspond.h"

#include <stdbool.h>
#include <string.h>

static void find_closest(const sfgp_estep_rule *rule, const sfgp_kdtree *tree, const double *target,
                         const double *fitted, int64_t i, sfgp_responsibilities *r)
{
    const int d = r->dimension;
    double distance2;
    int64_t j = sfgp_kdtree_nearest(tree, fitted + i * d, &distance2);
    bool found = distance2 <= rule->max_distance * rule->max_distance;
    sfgp_sparse_index(&r->matrix)[i] = (int32_t)j;
    sfgp_sparse_value(&r->matrix)[i] = found;
    r->mass[i] = r->weight[i] = r->best[i] = found;
    r->best_target[i] = found ? (int32_t)j : -1;
    r->second[i] = found ? distance2 : 0;
    for (int a = 0; a < d; a++)
        r->first[i * d + a] = found ? target[j * d + a] - fitted[i * d + a] : 0;
}

sfgp_status sfgp_estep_closest(sfgp_context *context, const sfgp_estep_rule *rule, const sfgp_kdtree *tree,
                               const double *target, sfgp_estep_state state, sfgp_responsibilities *r)
{
    sfgp_status status = sfgp_sparse_reserve(context, r->count, &r->matrix);
    if (status != SFGP_OK)
        return status;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < r->count; i++)
        find_closest(rule, tree, target, state.points, i, r);
    memcpy(r->shift, r->first, (size_t)(r->count * r->dimension) * sizeof(double));
    memset(r->explained, 0, (size_t)r->targets * sizeof(double));
    r->missing = 0;
    for (int64_t i = 0; i < r->count; i++) {
        sfgp_sparse_start(&r->matrix)[i + 1] = (int32_t)(i + 1);
        r->missing += r->weight[i] == 0;
        if (r->weight[i] > 0)
            r->explained[r->best_target[i]] = 1;
    }
    return SFGP_OK;
}
