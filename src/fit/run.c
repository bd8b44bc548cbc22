/* Runs the problem of a solver on a target: search or plain loop, outcome, result. */
#include "base/clock.h"
#include "base/progress.h"
#include "base/threads.h"
#include "deformation/deformation.h"
#include "fit/adapt.h"
#include "fit/asymmetry.h"
#include "fit/attempt.h"
#include "fit/beside.h"
#include "fit/closures.h"
#include "fit/detail.h"
#include "fit/fuzzy.h"
#include "fit/inspect.h"
#include "fit/planes.h"
#include "fit/priors.h"
#include "fit/sides.h"
#include "fit/size.h"
#include "fit/solver.h"
#include "fit/walls.h"
#include "geom/inspect.h"
#include "geom/mirror.h"
#include "outcome/result.h"
#include "search/effort.h"
#include "search/tuning.h"

sfgp_status sfgp_model_check_target(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target)
{
    sfgp_frame frame;
    if (target->dimension != model->dimension)
        return sfgp_fail(
            context, SFGP_ERROR_DATA,
            "target: %dD, the reference is %dD; both need as many coordinates: is it the right file, and of a text, "
            "are these its columns (--columns)?",
            target->dimension, model->dimension);
    if (target->count >= INT32_MAX)
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "target: %lld points; fewer than %lld can be fitted: thin it out",
                         (long long)target->count, (long long)INT32_MAX);
    const sfgp_status status = sfgp_inspect_points(context, "target", target, &frame);
    return status == SFGP_OK ? sfgp_inspect_reach(context, &model->frame, target) : status;
}

/* For a method that learns, copies of a point are one measurement (ADR 0054) and the points of a surface are rounded (ADR
 * 0083) and, where they are very uneven, made even (ADR 0116); the paper's methods take the points as they are. */
static sfgp_status enter_scan(sfgp_solver *solver, const sfgp_mesh *target)
{
    const sfgp_frame *frame = &solver->frame;
    sfgp_scan_clear(&solver->scan);
    sfgp_solver_set_size(solver, 1);
    if (!solver->method->variant->learns)
        return sfgp_scan_enter(solver->context, frame, target, &solver->scan);
    return target->dimension == 3 ? sfgp_scan_enter_rounded(solver->context, frame, target, &solver->scan)
                                  : sfgp_scan_enter_once(solver->context, frame, target, &solver->scan);
}

/* Without the planes beside the shape. The area is asked only where a scan may show more than the shape. */
static sfgp_status measure_scan(sfgp_solver *solver)
{
    sfgp_em_problem *problem = &solver->problem;
    problem->area = 0;
    problem->beside = false;
    if (!(problem->shape_area > 0))
        return SFGP_OK;
    const sfgp_status status = sfgp_solver_measure_scan(solver);
    return status == SFGP_OK ? sfgp_planes_leave_out(solver) : status;
}

sfgp_status sfgp_solver_load(sfgp_solver *solver, const sfgp_mesh *target)
{
    const sfgp_model *model = solver->model;
    sfgp_priors_restore(solver);
    sfgp_status status = sfgp_adapt_undo(solver);
    if (status == SFGP_OK)
        status = enter_scan(solver, target);
    if (status != SFGP_OK)
        return status;
    if ((status = measure_scan(solver)) != SFGP_OK)
        return status;
    solver->problem.mesh = solver->scan.points;
    solver->problem.exact = solver->scan.target ? &solver->scan : NULL;
    solver->problem.comparable =
        sfgp_inspect_extents(solver->context, model->dimension, model->count, model->reference,
                             solver->scan.points->count, solver->scan.points->points);
    sfgp_inspect_offset(solver->context, &model->frame, target);
    if (!solver->problem.comparable) /* nothing is known of a scan of another unit */
        solver->problem.area = 0;
    sfgp_solver_measure_clutter(solver);
    status = sfgp_em_problem_load(solver->context, &solver->problem);
    if (status == SFGP_OK && solver->problem.landmarks)
        sfgp_inspect_landmarks(solver->context, &model->frame, &solver->problem.target,
                               solver->landmarks.basis.count, solver->landmarks.target);
    return status == SFGP_OK ? sfgp_em_take_target(solver->em) : status;
}

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

/* The default, or the plain loop of a method of the paper. */
static sfgp_status fit(sfgp_solver *solver, sfgp_result *result)
{
    const bool searches =
        solver->method->variant->learns && solver->problem.comparable && solver->settings.max_iterations > 0;
    sfgp_status status = sfgp_attempt(solver, searches, &result->outcome);
    if (!searches)
        return status;
    if (status == SFGP_OK)
        status = sfgp_walls_leave_out(solver, &result->outcome);
    if (status == SFGP_OK)
        status = sfgp_fuzzy_leave_out(solver, &result->outcome);
    if (status == SFGP_OK)
        status = sfgp_asymmetry_try(solver, &result->outcome);
    if (status == SFGP_OK)
        status = sfgp_adapt_try(solver, &result->outcome);
    if (status == SFGP_OK)
        status = sfgp_closures_leave_out(solver, &result->outcome);
    if (status == SFGP_OK && solver->problem.effort->sides)
        status = sfgp_sides_check(solver, result->outcome);
    if (status == SFGP_OK)
        status = sfgp_beside_try(solver, &result->outcome);
    if (status == SFGP_OK)
        status = sfgp_size_try(solver, &result->outcome);
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
    const double start = sfgp_clock();
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
        made->seconds = sfgp_clock() - start;
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
