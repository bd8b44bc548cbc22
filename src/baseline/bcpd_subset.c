/* BCPD++: a part of the points is fitted, and the Gaussian process that it used says how all others move.
 *
 * The part of a shape is drawn without repetition, a point having the weight 1 / (points within RADIUS of
 * it), so that dense and thin regions are drawn alike (the ball resampling of the BCPD program): the points
 * with the smallest e_i count_i, e_i exponential (Efraimidis, Spirakis 2006). The prior of the part is the
 * part's rows of the factor B of all points; so the posterior of all points given the labels of the part,
 *     u = posterior mean of all points,   weight 0 for those that are not in the part,
 * agrees with the fit on the part and is its exact interpolation. */
#include "base/memory.h"
#include "base/quantile.h"
#include "base/random.h"
#include "baseline/mixture_register.h"

#include <math.h>
#include <string.h>

#define RADIUS 0.08 /* normalised lengths, as in the program's documentation */

/* ---- drawing ------------------------------------------------------------------------------------------ */

static sfgp_status draw_keys(sfgp_context *context, int d, int64_t count, const double *points,
                             const sfgp_settings *settings, double *keys)
{
    sfgp_kdtree *tree = NULL;
    sfgp_random random;
    sfgp_status status = sfgp_kdtree_new(context, count, d, points, &tree);
    if (status != SFGP_OK)
        return status;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < count; i++)
        keys[i] = (double)sfgp_kdtree_count(tree, points + i * d, RADIUS * RADIUS);
    sfgp_random_seed(&random, (uint64_t)settings->seed);
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

/* ---- part and whole ------------------------------------------------------------------------------------ */

typedef struct part {
    int64_t count, targets;
    int64_t *index;        /* reference points */
    int64_t *target_index; /* target points */
    sfgp_basis basis;      /* their rows of the prior */
    double *target;        /* targets x d */
    sfgp_mixture mixture;
} part;

static sfgp_status part_new(sfgp_context *context, const sfgp_mixture_method *method,
                            const sfgp_mixture_frames *frames, int64_t targets, const sfgp_settings *settings,
                            part *some)
{
    const sfgp_model *model = frames->model;
    const int d = model->dimension;
    sfgp_status status = SFGP_OK;
    some->count = settings->subset < model->count ? settings->subset : model->count;
    some->targets = settings->subset < targets ? settings->subset : targets;
    if ((status = sfgp_mixture_draw(context, d, model->count, model->reference, settings, &some->index)) !=
            SFGP_OK ||
        (status = sfgp_mixture_draw(context, d, targets, frames->target, settings, &some->target_index)) !=
            SFGP_OK ||
        (status = sfgp_basis_select(context, &model->basis, some->count, some->index, &some->basis)) !=
            SFGP_OK ||
        (status = sfgp_allocate(context, some->targets * d, &some->target)) != SFGP_OK)
        return status;
    for (int64_t j = 0; j < some->targets; j++)
        memcpy(some->target + j * d, frames->target + some->target_index[j] * d, (size_t)d * sizeof(double));
    const sfgp_mixture_task task = {method, settings, &some->basis, some->targets, some->target};
    return sfgp_mixture_new(context, &task, &some->mixture);
}

static void part_clear(part *some)
{
    sfgp_mixture_clear(&some->mixture);
    sfgp_basis_clear(&some->basis);
    sfgp_free(some->index);
    sfgp_free(some->target_index);
    sfgp_free(some->target);
}

/* Gives `whole` the state of the part: what the part's posterior was last asked for, asked for all points. */
static sfgp_status interpolate(const part *some, sfgp_mixture *whole)
{
    const int d = whole->task.basis->dimension;
    const sfgp_mixture *from = &some->mixture;
    whole->map = from->map;
    whole->noise = from->noise;
    whole->noise0 = from->noise0;
    whole->iterations = from->iterations;
    whole->change = from->change;
    whole->settled = from->settled;
    whole->collapsed = from->collapsed;
    for (int64_t k = 0; k < some->count; k++) {
        const int64_t i = some->index[k];
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

static sfgp_status fit_parts(sfgp_context *context, const sfgp_mixture_method *method,
                             const sfgp_mixture_frames *frames, const sfgp_model *model, int64_t targets,
                             sfgp_result *result)
{
    const sfgp_mixture_task all = {method, &result->settings, &frames->model->basis, targets, frames->target};
    part some = {0};
    sfgp_mixture whole = {0};
    sfgp_status status = SFGP_OK;
    if ((status = part_new(context, method, frames, targets, &result->settings, &some)) == SFGP_OK &&
        (status = sfgp_mixture_run(frames->to.scale / model->frame.scale, &some.mixture)) == SFGP_OK &&
        (status = sfgp_mixture_new(context, &all, &whole)) == SFGP_OK &&
        (status = interpolate(&some, &whole)) == SFGP_OK && !whole.collapsed)
        status = sfgp_mixture_label_all(&whole);
    if (status == SFGP_OK)
        sfgp_mixture_take(&whole, frames, model, result);
    sfgp_mixture_clear(&whole);
    part_clear(&some);
    return status;
}

sfgp_status sfgp_mixture_register_subset(sfgp_context *context, const sfgp_mixture_method *method,
                                         const sfgp_model *model, const sfgp_mesh *target,
                                         sfgp_result *result)
{
    sfgp_mixture_frames frames;
    sfgp_status status = sfgp_mixture_frames_new(context, method, model, target, &result->settings, &frames);
    if (status == SFGP_OK)
        status = fit_parts(context, method, &frames, model, target->count, result);
    sfgp_mixture_frames_clear(&frames);
    return status;
}
