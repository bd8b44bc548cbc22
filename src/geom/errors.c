/* Errors of a fit: mean and quantiles of the distances between corresponding points. */
#include "base/memory.h"
#include "base/quantile.h"
#include "geom/mesh.h"

#include <math.h>

static const sfgp_error_summary NONE = {0, (double)NAN, (double)NAN, (double)NAN};

static sfgp_error_summary summarise(double *distances, int64_t count)
{
    double sum = 0;
    if (count == 0)
        return NONE;
    sfgp_sort(count, distances);
    for (int64_t k = 0; k < count; k++) /* smallest first, for the least rounding */
        sum += distances[k];
    return (sfgp_error_summary){count, sum / (double)count, sfgp_quantile(count, distances, 0.5),
                                sfgp_quantile(count, distances, 0.95)};
}

static double distance(const sfgp_mesh *a, const sfgp_mesh *b, int64_t index)
{
    const double *p = a->points + index * a->dimension, *q = b->points + index * a->dimension;
    double plane = hypot(p[0] - q[0], p[1] - q[1]);
    return a->dimension == 3 ? hypot(plane, p[2] - q[2]) : plane;
}

/* Distances of the points whose mask is `wanted`, or of all points when wanted is -1. A mask of NULL is all
 * 0. */
static int64_t collect(const sfgp_mesh *fitted, const sfgp_mesh *truth, const unsigned char *mask, int wanted,
                       double *distances)
{
    int64_t count = 0;
    for (int64_t k = 0; k < fitted->count; k++)
        if (wanted < 0 || (mask && mask[k] != 0) == wanted)
            distances[count++] = distance(fitted, truth, k);
    return count;
}

static sfgp_status check(sfgp_context *context, const sfgp_mesh *fitted, const sfgp_mesh *truth)
{
    if (fitted->dimension != truth->dimension)
        return sfgp_fail(context, SFGP_ERROR_DATA, "the fit has dimension %d, the truth %d",
                         fitted->dimension, truth->dimension);
    if (fitted->count != truth->count)
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "the fit has %lld points, the truth %lld: they do not correspond point by point; "
                         "sfgp evaluate --surface compares shapes of different points",
                         (long long)fitted->count, (long long)truth->count);
    sfgp_status status = sfgp_mesh_check_finite(context, "fit", fitted);
    return status == SFGP_OK ? sfgp_mesh_check_finite(context, "truth", truth) : status;
}

sfgp_status sfgp_evaluate_sized(sfgp_context *context, const sfgp_mesh *fitted, const sfgp_mesh *truth,
                                const unsigned char *mask, sfgp_evaluation *evaluation, size_t size)
{
    sfgp_evaluation own = {NONE, NONE, NONE};
    double *distances = NULL;
    if (!context || !fitted || !truth || !evaluation)
        return SFGP_ERROR_PARAMETER;
    sfgp_struct_copy(&own, sizeof own, size, evaluation);
    sfgp_status status = check(context, fitted, truth);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, fitted->count, &distances);
    if (status != SFGP_OK)
        return status;
    own.all = summarise(distances, collect(fitted, truth, mask, -1, distances));
    own.observed = summarise(distances, collect(fitted, truth, mask, 0, distances));
    own.missing = summarise(distances, collect(fitted, truth, mask, 1, distances));
    sfgp_struct_copy(&own, sizeof own, size, evaluation);
    sfgp_free(distances);
    return SFGP_OK;
}
