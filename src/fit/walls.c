/* Finds the inner walls of a scan, leaves them out, and fits the rest. Rule in walls.h. */
#include "fit/walls.h"
#include "base/memory.h"
#include "fit/attempt.h"
#include "fit/leave_out.h"
#include "geom/covered.h"
#include "geom/kdtree.h"
#include "geom/outward.h"
#include "geom/sample.h"
#include "search/tuning.h"

#include <math.h>

enum {
    ROUNDS = 2,
    POINTS = 6000,  /* of the scan that are asked */
    SURFACE = 20000 /* of the fit, which give them their normals */
};

/* ---- normals ------------------------------------------------------------------------------------------------ */

/* Points of the fit where the target is, each with a point that lies outside of it by a unit of the frame of the fit. */
typedef struct sides {
    sfgp_sample inner, outer;
} sides;

static void sides_clear(sides *s)
{
    sfgp_sample_clear(&s->inner);
    sfgp_sample_clear(&s->outer);
}

/* *known: there is an outside. Overwrites em->deltas. */
static sfgp_status sides_new(const sfgp_solver *solver, bool *known, sides *s)
{
    sfgp_em *em = solver->em;
    const int64_t n = em->problem->basis->count;
    const sfgp_mesh mesh = sfgp_model_mesh(solver->model);
    double *outer = em->deltas; /* free between steps */
    *s = (sides){.inner = {0}};
    *known = sfgp_outward_normals(&mesh, em->state.points, outer);
    if (!*known)
        return SFGP_OK;
    for (int64_t k = 0; k < 3 * n; k++)
        outer[k] += em->state.points[k];
    sfgp_status status =
        sfgp_sample_new(solver->context, n, em->state.points, SURFACE, solver->problem.seed, &s->inner);
    if (status == SFGP_OK) /* the same points */
        status = sfgp_sample_new(solver->context, n, outer, SURFACE, solver->problem.seed, &s->outer);
    if (status != SFGP_OK)
        return status;
    sfgp_similarity_apply(&em->state.pose, s->inner.count, s->inner.points, s->inner.points);
    sfgp_similarity_apply(&em->state.pose, s->outer.count, s->outer.points, s->outer.points);
    return SFGP_OK;
}

/* Of the nearest point of the fit, with unit length. */
static void copy_normal(const sides *s, const sfgp_kdtree *tree, const double *point, double normal[3])
{
    double distance2, length = 0;
    const int64_t i = sfgp_kdtree_nearest(tree, point, &distance2);
    for (int a = 0; a < 3; a++) {
        normal[a] = s->outer.points[3 * i + a] - s->inner.points[3 * i + a];
        length += normal[a] * normal[a];
    }
    for (int a = 0; a < 3 && length > 0; a++)
        normal[a] /= sqrt(length);
}

/* normals: count x 3 of the scan. */
static sfgp_status find_normals(sfgp_context *context, const sides *s, const sfgp_sample *scan,
                                double *normals)
{
    sfgp_kdtree *tree = NULL;
    const sfgp_status status = sfgp_kdtree_new(context, s->inner.count, 3, s->inner.points, &tree);
    for (int64_t j = 0; status == SFGP_OK && j < scan->count; j++)
        copy_normal(s, tree, scan->points + 3 * j, normals + 3 * j);
    sfgp_kdtree_free(tree);
    return status;
}

/* ---- walls -------------------------------------------------------------------------------------------------- */

/* covered: of the scan, under another layer of it. */
static sfgp_status find_covered(const sfgp_solver *solver, const sides *s, const sfgp_sample *scan,
                                unsigned char *covered)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    double *normals = NULL;
    sfgp_status status = sfgp_allocate(solver->context, 3 * scan->count, &normals);
    if (status == SFGP_OK)
        status = find_normals(solver->context, s, scan, normals);
    const sfgp_cover cover = {scan->count, scan->points, normals, tuning->walls_least, tuning->walls_most};
    if (status == SFGP_OK)
        status = sfgp_covered_find(solver->context, &cover, covered);
    sfgp_free(normals);
    return status;
}

static bool is_wall(double least, int64_t count, const unsigned char *covered)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < count; j++)
        sum += covered[j];
    return (double)sum >= least * (double)count;
}

/* *changed: walls were left out. */
static sfgp_status leave_out_covered(sfgp_solver *solver, const sides *s, double least, bool *changed)
{
    const sfgp_mesh *points = solver->scan.points;
    sfgp_sample scan;
    unsigned char *covered = NULL;
    sfgp_status status =
        sfgp_sample_new(solver->context, points->count, points->points, POINTS, solver->problem.seed, &scan);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, scan.count, &covered);
    if (status == SFGP_OK)
        status = find_covered(solver, s, &scan, covered);
    if (status == SFGP_OK && is_wall(least, scan.count, covered)) {
        const sfgp_flagged flagged = {scan.count, scan.points, covered};
        status = sfgp_leave_out_nearest(solver, &flagged, 0, changed);
    }
    sfgp_sample_clear(&scan);
    sfgp_free(covered);
    return status;
}

/* least: of the scan. */
static sfgp_status leave_out_walls(sfgp_solver *solver, double least, bool *changed)
{
    bool known;
    sides s;
    *changed = false;
    sfgp_status status = sides_new(solver, &known, &s);
    if (status == SFGP_OK && known)
        status = leave_out_covered(solver, &s, least, changed);
    sides_clear(&s);
    return status;
}

static void warn(const sfgp_solver *solver, int64_t before)
{
    sfgp_warn(solver->context,
              "target: %.2g %% of its points lie under another layer of it, as the inner side of a bone in "
              "computed tomography; they are left out (--walls 0 keeps them)",
              sfgp_leave_out_percent(solver, before));
}

sfgp_status sfgp_walls_leave_out(sfgp_solver *solver, sfgp_outcome *outcome)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    const int64_t before = solver->scan.points->count;
    sfgp_status status = SFGP_OK;
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed && status == SFGP_OK && solver->settings.walls &&
                        sfgp_leave_out_applies(solver, *outcome);
         round++) {
        status = leave_out_walls(solver, round == 0 ? tuning->walls_share : tuning->walls_again, &changed);
        if (status == SFGP_OK && changed)
            status = sfgp_attempt_again(solver, outcome);
    }
    if (status == SFGP_OK && solver->scan.points->count < before)
        warn(solver, before);
    return status;
}
