/* Shared by estep_whole.c and estep_tiles.c: search radius, phi_ij, sums over the reference points. */
#include "base/exponential.h"
#include "base/lanes.h"
#include "correspond/estep.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925

/* ln of phi_ij at distance 0. */
static double log_phi0_of(const sfgp_estep *s, int64_t i)
{
    const double sigma2 = s->state.sigma2[i],
                 scale = sigma2 == s->state.sigma2[0] ? s->scale : log(TWO_PI * sigma2);
    return -0.5 * s->r->dimension * (scale + s->state.variance[i] / sigma2) +
           (s->rule->mixing ? log(s->rule->mixing[i]) : 0) +
           (s->rule->normals ? 0.5 * log1p(s->rule->stretch) : 0);
}

/* What lies farther away has less than a share of the largest phi_ij. */
static double least_radius2(const sfgp_estep *s, int64_t i)
{
    double nearest2;
    sfgp_kdtree_nearest(s->tree, s->state.points + i * s->r->dimension, &nearest2);
    return nearest2 - 2 * s->state.sigma2[i] * s->share;
}

static double radius2_of(const sfgp_estep *s, int64_t i)
{
    const double sigma2 = s->state.sigma2[i], reach = s->rule->reach, shortest = s->rule->reach_least,
                 pruned = 2 * sigma2 * (s->r->log_phi0[i] - s->least);
    if (s->share < 0)
        return fmax(pruned, least_radius2(s, i));
    return reach > 0 ? fmin(pruned, fmax(reach * reach * sigma2, shortest * shortest)) : pruned;
}

void sfgp_estep_set_radius(const sfgp_estep *s, int64_t i)
{
    s->r->log_phi0[i] = log_phi0_of(s, i);
    s->r->radius2[i] = radius2_of(s, i);
}

void sfgp_estep_densities(const sfgp_estep *s, int64_t i, int64_t found, const double *distance2, double *phi)
{
    sfgp_exponential(found, exp(s->r->log_phi0[i]), -0.5 / s->state.sigma2[i], distance2, phi);
}

void sfgp_estep_stretch(const sfgp_estep *s, int64_t i, int64_t found, const int32_t *index,
                        const double *distance2, double *stretched)
{
    const int d = s->r->dimension;
    const double *x = s->state.points + i * d, *normal = s->rule->normals + i * d;
    for (int64_t at = 0; at < found; at++) {
        const double *y = s->target + (int64_t)index[at] * d;
        double along = 0;
        for (int a = 0; a < d; a++)
            along += normal[a] * (y[a] - x[a]);
        stretched[at] = distance2[at] + s->rule->stretch * along * along;
    }
}

double *sfgp_estep_empty_sum(const sfgp_responsibilities *r, int lane)
{
    double *sum = r->lane_sums + lane * r->targets;
    memset(sum, 0, (size_t)r->targets * sizeof *sum);
    return sum;
}

void sfgp_estep_add(int64_t found, const int32_t *index, const double *phi, double *sum)
{
    for (int64_t at = 0; at < found; at++)
        sum[index[at]] += phi[at];
}

int64_t sfgp_estep_pairs(const sfgp_responsibilities *r)
{
    const int32_t *found = sfgp_sparse_start(&r->matrix) + 1;
    int64_t pairs = 0;
    for (int64_t i = 0; i < r->count; i++)
        pairs += found[i];
    return pairs;
}

/* For the targets of a lane: sets lane 0 of the sums to 1 / (c + sum_i phi_ij), and explained to sum_i P_ij. Returns
 * their part of the log-likelihood. */
static double invert_lane(const void *data, int64_t first, int64_t end)
{
    const sfgp_estep *s = data;
    sfgp_responsibilities *r = s->r;
    const int64_t targets = r->targets;
    double log_likelihood = 0;
    for (int64_t j = first; j < end; j++) {
        double sum = 0;
        for (int each = 0; each < SFGP_LANES; each++)
            sum += r->lane_sums[each * targets + j];
        const double total = sfgp_estep_outlier(s, j) + sum;
        r->lane_sums[j] = 1 / total;
        r->explained[j] = sum / total;
        log_likelihood += log(total);
    }
    return log_likelihood;
}

void sfgp_estep_invert(const sfgp_estep *s)
{
    sfgp_responsibilities *r = s->r;
    const double log_likelihood = sfgp_lanes_sum(r->targets, invert_lane, s);
    r->log_likelihood = log_likelihood + (double)r->targets * log((1 - s->rule->omega) / (double)r->count);
}
