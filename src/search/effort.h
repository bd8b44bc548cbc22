/* Effort: what a fit of method `auto` tries, a row each (ADR 0042).
 *
 *     quick     the rungs only where rung CHECK says that the scan does not lie as the reference, else the standard start in
 *               place; 1000 points first, and a warm start of all points from there
 *     normal    the same with all points, of surfaces after rough fits (rough.h); more starts, all proposals
 *     thorough  the rungs always, and the standard start as well */
#ifndef SFGP_SEARCH_EFFORT_H
#define SFGP_SEARCH_EFFORT_H

#include "em/problem.h"

/* From which sigma2 the fits of a prior start. */
enum { SFGP_WIDE = 1, SFGP_NARROW = 2, SFGP_BOTH = 3 };

struct sfgp_effort {
    const char *name;
    int64_t whole;    /* points of the largest shape that is fitted at once */
    int64_t smallest; /* points of the level below a shape, or a level, that is larger and not dense */
    int64_t
        rough; /* most iterations of a fit of that level: the fit of more points finds the rest; 0: until it rests */
    double
        here; /* share of the best score of the rigid search: it is sure if in place has more (ADR 0079), ... */
    double alone;       /* or if a pose that is alone has more than this score; infinity: not asked */
    bool starts;        /* a pose that hardly turns goes through rung STARTS, too */
    bool searches;      /* all rungs are run, whatever CHECK says, and the standard start as well */
    unsigned stiff;     /* starts under the stiff prior */
    unsigned other;     /* under the other one, where there are two */
    unsigned proposals; /* rows of search/proposals.h */
    bool sides;         /* the fit is compared with the mirror image (fit/sides.h) */
    double
        accuracy; /* columns of the prior that change no point by more are left out, squared radii; 0: none are */
    double
        rest; /* sigma: motion at rest of the fit of all points after a level, beside the tolerance; not of dense ones */
    int64_t along; /* most iterations with labels that err less along the normals (em/anisotropic.h) */
    int64_t
        field; /* most points that have the field along the surface; it is carried to the others (ADR 0081, 0089) */
    double uncertain; /* radii: a fit that expects a larger error is doubtful (ADR 0075, 0091) */
};

/* The row of a name. SFGP_ERROR_PARAMETER: there is none; the text names those that there are. */
sfgp_status sfgp_effort_find(sfgp_context *context, const char *name, const sfgp_effort **effort);

#endif
