/* Fits that fall behind are given up (ADR 0070). */
#include "search/pace.h"
#include "em/loop.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>

const sfgp_pace sfgp_pace_none = {
    .then = -HUGE_VAL, .score = -HUGE_VAL, .tempered = -HUGE_VAL, .outcome = SFGP_NO_OVERLAP};

bool sfgp_pace_is_behind(const sfgp_em *em, double margin, double best, double score)
{
    const double least = sfgp_tuning_of(em->problem->basis)->pace_least;
    return score < best - fmax(margin * em->label_weight * (double)em->problem->target.count, least);
}

static sfgp_status score_end(sfgp_em *em, sfgp_pace *pace)
{
    const sfgp_status status = sfgp_search_score_start(em, &pace->score);
    return status == SFGP_OK ? sfgp_search_tempered_score(em, &pace->tempered) : status;
}

static sfgp_status run_to_end(sfgp_em *em, sfgp_pace *pace)
{
    const sfgp_status status = sfgp_em_run(em, &pace->outcome);
    return status == SFGP_OK ? score_end(em, pace) : status;
}

sfgp_status sfgp_pace_finish(sfgp_em *em, sfgp_pace *pace)
{
    *pace = sfgp_pace_none;
    const sfgp_status status = run_to_end(em, pace);
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

/* From the iteration at which fits are compared. */
static sfgp_status run_on(sfgp_em *em, const sfgp_pace *best, sfgp_pace *pace)
{
    const sfgp_status status = sfgp_search_score_start(em, &pace->then);
    const double margin = sfgp_tuning_of(em->problem->basis)->pace_margin;
    if (status == SFGP_OK && sfgp_pace_is_behind(em, margin, best->then, pace->then))
        return SFGP_OK;
    return status == SFGP_OK ? run_to_end(em, pace) : status;
}

static sfgp_status run(sfgp_em *em, const sfgp_em_start *start, sfgp_duplicate *duplicate,
                       const sfgp_pace *best, sfgp_pace *pace)
{
    const int64_t after = (int64_t)sfgp_tuning_of(em->problem->basis)->pace_after, most = em->max_iterations;
    const bool compares = !em->problem->landmarks && after < most;
    bool same = false;
    sfgp_status status =
        sfgp_duplicate_run(em, start, compares ? after : most, duplicate, &same, &pace->outcome);
    if (status != SFGP_OK || same)
        return status;
    const bool goes_on = compares && pace->outcome == SFGP_MAX_ITERATIONS && em->state.iteration == after;
    return goes_on ? run_on(em, best, pace) : score_end(em, pace);
}

sfgp_status sfgp_pace_run(sfgp_em *em, const sfgp_em_start *start, sfgp_duplicate *duplicate,
                          const sfgp_pace *best, sfgp_pace *pace)
{
    *pace = sfgp_pace_none;
    const sfgp_status status = run(em, start, duplicate, best, pace);
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}
