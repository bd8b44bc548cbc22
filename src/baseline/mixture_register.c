/* Runs a baseline of the mixture family: from its arguments to its result. */
#include "baseline/mixture_register.h"

#include <math.h>

static void copy_labels(const sfgp_mixture *mixture, sfgp_result *result)
{
    const sfgp_responsibilities *labels = &mixture->labels;
    for (int64_t i = 0; i < labels->count; i++) {
        const int64_t j = labels->best_target[i];
        result->probability[i] = labels->best[i];
        result->target[i] = j >= 0 && mixture->order ? mixture->order[j] : j;
    }
    result->explained = sfgp_responsibilities_explained(labels);
}

static void copy_points(const sfgp_mixture *mixture, const sfgp_frame *to, sfgp_result *result)
{
    sfgp_frame_leave(to, result->count, mixture->fitted, result->points);
    for (int64_t i = 0; i < result->count; i++)
        result->sd[i] = to->scale * mixture->map.scale * sqrt(mixture->variance[i]);
}

/* y = T((x - from.centre) / from.scale) in `to`, in the unit of the files. */
static void copy_map(const sfgp_mixture *mixture, const sfgp_mixture_frames *frames, sfgp_result *result)
{
    const int d = result->dimension;
    const sfgp_frame *from = &frames->from, *to = &frames->to;
    const bool affine = mixture->task.method->map == SFGP_MIXTURE_AFFINE;
    const double *const linear = affine ? mixture->affine.linear : mixture->map.rotation;
    const double *const shift = affine ? mixture->affine.shift : mixture->map.shift;
    const double scale = (affine ? 1 : mixture->map.scale) * to->scale / from->scale;
    for (int a = 0; a < d; a++) {
        double *const row = result->similarity + 4 * (size_t)a;
        row[3] = to->centre[a] + to->scale * shift[a];
        for (int b = 0; b < d; b++) {
            row[b] = scale * linear[a * d + b];
            row[3] -= row[b] * from->centre[b];
        }
    }
}

void sfgp_mixture_fill_result(const sfgp_mixture *mixture, const sfgp_mixture_frames *frames,
                              const sfgp_model *model, sfgp_result *result)
{
    const double unit = frames->to.scale / model->frame.scale;
    result->iterations = mixture->iterations;
    result->change = mixture->change * unit;
    result->settings->variance0 = mixture->sigma2_start * unit * unit;
    result->outcome = mixture->settled ? SFGP_CONVERGED : SFGP_MAX_ITERATIONS;
    result->sigma = frames->to.scale * sqrt(mixture->sigma2);
    copy_labels(mixture, result);
    copy_points(mixture, &frames->to, result);
    copy_map(mixture, frames, result);
    for (int64_t k = 0; k < result->count * result->dimension && mixture->collapsed; k++)
        result->points[k] = (double)NAN;
}

static sfgp_status fit(sfgp_mixture *mixture, const sfgp_mixture_frames *frames, const sfgp_model *model)
{
    sfgp_status status = sfgp_mixture_run(frames->to.scale / model->frame.scale, mixture);
    if (status == SFGP_OK && !mixture->collapsed)
        status = sfgp_mixture_label_all(mixture);
    return status;
}

sfgp_status sfgp_mixture_register(sfgp_context *context, const sfgp_mixture_method *method,
                                  const sfgp_model *model, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_mixture_frames frames;
    sfgp_mixture mixture = {0};
    sfgp_status status = sfgp_mixture_frames_new(context, method, model, target, result->settings, &frames);
    if (status == SFGP_OK) {
        const sfgp_mixture_task task = {method, result->settings, &frames.model->basis, target->count,
                                        frames.target};
        status = sfgp_mixture_new(context, &task, &mixture);
    }
    if (status == SFGP_OK)
        status = fit(&mixture, &frames, model);
    if (status == SFGP_OK)
        sfgp_mixture_fill_result(&mixture, &frames, model, result);
    sfgp_mixture_clear(&mixture);
    sfgp_mixture_frames_clear(&frames);
    return status;
}
