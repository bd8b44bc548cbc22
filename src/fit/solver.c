/* Settings become the problem of a fit. */
#include "fit/solver.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/threads.h"
#include "em/landmarks.h"
#include "fit/priors.h"
#include "geom/area.h"
#include "search/effort.h"
#include "search/tuning.h"

#include <stdio.h>
#include <string.h>

/* What "auto" means, and what of it depends on the model. */
static void resolve(const sfgp_model *model, const sfgp_method *method, sfgp_settings *settings)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&model->basis);
    const double each = 1.0 / (double)model->count;
    if (settings->omega == 0)
        settings->omega = tuning->omega;
    if (settings->pmin == 0)
        settings->pmin = each;
    if (settings->prune == 0)
        settings->prune = sfgp_em_prune(
            method->variant, method->variant && !method->variant->threshold ? each : settings->pmin);
    if (settings->max_distance == 0)
        settings->max_distance = tuning->max_distance;
    if (strcmp(settings->outlier_density, "auto") == 0)
        snprintf(settings->outlier_density, sizeof settings->outlier_density, "%s",
                 method->variant && method->variant->learns ? "volume" : "count");
    settings->threads = sfgp_threads_for(settings->threads, model->count);
    if (!method->variant)
        return;
    if (settings->variance0 == 0)
        settings->variance0 = method->variant->fixed_sigma2 ? tuning->sigma2_closest : tuning->sigma2;
    settings->accuracy = sfgp_model_accuracy(settings, model->count);
    settings->rank = model->basis.scalar.rank;
    memcpy(settings->kernel, model->kernel, sizeof settings->kernel); /* fit/memory.c reads it */
}

static const sfgp_em_schedule *cold_schedule(const sfgp_em_variant *variant, int dimension)
{
    if (!variant->learns)
        return &sfgp_schedule_paper;
    return dimension == 2 ? &sfgp_schedule_curve : &sfgp_schedule_surface;
}

/* The problem but for its target; as they were given, settings that are auto are 0. */
static void set_problem(const sfgp_settings *given, sfgp_solver *solver)
{
    const sfgp_settings *settings = &solver->settings;
    const sfgp_model *model = solver->model;
    const sfgp_em_variant *variant = solver->method->variant;
    const sfgp_tuning *tuning = sfgp_tuning_of(&model->basis);
    solver->warm = sfgp_schedule_warm;
    solver->problem =
        (sfgp_em_problem){.basis = &model->basis,
                          .variant = variant,
                          .cold = cold_schedule(variant, model->dimension),
                          .warm = &solver->warm,
                          .level = &solver->level,
                          .refines = true,
                          .volume_density = strcmp(settings->outlier_density, "volume") == 0,
                          .tiles = variant->learns && (double)model->count >= tuning->subset_points,
                          .sigma2 = settings->variance0,
                          .omega = settings->omega,
                          .given_sigma2 = given->variance0,
                          .given_omega = given->omega,
                          .sigma2_fall = tuning->sigma2_fall,
                          .pmin = settings->pmin,
                          .prune = settings->prune,
                          .max_distance = settings->max_distance,
                          .tolerance = settings->tolerance,
                          .max_iterations = settings->max_iterations,
                          .seed = (uint64_t)settings->seed};
}

/* What of the problem the effort decides: columns of the prior, and when a warm fit rests (ADR 0059). */
static sfgp_status set_effort(const char *name, sfgp_solver *solver)
{
    sfgp_em_problem *problem = &solver->problem;
    sfgp_status status = sfgp_effort_find(solver->context, name, &problem->effort);
    if (status != SFGP_OK || !problem->variant->learns)
        return status;
    if (!sfgp_schedule_is_dense(solver->model->count))
        solver->warm.rest_step = problem->effort->warm_rest;
    if (!(problem->effort->accuracy > 0))
        return SFGP_OK;
    problem->basis = &solver->basis;
    return sfgp_basis_narrow(solver->context, &solver->model->basis, problem->effort->accuracy,
                             &solver->basis);
}

/* Steps with an older B'WB, subsets of the points and the loops of the baselines do not know the field of the sparse form. */
static sfgp_status check_field(sfgp_context *context, const sfgp_model *model, const sfgp_method *method)
{
    if (!model->field || (method->variant && !method->variant->learns))
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                     "kernel: method '%s' has no form=sparse; use form=eigen, or --method sfgp-scalar, "
                     "sfgp-full, sfgp-nothreshold or closest-point",
                     method->info.name);
}

sfgp_status sfgp_solver_measure_scan(sfgp_solver *solver)
{
    const sfgp_mesh *scan = solver->scan.points;
    return sfgp_points_area(solver->context, scan->count, scan->points, solver->problem.seed,
                            &solver->problem.area);
}

void sfgp_solver_set_size(sfgp_solver *solver, double size)
{
    solver->size = size;
    solver->frame = sfgp_frame_resized(&solver->model->frame, size);
}

void sfgp_solver_measure_clutter(sfgp_solver *solver)
{
    sfgp_em_problem *problem = &solver->problem;
    const bool is_more = problem->shape_area < sfgp_tuning_of(problem->basis)->clutter_room * problem->area;
    problem->clutter = is_more ? 1 - problem->shape_area / problem->area : 0;
}

bool sfgp_solver_has_enough(const sfgp_solver *solver, int64_t left)
{
    return (double)left >= sfgp_tuning_of(&solver->model->basis)->subset_targets_least;
}

/* Once for all targets: the area of the reference, where scans may show more than the shape (ADR 0035). */
static sfgp_status measure_shape(sfgp_solver *solver)
{
    const sfgp_model *model = solver->model;
    sfgp_em_problem *problem = &solver->problem;
    if (!problem->variant->learns || !problem->volume_density ||
        sfgp_tuning_of(problem->basis)->clutter_room == 0)
        return SFGP_OK;
    return sfgp_points_area(solver->context, model->count, model->reference, problem->seed,
                            &problem->shape_area);
}

static sfgp_status set_up(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                          sfgp_solver *solver)
{
    const int threads = sfgp_threads_resolve(settings->threads);
    sfgp_status status = SFGP_OK;
    solver->context = context;
    solver->model = model;
    solver->settings = *settings;
    if ((status = sfgp_settings_check(context, settings)) != SFGP_OK ||
        (status = sfgp_method_find(context, settings->method, &solver->method)) != SFGP_OK ||
        (status = check_field(context, model, solver->method)) != SFGP_OK)
        return status;
    if (settings->threads != 0 && settings->threads != threads)
        sfgp_warn(context, "threads: %lld asked, %d used", (long long)settings->threads, threads);
    sfgp_method_warn_unread(context, settings);
    resolve(model, solver->method, &solver->settings);
    if (solver->method->baseline)
        return SFGP_OK;
    set_problem(settings, solver);
    if ((status = set_effort(settings->effort, solver)) != SFGP_OK ||
        (status = measure_shape(solver)) != SFGP_OK || (status = sfgp_priors_add(solver)) != SFGP_OK)
        return status;
    return sfgp_em_new(context, &solver->problem, &solver->em);
}

sfgp_status sfgp_solver_new(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                            sfgp_solver **solver)
{
    sfgp_settings own;
    sfgp_solver *made = NULL;
    *solver = NULL;
    sfgp_status status = sfgp_settings_complete(context, settings, &own);
    if (status != SFGP_OK)
        return status;
    const int before = sfgp_threads_begin(own.threads, model->count);
    status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = set_up(context, model, &own, made);
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
    sfgp_em_free(solver->em);
    sfgp_level_clear(&solver->level);
    sfgp_coarse_surface_clear(&solver->coarse);
    sfgp_target_clear(&solver->problem.target);
    sfgp_scan_clear(&solver->scan);
    sfgp_landmarks_clear(&solver->landmarks);
    sfgp_priors_clear(&solver->priors);
    sfgp_priors_clear(&solver->asymmetric);
    sfgp_basis_clear(&solver->basis);
    sfgp_adapt_shape_clear(&solver->shape);
    sfgp_free(solver->adapted.mean);
    sfgp_free(solver);
}
