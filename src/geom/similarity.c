/* Similarity from weighted pairs, and how it moves points; sources and equations in similarity.h. */
#include "geom/similarity.h"
#include "geom/affine.h"
#include "linalg/rotation.h"

#include <float.h>
#include <string.h>

/* A = sR */
static sfgp_affine affine_of(const sfgp_similarity *similarity)
{
    const int d = similarity->dimension;
    sfgp_affine affine = {.dimension = d};
    for (int k = 0; k < d * d; k++)
        affine.linear[k] = similarity->scale * similarity->rotation[k];
    memcpy(affine.shift, similarity->shift, sizeof affine.shift);
    return affine;
}

bool sfgp_similarity_fit(sfgp_align_kind kind, const sfgp_pairs *pairs, sfgp_similarity *similarity)
{
    const int d = pairs->dimension;
    const sfgp_moments m = sfgp_pairs_moments(pairs);
    sfgp_similarity fitted = {.dimension = d, .scale = 1};
    const double covariance = sfgp_rotation_nearest(d, m.cross, fitted.rotation);
    if (kind == SFGP_ALIGN_SIMILARITY)
        fitted.scale = covariance / (m.extent + d * m.variance);
    if (!(covariance > 0 && fitted.scale > DBL_MIN && fitted.scale <= DBL_MAX))
        return false;
    const sfgp_affine affine = affine_of(&fitted);
    if (!sfgp_moments_shift(&m, d, affine.linear, fitted.shift))
        return false;
    *similarity = fitted;
    return true;
}

sfgp_similarity sfgp_similarity_identity(int dimension)
{
    sfgp_similarity similarity = {.dimension = dimension, .scale = 1};
    for (int a = 0; a < dimension; a++)
        similarity.rotation[a * dimension + a] = 1;
    return similarity;
}

bool sfgp_similarity_is_identity(const sfgp_similarity *similarity)
{
    const int d = similarity->dimension;
    bool same = similarity->scale == 1;
    for (int a = 0; a < d; a++) {
        same = same && similarity->shift[a] == 0;
        for (int b = 0; b < d; b++)
            same = same && similarity->rotation[a * d + b] == (a == b);
    }
    return same;
}

void sfgp_similarity_apply(const sfgp_similarity *similarity, int64_t count, const double *in, double *out)
{
    const sfgp_affine affine = affine_of(similarity);
    if (sfgp_similarity_is_identity(similarity))
        memmove(out, in, (size_t)(count * similarity->dimension) * sizeof *out);
    else
        sfgp_affine_apply(&affine, count, in, out);
}

/* R'/s = A'/s^2 */
void sfgp_similarity_undo(const sfgp_similarity *similarity, int64_t count, const double *in, double *out)
{
    const sfgp_affine affine = affine_of(similarity);
    const int d = affine.dimension;
    const double square = similarity->scale * similarity->scale;
    if (sfgp_similarity_is_identity(similarity)) {
        memmove(out, in, (size_t)(count * d) * sizeof *out);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        double x[3] = {0};
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                x[a] += affine.linear[b * d + a] * (in[i * d + b] - affine.shift[b]) / square;
        memcpy(out + i * d, x, (size_t)d * sizeof *out);
    }
}
