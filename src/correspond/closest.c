#include "correspond/correspond.h"

#include <stdbool.h>
#include <string.h>

static void label(const sfgp_label_rule *rule, const sfgp_kdtree *tree, const double *target,
                  const double *fitted, int64_t i, sfgp_labels *labels)
{
    const int d = labels->dimension;
    double distance2;
    int64_t j = sfgp_kdtree_nearest(tree, fitted + i * d, &distance2);
    bool found = distance2 <= rule->max_distance * rule->max_distance;
    sfgp_sparse_index(&labels->matrix)[i] = (int32_t)j;
    sfgp_sparse_value(&labels->matrix)[i] = found;
    labels->mass[i] = labels->weight[i] = labels->best[i] = found;
    labels->best_target[i] = found ? (int32_t)j : -1;
    labels->second[i] = found ? distance2 : 0;
    for (int a = 0; a < d; a++)
        labels->first[i * d + a] = found ? target[j * d + a] - fitted[i * d + a] : 0;
}

sfgp_status sfgp_correspond_closest(sfgp_context *context, const sfgp_label_rule *rule,
                                    const sfgp_kdtree *tree, const double *target, sfgp_state state,
                                    sfgp_labels *labels)
{
    sfgp_status status = sfgp_sparse_reserve(context, labels->count, &labels->matrix);
    if (status != SFGP_OK)
        return status;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < labels->count; i++)
        label(rule, tree, target, state.fitted, i, labels);
    memcpy(labels->shift, labels->first, (size_t)(labels->count * labels->dimension) * sizeof(double));
    memset(labels->explained, 0, (size_t)labels->targets * sizeof(double));
    labels->missing = 0;
    for (int64_t i = 0; i < labels->count; i++) {
        sfgp_sparse_start(&labels->matrix)[i + 1] = (int32_t)(i + 1);
        labels->missing += labels->weight[i] == 0;
        if (labels->weight[i] > 0)
            labels->explained[labels->best_target[i]] = 1;
    }
    return SFGP_OK;
}
