/* The E-step of hard labels: each reference point gets its closest target point. */
#include "base/parallel.h"
#include "correspond/correspond.h"

#include <stdbool.h>
#include <string.h>

#define GRAIN 64 /* points that a thread takes at a time */

typedef struct closest {
    const sfgp_estep_rule *rule;
    const sfgp_kdtree *tree;
    const double *target;
    const double *fitted;
    sfgp_responsibilities *r;
} closest;

static void find_label(const closest *all, int64_t i)
{
    sfgp_responsibilities *r = all->r;
    const int d = r->dimension;
    const double *fitted = all->fitted, *target = all->target;
    double distance2;
    int64_t j = sfgp_kdtree_nearest(all->tree, fitted + i * d, &distance2);
    bool found = distance2 <= all->rule->max_distance * all->rule->max_distance;
    sfgp_sparse_index(&r->matrix)[i] = (int32_t)j;
    sfgp_sparse_value(&r->matrix)[i] = found;
    r->mass[i] = r->weight[i] = r->best[i] = found;
    r->best_target[i] = found ? (int32_t)j : -1;
    r->second[i] = found ? distance2 : 0;
    for (int a = 0; a < d; a++)
        r->first[i * d + a] = r->shift[i * d + a] = found ? target[j * d + a] - fitted[i * d + a] : 0;
}

static void find_closest(const void *data, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        find_label(data, i);
}

sfgp_status sfgp_estep_closest(sfgp_context *context, const sfgp_estep_rule *rule, const sfgp_kdtree *tree,
                               const double *target, sfgp_estep_state state, sfgp_responsibilities *r)
{
    sfgp_status status = sfgp_sparse_reserve(context, r->count, &r->matrix);
    if (status != SFGP_OK)
        return status;
    const closest all = {rule, tree, target, state.points, r};
    sfgp_parallel_for(r->count, GRAIN, find_closest, &all);
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
