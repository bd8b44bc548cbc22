/* Rough fits: the first iterations from each start of rung WHOLE, with some of the points and columns.
 *
 * While sigma2 is wide, every point of a surface says much the same as its neighbours, and of the prior only the first columns
 * matter. Under each prior the fit with the largest tempered score goes on with all points and columns from where it stands,
 * unless it is far behind that of the other prior. ADR 0074, 0097. */
#ifndef SFGP_SEARCH_ROUGH_H
#define SFGP_SEARCH_ROUGH_H

#include "search/duplicate.h"
#include "search/subset.h"

enum { SFGP_ROUGH_FITS = 28 }; /* starts under two priors (whole.h); those of the loose one come alone */

typedef struct sfgp_rough_fit {
    sfgp_em_state state; /* where it stands */
    double score;        /* tempered (score.h) */
    bool goes_on;
} sfgp_rough_fit;

typedef struct sfgp_rough {
    sfgp_subset subset;
    sfgp_em *em;                           /* of the subset */
    int64_t *nearest;                      /* N: the point of the subset next to each point */
    sfgp_duplicate duplicate[SFGP_PRIORS]; /* of the starts under each prior */
    int count;                             /* of the fits that have a score */
    int seen;                              /* of them that sfgp_rough_next has looked at */
    sfgp_rough_fit fit[SFGP_ROUGH_FITS];   /* the largest score first */
} sfgp_rough;

/* Whether a part of the points may go first: without landmarks, which may contradict what the points say, and without clutter,
 * beside which a part of the target would leave too little of the shape. */
bool sfgp_rough_suits(const sfgp_em_problem *problem);
/* Whether a shape is fitted roughly first: such a surface of enough points. */
bool sfgp_rough_applies(const sfgp_em *whole);
/* Points of the target beside `points` `of` the points of the reference: as many in proportion, but at least points / 2 if there are so many. */
int64_t sfgp_rough_targets(int64_t points, int64_t of, int64_t targets);
/* Workspace for the target that is in. `whole` must outlive it; do not move it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_rough_new(sfgp_em *whole, sfgp_rough *rough);
/* The iterations of its fits are counted by `whole`. */
void sfgp_rough_clear(sfgp_em *whole, sfgp_rough *rough);
/* Fits from a start, `rough_iterations` at most. A fit that fails numerically or explains nothing, and a duplicate, are left
 * out. Errors of sfgp_em_begin and of the steps, but no SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_rough_run(const sfgp_em_start *start, sfgp_rough *rough);
/* After all starts, the largest score first: the next fit that goes on; -1: none does, or it is far behind (`rough_behind`). Under
 * each prior one goes on, and a second one if it began at another turn than all that do: a rival (rivals.h). */
int sfgp_rough_next(sfgp_rough *rough);
/* Forgets all fits: others will begin. */
void sfgp_rough_forget(sfgp_rough *rough);
/* `whole` begins where fit k stands. Errors of sfgp_em_begin. */
sfgp_status sfgp_rough_go_on(const sfgp_rough *rough, int k, sfgp_em *whole);

#endif
