/* Halving from inside: what its rungs share. */
#ifndef SFGP_SEARCH_HALVING_PARTS_H
#define SFGP_SEARCH_HALVING_PARTS_H

#include "search/contest.h"
#include "search/halving.h"
#include "search/trials.h"
#include "search/turns.h"

enum { SFGP_HALVING_STARTS = 8 }; /* of a pose */

/* Some points of both shapes, and the workspaces that fit them. */
typedef struct sfgp_part {
    sfgp_subset subset;
    sfgp_trials trials;
} sfgp_part;

typedef struct sfgp_halving {
    sfgp_em *em; /* of the whole */
    const sfgp_tuning *tuning;
    sfgp_part main;                                 /* rungs TURNS and STARTS */
    sfgp_part check;                                /* rung CHECK; no points: not run */
    sfgp_duplicate duplicates[SFGP_HALVING_STARTS]; /* of the starts of the first pose */
    sfgp_contest contest;                           /* between the starts that were fitted */
    bool checked;                                   /* rung CHECK was run */
    bool in_place;                                  /* and found nothing better than the pose in place */
    bool turned;                                    /* rung TURNS was run */
    double misfit;                                  /* of the landmarks at the pose that was tried last */
    double unturned;                                /* score of no turn in rung CHECK */
    sfgp_turns turns;                               /* that are left, with their scores in the last rung */
    const sfgp_shortlist *given;                    /* starts at poses that are known */
} sfgp_halving;

/* ---- rung STARTS: halving_starts.c ------------------------------------------------------------------- */

/* The workspaces of a part, when they are first used: most scans need those of CHECK only. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_part_open(sfgp_em *em, sfgp_part *p);
/* Start k of a pose: large or small sigma2, few or many outliers, points missing in regions or none; what the caller gave
 * counts. Under the stiff prior, if there is one: a wrong pose bends less (ADR 0026). */
sfgp_em_start sfgp_halving_start(const sfgp_halving *h, const sfgp_similarity *pose, int k, bool late_mixing);
/* The first `count` starts of a pose, which enter the contest: at the pose or, with move, at the motion that their fits have found. Sets
 * h->misfit. Errors: SFGP_ERROR_MEMORY, SFGP_CANCELLED, SFGP_ERROR_NUMERIC of landmarks. */
sfgp_status sfgp_halving_try(sfgp_halving *h, const sfgp_similarity *pose, int count, bool late_mixing,
                             bool move);
/* Whether they agree with the pose that was tried last. */
bool sfgp_halving_landmarks_agree(const sfgp_halving *h);

/* ---- rungs CHECK and TURNS: halving_turns.c. The same errors. ---------------------------------------- */

/* The turns that are best on the few points of CHECK, and of them the best on more points, with their starts. */
sfgp_status sfgp_halving_try_turned(sfgp_halving *h);
/* The same if no start explains the target, or if a turn is better than none: a subset may fit well enough when it is turned the wrong
 * way, as far as its prior bends. */
sfgp_status sfgp_halving_try_turned_if_wanted(sfgp_halving *h);
/* A glance, on the points of CHECK. h->in_place: no turn is better than none, and the centroid no better than in place; then the list has
 * the starts. */
sfgp_status sfgp_halving_look_in_place(sfgp_halving *h);

#endif
