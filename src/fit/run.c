/* Runs a solver on a target: the fit, its follow-ups, the result. */
#include "base/platform_clock.h"
#include "base/progress.h"
#include "base/threads.h"
#include "deformation/deformation.h"
#include "fit/adapt.h"
#include "fit/detail.h"
#include "fit/follow_ups.h"
#include "fit/inspect.h"
#include "fit/one_search.h"
#include "fit/solver.h"
#include "geom/mirror.h"
#include "outcome/result.h"

static sfgp_status load(sfgp_solver *solver, const sfgp_mesh *target)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_TARGET);
    const sfgp_status status = sfgp_solver_load(solver, target);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

/* A label is the index of a point of the target. */
static void name_labels(const sfgp_scan *scan, sfgp_result *result)
{
    for (int64_t i = 0; scan->first && i < result->count; i++)
        if (result->target[i] >= 0)
            result->target[i] = scan->first[result->target[i]];
}

/* The default, with its follow-ups, or the plain loop of a method of the paper. */
static sfgp_status fit(sfgp_solver *solver, sfgp_result *result)
{
    const bool searches =
        solver->method->variant->learns && solver->problem.comparable && solver->settings.max_iterations > 0;
    sfgp_status status = sfgp_one_search(solver, searches, &result->outcome);
    if (!searches)
        return status;
    if (status == SFGP_OK)
        status = sfgp_follow_ups_ask(solver, &result->outcome);
    return status == SFGP_OK ? sfgp_fit_detail(solver, result) : status;
}

static sfgp_status set_result(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_em *em = solver->em;
    if (solver->settings.mirror)
        sfgp_mirror_pose(&solver->model->frame, &em->state.pose);
    result->size = solver->size;
    sfgp_result_fill(em, solver->model, result);
    sfgp_adapt_tell(solver, result);
    const sfgp_status status = sfgp_result_mask(em, result);
    name_labels(&solver->scan, result);
    sfgp_fit_inspect(solver->context, solver->model, target, result);
    return status;
}

/* target: its mirror image with the setting mirror. */
static sfgp_status run_variant(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_status status = load(solver, target);
    if (status != SFGP_OK)
        return status;
    *result->settings = solver->settings;
    status = fit(solver, result);
    if (status == SFGP_OK)
        status = set_result(solver, target, result);
    solver->problem.mesh = NULL;
    solver->problem.exact = NULL;
    sfgp_scan_clear(&solver->scan);
    return status;
}

/* x -> width - x behind a map. */
static void reflect(double width, double map[16])
{
    for (int k = 0; k < 4; k++)
        map[k] = -map[k];
    map[3] += width;
}

/* A baseline has no pose but the reflection in the frame: x -> 2 centre - x. */
static void mirror_result(const sfgp_frame *frame, sfgp_result *result)
{
    const int d = result->dimension;
    for (int64_t i = 0; i < result->count; i++)
        result->points[i * d] = 2 * frame->centre[0] - result->points[i * d];
    reflect(2 * frame->centre[0], result->pose);
    reflect(2 * frame->centre[0], result->similarity);
}

static sfgp_status run_baseline(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    *result->settings = solver->settings;
    sfgp_status status = solver->method->baseline(solver->context, solver->model, target, result);
    if (status == SFGP_OK)
        sfgp_result_judge(solver->model, result);
    if (status == SFGP_OK && solver->settings.mirror && result->outcome != SFGP_NO_OVERLAP)
        mirror_result(&solver->model->frame, result);
    return status;
}

static sfgp_status check_memory(const sfgp_solver *solver, const sfgp_mesh *target)
{
    sfgp_run_size size;
    sfgp_run_size_from_model(solver->model, &size);
    size.targets = target->count;
    return sfgp_memory_check(solver->context, &size, &solver->settings);
}

static sfgp_status run_method(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_mesh *image = NULL;
    sfgp_status status = sfgp_model_check_target(solver->context, solver->model, target);
    if (status == SFGP_OK && solver->settings.mirror)
        status = sfgp_mirror_target(solver->context, &solver->model->frame, target, &image);
    const sfgp_mesh *const shown = image ? image : target;
    if (status == SFGP_OK)
        status = solver->em ? run_variant(solver, shown, result) : run_baseline(solver, shown, result);
    sfgp_mesh_free(image);
    return status;
}

static sfgp_status run(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result **made)
{
    sfgp_status status = check_memory(solver, target);
    if (status == SFGP_OK)
        status = sfgp_result_new(solver->context, solver->model, made);
    if (status != SFGP_OK)
        return status;
    return run_method(solver, target, *made);
}

sfgp_status sfgp_solver_run(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result **result)
{
    const double start = sfgp_platform_seconds();
    const int before = sfgp_threads_begin(solver->settings.threads, solver->model->count);
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_FIT);
    sfgp_result *made = NULL;
    *result = NULL;
    sfgp_progress_begin(solver->context, solver->settings.max_time);
    const sfgp_status status = run(solver, target, &made);
    sfgp_profile_leave(solver->context, mark);
    sfgp_threads_end(before);
    if (status == SFGP_OK) {
        if (solver->context->late && made->outcome != SFGP_NO_OVERLAP)
            made->outcome = SFGP_MAX_TIME;
        made->seconds = sfgp_platform_seconds() - start;
        *result = made;
    } else {
        sfgp_result_free(made);
    }
    return status;
}

sfgp_status sfgp_solver_deformation(sfgp_solver *solver, const sfgp_result *result,
                                    sfgp_deformation **deformation)
{
    const sfgp_model *model = solver->model;
    *deformation = NULL;
    if (result->count != model->count || result->dimension != model->dimension)
        return sfgp_fail(solver->context, SFGP_ERROR_PARAMETER,
                         "deformation: a result of %lld points in %dD is not of this solver",
                         (long long)result->count, result->dimension);
    const int before = sfgp_threads_begin(solver->settings.threads, model->count);
    const sfgp_status status =
        sfgp_deformation_from_result(solver->context, model, solver->em, result, deformation);
    sfgp_threads_end(before);
    return status;
}
