/* Sums over weighted pairs of points; equations in pairs.h. */
#include "geom/pairs.h"

#include <math.h>

#define FLAT 1e-12 /* squared width against squared length: a millionth */

static double weight_of(const sfgp_pairs *pairs, int64_t i)
{
    return pairs->weight ? pairs->weight[i] : 1;
}

static void add_means(const sfgp_pairs *pairs, sfgp_moments *m)
{
    const int d = pairs->dimension;
    for (int64_t i = 0; i < pairs->count; i++) {
        const double w = weight_of(pairs, i);
        m->weight += w;
        m->variance += pairs->variance ? w * pairs->variance[i] : 0;
        for (int a = 0; a < d; a++) {
            m->from[a] += w * pairs->from[i * d + a];
            m->to[a] += w * pairs->to[i * d + a];
        }
    }
    for (int a = 0; a < d; a++) {
        m->from[a] /= m->weight;
        m->to[a] /= m->weight;
    }
}

sfgp_moments sfgp_pairs_moments(const sfgp_pairs *pairs)
{
    const int d = pairs->dimension;
    sfgp_moments m = {0};
    add_means(pairs, &m);
    for (int64_t i = 0; i < pairs->count; i++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                const double u = weight_of(pairs, i) * (pairs->from[i * d + b] - m.from[b]);
                m.cross[a * d + b] += (pairs->to[i * d + a] - m.to[a]) * u;
                m.square[a * d + b] += (pairs->from[i * d + a] - m.from[a]) * u;
            }
    for (int a = 0; a < d; a++)
        m.extent += m.square[a * d + a];
    return m;
}

bool sfgp_moments_shift(const sfgp_moments *m, int d, const double *linear, double shift[3])
{
    bool finite = true;
    for (int a = 0; a < d; a++) {
        shift[a] = m->to[a];
        for (int b = 0; b < d; b++)
            shift[a] -= linear[a * d + b] * m->from[b];
        finite = finite && isfinite(shift[a]);
    }
    return finite;
}

/* Sum of the 2 x 2 principal minors of the covariance, against its squared trace: 0 for points on a line. */
static double flatness(const sfgp_pairs *pairs, const double *points)
{
    const int d = pairs->dimension;
    double total = 0, mean[3] = {0}, c[3][3] = {{0}}, trace = 0, minors = 0;
    for (int64_t i = 0; i < pairs->count; i++)
        total += weight_of(pairs, i);
    for (int64_t k = 0; k < pairs->count * d; k++)
        mean[k % d] += weight_of(pairs, k / d) / total * points[k];
    for (int64_t i = 0; i < pairs->count; i++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                c[a][b] += weight_of(pairs, i) / total * (points[i * d + a] - mean[a]) *
                           (points[i * d + b] - mean[b]);
    for (int a = 0; a < d; a++) {
        trace += c[a][a];
        for (int b = 0; b < a; b++)
            minors += c[a][a] * c[b][b] - c[a][b] * c[a][b];
    }
    return trace > 0 ? minors / (trace * trace) : 0;
}

bool sfgp_pairs_on_a_line(const sfgp_pairs *pairs)
{
    return pairs->dimension == 3 &&
           (flatness(pairs, pairs->from) < FLAT || flatness(pairs, pairs->to) < FLAT);
}
