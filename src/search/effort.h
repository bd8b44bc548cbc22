/* Effort: what a fit of method `auto` tries, a row each (ADR 0042).
 *
 *     quick     a surface starts at the poses of the rigid search. Where this is not sure the rungs of halving.h give the poses; if rung CHECK
 *               finds the scan in place, it is the only one. 1000 points are fitted first, and all points from a warm start
 *     normal    the same poses, with more starts at each; all points, of surfaces after rough fits (rough.h); all proposals
 *     thorough  as normal, but all rungs are always run, and the standard start is tried as well */
#ifndef SFGP_SEARCH_EFFORT_H
#define SFGP_SEARCH_EFFORT_H

#include "em/problem.h"

/* From which sigma2 the fits of a prior start. */
enum { SFGP_WIDE = 1, SFGP_NARROW = 2, SFGP_BOTH = 3 };

struct sfgp_effort {
    const char *name;
    int64_t points_at_once;   /* of the largest shape that is fitted at once */
    int64_t level_points;     /* of the level below a shape, or a level, that is larger and not dense */
    int64_t level_iterations; /* most of a fit of that level; 0: until it rests */
    double sure_in_place;     /* the rigid search is sure if in place has this share of its best score, ... */
    double sure_alone; /* or if a pose without rivals has a larger score; infinity: not asked (ADR 0079) */
    bool starts;       /* a pose that hardly turns goes through rung STARTS, too */
    bool all_rungs;    /* all rungs are run, whatever CHECK finds, and the standard start as well */
    unsigned stiff_widths; /* starts under the stiff prior; under another one, beside it, they are wide */
    unsigned proposals;    /* rows of search/proposals.h */
    bool sides;            /* the fit is compared with the mirror image (fit/sides.h) */
    double accuracy;       /* squared radii: columns that change no point by more are left out; 0: none */
    double warm_rest;      /* sigma: a warm fit that is not dense rests below it, and below the tolerance */
    int64_t anisotropic_iterations; /* most with labels that err less along the normals (em/anisotropic.h) */
    int64_t field_points;           /* most that have the field along the surface (ADR 0081, 0089) */
    double expected_error_most;     /* radii: with more a fit is doubtful (ADR 0075, 0091) */
};

/* The row of a name. SFGP_ERROR_PARAMETER: there is none; the text names those that there are. */
sfgp_status sfgp_effort_find(sfgp_context *context, const char *name, const sfgp_effort **effort);

#endif
