/* sfgp_align: the public face of geom/similarity.h. */
#include "base/memory.h"
#include "geom/similarity.h"

#include <math.h>
#include <string.h>

#define FLAT 1e-12 /* squared width against squared length: a millionth */

static sfgp_status check(sfgp_context *context, const sfgp_pairs *pairs)
{
    double sum = 0;
    if (pairs->dimension < 2 || pairs->dimension > 3 || pairs->count < 1)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "align: %lld points in %d dimensions",
                         (long long)pairs->count, pairs->dimension);
    for (int64_t k = 0; k < pairs->count * pairs->dimension; k++)
        if (!isfinite(pairs->from[k]) || !isfinite(pairs->to[k]))
            return sfgp_fail(context, SFGP_ERROR_DATA, "align: pair %lld has a coordinate that is not finite",
                             (long long)(k / pairs->dimension));
    for (int64_t i = 0; i < pairs->count; i++) {
        if (!(pairs->weight[i] >= 0 && isfinite(pairs->weight[i])))
            return sfgp_fail(context, SFGP_ERROR_PARAMETER, "align: weight %lld is %g, not a number from 0",
                             (long long)i, pairs->weight[i]);
        sum += pairs->weight[i];
    }
    return sum > 0 ? SFGP_OK : sfgp_fail(context, SFGP_ERROR_PARAMETER, "align: all weights are 0");
}

/* Sum of the 2 x 2 principal minors of the covariance, against its squared trace: 0 for points on a line. */
static double flatness(const sfgp_pairs *pairs, const double *points)
{
    const int d = pairs->dimension;
    double total = 0, mean[3] = {0}, c[3][3] = {{0}}, trace = 0, minors = 0;
    for (int64_t i = 0; i < pairs->count; i++)
        total += pairs->weight[i];
    for (int64_t k = 0; k < pairs->count * d; k++)
        mean[k % d] += pairs->weight[k / d] / total * points[k];
    for (int64_t i = 0; i < pairs->count; i++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                c[a][b] +=
                    pairs->weight[i] / total * (points[i * d + a] - mean[a]) * (points[i * d + b] - mean[b]);
    for (int a = 0; a < d; a++) {
        trace += c[a][a];
        for (int b = 0; b < a; b++)
            minors += c[a][a] * c[b][b] - c[a][b] * c[a][b];
    }
    return trace > 0 ? minors / (trace * trace) : 0;
}

/* Pairs on a line leave a turn about it open. */
static bool on_a_line(const sfgp_pairs *pairs)
{
    return pairs->dimension == 3 &&
           (flatness(pairs, pairs->from) < FLAT || flatness(pairs, pairs->to) < FLAT);
}

/* A = s R */
static sfgp_similarity similarity_of(const sfgp_map *map)
{
    sfgp_similarity similarity = {.dimension = map->dimension, .scale = map->scale};
    for (int k = 0; k < map->dimension * map->dimension; k++)
        similarity.rotation[k] = map->linear[k] / map->scale;
    memcpy(similarity.shift, map->shift, sizeof similarity.shift);
    return similarity;
}

static sfgp_status fit(sfgp_context *context, sfgp_align_kind kind, const sfgp_pairs *pairs,
                       sfgp_similarity *similarity)
{
    sfgp_map map;
    sfgp_status status = check(context, pairs);
    if (status != SFGP_OK)
        return status;
    if (on_a_line(pairs))
        return sfgp_fail(
            context, SFGP_ERROR_DATA,
            "align: the %lld pairs lie on a line and leave the turn about it open; add one beside it",
            (long long)pairs->count);
    if (!(kind == SFGP_ALIGN_RIGID ? sfgp_map_fit_rigid : sfgp_map_fit_similarity)(pairs, &map))
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "align: %lld pairs do not determine a map: "
                         "their points coincide or mirror each other",
                         (long long)pairs->count);
    *similarity = similarity_of(&map);
    return SFGP_OK;
}

sfgp_status sfgp_align(sfgp_context *context, sfgp_align_kind kind, int64_t count, int dimension,
                       const double *moving, const double *fixed, const double *weights,
                       sfgp_similarity *similarity)
{
    double *ones = NULL;
    if (!context || !moving || !fixed || !similarity || count < 0)
        return SFGP_ERROR_PARAMETER;
    sfgp_status status = weights ? SFGP_OK : sfgp_allocate(context, count, &ones);
    for (int64_t i = 0; ones && i < count; i++)
        ones[i] = 1;
    if (status == SFGP_OK)
        status = fit(context, kind,
                     &(sfgp_pairs){.count = count,
                                   .dimension = dimension,
                                   .weight = weights ? weights : ones,
                                   .from = moving,
                                   .to = fixed},
                     similarity);
    sfgp_free(ones);
    return status;
}

void sfgp_similarity_apply(const sfgp_similarity *similarity, int64_t count, const double *in, double *out)
{
    const int d = similarity->dimension;
    sfgp_map map = {.dimension = d, .scale = similarity->scale};
    for (int k = 0; k < d * d; k++)
        map.linear[k] = similarity->scale * similarity->rotation[k];
    memcpy(map.shift, similarity->shift, sizeof map.shift);
    sfgp_map_apply(&map, count, in, out);
}
