/* The frames, the kernel and the factor of a mixture, and what "auto" means for its settings
 * (docs/adr/0008-baselines.md). */
#include "baseline/mixture_register.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAMBDA 2             /* default of BCPD and CPD */
#define RANK 70              /* recommended by BCPD's documentation */
#define LAMBDA_LEAST 1e-6    /* because a kernel variance is at most 1e6 */
#define ACCURACY_EXACT 1e-10 /* of the kernel's variance */
#define ACCURACY 1e-6        /* default */
#define PRUNE_EXACT 1e-12    /* smaller labels are not searched for */

/* A frame whose scale is the root mean square per axis, not the root mean square distance as in sfgp_frame_of. */
static sfgp_status frame_per_axis(sfgp_context *context, const char *role, const sfgp_mesh *mesh,
                                  sfgp_frame *frame)
{
    sfgp_status status = sfgp_frame_of(context, role, mesh, frame);
    frame->scale /= sqrt(mesh->dimension);
    return status;
}

static sfgp_status choose_frames(sfgp_context *context, const char *normalise, const sfgp_mesh *reference,
                                 const sfgp_mesh *target, sfgp_mixture_frames *frames)
{
    sfgp_status status = SFGP_OK;
    frames->from = frames->to = sfgp_frame_plain(reference->dimension);
    if (strcmp(normalise, "none") == 0)
        return SFGP_OK;
    if ((status = frame_per_axis(context, "reference", reference, &frames->from)) != SFGP_OK ||
        (status = frame_per_axis(context, "target", target, &frames->to)) != SFGP_OK)
        return status; /* GCOVR_EXCL_LINE: shapes without extent were refused before */
    if (strcmp(normalise, "target") == 0)
        frames->from = frames->to;
    if (strcmp(normalise, "reference") == 0)
        frames->to = frames->from;
    return SFGP_OK;
}

/* exp(-|y - y'|^2 / (2 beta^2)) / lambda, unless the user names a kernel, whose variance takes the place of
 * 1 / lambda. */
static sfgp_status choose_kernel(sfgp_context *context, const sfgp_mixture_method *method,
                                 sfgp_settings *settings)
{
    char length[SFGP_NUMBER_SIZE], variance[SFGP_NUMBER_SIZE];
    if (!method->smooth) {
        strcpy(settings->kernel, "none");
        return SFGP_OK;
    }
    if (settings->lambda == 0)
        settings->lambda = LAMBDA;
    if (strcmp(settings->kernel, "none") == 0)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "kernel: 'none': %s moves by a kernel; name one",
                         method->name);
    if (strcmp(settings->kernel, "auto") != 0)
        return SFGP_OK;
    if (settings->lambda < LAMBDA_LEAST)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "lambda: %g: %s takes %g or more", settings->lambda,
                         method->name, LAMBDA_LEAST);
    sfgp_number_format(settings->beta, length);
    sfgp_number_format(1 / settings->lambda, variance);
    snprintf(settings->kernel, sizeof settings->kernel, "se:length=%s,variance=%s", length, variance);
    return SFGP_OK;
}

/* The settings of the factor: rank and accuracy, which is relative to the variance of the kernel. */
static sfgp_status factor_settings(sfgp_context *context, const sfgp_mixture_method *method, int64_t count,
                                   const sfgp_settings *settings, sfgp_settings *factor)
{
    sfgp_kernel kernel;
    sfgp_status status = sfgp_kernel_parse(context, settings->kernel, &kernel);
    if (status != SFGP_OK)
        return status;
    *factor = *settings;
    if (method->exact)
        strcpy(factor->lowrank, sfgp_lowrank_cholesky.name);
    factor->rank = method->exact ? 0 : settings->rank > 0 ? settings->rank : RANK;
    factor->rank = factor->rank > count ? count : factor->rank;
    const double accuracy = method->exact            ? ACCURACY_EXACT
                            : settings->accuracy > 0 ? settings->accuracy
                                                     : ACCURACY;
    factor->accuracy = fmin(accuracy, 0.5) * sfgp_kernel_variance(&kernel);
    return SFGP_OK;
}

static sfgp_status make_model(sfgp_context *context, const sfgp_mixture_method *method,
                              const sfgp_mesh *reference, sfgp_settings *settings,
                              sfgp_mixture_frames *frames)
{
    sfgp_settings factor;
    sfgp_status status = SFGP_OK;
    if ((status = choose_kernel(context, method, settings)) != SFGP_OK ||
        (status = factor_settings(context, method, reference->count, settings, &factor)) != SFGP_OK ||
        (status = sfgp_model_new_in_frame(context, reference, &frames->from, &factor, &frames->model)) !=
            SFGP_OK)
        return status;
    settings->rank = frames->model->basis.scalar.rank;
    settings->prune = method->exact ? fmin(settings->prune, PRUNE_EXACT) : settings->prune;
    snprintf(settings->outlier_density, sizeof settings->outlier_density, "%s",
             method->bayesian ? "volume" : "count");
    return SFGP_OK;
}

sfgp_status sfgp_mixture_frames_new(sfgp_context *context, const sfgp_mixture_method *method,
                                    const sfgp_model *model, const sfgp_mesh *target, sfgp_settings *settings,
                                    sfgp_mixture_frames *frames)
{
    const sfgp_mesh reference = {
        .count = model->count, .dimension = model->dimension, .points = model->original};
    sfgp_status status = SFGP_OK;
    *frames = (sfgp_mixture_frames){0};
    if ((status = choose_frames(context, settings->normalise, &reference, target, frames)) != SFGP_OK ||
        (status = make_model(context, method, &reference, settings, frames)) != SFGP_OK ||
        (status = sfgp_allocate(context, target->count * target->dimension, &frames->target)) != SFGP_OK)
        return status;
    sfgp_frame_enter(&frames->to, target->count, target->points, frames->target);
    return SFGP_OK;
}

void sfgp_mixture_frames_clear(sfgp_mixture_frames *frames)
{
    sfgp_model_free(frames->model);
    sfgp_free(frames->target);
    *frames = (sfgp_mixture_frames){0};
}
