/* Pace: a fit that is far behind another one at the same iteration is given up.
 *
 * Of the fits from the starts of rung WHOLE one is kept. After `pace_after` iterations each lies near the scan, and the one whose
 * score is the largest then nearly always ends with the largest score. One that is behind by more than `pace_margin` nats a
 * target point, and `pace_least` nats, ends there. ADR 0070. */
#ifndef SFGP_SEARCH_PACE_H
#define SFGP_SEARCH_PACE_H

#include "search/duplicate.h"

/* How a fit from a start went. A score of minus infinity: there is none. */
typedef struct sfgp_pace {
    double then;     /* score after `pace_after` iterations; of a fit that ended before, none */
    double score;    /* at its end; of a fit that was given up or has failed numerically, none */
    double tempered; /* likewise, the tempered score (score.h) */
    sfgp_outcome outcome;
} sfgp_pace;

/* What has not been run: no scores. */
extern const sfgp_pace sfgp_pace_none;
/* Fits from a start, beside the best one so far under the same prior. The fit is given up if it is a duplicate, or far behind;
 * with landmarks only if it is a duplicate. Its score is that of sfgp_search_score_start. Errors of sfgp_em_begin and of the
 * steps, but no SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_pace_run(sfgp_em *em, const sfgp_em_start *start, sfgp_duplicate *duplicate,
                          const sfgp_pace *best, sfgp_pace *pace);

/* Whether a score is behind the best one of fits to the same target by more than `margin` nats a target point, and `pace_least`. */
bool sfgp_pace_is_behind(const sfgp_em *em, double margin, double best, double score);
/* From where a fit stands to its end. Errors of the steps, but no SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_pace_finish(sfgp_em *em, sfgp_pace *pace);

#endif
