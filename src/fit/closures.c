/* Leaves out what closes a scan, and fits the rest. Rule in closures.h. */
#include "fit/closures.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "fit/first.h"
#include "fit/leave_out.h"
#include "geom/measure.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "outcome/squeezed.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 3 };

#define LEAST 0.005 /* of the scan: fewer points would not change the fit */
/* Of the scan: half of a ball that a dome closes has 0.36 of its area there, the domes of ADR 0124 3 to 16 %. */
#define MOST 0.4

/* ---- the fit to all of the scan -------------------------------------------------------------------------- */

typedef struct first_fit {
    sfgp_first fit;
    double *points;      /* cells x 3: where they lie */
    unsigned char *part; /* cells: 1 where it or a later fit is squeezed */
} first_fit;

static void first_clear(first_fit *first)
{
    sfgp_first_clear(&first->fit);
    sfgp_free(first->points);
    sfgp_free(first->part);
}

/* The part is empty. */
static sfgp_status first_keep(sfgp_solver *solver, const sfgp_squeezed *s, sfgp_outcome outcome,
                              first_fit *first)
{
    *first = (first_fit){.fit = sfgp_first_of(solver, outcome)};
    sfgp_status status = sfgp_first_copy_scan(solver, &first->fit);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, 3 * s->count, &first->points);
    if (status == SFGP_OK)
        memcpy(first->points, s->points, 3 * (size_t)s->count * sizeof *first->points);
    return status == SFGP_OK ? sfgp_allocate(solver->context, s->count, &first->part) : status;
}

static void add_part(const sfgp_squeezed *s, first_fit *first)
{
    for (int64_t c = 0; c < s->count; c++)
        first->part[c] |= s->part[c];
}

/* The upper quartile of the motion of the cells outside of the part. */
static sfgp_status find_motion(const sfgp_solver *solver, const sfgp_squeezed *s, const first_fit *first,
                               double *motion)
{
    double *distance = NULL;
    int64_t count = 0;
    const sfgp_status status = sfgp_allocate(solver->context, s->count, &distance);
    if (status != SFGP_OK)
        return status;
    for (int64_t c = 0; c < s->count; c++)
        if (!first->part[c])
            distance[count++] = sfgp_points_distance(3, s->points + 3 * c, first->points + 3 * c);
    sfgp_sort(count, distance);
    *motion = count > 0 ? sfgp_quantile(count, distance, 0.75) : HUGE_VAL;
    sfgp_free(distance);
    return SFGP_OK;
}

/* ---- rounds ---------------------------------------------------------------------------------------------------- */

static void warn(const sfgp_solver *solver, int64_t before)
{
    sfgp_warn(
        solver->context,
        "target: an end of the shape was squeezed onto %.2g %% of its points, which have another shape, as where a "
        "program has closed a scan that is cut off; they are left out (--closures 0 keeps them)",
        sfgp_leave_out_percent(solver, before));
}

/* s: of the fit that the solver has, before and after. */
static sfgp_status run_rounds(sfgp_solver *solver, sfgp_squeezed *s, first_fit *first, sfgp_outcome *outcome)
{
    for (int round = 0; round < ROUNDS && s->found && *outcome == SFGP_CONVERGED; round++) {
        const sfgp_flagged flagged = {s->count, s->points, s->part};
        bool changed;
        add_part(s, first);
        sfgp_status status = sfgp_leave_out_nearest(solver, &flagged, LEAST, &changed);
        if (status != SFGP_OK || !changed)
            return status;
        status = sfgp_first_search_again(solver, &first->fit, outcome);
        sfgp_squeezed_clear(s);
        if (status == SFGP_OK)
            status = sfgp_squeezed_find(solver->em, s);
        if (status != SFGP_OK)
            return status;
    }
    return SFGP_OK;
}

/* No doubt, and the rest of the shape lies where it did. */
static bool is_good(const sfgp_solver *solver, sfgp_outcome outcome, double motion)
{
    sfgp_em *em = solver->em;
    return outcome == SFGP_CONVERGED && !sfgp_overlap_doubts(em, sfgp_expected_error(em)) &&
           motion <= sfgp_tuning_of(&solver->model->basis)->squeezed_motion;
}

static bool is_mostly_left(const sfgp_solver *solver, int64_t before)
{
    return (double)solver->scan.points->count >= (1 - MOST) * (double)before;
}

/* The last fit is kept if it is good, and most of the scan is left. */
static sfgp_status judge(sfgp_solver *solver, const sfgp_squeezed *s, first_fit *first, sfgp_outcome *outcome)
{
    const int64_t before = first->fit.scan.points->count;
    double motion;
    if (solver->scan.points->count == before)
        return SFGP_OK;
    const sfgp_status status = find_motion(solver, s, first, &motion);
    if (status != SFGP_OK)
        return status;
    if (!is_good(solver, *outcome, motion) || !is_mostly_left(solver, before))
        return sfgp_first_return(solver, &first->fit, outcome);
    warn(solver, before);
    return SFGP_OK;
}

sfgp_status sfgp_closures_leave_out(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_squeezed s;
    first_fit first;
    sfgp_status status = sfgp_squeezed_find(solver->em, &s);
    if (status == SFGP_OK && s.found) {
        status = first_keep(solver, &s, *outcome, &first);
        if (status == SFGP_OK)
            status = run_rounds(solver, &s, &first, outcome);
        if (status == SFGP_OK)
            status = judge(solver, &s, &first, outcome);
        first_clear(&first);
    }
    sfgp_squeezed_clear(&s);
    return status;
}
