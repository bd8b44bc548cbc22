/* The loop of PCA_ANISO; the method is described in pca_aniso.h. */
#include "baseline/pca_aniso.h"
#include "base/progress.h"
#include "baseline/baseline.h"

#include <math.h>
#include <string.h>

static sfgp_status report(sfgp_context *context, const sfgp_aniso *fit, const sfgp_result *result)
{
    int64_t missing = 0;
    for (int64_t i = 0; i < result->count; i++)
        missing += !(fit->best[i] > fit->settings.pmin);
    const sfgp_progress progress = {.iteration = result->iterations,
                                    .max_iterations = fit->settings.max_iterations,
                                    .change = result->change,
                                    .tolerance = fit->settings.tolerance,
                                    .missing = (double)missing / (double)result->count};
    return sfgp_progress_report(context, &progress);
}

/* Iterates until the points move less than the tolerance. Without any label it stops at once; the caller reports
 * this. */
static sfgp_status iterate(sfgp_context *context, sfgp_aniso *fit, sfgp_result *result)
{
    result->outcome = SFGP_MAX_ITERATIONS;
    while (result->iterations < fit->settings.max_iterations && result->outcome != SFGP_CONVERGED &&
           (result->iterations == 0 || !sfgp_progress_is_late(context))) {
        double mass = sfgp_aniso_label(fit);
        if (!(mass > 0))
            return SFGP_OK;
        sfgp_status status = sfgp_aniso_move(context, fit);
        if (status != SFGP_OK)
            return status;
        result->change = sfgp_aniso_accept(fit, mass);
        result->iterations++;
        if (!isfinite(result->change)) /* GCOVR_EXCL_START: a guard; no shape is known that gets here */
            return sfgp_fail(context, SFGP_ERROR_NUMERIC, "pca-aniso: the points are no longer finite");
        /* GCOVR_EXCL_STOP */
        if (result->change < fit->settings.tolerance)
            result->outcome = SFGP_CONVERGED;
        if ((status = report(context, fit, result)) != SFGP_OK)
            return status;
    }
    return SFGP_OK;
}

/* The labels are those of the last E-step, or of one at the start when there was no iteration. */
static void fill_result(sfgp_aniso *fit, sfgp_result *result)
{
    int64_t explained = 0;
    if (result->iterations == 0)
        sfgp_aniso_label(fit);
    for (int64_t j = 0; j < fit->targets; j++)
        explained += fit->explained[j] > 0.5;
    for (int64_t i = 0; i < result->count; i++) {
        result->target[i] = fit->best_target[i];
        result->probability[i] = fit->best[i];
    }
    *result->settings = fit->settings;
    result->explained = (double)explained / (double)fit->targets;
    result->sigma = fit->model->frame.scale * sqrt(fit->variance);
    sfgp_frame_leave(&fit->model->frame, result->count, fit->points, result->points);
    memset(result->sd, 0, (size_t)result->count * sizeof *result->sd); /* a point estimate has no variance */
}

sfgp_status sfgp_baseline_pca_aniso(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                    sfgp_result *result)
{
    sfgp_aniso fit;
    if (model->basis.pca.modes == 0)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "method: pca-aniso needs training shapes");
    sfgp_status status = sfgp_aniso_new(context, model, target, result->settings, &fit);
    if (status == SFGP_OK)
        status = iterate(context, &fit, result);
    if (status == SFGP_OK)
        fill_result(&fit, result);
    sfgp_aniso_clear(&fit);
    return status;
}
