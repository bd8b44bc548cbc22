#include "base/memory.h"
#include "base/quantile.h"
#include "fit/result.h"
#include "fit/strays.h"
#include "fit/thinning.h"

#include <math.h>
#include <string.h>

/* Nothing speaks for a fit that labels so few reference points, or whose labels scatter over a good part of
 * the shape. */
#define LABELLED_LEAST 0.1
#define NOISE_MOST 0.25 /* RMS radii, after convergence or so many iterations */
#define SETTLED 100

#define NAME_CASE(name, text)                                                                                \
    case name:                                                                                               \
        return text;

const char *sfgp_outcome_name(sfgp_outcome outcome)
{
    switch (outcome) {
        SFGP_OUTCOME_TABLE(NAME_CASE)
    }
    return "unknown";
}

sfgp_status sfgp_result_new(sfgp_context *context, const sfgp_model *model, sfgp_result **result)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_result *made = NULL;
    sfgp_status status = SFGP_OK;
    *result = NULL;
    if ((status = sfgp_allocate(context, 1, &made)) != SFGP_OK)
        return status;
    made->count = n;
    made->dimension = (int)d;
    if ((status = sfgp_allocate(context, n * d, &made->points)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->sd)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->missing)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->target)) == SFGP_OK)
        status = sfgp_allocate(context, n, &made->probability);
    if (status == SFGP_OK)
        *result = made;
    else
        sfgp_result_free(made);
    return status;
}

void sfgp_result_free(sfgp_result *result)
{
    if (!result)
        return;
    sfgp_free(result->points);
    sfgp_free(result->sd);
    sfgp_free(result->missing);
    sfgp_free(result->target);
    sfgp_free(result->probability);
    sfgp_free(result);
}

static double explained_share(const sfgp_solver *solver)
{
    int64_t explained = 0;
    for (int64_t j = 0; j < solver->labels.targets; j++)
        explained += solver->labels.explained[j] > 0.5;
    return (double)explained / (double)solver->labels.targets;
}

/* Median over the labelled points: with a variance each, a few unmatched points reach any size. */
static double median_noise(const sfgp_solver *solver)
{
    double *sorted = solver->weights; /* no longer needed */
    int64_t count = 0;
    if (solver->method->search) /* all have the same */
        return solver->labels.missing < solver->labels.count ? sqrt(solver->noise[0]) : 0;
    for (int64_t i = 0; i < solver->labels.count; i++)
        if (solver->labels.weight[i] > 0)
            sorted[count++] = solver->noise[i];
    sfgp_sort(count, sorted);
    return count > 0 ? sqrt(sfgp_quantile(count, sorted, 0.5)) : 0;
}

static void take_labels(const sfgp_solver *solver, sfgp_result *result)
{
    const sfgp_labels *labels = &solver->labels;
    result->missing_count = labels->missing;
    for (int64_t i = 0; i < result->count; i++) {
        result->missing[i] = labels->weight[i] == 0;
        result->target[i] =
            labels->weight[i] > 0 ? sfgp_thinning_original(solver, labels->best_target[i]) : -1;
        result->probability[i] = labels->weight[i] > 0 ? labels->best[i] : 0;
    }
}

/* Nothing matched: the reference as it came, its prior uncertainty, and every point missing. */
static void take_reference(const sfgp_model *model, sfgp_result *result)
{
    memcpy(result->points, model->original, (size_t)(result->count * result->dimension) * sizeof(double));
    result->missing_count = result->count;
    for (int64_t i = 0; i < result->count; i++) {
        result->sd[i] = model->frame.scale * sqrt(sfgp_model_prior_variance(model, i));
        result->missing[i] = 1;
        result->target[i] = -1;
        result->probability[i] = 0;
    }
}

/* A search that found nothing ends with nothing but strays, or with the widest labels that it may have. */
static bool is_scattered(const sfgp_solver *solver)
{
    if (solver->method->search)
        return sfgp_strays_all(solver) || solver->noise[0] > 0.99 * SFGP_SEARCH_NOISE_MOST;
    return solver->method->update_noise != sfgp_noise_keep && median_noise(solver) > NOISE_MOST;
}

static bool no_overlap(const sfgp_solver *solver, const sfgp_result *result)
{
    double labelled = (double)(result->count - result->missing_count) / (double)result->count;
    bool settled = result->outcome == SFGP_CONVERGED || result->iterations >= SETTLED;
    bool scattered = settled && is_scattered(solver);
    return result->outcome == SFGP_NO_OVERLAP ||
           (solver->settings.reject && result->iterations > 0 && (labelled < LABELLED_LEAST || scattered));
}

/* The points of a dense target may be closer than their noise: of a carried fit the smallest part counts. */
static void warn_residual(const sfgp_solver *solver)
{
    const double noise = solver->carried ? solver->scatter : median_noise(solver),
                 spacing = solver->carried ? solver->coarseness : solver->spacing;
    if (solver->method->update_noise != sfgp_noise_keep && spacing > 0 &&
        noise > SFGP_RESIDUAL_MOST * spacing)
        sfgp_warn(solver->context,
                  "residual: labels scatter by %.3g, %.2g times the spacing of the target; look at the fit: "
                  "a noisy "
                  "scan, or one that is turned, mirrored or in another unit",
                  noise * solver->model->frame.scale, noise / spacing);
}

void sfgp_result_take(sfgp_solver *solver, sfgp_result *result)
{
    const sfgp_model *model = solver->model;
    result->settings = solver->settings;
    result->change = solver->change;
    take_labels(solver, result);
    result->explained = explained_share(solver);
    result->noise = model->frame.scale * median_noise(solver);
    sfgp_pose_apply(&solver->pose, model->dimension, result->count, solver->fitted, result->points);
    sfgp_frame_leave(&model->frame, result->count, result->points, result->points);
    for (int64_t i = 0; i < result->count; i++)
        result->sd[i] = model->frame.scale * sqrt(solver->variance[i]);
    if (no_overlap(solver, result)) {
        result->outcome = SFGP_NO_OVERLAP;
        take_reference(model, result);
    } else if (result->iterations > 0) {
        warn_residual(solver);
    }
}

void sfgp_result_judge(const sfgp_model *model, sfgp_result *result)
{
    bool finite = true;
    result->missing_count = 0;
    for (int64_t k = 0; k < result->count * result->dimension; k++)
        finite = finite && isfinite(result->points[k]);
    for (int64_t i = 0; i < result->count; i++) {
        result->missing[i] = !(result->probability[i] > result->settings.pmin);
        result->missing_count += result->missing[i];
        if (result->missing[i])
            result->target[i] = -1, result->probability[i] = 0;
    }
    if (!finite || (result->settings.reject && result->missing_count == result->count)) {
        result->outcome = SFGP_NO_OVERLAP;
        take_reference(model, result);
    }
}
