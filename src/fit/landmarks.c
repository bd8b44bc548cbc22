/* Landmarks of a solver: checked, and brought into the frame of its model. */
#include "em/landmarks.h"
#include "base/threads.h"
#include "fit/solver.h"
#include "geom/kdtree.h"
#include "geom/mirror.h"

#include <math.h>

#define UNIT_RATIO 4.0   /* of sets of landmarks: subjects differ in size by less (ADR 0132) */
#define FAR 0.5          /* RMS radii */
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

/* ---- whether they may be those of the shapes ------------------------------------------------------------- */

/* Root mean square distance from the centroid. */
static double spread_of(int64_t count, int d, const double *points)
{
    double sum = 0, square = 0;
    for (int a = 0; a < d; a++, sum = 0) {
        for (int64_t k = 0; k < count; k++)
            sum += points[k * d + a] / (double)count;
        for (int64_t k = 0; k < count; k++)
            square += (points[k * d + a] - sum) * (points[k * d + a] - sum) / (double)count;
    }
    return sqrt(square);
}

/* In another unit than their shape, landmarks pull the fit out of the scan. */
static void warn_of_units(const sfgp_solver *solver)
{
    const sfgp_em_landmarks *l = &solver->landmarks;
    const double reference = spread_of(l->basis.count, l->basis.dimension, l->basis.mean),
                 target = spread_of(l->basis.count, l->basis.dimension, l->target);
    if (reference > 0 && target > 0 && fmax(reference / target, target / reference) > UNIT_RATIO)
        sfgp_warn(
            solver->context,
            "landmarks: those of the target lie %.4g times as far apart as those of the reference; is each file in "
            "the unit of its shape?",
            target / reference);
}

/* Those of another file, or in LPS where the shape is in RAS, lie beside the reference. */
static sfgp_status warn_of_place(const sfgp_solver *solver)
{
    const sfgp_em_landmarks *l = &solver->landmarks;
    const int64_t count = l->basis.count;
    sfgp_kdtree *tree = NULL;
    int64_t far = 0;
    const sfgp_status status = sfgp_kdtree_new(solver->context, solver->model->count, l->basis.dimension,
                                               solver->model->reference, &tree);
    for (int64_t k = 0; k < count && status == SFGP_OK; k++) {
        double distance2;
        sfgp_kdtree_nearest(tree, l->basis.mean + k * l->basis.dimension, &distance2);
        far += distance2 > FAR * FAR;
    }
    sfgp_kdtree_free(tree);
    if (2 * far > count)
        sfgp_warn(
            solver->context,
            "landmarks: %lld of the %lld of the reference lie farther than half its RMS radius from its points; are "
            "they in its unit and coordinates (LPS, RAS)?",
            (long long)far, (long long)count);
    return status;
}

static sfgp_status add_landmarks(sfgp_solver *solver, const sfgp_pairs *pairs, double sd)
{
    const double deviation = sd > 0 ? sd / solver->model->frame.scale : LANDMARK_SD;
    sfgp_status status =
        sfgp_landmarks_new(solver->context, solver->model, pairs, deviation, &solver->landmarks);
    solver->landmarks.basis.across = solver->problem.basis->across;
    sfgp_factor_keep(solver->problem.basis->scalar.rank, &solver->landmarks.basis.scalar);
    if (status == SFGP_OK)
        status = warn_of_place(solver);
    if (status == SFGP_OK)
        warn_of_units(solver);
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
