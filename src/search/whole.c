/* Rung WHOLE: the whole shape, from each start under one prior or two (ADR 0026, 0030). */
#include "search/whole.h"
#include "base/progress.h"
#include "em/loop.h"
#include "search/pace.h"
#include "search/poses.h"
#include "search/proportions.h"
#include "search/rough.h"
#include "search/score.h"
#include "search/stretch.h"
#include "search/tuning.h"
#include "search/unreached.h"

#include <math.h>

/* Shares of the progress that is left: about those of the time of an ear. */
#define SHARE_WHOLE 0.5
#define SHARE_ROUGH 0.3    /* all rough fits */
#define SHARE_GOING_ON 0.6 /* each that goes on */

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

/* The best of several fits. */
typedef struct winner {
    sfgp_pace pace;
    sfgp_em_state state;
    bool last; /* it is the one in em */
} winner;

static void enter(sfgp_em *em, const sfgp_pace *pace, const sfgp_starts *list, winner *best)
{
    sfgp_rivals_note(em, pace->tempered, list->ends);
    best->last = pace->score > best->pace.score;
    if (!best->last)
        return;
    best->pace = *pace;
    sfgp_em_state_copy(&em->state, &best->state);
}

/* Each start with all points; a fit that falls behind is given up. */
static sfgp_status run_each(sfgp_em *em, const sfgp_starts *list, winner *best)
{
    sfgp_duplicate duplicate;
    sfgp_pace pace;
    sfgp_status status = sfgp_duplicate_new(em->context, em->problem->basis, &duplicate);
    for (int k = 0; k < list->count && status == SFGP_OK; k++) {
        const sfgp_progress_range outer = sfgp_progress_enter(em->context, 1.0 / (list->count - k));
        status = sfgp_pace_run(em, &list->each[k], &duplicate, &best->pace, &pace);
        sfgp_progress_leave(em->context, outer);
        if (status == SFGP_OK)
            enter(em, &pace, list, best);
    }
    sfgp_duplicate_clear(&duplicate);
    return status;
}

/* The best fit, or that of a start where none has a score. */
static sfgp_status take_winner(sfgp_em *em, const winner *best, const sfgp_em_start *otherwise,
                               sfgp_outcome *outcome)
{
    *outcome = best->pace.outcome;
    if (!(best->pace.score > -HUGE_VAL))
        return run_from(em, otherwise, outcome);
    return best->last ? SFGP_OK : sfgp_em_restore(em, &best->state);
}

/* Rung WHOLE under one prior. */
static sfgp_status run_best(sfgp_em *em, const sfgp_starts *list, sfgp_outcome *outcome)
{
    winner best = {.pace = sfgp_pace_none};
    if (list->count < 2)
        return run_from(em, &list->each[0], outcome);
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &best.state);
    if (status == SFGP_OK)
        status = run_each(em, list, &best);
    if (status == SFGP_OK)
        status = take_winner(em, &best, &list->each[0], outcome);
    sfgp_em_state_clear(&best.state);
    return status;
}

/* The same, and the score by which priors are compared. */
static sfgp_status run_under(sfgp_em *em, sfgp_em_prior prior, sfgp_findings *found, ending *end)
{
    const sfgp_starts list = sfgp_starts_list(em->problem, found, prior);
    const sfgp_status status = run_best(em, &list, &end->outcome);
    return status == SFGP_OK ? sfgp_search_tempered_score(em, &end->score) : status;
}

/* Under the stiff prior, then under the prior as it is: the fit with the larger score. */
static sfgp_status run_both(sfgp_em *em, sfgp_findings *found, sfgp_outcome *outcome)
{
    ending stiff = {0}, as_is = {0};
    sfgp_em_state first = {0};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &first);
    if (status == SFGP_OK)
        status = run_under(em, SFGP_PRIOR_STIFF, found, &stiff);
    if (status == SFGP_OK) {
        sfgp_em_state_copy(&em->state, &first);
        status = run_under(em, SFGP_PRIOR_AS_IS, found, &as_is);
    }
    *outcome = stiff.score > as_is.score ? stiff.outcome : as_is.outcome;
    if (status == SFGP_OK && stiff.score > as_is.score)
        status = sfgp_em_restore(em, &first);
    sfgp_em_state_clear(&first);
    return status;
}

static bool has_both_priors(const sfgp_em *em)
{
    return em->problem->rescaled[SFGP_PRIOR_STIFF] && em->searched == SFGP_SEARCHED_BOTH;
}

/* That of the search, or the one as it is, after the stiff one. */
static sfgp_em_prior last_prior(const sfgp_em *em)
{
    return em->problem->rescaled[SFGP_PRIOR_STIFF] && em->searched == SFGP_SEARCHED_STIFF ? SFGP_PRIOR_STIFF
                                                                                          : SFGP_PRIOR_AS_IS;
}

static sfgp_status run_priors(sfgp_em *em, sfgp_findings *found, sfgp_outcome *outcome)
{
    const sfgp_starts list = sfgp_starts_list(em->problem, found, last_prior(em));
    return has_both_priors(em) ? run_both(em, found, outcome) : run_best(em, &list, outcome);
}

/* ---- rough fits first ---------------------------------------------------------------------------------- */

static sfgp_status run_rough(sfgp_em *em, const sfgp_starts *list, double share, sfgp_rough *rough)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < list->count && status == SFGP_OK; k++) {
        const sfgp_progress_range outer = sfgp_progress_enter(em->context, share / (list->count - k * share));
        status = sfgp_rough_run(&list->each[k], rough);
        sfgp_progress_leave(em->context, outer);
    }
    return status;
}

/* The starts under each prior; `list` has the last of them. */
static sfgp_status run_all_rough(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_starts *list)
{
    sfgp_status status = SFGP_OK;
    if (has_both_priors(em)) {
        *list = sfgp_starts_list(em->problem, found, SFGP_PRIOR_STIFF);
        status = run_rough(em, list, SHARE_ROUGH / 2, rough);
    }
    *list = sfgp_starts_list(em->problem, found, last_prior(em));
    return status == SFGP_OK ? run_rough(em, list, SHARE_ROUGH, rough) : status;
}

/* With all points. Fits under two priors are compared by the tempered score. */
static sfgp_status finish_one(sfgp_em *em, int k, sfgp_rough *rough, sfgp_pace *pace)
{
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_GOING_ON);
    sfgp_status status = sfgp_rough_go_on(rough, k, em);
    if (status == SFGP_OK)
        status = sfgp_pace_finish(em, pace);
    pace->score = pace->tempered;
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* Of the rough fits there are, those that go on. */
static sfgp_status finish_all(sfgp_em *em, const sfgp_starts *list, sfgp_rough *rough, sfgp_outcome *outcome)
{
    winner best = {.pace = sfgp_pace_none};
    sfgp_pace pace = sfgp_pace_none;
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &best.state);
    for (int k; status == SFGP_OK && (k = sfgp_rough_next(rough)) >= 0;) {
        status = finish_one(em, k, rough, &pace);
        if (status == SFGP_OK)
            enter(em, &pace, list, &best);
    }
    if (status == SFGP_OK)
        status = take_winner(em, &best, &list->each[0], outcome);
    sfgp_em_state_clear(&best.state);
    return status;
}

static sfgp_status run_roughly(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_outcome *outcome)
{
    sfgp_starts list;
    const sfgp_status status = run_all_rough(em, found, rough, &list);
    return status == SFGP_OK ? finish_all(em, &list, rough, outcome) : status;
}

/* The starts that were found, under all priors that are searched. */
static sfgp_status run_found(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_outcome *outcome)
{
    return rough->em ? run_roughly(em, found, rough, outcome) : run_priors(em, found, outcome);
}

/* ---- the same once more -------------------------------------------------------------------------------- */

/* Another run of the rung. Its fit is better if its score is larger, and this holds; NULL: nothing else has to. */
typedef struct again {
    sfgp_status (*run)(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_outcome *outcome);
    bool (*holds)(sfgp_em *em, const sfgp_em_state *first);
} again;

/* The fit of that run, if it is better; else the first one. */
static sfgp_status try_again(sfgp_em *em, const again *other, sfgp_findings *found, sfgp_rough *rough,
                             sfgp_outcome *outcome)
{
    double before, after;
    sfgp_outcome second;
    sfgp_em_state first = {0};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &first);
    if (status == SFGP_OK)
        status = sfgp_search_tempered_score(em, &before);
    if (status == SFGP_OK) {
        sfgp_em_state_copy(&em->state, &first);
        sfgp_rough_forget(rough);
        status = other->run(em, found, rough, &second);
    }
    if (status == SFGP_OK)
        status = sfgp_search_tempered_score(em, &after);
    if (status == SFGP_OK && after > before && (!other->holds || other->holds(em, &first)))
        *outcome = second;
    else if (status == SFGP_OK || status == SFGP_ERROR_NUMERIC)
        status = sfgp_em_restore(em, &first);
    sfgp_em_state_clear(&first);
    return status;
}

/* From the poses of a shape that has the proportions of the fit, where those turn otherwise. Landmarks say how the shape is turned. */
static sfgp_status try_proportions(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough,
                                   sfgp_outcome *outcome)
{
    const again other = {run_found, NULL};
    sfgp_findings turned = {.ends = found->ends};
    sfgp_status status = SFGP_OK;
    if (sfgp_poses_apply(em->problem) && !em->problem->landmarks)
        status = sfgp_proportions_find(em, &turned.rigid);
    if (status == SFGP_OK && turned.rigid.count > 0)
        status = try_again(em, &other, &turned, rough, outcome);
    found->ends = turned.ends;
    return status;
}

/* ---- the loose prior ------------------------------------------------------------------------------------ */

/* The fit leaves a part of a surface that the scan shows. */
static sfgp_status asks_for_loose(const sfgp_em *em, bool *asks)
{
    double share = 0;
    *asks = false;
    if (!em->problem->rescaled[SFGP_PRIOR_LOOSE])
        return SFGP_OK;
    const sfgp_status status = sfgp_unreached_share(em, &share);
    *asks = sfgp_unreached_is_large(em, share);
    return status;
}

static sfgp_status run_loose(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_outcome *outcome)
{
    const sfgp_starts list = sfgp_starts_list(em->problem, found, SFGP_PRIOR_LOOSE);
    if (!rough->em)
        return run_best(em, &list, outcome);
    const sfgp_status status = run_rough(em, &list, SHARE_ROUGH, rough);
    return status == SFGP_OK ? finish_all(em, &list, rough, outcome) : status;
}

/* A fit that is stretched over what the scan shows beside the shape has a larger score, too. */
static bool is_not_stretched(sfgp_em *em, const sfgp_em_state *first)
{
    return sfgp_stretch_beside(em, em->state.points, first->points) <
           sfgp_tuning_of(em->problem->basis)->loose_stretch;
}

/* Under the loose prior, where the fit asks for it. */
static sfgp_status try_loose(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_outcome *outcome)
{
    const again other = {run_loose, is_not_stretched};
    bool asks;
    const sfgp_status status = asks_for_loose(em, &asks);
    return status == SFGP_OK && asks ? try_again(em, &other, found, rough, outcome) : status;
}

sfgp_status sfgp_whole_run(sfgp_em *em, sfgp_findings *found, sfgp_outcome *outcome)
{
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_WHOLE);
    sfgp_rough rough = {0};
    sfgp_status status = sfgp_rough_applies(em) ? sfgp_rough_new(em, &rough) : SFGP_OK;
    if (status == SFGP_OK)
        status = run_found(em, found, &rough, outcome);
    if (status == SFGP_OK)
        status = try_proportions(em, found, &rough, outcome);
    if (status == SFGP_OK)
        status = try_loose(em, found, &rough, outcome);
    sfgp_rough_clear(em, &rough);
    sfgp_progress_leave(em->context, outer);
    return status;
}
