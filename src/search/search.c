/* Rung WHOLE, under one prior or two, and the proposals that follow it (ADR 0013, 0017, 0025). */
#include "search/search.h"
#include "base/progress.h"
#include "em/loop.h"
#include "search/duplicate.h"
#include "search/halving.h"
#include "search/proposals.h"
#include "search/score.h"

#include <math.h>

/* Shares of the progress that is left: about those of the time of an ear. */
#define SHARE_RUNGS 0.5
#define SHARE_WHOLE 0.5

/* How rung WHOLE ended under one prior. */
typedef struct ending {
    double score; /* tempered */
    sfgp_outcome outcome;
} ending;

static sfgp_status run_from(sfgp_em *em, const sfgp_em_start *start, sfgp_outcome *outcome)
{
    const sfgp_status status = sfgp_em_begin(em, start);
    return status == SFGP_OK ? sfgp_em_run(em, outcome) : status;
}

/* The fit from a start and its score: minus infinity when it fails numerically, or is a duplicate. */
static sfgp_status run_and_score(sfgp_em *em, const sfgp_em_start *start, sfgp_duplicate *duplicate,
                                 sfgp_outcome *outcome, double *score)
{
    bool same = false;
    *score = -HUGE_VAL;
    sfgp_status status = sfgp_duplicate_run(em, start, duplicate, &same, outcome);
    if (status == SFGP_OK && !same)
        status = sfgp_search_score(em, score);
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

/* Of several fits the one with the largest score. */
static sfgp_status run_each(sfgp_em *em, const sfgp_shortlist *list, sfgp_duplicate *duplicate,
                            sfgp_em_state *best, sfgp_outcome *outcome)
{
    double most = -HUGE_VAL, score = -HUGE_VAL;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < list->count && status == SFGP_OK; k++) {
        sfgp_outcome found;
        const sfgp_progress_range outer = sfgp_progress_enter(em->context, 1.0 / (list->count - k));
        status = run_and_score(em, &list->best[k].start, duplicate, &found, &score);
        sfgp_progress_leave(em->context, outer);
        if (status != SFGP_OK || score <= most)
            continue;
        most = score, *outcome = found;
        sfgp_em_state_copy(&em->state, best);
    }
    if (status == SFGP_OK && most == -HUGE_VAL)
        return run_from(em, &list->best[0].start, outcome);
    return status == SFGP_OK && score < most ? sfgp_em_restore(em, best) : status;
}

/* Rung WHOLE; from the standard start when the list is empty. */
static sfgp_status run_best(sfgp_em *em, bool stiff, const sfgp_shortlist *list, sfgp_outcome *outcome)
{
    sfgp_em_start standard = sfgp_em_standard_start(em->problem);
    sfgp_em_state best = {0};
    sfgp_duplicate duplicate = {0};
    standard.stiff = stiff;
    if (list->count < 2)
        return run_from(em, list->count > 0 ? &list->best[0].start : &standard, outcome);
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &best);
    if (status == SFGP_OK)
        status = sfgp_duplicate_new(em->context, em->problem->basis, &duplicate);
    if (status == SFGP_OK)
        status = run_each(em, list, &duplicate, &best, outcome);
    sfgp_duplicate_clear(&duplicate);
    sfgp_em_state_clear(&best);
    return status;
}

/* Rung WHOLE under one prior, and the score by which priors are compared. */
static sfgp_status run_under(sfgp_em *em, bool stiff, const sfgp_shortlist *starts, ending *end)
{
    sfgp_shortlist list = *starts;
    for (int k = 0; k < list.count; k++)
        list.best[k].start.stiff = stiff;
    const sfgp_status status = run_best(em, stiff, &list, &end->outcome);
    return status == SFGP_OK ? sfgp_search_tempered_score(em, &end->score) : status;
}

/* Under the stiff prior, then under the prior as it is: the fit with the larger score. */
static sfgp_status run_both(sfgp_em *em, const sfgp_shortlist *starts, sfgp_outcome *outcome)
{
    ending stiff = {0}, loose = {0};
    sfgp_em_state first = {0};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &first);
    if (status == SFGP_OK)
        status = run_under(em, true, starts, &stiff);
    if (status == SFGP_OK) {
        sfgp_em_state_copy(&em->state, &first);
        status = run_under(em, false, starts, &loose);
    }
    *outcome = stiff.score > loose.score ? stiff.outcome : loose.outcome;
    if (status == SFGP_OK && stiff.score > loose.score)
        status = sfgp_em_restore(em, &first);
    sfgp_em_state_clear(&first);
    return status;
}

static sfgp_status run_rungs(sfgp_em *em, sfgp_shortlist *list, bool *turned)
{
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_SEARCH);
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_RUNGS);
    const sfgp_status status = sfgp_halving_run(em, list, turned);
    sfgp_progress_leave(em->context, outer);
    sfgp_profile_leave(em->context, mark);
    return status;
}

static sfgp_status run_whole(sfgp_em *em, const sfgp_shortlist *list, sfgp_outcome *outcome)
{
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_WHOLE);
    const sfgp_status status =
        em->problem->stiff ? run_both(em, list, outcome) : run_best(em, false, list, outcome);
    sfgp_progress_leave(em->context, outer);
    return status;
}

sfgp_status sfgp_search_run(sfgp_em *em, sfgp_outcome *outcome)
{
    sfgp_shortlist list = {0};
    bool turned = false;
    sfgp_status status = run_rungs(em, &list, &turned);
    if (status == SFGP_OK)
        status = run_whole(em, &list, outcome);
    if (status != SFGP_OK)
        return status;
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_REFINE);
    status =
        sfgp_proposals_run(em, turned ? SFGP_PROPOSE_ALL & ~SFGP_PROPOSE_TURN : SFGP_PROPOSE_ALL, outcome);
    sfgp_profile_leave(em->context, mark);
    return status;
}
