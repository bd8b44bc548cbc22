/* Other poses at which the shape explains the scan nearly as well: which of them is right the scan does not tell (ADR 0063). */
#ifndef SFGP_SEARCH_RIVALS_H
#define SFGP_SEARCH_RIVALS_H

#include "em/em.h"

enum { SFGP_RIVALS = 64 }; /* more are not kept: rung WHOLE has up to 28 starts */

/* Where the fits of a search have ended. */
typedef struct sfgp_rivals {
    int count;
    struct {
        sfgp_similarity motion; /* sfgp_em_motion */
        double score;           /* tempered */
    } each[SFGP_RIVALS];
} sfgp_rivals;

/* Keeps where the fit has ended, and its tempered score. Overwrites em->deltas. O(N). */
void sfgp_rivals_note(sfgp_em *em, double score, sfgp_rivals *rivals);
/* Sets em->facts.pose_margin: by how many nats a target point the fit is better than the best one with another turn; infinite: there
 * is none. Overwrites em->deltas. O(N). SFGP_ERROR_NUMERIC of landmarks. */
sfgp_status sfgp_rivals_compare(sfgp_em *em, const sfgp_rivals *rivals);

#endif
