/* Contest: which of the starts that were fitted to one subset go on to the whole.
 *
 * A subset that has all points has the maxima of the whole, and the best few of different score are kept. A smaller subset has
 * others: one start is kept, and another takes its place if its score is larger by more than chance. Such a subset cannot always tell
 * which of the two poses without a turn is right, in place or at the centroid. So the best start of each is remembered (ADR 0016), and
 * so are the best starts of two turns (ADR 0045). */
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
/* At the end: adds the other pose without a turn, and if the best start is turned another turn, where the scores of a smaller subset
 * are too near to each other to tell. Rung WHOLE decides. */
void sfgp_contest_add_other_poses(sfgp_contest *contest);

#endif
