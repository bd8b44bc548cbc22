/* The state of PCA_ANISO: values of "auto", and memory. */
#include "baseline/pca_aniso.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "geom/measure.h"

#include <string.h>

#define NEIGHBOURS 12 /* about one and a half rings of neighbours in a triangle mesh */

/* Mean point and mean squared distance to it. */
static double moments(int64_t count, int d, const double *points, double mean[3])
{
    double sum = 0;
    for (int a = 0; a < d; a++) {
        mean[a] = 0;
        for (int64_t i = 0; i < count; i++)
            mean[a] += points[i * d + a] / (double)count;
    }
    for (int64_t k = 0; k < count * d; k++)
        sum += (points[k] - mean[k % d]) * (points[k] - mean[k % d]) / (double)count;
    return sum;
}

/* Mean of |s_j - rbar_i|^2 / d over all pairs: the sum of both variances and the squared distance of the means. */
static double pair_variance(const sfgp_aniso *fit)
{
    const int d = fit->model->dimension;
    double left[3] = {0, 0, 0}, right[3] = {0, 0, 0};
    double sum = moments(fit->targets, d, fit->target, left) +
                 moments(fit->model->count, d, fit->model->basis.mean, right);
    for (int a = 0; a < d; a++)
        sum += (left[a] - right[a]) * (left[a] - right[a]);
    return sum / d;
}

static sfgp_status label_room(sfgp_context *context, sfgp_aniso *fit)
{
    const int64_t n = fit->model->count, d = fit->model->dimension, targets = fit->targets;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, n, &fit->mass)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &fit->first)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &fit->second)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &fit->best)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &fit->best_target)) != SFGP_OK ||
        (status = sfgp_allocate(context, targets, &fit->explained)) != SFGP_OK ||
        (status = sfgp_allocate(context, targets, &fit->inverse)) != SFGP_OK ||
        (status = sfgp_allocate(context, SFGP_LANES * targets, &fit->lane_sums)) != SFGP_OK ||
        (status = sfgp_allocate(context, SFGP_LANES * targets, &fit->lane_values)) != SFGP_OK)
        return status;
    return sfgp_allocate(context, SFGP_LANES * targets, &fit->lane_index);
}

static sfgp_status shape_room(sfgp_context *context, sfgp_aniso *fit)
{
    const int64_t n = fit->model->count, d = fit->model->dimension, m = fit->size;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, fit->targets * d, &fit->target)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &fit->points)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &fit->moved)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &fit->normals)) != SFGP_OK ||
        (status = sfgp_allocate(context, m, &fit->c)) != SFGP_OK ||
        (status = sfgp_allocate(context, SFGP_LANES * (m * m + m), &fit->lane_normal)) != SFGP_OK)
        return status;
    return sfgp_allocate(context, SFGP_LANES * SFGP_ANISO_BLOCK * d * (m + 1), &fit->lane_rows);
}

static void resolve(sfgp_aniso *fit)
{
    const bool volume = strcmp(fit->settings.outlier_density, "volume") == 0;
    fit->density = volume ? sfgp_points_box_density(fit->targets, fit->model->dimension, fit->target)
                          : 1 / (double)fit->targets;
    fit->settings.rank = fit->model->basis.scalar.rank;
    memcpy(fit->settings.kernel, fit->model->kernel, sizeof fit->settings.kernel);
    if (fit->settings.variance0 == 0)
        fit->settings.variance0 = pair_variance(fit);
    fit->variance = fit->settings.variance0;
}

sfgp_status sfgp_aniso_new(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                           const sfgp_settings *settings, sfgp_aniso *fit)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_status status = SFGP_OK;
    *fit = (sfgp_aniso){.model = model, .settings = *settings, .targets = target->count};
    fit->size = sfgp_basis_size(&model->basis);
    if ((status = label_room(context, fit)) != SFGP_OK || (status = shape_room(context, fit)) != SFGP_OK)
        return status;
    sfgp_frame_enter(&model->frame, target->count, target->points, fit->target);
    memcpy(fit->points, model->basis.mean, (size_t)(n * d) * sizeof(double));
    resolve(fit);
    if ((status = sfgp_kdtree_new(context, target->count, (int)d, fit->target, &fit->tree)) != SFGP_OK ||
        (status = sfgp_neighbours_new(context, n, (int)d, model->reference, NEIGHBOURS, &fit->neighbours)) !=
            SFGP_OK)
        return status;
    sfgp_normals_estimate(&fit->neighbours, fit->points, fit->normals);
    return SFGP_OK;
}

void sfgp_aniso_clear(sfgp_aniso *fit)
{
    sfgp_kdtree_free(fit->tree);
    sfgp_neighbours_clear(&fit->neighbours);
    double *const blocks[] = {fit->target,      fit->points,      fit->normals,  fit->moved,
                              fit->c,           fit->mass,        fit->first,    fit->second,
                              fit->best,        fit->explained,   fit->inverse,  fit->lane_sums,
                              fit->lane_values, fit->lane_normal, fit->lane_rows};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        sfgp_free(blocks[k]);
    sfgp_free(fit->best_target);
    sfgp_free(fit->lane_index);
    *fit = (sfgp_aniso){0};
}
