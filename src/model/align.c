/* The public function that aligns points: geom/similarity.h with its input checked. */
#include "base/context.h"
#include "geom/similarity.h"

#include <math.h>

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
    for (int64_t i = 0; pairs->weight && i < pairs->count; i++) {
        if (!(pairs->weight[i] >= 0 && isfinite(pairs->weight[i])))
            return sfgp_fail(context, SFGP_ERROR_PARAMETER, "align: weight %lld is %g, not a number from 0",
                             (long long)i, pairs->weight[i]);
        sum += pairs->weight[i];
    }
    return !pairs->weight || sum > 0 ? SFGP_OK
                                     : sfgp_fail(context, SFGP_ERROR_PARAMETER, "align: all weights are 0");
}

static sfgp_status fit(sfgp_context *context, sfgp_align_kind kind, const sfgp_pairs *pairs,
                       sfgp_similarity *similarity)
{
    sfgp_status status = check(context, pairs);
    if (status != SFGP_OK)
        return status;
    if (sfgp_pairs_on_a_line(pairs))
        return sfgp_fail(
            context, SFGP_ERROR_DATA,
            "align: the %lld pairs lie on a line and leave the turn about it open; add one beside it",
            (long long)pairs->count);
    if (!sfgp_similarity_fit(kind, pairs, similarity))
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "align: %lld pairs do not determine a map: "
                         "their points coincide or mirror each other",
                         (long long)pairs->count);
    return SFGP_OK;
}

sfgp_status sfgp_align(sfgp_context *context, sfgp_align_kind kind, int64_t count, int dimension,
                       const double *moving, const double *fixed, const double *weights,
                       sfgp_similarity *similarity)
{
    const sfgp_pairs pairs = {
        .count = count, .dimension = dimension, .weight = weights, .from = moving, .to = fixed};
    if (!context || !moving || !fixed || !similarity || count < 0)
        return SFGP_ERROR_PARAMETER;
    return fit(context, kind, &pairs, similarity);
}
