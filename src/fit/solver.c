#include "base/memory.h"
#include "base/settings.h"
#include "base/threads.h"
#include "fit/landmarks.h"
#include "fit/level.h"
#include "fit/search.h"
#include "fit/squarem.h"
#include "fit/strays.h"
#include "fit/thinning.h"
#include "geom/inspect.h"
#include "geom/measure.h"
#include "model/coefficients.h"

#include <string.h>

/* What "auto" means, and what of it depends on the model. */
static void resolve(const sfgp_model *model, const sfgp_method *method, sfgp_settings *settings)
{
    if (settings->omega == 0)
        settings->omega = 0.1;
    if (settings->pmin == 0)
        settings->pmin = 1.0 / (double)model->count;
    if (settings->prune == 0)
        settings->prune = 1e-3 * settings->pmin;
    if (settings->max_distance == 0)
        settings->max_distance = 0.2;
    settings->threads = sfgp_threads_for(settings->threads, model->count);
    if (method->baseline)
        return;
    if (settings->variance0 == 0)
        settings->variance0 = model->pca.modes > 0 ? method->variance0_trained : method->variance0;
    settings->rank = model->scalar.rank;
    memcpy(settings->kernel, model->kernel, sizeof settings->kernel);
}

sfgp_status sfgp_solver_use_tiles(sfgp_solver *solver)
{
    const sfgp_model *model = solver->model;
    return solver->tiles ? SFGP_OK
                         : sfgp_tiles_new(solver->context, model->count, model->dimension, model->prior_mean,
                                          &solver->tiles);
}

static sfgp_status make_room(sfgp_context *context, const sfgp_model *model, sfgp_solver *solver)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_posterior_new(context, model, &solver->posterior)) != SFGP_OK ||
        (status = sfgp_labels_new(context, n, (int)d, &solver->labels)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &solver->fitted)) != SFGP_OK ||
        (status = sfgp_allocate(context, sfgp_coefficients_size(model), &solver->coefficients)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &solver->variance)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &solver->noise)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &solver->weights)) != SFGP_OK)
        return status;
    status = sfgp_allocate(context, n * d, &solver->deltas);
    if (status == SFGP_OK && solver->method->search)
        status = sfgp_strays_new(solver);
    if (status == SFGP_OK && solver->method->search && n >= SFGP_SEARCH_POINTS)
        status = sfgp_solver_use_tiles(solver);
    return status == SFGP_OK && solver->method->search ? sfgp_squarem_new(solver) : status;
}

static sfgp_status set_up(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                          sfgp_solver *solver)
{
    sfgp_status status = SFGP_OK;
    solver->context = context;
    solver->model = model;
    solver->settings = *settings;
    if ((status = sfgp_settings_check(context, settings)) != SFGP_OK ||
        (status = sfgp_method_find(context, settings->method, &solver->method)) != SFGP_OK)
        return status;
    if (settings->threads != 0 && settings->threads != sfgp_threads_resolve(settings->threads))
        sfgp_warn(context, "threads: %lld asked, %d used", (long long)settings->threads,
                  sfgp_threads_resolve(settings->threads));
    resolve(model, solver->method, &solver->settings);
    solver->pair_budget = sfgp_thinning_budget(model->count);
    return solver->method->baseline ? SFGP_OK : make_room(context, model, solver);
}

sfgp_status sfgp_solver_new(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                            sfgp_solver **solver)
{
    const int before = sfgp_threads_begin(settings->threads, model->count);
    sfgp_solver *made = NULL;
    *solver = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = set_up(context, model, settings, made);
    sfgp_threads_end(before);
    if (status == SFGP_OK)
        *solver = made;
    else
        sfgp_solver_free(made);
    return status;
}

void sfgp_solver_free(sfgp_solver *solver)
{
    if (!solver)
        return;
    sfgp_solver_clear_landmarks(solver);
    sfgp_posterior_clear(&solver->posterior);
    sfgp_labels_clear(&solver->labels);
    sfgp_free(solver->fitted);
    sfgp_free(solver->coefficients);
    sfgp_free(solver->variance);
    sfgp_free(solver->noise);
    sfgp_free(solver->weights);
    sfgp_free(solver->deltas);
    sfgp_free(solver->scan);
    sfgp_free(solver->target);
    sfgp_free(solver->mixing);
    sfgp_free(solver->density);
    sfgp_free(solver->stated);
    sfgp_regions_clear(&solver->regions);
    sfgp_squarem_clear(&solver->squarem);
    sfgp_free(solver->order);
    sfgp_kdtree_free(solver->tree);
    sfgp_tiles_free(solver->tiles);
    sfgp_free(solver);
}

static void set_rule(sfgp_solver *solver)
{
    const sfgp_settings *settings = &solver->settings;
    bool volume = solver->method->search || strcmp(settings->outlier_density, "volume") == 0;
    solver->rule =
        (sfgp_label_rule){.omega = settings->omega,
                          .density = volume ? sfgp_points_box_density(solver->target_count,
                                                                      solver->model->dimension, solver->scan)
                                            : 1 / (double)solver->target_count,
                          .pmin = solver->method->threshold ? settings->pmin : 0,
                          .prune = settings->prune,
                          .max_distance = settings->max_distance};
}

sfgp_status sfgp_solver_check_target(const sfgp_solver *solver, const sfgp_mesh *target)
{
    sfgp_frame frame;
    if (target->dimension != solver->model->dimension)
        return sfgp_fail(solver->context, SFGP_ERROR_DATA, "target: %dD, the reference is %dD",
                         target->dimension, solver->model->dimension);
    return sfgp_inspect_points(solver->context, "target", target, &frame);
}

static sfgp_status make_target_room(sfgp_solver *solver, int64_t count)
{
    const int64_t row = solver->model->dimension * (int64_t)sizeof(double);
    sfgp_status status =
        sfgp_reserve_bytes(solver->context, count, row, (void **)&solver->target, &solver->target_capacity);
    if (status == SFGP_OK)
        status =
            sfgp_reserve_bytes(solver->context, count, row, (void **)&solver->scan, &solver->scan_capacity);
    return status;
}

static sfgp_start standard_start(const sfgp_solver *solver)
{
    return (sfgp_start){sfgp_pose_identity(solver->model->dimension), solver->settings.variance0,
                        solver->settings.omega, true, false};
}

sfgp_status sfgp_solver_begin(sfgp_solver *solver, const sfgp_start *start)
{
    const sfgp_model *model = solver->model;
    const int64_t n = model->count, d = model->dimension;
    solver->begun = *start;
    solver->pose = start->pose;
    sfgp_status status = sfgp_thinning_begin(solver);
    set_rule(solver);
    if (solver->method->search)
        sfgp_strays_begin(solver, start);
    memcpy(solver->fitted, model->prior_mean, (size_t)(n * d) * sizeof(double));
    memset(solver->coefficients, 0, (size_t)sfgp_coefficients_size(model) * sizeof(double));
    memset(solver->variance, 0, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        solver->noise[i] = start->noise;
    solver->age = 0;
    solver->change = solver->divergence = solver->evidence = solver->held_noise = 0;
    solver->settled = solver->carried = false;
    solver->posterior.solved = solver->posterior.summed = solver->posterior.hold = false;
    sfgp_squarem_begin(solver);
    return status == SFGP_OK ? sfgp_solver_start_at_landmarks(solver) : status;
}

sfgp_status sfgp_solver_take_target(sfgp_solver *solver, const sfgp_mesh *target)
{
    const sfgp_start start = standard_start(solver);
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_labels_reserve(solver->context, target->count,
                                      sfgp_level_wanted(solver) ? 0 : solver->pair_budget,
                                      &solver->labels)) != SFGP_OK ||
        (status = make_target_room(solver, target->count)) != SFGP_OK ||
        (status = sfgp_thinning_load(solver, target)) != SFGP_OK)
        return status;
    solver->spacing = sfgp_points_spacing(solver->target_count, solver->model->dimension, solver->scan);
    return sfgp_solver_begin(solver, &start);
}

sfgp_status sfgp_solver_start(sfgp_solver *solver, const sfgp_mesh *target)
{
    const sfgp_model *model = solver->model;
    sfgp_status status = sfgp_solver_check_target(solver, target);
    if (status != SFGP_OK)
        return status;
    solver->comparable = sfgp_inspect_extents(solver->context, model->dimension, model->count,
                                              model->original, target->count, target->points);
    return sfgp_solver_take_target(solver, target);
}
