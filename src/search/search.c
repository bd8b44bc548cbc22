/* Rung WHOLE, under one prior or two, and the proposals that follow it (ADR 0013, 0017, 0026, 0030). */
#include "search/search.h"
#include "base/progress.h"
#include "em/anisotropic.h"
#include "em/loop.h"
#include "search/duplicate.h"
#include "search/effort.h"
#include "search/halving.h"
#include "search/poses.h"
#include "search/proposals.h"
#include "search/rivals.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>

/* Shares of the progress that is left: about those of the time of an ear. */
#define SHARE_RIGID 0.1
#define SHARE_RUNGS 0.5
#define SHARE_WHOLE 0.5

/* How rung WHOLE ended under one prior. */
typedef struct ending {
    double score; /* tempered */
    sfgp_outcome outcome;
} ending;

/* What the search has found: starts of the rungs, and poses at which the shape lies in the scan as a rigid whole. */
typedef struct findings {
    sfgp_shortlist rungs, rigid;
    bool turned;      /* rung TURNS was run */
    sfgp_rivals ends; /* of rung WHOLE */
} findings;

enum { MOST_POSES = 2 * SFGP_SHORTLIST + 1 };

/* The starts of rung WHOLE under one prior. */
typedef struct starts {
    bool stiff;
    int count;
    sfgp_rivals *ends; /* where their fits end */
    sfgp_em_start each[2 * MOST_POSES];
} starts;

static void add_start(const sfgp_em_start *start, double sigma2, starts *list)
{
    sfgp_em_start *added = &list->each[list->count++];
    *added = *start;
    added->sigma2 = sigma2;
    added->stiff = list->stiff;
}

/* Wide, narrow or both. A narrow sigma2 keeps a scan of a small part of the shape from pulling at all of it (ADR 0030,
 * 0037); what the caller gave counts. */
static unsigned choose_widths(const sfgp_em_problem *problem, bool stiff)
{
    if (!(sfgp_tuning_of(problem->basis)->sigma2_narrow > 0) || problem->given_sigma2 > 0)
        return SFGP_WIDE;
    if (!problem->stiff)
        return SFGP_BOTH;
    return stiff ? problem->effort->stiff : problem->effort->other;
}

/* What the rungs and the rigid search found, or the standard start where they found nothing, wide ones first. */
static starts list_starts(const sfgp_em_problem *problem, findings *found, bool stiff)
{
    const unsigned widths = choose_widths(problem, stiff);
    const double narrow = sfgp_tuning_of(problem->basis)->sigma2_narrow;
    sfgp_em_start pose[MOST_POSES];
    int poses = 0;
    for (; poses < found->rungs.count; poses++)
        pose[poses] = found->rungs.best[poses].start;
    for (int k = 0; k < found->rigid.count; k++)
        pose[poses++] = found->rigid.best[k].start;
    if (poses == 0 || problem->effort->searches)
        pose[poses++] = sfgp_em_standard_start(problem);
    starts list = {.stiff = stiff, .ends = &found->ends};
    for (int k = 0; k < poses && (widths & SFGP_WIDE); k++)
        add_start(&pose[k], pose[k].sigma2, &list);
    for (int k = 0; k < poses && (widths & SFGP_NARROW); k++)
        add_start(&pose[k], narrow, &list);
    return list;
}

/* The fit from a start and its score: minus infinity when it fails numerically, or is a duplicate. The stiff prior has
 * the tempered score here as well, the other one the bound (ADR 0030). */
static sfgp_status run_and_score(sfgp_em *em, const sfgp_em_start *start, sfgp_duplicate *duplicate,
                                 sfgp_rivals *ends, sfgp_outcome *outcome, double *score)
{
    bool same = false;
    double tempered = -HUGE_VAL;
    *score = -HUGE_VAL;
    sfgp_status status = sfgp_duplicate_run(em, start, duplicate, &same, outcome);
    if (status == SFGP_OK && !same)
        status = sfgp_search_score(em, score);
    if (status == SFGP_OK && !same)
        status = sfgp_search_tempered_score(em, &tempered);
    if (status == SFGP_OK)
        sfgp_rivals_note(em, tempered, ends);
    if (start->stiff)
        *score = tempered;
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

static sfgp_status run_from(sfgp_em *em, const sfgp_em_start *start, sfgp_outcome *outcome)
{
    const sfgp_status status = sfgp_em_begin(em, start);
    return status == SFGP_OK ? sfgp_em_run(em, outcome) : status;
}

/* Of several fits the one with the largest score. */
static sfgp_status run_each(sfgp_em *em, const starts *list, sfgp_duplicate *duplicate, sfgp_em_state *best,
                            sfgp_outcome *outcome)
{
    double most = -HUGE_VAL, score = -HUGE_VAL;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < list->count && status == SFGP_OK; k++) {
        sfgp_outcome found;
        const sfgp_progress_range outer = sfgp_progress_enter(em->context, 1.0 / (list->count - k));
        status = run_and_score(em, &list->each[k], duplicate, list->ends, &found, &score);
        sfgp_progress_leave(em->context, outer);
        if (status != SFGP_OK || score <= most)
            continue;
        most = score, *outcome = found;
        sfgp_em_state_copy(&em->state, best);
    }
    if (status == SFGP_OK && most == -HUGE_VAL)
        return run_from(em, &list->each[0], outcome);
    return status == SFGP_OK && score < most ? sfgp_em_restore(em, best) : status;
}

/* Rung WHOLE under one prior. */
static sfgp_status run_best(sfgp_em *em, const starts *list, sfgp_outcome *outcome)
{
    sfgp_em_state best = {0};
    sfgp_duplicate duplicate = {0};
    if (list->count < 2)
        return run_from(em, &list->each[0], outcome);
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &best);
    if (status == SFGP_OK)
        status = sfgp_duplicate_new(em->context, em->problem->basis, &duplicate);
    if (status == SFGP_OK)
        status = run_each(em, list, &duplicate, &best, outcome);
    sfgp_duplicate_clear(&duplicate);
    sfgp_em_state_clear(&best);
    return status;
}

/* The same, and the score by which priors are compared. */
static sfgp_status run_under(sfgp_em *em, bool stiff, findings *found, ending *end)
{
    const starts list = list_starts(em->problem, found, stiff);
    const sfgp_status status = run_best(em, &list, &end->outcome);
    return status == SFGP_OK ? sfgp_search_tempered_score(em, &end->score) : status;
}

/* Under the stiff prior, then under the prior as it is: the fit with the larger score. */
static sfgp_status run_both(sfgp_em *em, findings *found, sfgp_outcome *outcome)
{
    ending stiff = {0}, loose = {0};
    sfgp_em_state first = {0};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &first);
    if (status == SFGP_OK)
        status = run_under(em, true, found, &stiff);
    if (status == SFGP_OK) {
        sfgp_em_state_copy(&em->state, &first);
        status = run_under(em, false, found, &loose);
    }
    *outcome = stiff.score > loose.score ? stiff.outcome : loose.outcome;
    if (status == SFGP_OK && stiff.score > loose.score)
        status = sfgp_em_restore(em, &first);
    sfgp_em_state_clear(&first);
    return status;
}

/* Landmarks may contradict the pose in place, which neither a glance nor the rigid search sees. */
static bool searches_always(const sfgp_em_problem *problem)
{
    return problem->effort->searches || problem->landmarks;
}

static sfgp_status run_halving(sfgp_em *em, findings *found)
{
    return searches_always(em->problem) ? sfgp_halving_run(em, &found->rungs, &found->turned)
                                        : sfgp_halving_glance(em, &found->rungs, &found->turned);
}

static bool is_in_place(const sfgp_shortlist *list)
{
    return list->count > 0 && sfgp_similarity_is_identity(&list->best[0].start.pose);
}

static sfgp_status run_rigid(sfgp_em *em, findings *found, bool *sure)
{
    *sure = false;
    if (!sfgp_poses_apply(em->problem))
        return SFGP_OK;
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_RIGID);
    const sfgp_status status = sfgp_poses_find(em->context, em->problem, &found->rigid, sure);
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* All rungs; or STARTS at the poses of the rigid search; or none, of a scan in place. */
static sfgp_status run_rungs(sfgp_em *em, findings *found, bool all)
{
    if (!all && is_in_place(&found->rigid))
        return SFGP_OK;
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, all ? SHARE_RUNGS : SHARE_RIGID);
    const sfgp_status status =
        all ? run_halving(em, found) : sfgp_halving_run_at(em, &found->rigid, &found->rungs);
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* The rigid search, and the rungs unless it is sure. */
static sfgp_status find_starts(sfgp_em *em, findings *found)
{
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_SEARCH);
    bool sure;
    sfgp_status status = run_rigid(em, found, &sure);
    if (status == SFGP_OK)
        status = run_rungs(em, found, !sure || searches_always(em->problem));
    sfgp_profile_leave(em->context, mark);
    return status;
}

static sfgp_status run_whole(sfgp_em *em, findings *found, sfgp_outcome *outcome)
{
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_WHOLE);
    const starts list = list_starts(em->problem, found, false);
    const sfgp_status status =
        em->problem->stiff ? run_both(em, found, outcome) : run_best(em, &list, outcome);
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* Anisotropic labels, of shapes with enough points. */
sfgp_status sfgp_search_refine(sfgp_em *em)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const int64_t most = (int64_t)tuning->anisotropic_iterations, along = em->problem->effort->along;
    const sfgp_em_anisotropy anisotropy = {.iterations = along < most ? along : most,
                                           .neighbours = (int)tuning->anisotropic_neighbours,
                                           .least = tuning->anisotropic_least};
    const bool enough = (double)em->problem->basis->count >= tuning->anisotropic_points;
    if (!em->problem->refines || !enough)
        return SFGP_OK;
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_REFINE);
    const sfgp_status status = sfgp_em_anisotropic_refine(em, &anisotropy);
    sfgp_profile_leave(em->context, mark);
    return status;
}

sfgp_status sfgp_search_run(sfgp_em *em, sfgp_outcome *outcome)
{
    findings found = {0};
    const sfgp_effort *effort = em->problem->effort;
    sfgp_status status = find_starts(em, &found);
    if (status == SFGP_OK)
        status = run_whole(em, &found, outcome);
    if (status != SFGP_OK)
        return status;
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_REFINE);
    status = sfgp_proposals_run(em, effort->proposals & ~(found.turned ? SFGP_PROPOSE_TURN : 0U), outcome);
    if (status == SFGP_OK)
        status = sfgp_rivals_compare(em, &found.ends);
    sfgp_profile_leave(em->context, mark);
    return status == SFGP_OK && *outcome == SFGP_CONVERGED ? sfgp_search_refine(em) : status;
}
