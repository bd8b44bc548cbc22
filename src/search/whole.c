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

/* Priors that the starts are fitted under, one after the other. */
typedef struct priors {
    int count;
    sfgp_em_prior each[2];
} priors;

/* The stiff one and then the one as it is, or that of the search. */
static priors searched_priors(const sfgp_em *em)
{
    if (!em->problem->rescaled[SFGP_PRIOR_STIFF] || em->searched == SFGP_SEARCHED_AS_IS)
        return (priors){1, {SFGP_PRIOR_AS_IS}};
    return em->searched == SFGP_SEARCHED_STIFF ? (priors){1, {SFGP_PRIOR_STIFF}}
                                               : (priors){2, {SFGP_PRIOR_STIFF, SFGP_PRIOR_AS_IS}};
}

/* Under two priors: the fit with the larger score. */
static sfgp_status run_both(sfgp_em *em, const priors *under, sfgp_findings *found, sfgp_outcome *outcome)
{
    ending first = {0}, second = {0};
    sfgp_em_state kept = {0};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &kept);
    if (status == SFGP_OK)
        status = run_under(em, under->each[0], found, &first);
    if (status == SFGP_OK) {
        sfgp_em_state_copy(&em->state, &kept);
        status = run_under(em, under->each[1], found, &second);
    }
    *outcome = first.score > second.score ? first.outcome : second.outcome;
    if (status == SFGP_OK && first.score > second.score)
        status = sfgp_em_restore(em, &kept);
    sfgp_em_state_clear(&kept);
    return status;
}

static sfgp_status run_wholly(sfgp_em *em, const priors *under, sfgp_findings *found, sfgp_outcome *outcome)
{
    const sfgp_starts list = sfgp_starts_list(em->problem, found, under->each[0]);
    return under->count > 1 ? run_both(em, under, found, outcome) : run_best(em, &list, outcome);
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

/* The starts under all priors with some of the points, then those that go on. */
static sfgp_status run_roughly(sfgp_em *em, const priors *under, sfgp_findings *found, sfgp_rough *rough,
                               sfgp_outcome *outcome)
{
    sfgp_starts list = {.count = 0};
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < under->count && status == SFGP_OK; k++) {
        list = sfgp_starts_list(em->problem, found, under->each[k]);
        status = run_rough(em, &list, SHARE_ROUGH / (under->count - k), rough);
    }
    return status == SFGP_OK ? finish_all(em, &list, rough, outcome) : status;
}

/* From the starts that were found. */
static sfgp_status run_found(sfgp_em *em, const priors *under, sfgp_findings *found, sfgp_rough *rough,
                             sfgp_outcome *outcome)
{
    return rough->em ? run_roughly(em, under, found, rough, outcome) : run_wholly(em, under, found, outcome);
}

/* ---- the same once more -------------------------------------------------------------------------------- */

/* Another run of the rung. Its fit is better if its score is larger, and this holds; NULL: nothing else has to. */
typedef struct again {
    priors under;
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
        status = run_found(em, &other->under, found, rough, &second);
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
    const again other = {searched_priors(em), NULL};
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

/* A fit that is stretched over what the scan shows beside the shape has a larger score, too. */
static bool is_not_stretched(sfgp_em *em, const sfgp_em_state *first)
{
    return sfgp_stretch_beside(em, em->state.points, first->points) <
           sfgp_tuning_of(em->problem->basis)->loose_stretch;
}

/* Under the loose prior, where the fit asks for it. */
static sfgp_status try_loose(sfgp_em *em, sfgp_findings *found, sfgp_rough *rough, sfgp_outcome *outcome)
{
    const again other = {{1, {SFGP_PRIOR_LOOSE}}, is_not_stretched};
    bool asks;
    const sfgp_status status = asks_for_loose(em, &asks);
    return status == SFGP_OK && asks ? try_again(em, &other, found, rough, outcome) : status;
}

sfgp_status sfgp_whole_run(sfgp_em *em, sfgp_findings *found, sfgp_outcome *outcome)
{
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_WHOLE);
    const priors under = searched_priors(em);
    sfgp_rough rough = {0};
    sfgp_status status = sfgp_rough_applies(em) ? sfgp_rough_new(em, &rough) : SFGP_OK;
    if (status == SFGP_OK)
        status = run_found(em, &under, found, &rough, outcome);
    if (status == SFGP_OK)
        status = try_proportions(em, found, &rough, outcome);
    if (status == SFGP_OK)
        status = try_loose(em, found, &rough, outcome);
    sfgp_rough_clear(em, &rough);
    sfgp_progress_leave(em->context, outer);
    return status;
}
