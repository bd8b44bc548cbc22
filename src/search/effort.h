/* Effort: what a fit of method `auto` tries, a row each (ADR 0042).
 *
 *     quick     one fit in place under each prior, of 1000 points, and a warm start of all points from there; the rungs
 *               of the search only where a glance at the turns or the scatter of the labels asks for them
 *     normal    the rungs, the starts that they find, all proposals
 *     thorough  and also the standard start */
#ifndef SFGP_SEARCH_EFFORT_H
#define SFGP_SEARCH_EFFORT_H

#include "em/problem.h"

/* From which sigma2 the fits of a prior start. */
enum { SFGP_WIDE = 1, SFGP_NARROW = 2, SFGP_BOTH = 3 };

struct sfgp_effort {
    const char *name;
    int64_t whole;      /* points of the largest shape that is fitted at once */
    int64_t smallest;   /* points of the smallest level of a larger one */
    bool searches;      /* the rungs find the starts; else there is the standard start only */
    bool standard;      /* the standard start as well */
    unsigned stiff;     /* starts under the stiff prior */
    unsigned other;     /* under the other one, where there are two */
    unsigned proposals; /* rows of search/proposals.h */
    bool sides;         /* a poor fit is compared with the mirror image */
};

/* The row of a name. SFGP_ERROR_PARAMETER: there is none; the text names those that there are. */
sfgp_status sfgp_effort_find(sfgp_context *context, const char *name, const sfgp_effort **effort);

#endif
