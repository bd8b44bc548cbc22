/* Trials: short fits of one problem from several starts, side by side, each in a workspace of its own. Which
 * workspace fits a start changes no bit. */
#ifndef SFGP_SEARCH_TRIALS_H
#define SFGP_SEARCH_TRIALS_H

#include "search/duplicate.h"
#include "base/platform_thread.h"

#include <stdatomic.h>

#define SFGP_TRIALS 8 /* most workspaces, and most starts at a time */

typedef struct sfgp_trials {
    int count;                           /* workspaces */
    sfgp_context *contexts[SFGP_TRIALS]; /* one each, as a context is of one thread; warnings are dropped */
    sfgp_em *fits[SFGP_TRIALS];
    sfgp_context *caller;     /* of the last run: workspace 0 reports to it, in its thread */
    atomic_int stopped;       /* 1: it wants no more; the others look here */
    sfgp_allocator allocator; /* that of the problem's context */
    sfgp_mutex alone;         /* one thread at a time allocates and releases */
} sfgp_trials;

/* What is run at a time. */
typedef struct sfgp_trial_batch {
    int64_t iterations; /* at most, of each fit */
    int count;          /* of the starts, at most SFGP_TRIALS */
    const sfgp_em_start *starts;
    sfgp_duplicate *duplicates; /* one for each start; NULL: none */
} sfgp_trial_batch;

/* What became of a start. */
typedef struct sfgp_trial {
    double score;           /* sfgp_search_score; minus infinity: a duplicate, or it explains nothing */
    double sigma2;          /* at the end */
    double omega;           /* at the end */
    sfgp_similarity motion; /* sfgp_em_motion of the fit; the pose of the start where there is none */
} sfgp_trial;

/* As many workspaces as threads. Problem and context must outlive them. SFGP_ERROR_MEMORY. Clear also after
 * an error. */
sfgp_status sfgp_trials_new(sfgp_context *context, const sfgp_em_problem *problem, sfgp_trials *trials);
void sfgp_trials_clear(sfgp_trials *trials);
/* Fits from some starts, each with at most so many iterations. Trees take memory by one thread at a time. SFGP_ERROR_MEMORY,
 * SFGP_CANCELLED. The context is asked by the thread that calls only. ends: batch->count. */
sfgp_status sfgp_trials_run(sfgp_context *context, const sfgp_trial_batch *batch, sfgp_trials *trials,
                            sfgp_trial *ends);
/* Adds the fits and iterations of all workspaces to those of `em`. */
void sfgp_trials_count(const sfgp_trials *trials, sfgp_em *em);

#endif
