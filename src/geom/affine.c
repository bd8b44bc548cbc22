/* Affine map from weighted pairs, and how it moves points; source and equation in affine.h. */
#include "geom/affine.h"
#include "linalg/rotation.h"

#include <string.h>

/* x (d values) = S \ x for a symmetric positive definite S, by elimination without pivots. */
static void solve(int d, const double *s, double *x)
{
    double a[9];
    memcpy(a, s, (size_t)(d * d) * sizeof *a);
    for (int k = 0; k < d; k++)
        for (int row = k + 1; row < d; row++) {
            const double factor = a[row * d + k] / a[k * d + k];
            for (int column = k; column < d; column++)
                a[row * d + column] -= factor * a[k * d + column];
            x[row] -= factor * x[k];
        }
    for (int k = d - 1; k >= 0; k--) {
        for (int column = k + 1; column < d; column++)
            x[k] -= a[k * d + column] * x[column];
        x[k] /= a[k * d + k];
    }
}

/* Solves A (S_uu + r I) = S_xu + r A_old. r is far below any extent that matters; it keeps A_old where S_uu is 0. */
bool sfgp_affine_fit(const sfgp_pairs *pairs, sfgp_affine *affine)
{
    const int d = pairs->dimension;
    sfgp_moments m = sfgp_pairs_moments(pairs);
    sfgp_affine fitted = {.dimension = d};
    const double ridge = 1e-13 * m.extent;
    if (!(ridge > 0))
        return false;
    for (int a = 0; a < d; a++)
        m.square[a * d + a] += ridge;
    for (int k = 0; k < d * d; k++)
        fitted.linear[k] = m.cross[k] + ridge * affine->linear[k];
    for (int a = 0; a < d; a++) /* row a of A solves S_uu A_a' = (S_xu)_a' */
        solve(d, m.square, fitted.linear + a * d);
    if (!sfgp_moments_shift(&m, d, fitted.linear, fitted.shift))
        return false;
    *affine = fitted;
    return true;
}

sfgp_affine sfgp_affine_identity(int dimension)
{
    sfgp_affine affine = {.dimension = dimension};
    for (int a = 0; a < dimension; a++)
        affine.linear[a * dimension + a] = 1;
    return affine;
}

sfgp_affine sfgp_affine_stretch(const sfgp_affine *affine)
{
    const int d = affine->dimension;
    sfgp_affine stretch = {.dimension = d};
    double rotation[9];
    sfgp_rotation_nearest(d, affine->linear, rotation);
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++)
            for (int k = 0; k < d; k++)
                stretch.linear[d * a + b] += rotation[d * k + a] * affine->linear[d * k + b];
    return stretch;
}

void sfgp_affine_apply(const sfgp_affine *affine, int64_t count, const double *in, double *out)
{
    const int d = affine->dimension;
    for (int64_t i = 0; i < count; i++) {
        double x[3] = {affine->shift[0], affine->shift[1], affine->shift[2]};
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                x[a] += affine->linear[a * d + b] * in[i * d + b];
        memcpy(out + i * d, x, (size_t)d * sizeof *out);
    }
}
