#include "base/lanes.h"
#include "base/memory.h"
#include "correspond/correspond.h"

sfgp_status sfgp_labels_new(sfgp_context *context, int64_t count, int dimension, sfgp_labels *labels)
{
    sfgp_status status = SFGP_OK;
    *labels = (sfgp_labels){.count = count, .dimension = dimension};
    if ((status = sfgp_sparse_new(context, 0, count, &labels->matrix)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &labels->peak)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &labels->radius2)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &labels->mass)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &labels->weight)) == SFGP_OK &&
        (status = sfgp_allocate(context, count * dimension, &labels->shift)) == SFGP_OK &&
        (status = sfgp_allocate(context, count * dimension, &labels->first)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &labels->second)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &labels->best)) == SFGP_OK)
        status = sfgp_allocate(context, count, &labels->best_target);
    return status;
}

void sfgp_labels_clear(sfgp_labels *labels)
{
    sfgp_sparse_clear(&labels->matrix);
    sfgp_free(labels->peak);
    sfgp_free(labels->radius2);
    sfgp_free(labels->mass);
    sfgp_free(labels->weight);
    sfgp_free(labels->shift);
    sfgp_free(labels->first);
    sfgp_free(labels->second);
    sfgp_free(labels->best);
    sfgp_free(labels->best_target);
    sfgp_free(labels->explained);
    sfgp_free(labels->lane_sums);
    *labels = (sfgp_labels){0};
}

sfgp_status sfgp_labels_reserve(sfgp_context *context, int64_t targets, int64_t most_pairs,
                                sfgp_labels *labels)
{
    const int64_t lanes = most_pairs > 0 ? SFGP_LANES * targets : 0;
    int64_t pairs = 0;
    sfgp_status status = sfgp_reserve(context, targets, &labels->explained, &labels->target_capacity);
    if (status != SFGP_OK ||
        (status = sfgp_reserve(context, lanes, &labels->lane_sums, &labels->lane_capacity)) != SFGP_OK)
        return status;
    labels->targets = targets;
    labels->matrix.form.nrow = (size_t)targets;
    if (!sfgp_product(labels->count, targets, &pairs) || pairs > most_pairs)
        pairs = most_pairs;
    return sfgp_sparse_reserve(context, pairs, &labels->matrix);
}
