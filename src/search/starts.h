/* Starts of rung WHOLE: each pose that the search has found, with a wide and a narrow sigma2. */
#ifndef SFGP_SEARCH_STARTS_H
#define SFGP_SEARCH_STARTS_H

#include "search/rivals.h"
#include "search/shortlist.h"

/* What the search has found: starts of the rungs, and poses at which the shape lies in the scan as a rigid whole. */
typedef struct sfgp_findings {
    sfgp_shortlist rungs, rigid;
    bool turned;      /* rung TURNS was run */
    sfgp_rivals ends; /* of rung WHOLE */
} sfgp_findings;

enum { SFGP_MOST_POSES = 2 * SFGP_SHORTLIST + 1 };

/* Under one prior. */
typedef struct sfgp_starts {
    sfgp_em_prior prior;
    int count;
    sfgp_rivals *ends; /* where their fits end: that of the findings */
    sfgp_em_start each[2 * SFGP_MOST_POSES];
} sfgp_starts;

/* What the rungs and the rigid search found, or the standard start where they found nothing, wide ones first. */
sfgp_starts sfgp_starts_list(const sfgp_em_problem *problem, sfgp_findings *found, sfgp_em_prior prior);

#endif
