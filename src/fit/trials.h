/* Trials: short fits of one model to one target from several starts, side by side, each by a solver of its
 * own. Which of them fits a start changes no bit. */
#ifndef SFGP_FIT_TRIALS_H
#define SFGP_FIT_TRIALS_H

#include "fit/trail.h"

#define SFGP_TRIALS 8 /* most solvers, and starts at a time */

typedef struct sfgp_trials {
    int count;                           /* solvers */
    sfgp_context *contexts[SFGP_TRIALS]; /* of one each, as a context is of one thread; they keep warnings to
                                            themselves */
    sfgp_solver *solvers[SFGP_TRIALS];
} sfgp_trials;

/* What became of a start. */
typedef struct sfgp_trial {
    double score;        /* sfgp_search_score, -HUGE_VAL when it leads nowhere */
    double noise, omega; /* v and w at its end */
} sfgp_trial;

/* As many solvers as threads, with the target in; tiles: also where the shape is small (solver.h). Model and
 * context must outlive them. SFGP_ERROR_MEMORY,
 * SFGP_ERROR_DATA. Clear also after an error. */
sfgp_status sfgp_trials_new(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                            const sfgp_mesh *target, bool tiles, sfgp_trials *trials);
void sfgp_trials_clear(sfgp_trials *trials);
/* Fits from count <= SFGP_TRIALS starts, of at most so many iterations. trails (count of them): a start that
 * comes to its trail ends there and leads nowhere; NULL: none. Memory is taken (trees) by one thread at a
 * time. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_trials_fit(sfgp_context *context, int64_t iterations, int count, const sfgp_start *starts,
                            sfgp_trials *trials, sfgp_trail *trails, sfgp_trial *ends);

#endif
