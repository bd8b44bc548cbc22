/* Brings a target into a solver: into the frame, without the planes beside the shape, and with its area. */
#include "fit/adapt.h"
#include "fit/planes.h"
#include "fit/priors.h"
#include "fit/solver.h"
#include "geom/inspect.h"

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
