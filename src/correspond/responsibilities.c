/* Memory of the responsibilities. */
#include "base/lanes.h"
#include "base/memory.h"
#include "correspond/correspond.h"

#include <math.h>

sfgp_status sfgp_responsibilities_new(sfgp_context *context, int64_t count, int dimension, bool threshold,
                                      sfgp_responsibilities *r)
{
    sfgp_status status = SFGP_OK;
    *r = (sfgp_responsibilities){.count = count, .dimension = dimension};
    if ((status = sfgp_sparse_new(context, 0, count, &r->matrix)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &r->log_phi0)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &r->radius2)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &r->mass)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &r->weight)) == SFGP_OK &&
        (status = sfgp_allocate(context, count * dimension, &r->shift)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &r->second)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &r->best)) == SFGP_OK)
        status = sfgp_allocate(context, count, &r->best_target);
    if (!threshold)
        r->first = r->shift;
    else if (status == SFGP_OK)
        status = sfgp_allocate(context, count * dimension, &r->first);
    return status;
}

void sfgp_responsibilities_clear(sfgp_responsibilities *r)
{
    sfgp_sparse_clear(&r->matrix);
    sfgp_free(r->log_phi0);
    sfgp_free(r->radius2);
    if (r->first != r->shift)
        sfgp_free(r->first);
    sfgp_free(r->mass);
    sfgp_free(r->weight);
    sfgp_free(r->shift);
    sfgp_free(r->second);
    sfgp_free(r->best);
    sfgp_free(r->best_target);
    sfgp_free(r->explained);
    sfgp_free(r->lane_sums);
    *r = (sfgp_responsibilities){0};
}

sfgp_status sfgp_responsibilities_reserve(sfgp_context *context, int64_t targets, int64_t most_pairs,
                                          sfgp_responsibilities *r)
{
    const int64_t lanes = most_pairs > 0 ? SFGP_LANES * targets : 0;
    int64_t pairs = 0;
    sfgp_status status = sfgp_reserve(context, targets, &r->explained, &r->target_capacity);
    if (status != SFGP_OK ||
        (status = sfgp_reserve(context, lanes, &r->lane_sums, &r->lane_capacity)) != SFGP_OK)
        return status;
    r->targets = targets;
    r->matrix.form.nrow = (size_t)targets;
    if (!sfgp_product(r->count, targets, &pairs) || pairs > most_pairs)
        pairs = most_pairs;
    return sfgp_sparse_reserve(context, pairs, &r->matrix);
}

double sfgp_responsibilities_explained(const sfgp_responsibilities *r)
{
    int64_t explained = 0;
    for (int64_t j = 0; j < r->targets; j++)
        explained += r->explained[j] > 0.5;
    return (double)explained / (double)r->targets;
}

/* q - 2 m.t + nu |t|^2, t = new - old. The moments are about a point next to the data, so that nothing cancels, unlike in
 * |s|^2 - 2 s.r + |r|^2. */
double sfgp_responsibilities_spread(const sfgp_responsibilities *r, int64_t i, const double *old,
                                    const double *new_points)
{
    const int d = r->dimension;
    double sum = r->second[i];
    for (int a = 0; a < d; a++) {
        const double t = new_points[i * d + a] - old[i * d + a];
        sum += t * (r->mass[i] * t - 2 * r->first[i * d + a]);
    }
    return fmax(sum, 0);
}
