/* Leaves out of a scan what is nearest to points that are flagged. */
#include "fit/leave_out.h"
#include "base/memory.h"
#include "geom/kdtree.h"

/* out[j]: the point that is nearest to point j of the scan is flagged. left: of how many it is not. */
static sfgp_status mark(const sfgp_solver *solver, const sfgp_flagged *flagged, unsigned char *out,
                        int64_t *left)
{
    const sfgp_mesh *scan = solver->scan.points;
    sfgp_kdtree *tree = NULL;
    const sfgp_status status = sfgp_kdtree_new(solver->context, flagged->count, 3, flagged->points, &tree);
    double distance2;
    *left = 0;
    for (int64_t j = 0; status == SFGP_OK && j < scan->count; j++) {
        out[j] = flagged->part[sfgp_kdtree_nearest(tree, scan->points + 3 * j, &distance2)];
        *left += !out[j];
    }
    sfgp_kdtree_free(tree);
    return status;
}

sfgp_status sfgp_leave_out_nearest(sfgp_solver *solver, const sfgp_flagged *flagged, double least,
                                   bool *changed)
{
    const int64_t before = solver->scan.points->count;
    unsigned char *out = NULL;
    int64_t left;
    sfgp_status status = sfgp_allocate(solver->context, before, &out);
    if (status == SFGP_OK)
        status = mark(solver, flagged, out, &left);
    *changed = status == SFGP_OK && (double)(before - left) >= least * (double)before &&
               sfgp_solver_has_enough(solver, left);
    if (*changed) {
        sfgp_scan_drop(out, &solver->scan);
        status = sfgp_solver_measure_scan(solver);
    }
    sfgp_free(out);
    return status;
}

double sfgp_leave_out_percent(const sfgp_solver *solver, int64_t before)
{
    return 100 * (1 - (double)solver->scan.points->count / (double)before);
}
