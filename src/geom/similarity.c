#include "geom/similarity.h"
#include "linalg/rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct moments {
    double weight, from[3], to[3]; /* N, ubar, xbar */
    double cross[9];               /* S_xu */
    double square[9];              /* S_uu */
    double variance;               /* sum_i w_i sigma_i^2 */
} moments;

static void add_means(const sfgp_pairs *pairs, moments *m)
{
    const int d = pairs->dimension;
    for (int64_t i = 0; i < pairs->count; i++) {
        m->weight += pairs->weight[i];
        m->variance += pairs->variance ? pairs->weight[i] * pairs->variance[i] : 0;
        for (int a = 0; a < d; a++) {
            m->from[a] += pairs->weight[i] * pairs->from[i * d + a];
            m->to[a] += pairs->weight[i] * pairs->to[i * d + a];
        }
    }
    for (int a = 0; a < d; a++) {
        m->from[a] /= m->weight;
        m->to[a] /= m->weight;
    }
}

static moments moments_of(const sfgp_pairs *pairs)
{
    const int d = pairs->dimension;
    moments m = {0};
    add_means(pairs, &m);
    for (int64_t i = 0; i < pairs->count; i++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                const double u = pairs->weight[i] * (pairs->from[i * d + b] - m.from[b]);
                m.cross[a * d + b] += (pairs->to[i * d + a] - m.to[a]) * u;
                m.square[a * d + b] += (pairs->from[i * d + a] - m.from[a]) * u;
            }
    return m;
}

static double trace(int d, const double *matrix)
{
    double sum = 0;
    for (int a = 0; a < d; a++)
        sum += matrix[a * d + a];
    return sum;
}

/* Takes A, and b = xbar - A ubar, if they are finite. */
static bool take(int d, const moments *m, double scale, const double *linear, sfgp_map *map)
{
    sfgp_map next = {.dimension = d, .scale = scale};
    bool finite = true;
    memcpy(next.linear, linear, (size_t)(d * d) * sizeof *linear);
    for (int a = 0; a < d; a++) {
        next.shift[a] = m->to[a];
        for (int b = 0; b < d; b++)
            next.shift[a] -= linear[a * d + b] * m->from[b];
        finite = finite && isfinite(next.shift[a]);
    }
    if (finite)
        *map = next;
    return finite;
}

bool sfgp_map_fit_similarity(const sfgp_pairs *pairs, sfgp_map *map)
{
    const int d = pairs->dimension;
    const moments m = moments_of(pairs);
    double linear[9];
    const double covariance = sfgp_rotation_nearest(d, m.cross, linear);
    const double scale = covariance / (trace(d, m.square) + d * m.variance);
    if (!(scale > DBL_MIN && scale <= DBL_MAX))
        return false;
    for (int k = 0; k < d * d; k++)
        linear[k] *= scale;
    return take(d, &m, scale, linear, map);
}

bool sfgp_map_fit_rigid(const sfgp_pairs *pairs, sfgp_map *map)
{
    const int d = pairs->dimension;
    const moments m = moments_of(pairs);
    double linear[9];
    return sfgp_rotation_nearest(d, m.cross, linear) > 0 && take(d, &m, 1, linear, map);
}

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

/* A (S_uu + r I) = S_xu + r A_old with r far below any extent that counts: decides where S_uu is 0. */
bool sfgp_map_fit_affine(const sfgp_pairs *pairs, sfgp_map *map)
{
    const int d = pairs->dimension;
    moments m = moments_of(pairs);
    const double ridge = 1e-13 * trace(d, m.square);
    if (!(ridge > 0))
        return false;
    for (int a = 0; a < d; a++)
        m.square[a * d + a] += ridge;
    for (int k = 0; k < d * d; k++)
        m.cross[k] += ridge * map->linear[k];
    for (int a = 0; a < d; a++) /* row a of A solves S_uu A_a' = (S_xu)_a' */
        solve(d, m.square, m.cross + a * d);
    return take(d, &m, 1, m.cross, map);
}

sfgp_map sfgp_map_identity(int dimension)
{
    sfgp_map map = {.dimension = dimension, .scale = 1};
    for (int a = 0; a < dimension; a++)
        map.linear[a * dimension + a] = 1;
    return map;
}

void sfgp_map_apply(const sfgp_map *map, int64_t count, const double *from, double *to)
{
    const int d = map->dimension;
    for (int64_t i = 0; i < count; i++) {
        double x[3] = {map->shift[0], map->shift[1], map->shift[2]};
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                x[a] += map->linear[a * d + b] * from[i * d + b];
        memcpy(to + i * d, x, (size_t)d * sizeof *to);
    }
}

/* R / s = A / s^2 */
void sfgp_map_undo(const sfgp_map *map, const double *to, double *from)
{
    const int d = map->dimension;
    for (int b = 0; b < d; b++) {
        from[b] = 0;
        for (int a = 0; a < d; a++)
            from[b] += map->linear[a * d + b] * (to[a] - map->shift[a]) / (map->scale * map->scale);
    }
}
