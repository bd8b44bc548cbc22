/* Finds the inner walls of a scan, leaves them out, and fits the rest. Rule in walls.h. */
#include "fit/walls.h"
#include "base/memory.h"
#include "fit/leave_out.h"
#include "fit/one_search.h"
#include "geom/covered.h"
#include "geom/kdtree.h"
#include "geom/outward.h"
#include "geom/sample.h"
#include "geom/similarity.h"
#include "search/tuning.h"

#include <string.h>

enum {
    POINTS = 6000,  /* of the scan that are asked */
    SURFACE = 20000 /* of the fit, which give them their normals */
};

/* ---- normals ------------------------------------------------------------------------------------------------ */

/* Some points of the fit, before the pose, with their outward normals. */
typedef struct surface {
    sfgp_sample points, normals;
} surface;

static void surface_clear(surface *s)
{
    sfgp_sample_clear(&s->points);
    sfgp_sample_clear(&s->normals);
}

/* *known: there is an outside. Overwrites em->deltas. */
static sfgp_status surface_new(const sfgp_solver *solver, bool *known, surface *s)
{
    sfgp_em *em = solver->em;
    const int64_t n = em->problem->basis->count;
    const uint64_t seed = solver->problem.seed;
    const sfgp_mesh mesh = sfgp_model_mesh(solver->model);
    *s = (surface){.points = {0}};
    *known = sfgp_outward_normals(&mesh, em->state.points, em->deltas); /* free between steps */
    if (!*known)
        return SFGP_OK;
    const sfgp_status status =
        sfgp_sample_new(solver->context, n, em->state.points, SURFACE, seed, &s->points);
    return status == SFGP_OK /* the same points, as the seed is the same */
               ? sfgp_sample_new(solver->context, n, em->deltas, SURFACE, seed, &s->normals)
               : status;
}

/* normals (count x 3): those of the nearest points of the fit. */
static sfgp_status find_normals(sfgp_context *context, const surface *s, int64_t count, const double *points,
                                double *normals)
{
    sfgp_kdtree *tree = NULL;
    double distance2;
    const sfgp_status status = sfgp_kdtree_new(context, s->points.count, 3, s->points.points, &tree);
    for (int64_t j = 0; status == SFGP_OK && j < count; j++) {
        const int64_t i = sfgp_kdtree_nearest(tree, points + 3 * j, &distance2);
        memcpy(normals + 3 * j, s->normals.points + 3 * i, 3 * sizeof *normals);
    }
    sfgp_kdtree_free(tree);
    return status;
}

/* ---- walls -------------------------------------------------------------------------------------------------- */

/* covered: of the scan, under another layer of it. */
static sfgp_status find_covered(const sfgp_solver *solver, const surface *s, const sfgp_sample *scan,
                                unsigned char *covered)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    double *seen = NULL, *normals = NULL; /* points as seen from the pose */
    sfgp_status status = sfgp_allocate(solver->context, 3 * scan->count, &seen);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, 3 * scan->count, &normals);
    if (status == SFGP_OK) {
        sfgp_similarity_undo(&solver->em->state.pose, scan->count, scan->points, seen);
        status = find_normals(solver->context, s, scan->count, seen, normals);
    }
    const sfgp_cover cover = {scan->count, seen, normals, tuning->walls_least, tuning->walls_most};
    if (status == SFGP_OK)
        status = sfgp_covered_find(solver->context, &cover, covered);
    sfgp_free(seen);
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
static sfgp_status leave_out_covered(sfgp_solver *solver, const surface *s, double least, bool *changed)
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
    surface s;
    *changed = false;
    sfgp_status status = surface_new(solver, &known, &s);
    if (status == SFGP_OK && known)
        status = leave_out_covered(solver, &s, least, changed);
    surface_clear(&s);
    return status;
}

static void warn(const sfgp_solver *solver, int64_t before)
{
    sfgp_warn(solver->context,
              "target: %.2g %% of its points lie under another layer of it, as the inner side of a bone in "
              "computed tomography; they are left out (--walls 0 keeps them)",
              sfgp_leave_out_percent(solver, before));
}

/* *changed: so that there may be a wall in what is left. */
static sfgp_status run_round(sfgp_solver *solver, double least, sfgp_outcome *outcome, bool *changed)
{
    const sfgp_status status = leave_out_walls(solver, least, changed);
    return status == SFGP_OK && *changed ? sfgp_one_search_again(solver, outcome) : status;
}

sfgp_status sfgp_walls_leave_out(sfgp_solver *solver, sfgp_outcome *outcome)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    const int64_t before = solver->scan.points->count;
    bool changed;
    sfgp_status status = run_round(solver, tuning->walls_share, outcome, &changed);
    if (status != SFGP_OK || !changed)
        return status;
    if (*outcome == SFGP_CONVERGED)
        status = run_round(solver, tuning->walls_again, outcome, &changed);
    if (status == SFGP_OK)
        warn(solver, before);
    return status;
}
