/* Shortlist: the starts that led to the best maxima, best first. Maxima of equal score are one. */
#ifndef SFGP_SEARCH_SHORTLIST_H
#define SFGP_SEARCH_SHORTLIST_H

#include "em/state.h"

#define SFGP_SHORTLIST 3 /* starts of the whole shape that are kept (ADR 0013) */

typedef struct sfgp_candidate {
    sfgp_em_start start;
    double score;
} sfgp_candidate;

typedef struct sfgp_shortlist {
    int count;
    sfgp_candidate best[SFGP_SHORTLIST];
} sfgp_shortlist;

/* Where a score belongs: count when behind all, -1 when one differs from it by no more than `same_maximum`. */
int sfgp_shortlist_rank(const sfgp_shortlist *list, double score, double same);
/* At this rank; what is behind moves on, and the last may drop out. */
void sfgp_shortlist_insert(const sfgp_candidate *candidate, int rank, sfgp_shortlist *list);

#endif
