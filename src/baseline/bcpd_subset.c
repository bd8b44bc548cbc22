/* BCPD++: fits a subset of the points, and moves all points by the posterior of the same Gaussian process.
 *
 * The subset is drawn without repetition. A point has the weight 1 / count_i, with count_i the number of points
 * within RADIUS, so that dense and thin regions are drawn alike (the ball resampling of the BCPD program): the
 * points with the smallest e_i count_i are chosen, e_i exponential (Efraimidis, Spirakis 2006). The prior of the
 * subset is its rows of the factor B of all points. So the posterior of all points given the labels of the subset,
 *     u = posterior mean of all points,   weight 0 for points outside of the subset,
 * is equal to the fit on the subset, and interpolates it exactly. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/random.h"
#include "baseline/mixture_register.h"

#include <math.h>
#include <string.h>

#define GRAIN 64    /* points that a thread takes at a time */
#define RADIUS 0.08 /* normalised lengths, as in the documentation of the BCPD program */

/* ---- drawing ------------------------------------------------------------------------------------------ */

typedef struct densities {
    const sfgp_kdtree *tree;
    int dimension;
    const double *points;
    double *keys;
} densities;

static void count_around(const void *data, int64_t first, int64_t end)
{
    const densities *n = data;
    for (int64_t i = first; i < end; i++)
        n->keys[i] = (double)sfgp_kdtree_count(n->tree, n->points + i * n->dimension, RADIUS * RADIUS);
}

static sfgp_status draw_keys(sfgp_context *context, int d, int64_t count, const double *points,
                             const sfgp_settings *settings, double *keys)
{
    sfgp_kdtree *tree = NULL;
    sfgp_status status = sfgp_kdtree_new(context, count, d, points, &tree);
    if (status != SFGP_OK)
        return status;
    const densities all = {tree, d, points, keys};
    sfgp_parallel_for(count, GRAIN, count_around, &all);
    sfgp_random random = sfgp_random_of((uint64_t)settings->seed);
    for (int64_t i = 0; i < count; i++)
        keys[i] *= -log1p(-sfgp_random_uniform(&random));
    sfgp_kdtree_free(tree);
    return SFGP_OK;
}

sfgp_status sfgp_mixture_draw(sfgp_context *context, int d, int64_t count, const double *points,
                              const sfgp_settings *settings, int64_t **index)
{
    const int64_t most = settings->subset < count ? settings->subset : count;
    double *keys = NULL, *sorted = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, most, index)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &keys)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &sorted)) == SFGP_OK &&
        (status = draw_keys(context, d, count, points, settings, keys)) == SFGP_OK) {
        int64_t drawn = 0;
        memcpy(sorted, keys, (size_t)count * sizeof *keys);
        sfgp_sort(count, sorted);
        for (int64_t i = 0; i < count && drawn < most; i++)
            if (keys[i] <= sorted[most - 1])
                (*index)[drawn++] = i;
    }
    sfgp_free(keys);
    sfgp_free(sorted);
    return status;
}

/* ---- subset and whole ---------------------------------------------------------------------------------- */

typedef struct subset {
    int64_t count;         /* reference points */
    int64_t targets;       /* target points */
    int64_t *index;        /* count: which reference points */
    int64_t *target_index; /* targets: which target points */
    sfgp_basis basis;      /* the prior of the reference points */
    double *target;        /* targets x d */
    sfgp_mixture mixture;
} subset;

static sfgp_status subset_new(sfgp_context *context, const sfgp_mixture_method *method,
                              const sfgp_mixture_frames *frames, int64_t targets,
                              const sfgp_settings *settings, subset *part)
{
    const sfgp_model *model = frames->model;
    const int d = model->dimension;
    sfgp_status status = SFGP_OK;
    part->count = settings->subset < model->count ? settings->subset : model->count;
    part->targets = settings->subset < targets ? settings->subset : targets;
    if ((status = sfgp_mixture_draw(context, d, model->count, model->reference, settings, &part->index)) !=
            SFGP_OK ||
        (status = sfgp_mixture_draw(context, d, targets, frames->target, settings, &part->target_index)) !=
            SFGP_OK ||
        (status = sfgp_basis_select(context, &model->basis, part->count, part->index, &part->basis)) !=
            SFGP_OK ||
        (status = sfgp_allocate(context, part->targets * d, &part->target)) != SFGP_OK)
        return status;
    for (int64_t j = 0; j < part->targets; j++)
        memcpy(part->target + j * d, frames->target + part->target_index[j] * d, (size_t)d * sizeof(double));
    const sfgp_mixture_task task = {method, settings, &part->basis, part->targets, part->target};
    return sfgp_mixture_new(context, &task, &part->mixture);
}

static void subset_clear(subset *part)
{
    sfgp_mixture_clear(&part->mixture);
    sfgp_basis_clear(&part->basis);
    sfgp_free(part->index);
    sfgp_free(part->target_index);
    sfgp_free(part->target);
}

/* Copies the state of the subset to `whole`, and computes the posterior of all points from the labels of the subset. */
static sfgp_status interpolate(const subset *part, sfgp_mixture *whole)
{
    const int d = whole->task.basis->dimension;
    const sfgp_mixture *from = &part->mixture;
    whole->map = from->map;
    whole->sigma2 = from->sigma2;
    whole->sigma2_start = from->sigma2_start;
    whole->iterations = from->iterations;
    whole->change = from->change;
    whole->settled = from->settled;
    whole->collapsed = from->collapsed;
    for (int64_t k = 0; k < part->count; k++) {
        const int64_t i = part->index[k];
        whole->weights[i] = from->weights[k];
        whole->mixing[i] = from->mixing[k];
        memcpy(whole->deltas + i * d, from->deltas + k * d, (size_t)d * sizeof(double));
    }
    sfgp_status status =
        sfgp_posterior_update(whole->context, whole->weights, whole->deltas, &whole->posterior);
    if (status != SFGP_OK)
        return status;
    memcpy(whole->variance, whole->posterior.variance, (size_t)whole->task.basis->count * sizeof(double));
    sfgp_similarity_apply(&whole->map, whole->task.basis->count, whole->posterior.mean, whole->fitted);
    return SFGP_OK;
}

static sfgp_status fit_subset(sfgp_context *context, const sfgp_mixture_method *method,
                              const sfgp_mixture_frames *frames, const sfgp_model *model, int64_t targets,
                              sfgp_result *result)
{
    const sfgp_mixture_task all = {method, result->settings, &frames->model->basis, targets, frames->target};
    subset part = {0};
    sfgp_mixture whole = {0};
    sfgp_status status = SFGP_OK;
    if ((status = subset_new(context, method, frames, targets, result->settings, &part)) == SFGP_OK &&
        (status = sfgp_mixture_run(frames->to.scale / model->frame.scale, &part.mixture)) == SFGP_OK &&
        (status = sfgp_mixture_new(context, &all, &whole)) == SFGP_OK &&
        (status = interpolate(&part, &whole)) == SFGP_OK && !whole.collapsed)
        status = sfgp_mixture_label_all(&whole);
    if (status == SFGP_OK)
        sfgp_mixture_fill_result(&whole, frames, model, result);
    sfgp_mixture_clear(&whole);
    subset_clear(&part);
    return status;
}

sfgp_status sfgp_mixture_register_subset(sfgp_context *context, const sfgp_mixture_method *method,
                                         const sfgp_model *model, const sfgp_mesh *target,
                                         sfgp_result *result)
{
    sfgp_mixture_frames frames;
    sfgp_status status = sfgp_mixture_frames_new(context, method, model, target, result->settings, &frames);
    if (status == SFGP_OK)
        status = fit_subset(context, method, &frames, model, target->count, result);
    sfgp_mixture_frames_clear(&frames);
    return status;
}
