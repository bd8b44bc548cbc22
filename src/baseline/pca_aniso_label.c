/* E-step of PCA_ANISO, in lanes over the reference points. */
#include "baseline/pca_aniso.h"
#include "base/exponential.h"
#include "base/lanes.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925

/* Constants of all components. */
typedef struct shape {
    double k;       /* of C */
    double h;       /* of C^-1 */
    double peak;    /* phi at distance 0 */
    double radius2; /* of the ball around the ellipsoid outside of which P_ij < prune */
    double outlier; /* w N p_out / (1 - w) */
} shape;

static shape shape_of(const sfgp_aniso *fit)
{
    const int d = fit->model->dimension;
    const double a = fit->settings.anisotropy, k = d / (d - 1 + a), omega = fit->settings.omega;
    const double log_peak = -0.5 * (d * log(TWO_PI * fit->variance * k) + log(a));
    const double outlier = omega / (1 - omega) * (double)fit->model->count * fit->density;
    const double mahalanobis2 = 2 * fit->variance * (log_peak - log(fit->settings.prune * outlier));
    return (shape){k, 1 / a - 1, exp(log_peak), mahalanobis2 * k, outlier};
}

/* Squared distances q = (s_j - rbar_i)' C_i^-1 (s_j - rbar_i) of the target points in the ball of point i. */
static int64_t distances(const sfgp_aniso *fit, const shape *c, int64_t i, int32_t *index, double *q)
{
    const int d = fit->model->dimension;
    const double *x = fit->points + i * d, *n = fit->normals + i * d;
    const int64_t found = sfgp_kdtree_within(fit->tree, x, c->radius2, index, q);
    for (int64_t k = 0; k < found; k++) {
        double height = 0;
        for (int a = 0; a < d; a++)
            height += n[a] * (fit->target[(int64_t)index[k] * d + a] - x[a]);
        q[k] = (q[k] + c->h * height * height) / c->k;
    }
    return found;
}

typedef struct labels {
    const sfgp_aniso *fit;
    const shape *c;
} labels;

static void add_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const labels *l = data;
    const sfgp_aniso *fit = l->fit;
    double *sum = fit->lane_sums + lane * fit->targets, *phi = fit->lane_values + lane * fit->targets;
    int32_t *index = fit->lane_index + lane * fit->targets;
    memset(sum, 0, (size_t)fit->targets * sizeof *sum);
    for (int64_t i = first; i < end; i++) {
        const int64_t found = distances(fit, l->c, i, index, phi);
        sfgp_exponential(found, l->c->peak, -0.5 / fit->variance, phi, phi);
        for (int64_t k = 0; k < found; k++)
            sum[index[k]] += phi[k];
    }
}

/* inverse = 1 / (c + sum_i phi_ij), explained = sum_i P_ij. */
static void add_lanes(sfgp_aniso *fit, const shape *c)
{
    for (int64_t j = 0; j < fit->targets; j++) {
        double sum = 0;
        for (int lane = 0; lane < SFGP_LANES; lane++)
            sum += fit->lane_sums[lane * fit->targets + j];
        fit->inverse[j] = 1 / (c->outlier + sum);
        fit->explained[j] = sum / (c->outlier + sum);
    }
}

/* The sums over column i of P. */
static void summarise(const sfgp_aniso *fit, const shape *c, int64_t i, int32_t *index, double *q,
                      double *phi)
{
    const int d = fit->model->dimension == 2 ? 2 : 3;
    const double *x = fit->points + i * d;
    const int64_t found = distances(fit, c, i, index, q);
    double mass = 0, second = 0, best = 0, first[3] = {0, 0, 0};
    int32_t best_target = -1;
    sfgp_exponential(found, c->peak, -0.5 / fit->variance, q, phi);
    for (int64_t k = 0; k < found; k++) {
        const int32_t j = index[k];
        const double p = phi[k] * fit->inverse[j];
        mass += p;
        second += p * q[k];
        for (int a = 0; a < d; a++)
            first[a] += p * (fit->target[(int64_t)j * d + a] - x[a]);
        if (p > best || (p == best && p > 0 && j < best_target))
            best = p, best_target = j;
    }
    fit->mass[i] = mass;
    fit->second[i] = second;
    fit->best[i] = best;
    fit->best_target[i] = best_target;
    memcpy(fit->first + i * d, first, (size_t)d * sizeof(double));
}

static void summarise_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const labels *l = data;
    const sfgp_aniso *fit = l->fit;
    const int64_t room = lane * fit->targets; /* the sums are no longer needed */
    for (int64_t i = first; i < end; i++)
        summarise(fit, l->c, i, fit->lane_index + room, fit->lane_values + room, fit->lane_sums + room);
}

double sfgp_aniso_label(sfgp_aniso *fit)
{
    const shape c = shape_of(fit);
    const labels all = {fit, &c};
    double mass = 0;
    sfgp_lanes_run(fit->model->count, add_lane, &all);
    add_lanes(fit, &c);
    sfgp_lanes_run(fit->model->count, summarise_lane, &all);
    for (int64_t i = 0; i < fit->model->count; i++)
        mass += fit->mass[i];
    return mass;
}
