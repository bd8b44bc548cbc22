/* Measures a fit against its reference and its scan. */
#include "page/fit_values.h"
#include "base/quantile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- summaries --------------------------------------------------------------------------------------- */

/* Mean over the points whose mask is `wanted`, or over all when it is -1. */
static double find_mean(const double *values, const sfgp_result *result, int wanted)
{
    double sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < result->count; i++)
        if (isfinite(values[i]) && (wanted < 0 || (result->missing[i] != 0) == wanted)) {
            sum += values[i];
            count++;
        }
    return count > 0 ? sum / (double)count : (double)NAN;
}

static double round_up(double value)
{
    if (!(value > 0))
        return 1;
    const double unit = pow(10, floor(log10(value)) - 1);
    return ceil(value / unit - 1e-6) * unit;
}

/* False: out of memory. */
static bool summarise(fit_quantity *q, const sfgp_result *result)
{
    double *sorted = malloc(((size_t)result->count + 1) * sizeof *sorted);
    int64_t count = 0;
    for (int64_t i = 0; sorted && i < result->count; i++)
        if (isfinite(q->values[i]))
            sorted[count++] = q->values[i];
    if (!sorted)
        return false;
    sfgp_sort(count, sorted);
    q->mean = find_mean(q->values, result, -1);
    q->observed = find_mean(q->values, result, 0);
    q->missing = find_mean(q->values, result, 1);
    q->p95 = count > 0 ? sfgp_quantile(count, sorted, 0.95) : (double)NAN;
    q->largest = count > 0 ? sorted[count - 1] : (double)NAN;
    q->top = round_up(count > 0 ? sfgp_quantile(count, sorted, 0.98) : 0);
    free(sorted);
    return true;
}

/* ---- measures ---------------------------------------------------------------------------------------- */

/* The identity where the points determine no motion. */
static void find_motion(sfgp_context *context, const sfgp_mesh *reference, const sfgp_result *result,
                        fit_values *values)
{
    const int d = result->dimension;
    sfgp_similarity found;
    values->motion = (sfgp_similarity){.dimension = d, .scale = 1};
    for (int k = 0; k < d; k++)
        values->motion.rotation[k * d + k] = 1;
    if (result->outcome != SFGP_NO_OVERLAP &&
        sfgp_align(context, SFGP_ALIGN_RIGID, result->count, d, reference->points, result->points, NULL,
                   &found) == SFGP_OK)
        values->motion = found;
}

/* The angle of a rotation R in 3D: 2 cos = trace R - 1; in the plane 2 cos = trace R. */
static double find_turn(const sfgp_similarity *motion)
{
    const int d = motion->dimension;
    double trace = d == 3 ? -1 : 0;
    for (int k = 0; k < d; k++)
        trace += motion->rotation[k * d + k];
    return acos(fmax(-1, fmin(1, trace / 2))) * 180 / acos(-1);
}

static double find_shift(const sfgp_mesh *reference, const fit_values *values)
{
    const int d = reference->dimension;
    double sum = 0;
    for (int axis = 0; axis < d; axis++) {
        double off = 0;
        for (int64_t i = 0; i < reference->count; i++)
            off += (values->reference[i * d + axis] - reference->points[i * d + axis]) /
                   (double)reference->count;
        sum += off * off;
    }
    return sqrt(sum);
}

static void measure_deviation(const sfgp_result *result, const double *reference, double *deviation)
{
    const int d = result->dimension;
    for (int64_t i = 0; i < result->count; i++) {
        double sum = 0;
        for (int axis = 0; axis < d; axis++) {
            const double off = result->points[i * d + axis] - reference[i * d + axis];
            sum += off * off;
        }
        deviation[i] = sqrt(sum);
    }
}

static bool allocate(const sfgp_result *result, fit_values *values)
{
    const size_t n = (size_t)result->count + 1;
    bool good = (values->reference = malloc(n * (size_t)result->dimension * sizeof(double))) &&
                (values->missing = malloc(n * sizeof(double)));
    for (int q = 0; good && q < FIT_QUANTITIES; q++)
        good = (values->quantities[q].values = malloc(n * sizeof(double))) != NULL;
    return good;
}

sfgp_status fit_values_make(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *scan,
                            const sfgp_result *result, fit_values *values)
{
    const sfgp_mesh fitted = {
        .count = result->count, .dimension = result->dimension, .points = result->points};
    *values = (fit_values){.quantities = {[FIT_SD] = {.name = "Standard deviation"},
                                          [FIT_DEVIATION] = {.name = "Deviation from the reference"},
                                          [FIT_DISTANCE] = {.name = "Distance to the scan"}}};
    if (!allocate(result, values))
        return SFGP_ERROR_MEMORY;
    find_motion(context, reference, result, values);
    sfgp_similarity_apply(&values->motion, reference->count, reference->points, values->reference);
    values->turn = find_turn(&values->motion);
    values->shift = find_shift(reference, values);
    for (int64_t i = 0; i < result->count; i++)
        values->missing[i] = result->missing[i] != 0;
    memcpy(values->quantities[FIT_SD].values, result->sd, (size_t)result->count * sizeof *result->sd);
    measure_deviation(result, values->reference, values->quantities[FIT_DEVIATION].values);
    sfgp_status status = sfgp_distances(context, &fitted, scan, values->quantities[FIT_DISTANCE].values);
    for (int q = 0; q < FIT_QUANTITIES && status == SFGP_OK; q++)
        status = summarise(&values->quantities[q], result) ? SFGP_OK : SFGP_ERROR_MEMORY;
    return status;
}

void fit_values_clear(fit_values *values)
{
    free(values->reference);
    free(values->missing);
    for (int q = 0; q < FIT_QUANTITIES; q++)
        free(values->quantities[q].values);
}
