/* MAP: the most probable displacement when every reference point corresponds to its closest target point, by L-BFGS
 * from the prior mean (map_objective.h). The model has no outliers and no missing points: a reference point without a
 * counterpart moves to the nearest target point. max_distance only decides which points of the result are missing. The
 * iteration stops by the mean motion of the points, as in all methods. */
#include "baseline/baseline.h"
#include "baseline/map_objective.h"
#include "base/memory.h"
#include "base/progress.h"
#include "linalg/minimise.h"

#include <math.h>
#include <string.h>

#define LAMBDA 3e-4 /* chosen from 1e-7 .. 3e-2 on fish of deformation level 1 and ears 000-005 */
#define GRADIENT                                                                                             \
    1e-12 /* f is of order 1 in squared RMS radii; the mean motion stops the iteration much earlier */

typedef struct map_fit {
    sfgp_map_estimate map; /* must be first: the objective is called with its address */
    sfgp_context *context;
    sfgp_settings settings;
    double *previous;         /* N x d: rbar of the step before */
    double *c;                /* map.size */
    unsigned char *explained; /* N_S: 1 for the closest target point of a labelled point */
    double change;
    sfgp_status status; /* SFGP_CANCELLED when it was stopped */
} map_fit;

static sfgp_status set_up(const sfgp_model *model, const sfgp_mesh *target, map_fit *fit)
{
    const int64_t size = model->count * model->dimension;
    sfgp_settings *settings = &fit->settings;
    sfgp_status status = SFGP_OK;
    if (settings->lambda == 0)
        settings->lambda = LAMBDA;
    settings->rank = model->basis.scalar.rank;
    memcpy(settings->kernel, model->kernel, sizeof settings->kernel);
    if ((status = sfgp_map_estimate_new(fit->context, model, target, settings->lambda, &fit->map)) !=
            SFGP_OK ||
        (status = sfgp_allocate(fit->context, size, &fit->previous)) != SFGP_OK ||
        (status = sfgp_allocate(fit->context, fit->map.size, &fit->c)) != SFGP_OK)
        return status;
    memcpy(fit->previous, model->basis.mean, (size_t)size * sizeof(double));
    return sfgp_allocate(fit->context, target->count, &fit->explained);
}

static void clear(map_fit *fit)
{
    sfgp_map_estimate_clear(&fit->map);
    sfgp_free(fit->previous);
    sfgp_free(fit->c);
    sfgp_free(fit->explained);
}

static double mean_motion(const map_fit *fit)
{
    const int64_t n = fit->map.model->count, d = fit->map.model->dimension;
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int64_t k = i * d; k < i * d + d; k++)
            square += (fit->map.points[k] - fit->previous[k]) * (fit->map.points[k] - fit->previous[k]);
        sum += sqrt(square);
    }
    return sum / (double)n;
}

static bool labelled(const map_fit *fit, int64_t i)
{
    return fit->map.distance2[i] <= fit->settings.max_distance * fit->settings.max_distance;
}

/* After each accepted step: the mean motion of the points, and whether it is below the tolerance, or the fit
 * cancelled. */
static bool observe(void *user, int64_t iteration, const double *c)
{
    map_fit *fit = user;
    const int64_t n = fit->map.model->count;
    int64_t missing = 0;
    (void)c;
    fit->change = mean_motion(fit);
    memcpy(fit->previous, fit->map.points, (size_t)(n * fit->map.model->dimension) * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        missing += !labelled(fit, i);
    const sfgp_progress progress = {.iteration = iteration,
                                    .max_iterations = fit->settings.max_iterations,
                                    .change = fit->change,
                                    .tolerance = fit->settings.tolerance,
                                    .missing = (double)missing / (double)n};
    fit->status = sfgp_progress_report(fit->context, &progress);
    return fit->status != SFGP_OK || fit->change < fit->settings.tolerance ||
           sfgp_progress_is_late(fit->context);
}

/* Sets labels and sigma, the root mean square distance per axis of the labelled points. */
static void copy_labels(map_fit *fit, sfgp_result *result)
{
    int64_t count = 0, explained = 0;
    double sum = 0;
    for (int64_t i = 0; i < result->count; i++) {
        const bool found = labelled(fit, i);
        result->target[i] = found ? fit->map.closest[i] : -1;
        result->probability[i] = found;
        count += found;
        sum += found ? fit->map.distance2[i] : 0;
        fit->explained[fit->map.closest[i]] |= found;
    }
    for (int64_t j = 0; j < fit->map.targets; j++)
        explained += fit->explained[j];
    result->explained = (double)explained / (double)fit->map.targets;
    result->sigma =
        count > 0 ? fit->map.model->frame.scale * sqrt(sum / (double)(count * result->dimension)) : 0;
}

static void fill_result(map_fit *fit, const sfgp_minimum *minimum, sfgp_result *result)
{
    double *unused = fit->map.lane_gradients; /* workspace for a gradient */
    /* Evaluate the best c again, because the last evaluation of the line search may not be the best. */
    sfgp_map_estimate_objective(&fit->map, fit->c, unused);
    *result->settings = fit->settings;
    result->iterations = minimum->iterations;
    result->change = fit->change;
    result->outcome = minimum->converged ? SFGP_CONVERGED : SFGP_MAX_ITERATIONS;
    sfgp_frame_leave(&fit->map.model->frame, result->count, fit->map.points, result->points);
    memset(result->sd, 0, (size_t)result->count * sizeof *result->sd); /* a point estimate has no variance */
    copy_labels(fit, result);
}

sfgp_status sfgp_baseline_map(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                              sfgp_result *result)
{
    map_fit fit = {.context = context, .settings = *result->settings};
    sfgp_minimum minimum;
    sfgp_status status = set_up(model, target, &fit);
    const sfgp_problem problem = {fit.map.size, sfgp_map_estimate_objective, observe,
                                  &fit,         fit.settings.max_iterations, GRADIENT};
    if (status == SFGP_OK)
        status = sfgp_minimise(context, &problem, fit.c, &minimum);
    if (status == SFGP_OK)
        status = fit.status;
    if (status == SFGP_OK)
        fill_result(&fit, &minimum, result);
    clear(&fit);
    return status;
}
