/* Finds the planes that the scan has and the reference has not. Rules in planes.h. */
#include "fit/planes.h"
#include "fit/leave_out.h"
#include "geom/sample.h"
#include "search/tuning.h"

#include <math.h>

enum {
    SAMPLE = 4000,  /* points at random, of which */
    POINTS = 1000,  /* are spread evenly, and propose planes */
    NEIGHBOURS = 16 /* that give a normal: noise of half a spacing turns it by 10 degrees */
};

/* Distances from a plane, in spacings of these points: before the noise is known, and limits of three deviations of it. A curved surface has
 * 0.56 of them, as its points spread evenly over the first one. */
#define WITHIN 0.25
#define LEAST 0.1
#define MOST 0.4

/* Of a flat end: in the same spacings, its largest thickness; so many times the points twice as thick at most, as a dome has twice as many;
 * and the least share of the reference, as of 1000 points no smaller end is found. */
#define END_MOST 0.25
#define END_GROWTH 1.3
#define END_LEAST 0.01

#define ANOTHER_UNIT 1e4 /* times the area: a hundred times the extent, as geom/inspect.h has it */

/* Points of one of both shapes, and its area. */
typedef struct cloud {
    int64_t count;
    const double *points;
    double area;
} cloud;

static cloud scan_of(const sfgp_solver *solver)
{
    const sfgp_mesh *scan = solver->scan.points;
    return (cloud){scan->count, scan->points, solver->problem.area};
}

static cloud reference_of(const sfgp_solver *solver)
{
    return (cloud){solver->model->count, solver->model->reference, solver->problem.shape_area};
}

/* Some of its points, with normals. */
static sfgp_status choose(const sfgp_solver *solver, const cloud *from, sfgp_oriented *some)
{
    sfgp_sample sample;
    *some = (sfgp_oriented){0};
    sfgp_status status =
        sfgp_sample_new(solver->context, from->count, from->points, SAMPLE, solver->problem.seed, &sample);
    if (status == SFGP_OK)
        status = sfgp_oriented_new(solver->context, sample.count, sample.points, POINTS, NEIGHBOURS, some);
    sfgp_sample_clear(&sample);
    return status;
}

static double spacing_of(const cloud *from, const sfgp_oriented *some)
{
    return sqrt(from->area / (double)some->count);
}

static sfgp_status find_plane(const sfgp_solver *solver, const sfgp_oriented *some, sfgp_plane *plane)
{
    const cloud scan = scan_of(solver);
    const double spacing = spacing_of(&scan, some);
    const sfgp_status status = sfgp_plane_largest(solver->context, some, WITHIN * spacing, plane);
    return status == SFGP_OK
               ? sfgp_plane_narrow(solver->context, some, LEAST * spacing, MOST * spacing, plane)
               : status;
}

/* Area of the largest plane of the reference, as thick as that of the scan. */
static sfgp_status measure_reference(const sfgp_solver *solver, double within, double *area)
{
    const cloud reference = reference_of(solver);
    sfgp_oriented some;
    sfgp_plane plane = {.share = 0};
    sfgp_status status = choose(solver, &reference, &some);
    if (status == SFGP_OK)
        status = sfgp_plane_largest(solver->context, &some, within, &plane);
    *area = plane.share * reference.area;
    sfgp_oriented_clear(&some);
    return status;
}

static bool leaves_enough(const sfgp_solver *solver, const sfgp_plane *plane)
{
    const sfgp_scan *scan = &solver->scan;
    int64_t left = 0;
    for (int64_t j = 0; j < scan->points->count; j++)
        left += !sfgp_plane_has(plane, scan->points->points + 3 * j);
    return sfgp_solver_has_enough(solver, left);
}

/* Whether the scan has a plane that the reference has not. */
static sfgp_status find_other(const sfgp_solver *solver, const sfgp_oriented *some, sfgp_plane *plane,
                              bool *found)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    double own = 0;
    *found = false;
    sfgp_status status = find_plane(solver, some, plane);
    if (status != SFGP_OK || plane->share < tuning->plane_share || !leaves_enough(solver, plane))
        return status;
    status = measure_reference(solver, plane->within, &own);
    *found = plane->share * solver->problem.area > tuning->plane_larger * own;
    return status;
}

/* ---- flat ends: where a program has closed the scan ------------------------------------------------------- */

/* The largest flat end, at least `thick`. */
static sfgp_status end_of(const sfgp_solver *solver, const sfgp_oriented *some, double spacing, double thick,
                          double growth, sfgp_plane *plane)
{
    const sfgp_plane_limits limits = {.within = WITHIN * spacing,
                                      .least = fmax(LEAST * spacing, thick),
                                      .most = fmax(END_MOST * spacing, thick),
                                      .beyond = sfgp_tuning_of(&solver->model->basis)->end_beyond,
                                      .growth = growth};
    return sfgp_plane_end(solver->context, some, &limits, plane);
}

/* The larger share of the ends of the reference, as thick as that of the scan, or thin. */
static sfgp_status measure_ends(const sfgp_solver *solver, double thick, double *share)
{
    const cloud reference = reference_of(solver);
    sfgp_oriented some;
    sfgp_plane own = {.share = 0}, thin = own;
    sfgp_status status = choose(solver, &reference, &some);
    const double spacing = spacing_of(&reference, &some);
    if (status == SFGP_OK)
        status = end_of(solver, &some, spacing, thick, HUGE_VAL, &own);
    if (status == SFGP_OK)
        status = end_of(solver, &some, spacing, 0, HUGE_VAL, &thin);
    *share = fmax(own.share, thin.share);
    sfgp_oriented_clear(&some);
    return status;
}

/* Whether the scan ends in a plane, and the reference in none like it. */
static sfgp_status find_end(const sfgp_solver *solver, const sfgp_oriented *some, sfgp_plane *plane,
                            bool *found)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    const cloud scan = scan_of(solver);
    double share = 0;
    *found = false;
    sfgp_status status = end_of(solver, some, spacing_of(&scan, some), 0, END_GROWTH, plane);
    if (status != SFGP_OK || plane->share < tuning->end_share || !leaves_enough(solver, plane))
        return status;
    status = measure_ends(solver, plane->within, &share);
    *found =
        plane->share * scan.area > tuning->end_larger * fmax(share, END_LEAST) * solver->problem.shape_area;
    return status;
}

/* Some points of the scan, unless they are there. */
static sfgp_status take_some(const sfgp_solver *solver, sfgp_oriented *some)
{
    const cloud scan = scan_of(solver);
    return some->points ? SFGP_OK : choose(solver, &scan, some);
}

/* some: of another scan from here on. */
static sfgp_status leave_out(sfgp_solver *solver, const sfgp_plane *plane, sfgp_oriented *some)
{
    sfgp_oriented_clear(some);
    sfgp_scan_leave_out(plane, &solver->scan);
    return sfgp_solver_measure_scan(solver);
}

static void warn(const sfgp_solver *solver, int64_t planes, int64_t before)
{
    sfgp_warn(
        solver->context,
        "target: %.0f %% of its points lie in %s that the reference does not have, as a table, a floor or a "
        "wall; they are left out (--planes 0 keeps them)",
        sfgp_leave_out_percent(solver, before), planes == 1 ? "a plane" : "planes");
}

static void warn_of_ends(const sfgp_solver *solver, int64_t before)
{
    sfgp_warn(
        solver->context,
        "target: it ends in a plane, and the reference does not: %.2g %% of its points, as where a program has closed "
        "a scan that is cut off; they are left out (--planes 0 keeps them)",
        sfgp_leave_out_percent(solver, before));
}

static bool is_of_one_unit(const sfgp_em_problem *problem)
{
    return problem->area > 0 && problem->area < ANOTHER_UNIT * problem->shape_area;
}

/* some: points of the scan. */
typedef sfgp_status finder(const sfgp_solver *solver, const sfgp_oriented *some, sfgp_plane *plane,
                           bool *found);

/* Leaves out what one of the rules finds, so often as there are planes left. some: of the scan before, or empty; after as well. */
static sfgp_status leave_out_all(sfgp_solver *solver, finder *find, int64_t most, sfgp_oriented *some,
                                 int64_t *planes)
{
    bool found = solver->scan.first != NULL;
    *planes = 0;
    while (found && *planes < most && is_of_one_unit(&solver->problem)) {
        sfgp_plane plane;
        sfgp_status status = take_some(solver, some);
        if (status == SFGP_OK)
            status = find(solver, some, &plane, &found);
        if (status == SFGP_OK && found)
            status = leave_out(solver, &plane, some);
        if (status != SFGP_OK)
            return status;
        *planes += found;
    }
    return SFGP_OK;
}

sfgp_status sfgp_planes_leave_out(sfgp_solver *solver)
{
    const int64_t before = solver->scan.points->count, most = solver->settings.planes;
    sfgp_oriented some = {0};
    int64_t planes, ends = 0;
    sfgp_status status = leave_out_all(solver, find_other, most, &some, &planes);
    if (planes > 0)
        warn(solver, planes, before);
    const int64_t between = solver->scan.points->count;
    if (status == SFGP_OK)
        status = leave_out_all(solver, find_end, most - planes, &some, &ends);
    sfgp_oriented_clear(&some);
    if (status == SFGP_OK && ends > 0)
        warn_of_ends(solver, between);
    return status;
}
