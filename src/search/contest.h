/* Contest: which of the starts that were fitted to one subset go on to the whole.
 *
 * The maxima of a subset of all points are those of the whole, and the best few of different score are kept. Those of
 * a smaller one are not: a single start is kept, and replaced by what is better by more than chance. The best of both
 * unturned poses is remembered, as a small subset cannot always tell in place from at the centroid (ADR 0016), and so
 * are two turns (ADR 0045). */
#ifndef SFGP_SEARCH_CONTEST_H
#define SFGP_SEARCH_CONTEST_H

#include "search/shortlist.h"
#include "search/subset.h"
#include "search/trials.h"
#include "search/tuning.h"

typedef struct sfgp_contest {
    const sfgp_tuning *tuning;
    const sfgp_subset *subset;
    sfgp_similarity centred;    /* unturned, at the target's centroid */
    sfgp_candidate unturned[2]; /* of a smaller subset: the best in place, and at the centroid */
    sfgp_candidate turned[2];   /* the best that is turned, and the best of those that are turned otherwise */
    bool good;                  /* the best fit explains the target well enough to look no further */
    sfgp_shortlist list;        /* the starts that are kept */
} sfgp_contest;

/* Both must outlive the contest. O(targets). */
void sfgp_contest_begin(const sfgp_tuning *tuning, const sfgp_subset *subset, sfgp_contest *contest);
/* A start and how its fit ended; what its pose says about the landmarks: their misfit (sfgp_landmarks_misfit), and
 * whether they agree with it. */
void sfgp_contest_enter(const sfgp_em_start *start, const sfgp_trial *end, double misfit,
                        bool landmarks_agree, sfgp_contest *contest);
/* At the end: another unturned pose goes on, and another turn beside a turn, where a smaller subset cannot tell; rung WHOLE
 * decides. */
void sfgp_contest_add_other_poses(sfgp_contest *contest);

#endif
