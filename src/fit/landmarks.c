/* Landmarks of a solver: checked, and brought into the frame of its model. */
#include "em/landmarks.h"
#include "base/threads.h"
#include "fit/solver.h"
#include "geom/mirror.h"

#include <math.h>

#define LANDMARK_SD 0.01 /* RMS radii, where the caller does not say: 1 % */

static sfgp_status check_points(sfgp_context *context, const char *role, int64_t count, int d,
                                const double *points)
{
    for (int64_t k = 0; k < count * d; k++)
        if (!isfinite(points[k]))
            return sfgp_fail(context, SFGP_ERROR_DATA, "landmarks: point %lld of the %s is not finite",
                             (long long)(k / d), role);
    return SFGP_OK;
}

static sfgp_status check_landmarks(const sfgp_solver *solver, const sfgp_pairs *pairs, double sd)
{
    if (solver->method->baseline)
        return sfgp_fail(solver->context, SFGP_ERROR_PARAMETER,
                         "landmarks: method '%s' cannot take them; use an sfgp method or closest-point",
                         solver->settings.method);
    if (solver->model->field)
        return sfgp_fail(solver->context, SFGP_ERROR_PARAMETER,
                         "landmarks: the kernel's form=sparse does not take them; use form=eigen");
    if (!(sd >= 0))
        return sfgp_fail(
            solver->context, SFGP_ERROR_PARAMETER,
            "landmark sd: %g is not a standard deviation; use 0 (1 %% of the RMS radius) or more", sd);
    const sfgp_status status =
        check_points(solver->context, "reference", pairs->count, pairs->dimension, pairs->from);
    return status == SFGP_OK
               ? check_points(solver->context, "target", pairs->count, pairs->dimension, pairs->to)
               : status;
}

static sfgp_status add_landmarks(sfgp_solver *solver, const sfgp_pairs *pairs, double sd)
{
    const double deviation = sd > 0 ? sd / solver->model->frame.scale : LANDMARK_SD;
    const sfgp_status status =
        sfgp_landmarks_new(solver->context, solver->model, pairs, deviation, &solver->landmarks);
    solver->landmarks.basis.across = solver->problem.basis->across;
    sfgp_factor_keep(solver->problem.basis->scalar.rank, &solver->landmarks.basis.scalar);
    if (status == SFGP_OK && solver->settings.mirror)
        sfgp_mirror_points(&solver->model->frame, pairs->count, solver->landmarks.target);
    if (status == SFGP_OK)
        solver->problem.landmarks = &solver->landmarks;
    else
        sfgp_landmarks_clear(&solver->landmarks);
    return status;
}

/* The solver has none, and the workspace no room for them, which allocates nothing. */
static void drop_landmarks(sfgp_solver *solver)
{
    solver->problem.landmarks = NULL;
    sfgp_landmarks_clear(&solver->landmarks);
    sfgp_em_set_landmarks(solver->em);
}

sfgp_status sfgp_solver_set_landmarks(sfgp_solver *solver, int64_t count, const double *reference,
                                      const double *target, double sd)
{
    const sfgp_pairs pairs = {
        .count = count, .dimension = solver->model->dimension, .from = reference, .to = target};
    sfgp_status status = count > 0 ? check_landmarks(solver, &pairs, sd) : SFGP_OK;
    if (status != SFGP_OK || solver->method->baseline)
        return status;
    const int before = sfgp_threads_begin(solver->settings.threads, solver->model->count);
    drop_landmarks(solver);
    if (count > 0)
        status = add_landmarks(solver, &pairs, sd);
    const sfgp_status room = sfgp_em_set_landmarks(solver->em);
    if (room != SFGP_OK)
        drop_landmarks(solver);
    sfgp_threads_end(before);
    return status == SFGP_OK ? room : status;
}
