/* The search: poses, rung WHOLE, and the proposals that follow it (ADR 0013, 0017, 0045). */
#include "search/search.h"
#include "base/progress.h"
#include "em/anisotropic.h"
#include "em/loop.h"
#include "geom/rotations.h"
#include "search/curve.h"
#include "search/effort.h"
#include "search/halving.h"
#include "search/poses.h"
#include "search/proposals.h"
#include "search/score.h"
#include "search/tuning.h"
#include "search/unreached.h"
#include "search/whole.h"

/* Shares of the progress that is left: about those of the time of an ear. */
#define SHARE_RIGID 0.1
#define SHARE_RUNGS 0.5
#define SHARE_STIFF 0.5 /* of a curve */

/* Landmarks may contradict the pose in place, which neither a glance nor the rigid search sees. */
static bool searches_always(const sfgp_em_problem *problem)
{
    return problem->effort->all_rungs || problem->landmarks;
}

static sfgp_status run_halving(sfgp_em *em, sfgp_findings *found)
{
    return searches_always(em->problem) ? sfgp_halving_run(em, &found->rungs, &found->turned)
                                        : sfgp_halving_glance(em, &found->rungs, &found->turned);
}

/* A scan in place, or, where the effort says so, one that hardly turns: it has no rung STARTS. */
static bool needs_no_starts(const sfgp_em_problem *problem, const sfgp_shortlist *list)
{
    const double cosine = sfgp_tuning_of(problem->basis)->turns_apart;
    if (list->count == 0)
        return false;
    const sfgp_similarity *pose = &list->best[0].start.pose;
    return sfgp_similarity_is_identity(pose) ||
           (!problem->effort->starts && sfgp_rotation_cosine(pose->rotation, pose->dimension) > cosine);
}

static sfgp_status run_rigid(sfgp_em *em, sfgp_findings *found, bool *sure)
{
    *sure = false;
    if (!sfgp_poses_apply(em->problem))
        return SFGP_OK;
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, SHARE_RIGID);
    const sfgp_status status =
        sfgp_poses_find(em->context, em->problem, em->problem->basis->mean, &found->rigid, sure);
    em->facts.rigid_score = found->rigid.count > 0 ? found->rigid.best[0].score : 0;
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* All rungs; or STARTS at the poses of the rigid search; or none, of a scan in place. */
static sfgp_status run_rungs(sfgp_em *em, sfgp_findings *found, bool all)
{
    if (!all && needs_no_starts(em->problem, &found->rigid))
        return SFGP_OK;
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, all ? SHARE_RUNGS : SHARE_RIGID);
    const sfgp_status status =
        all ? run_halving(em, found) : sfgp_halving_run_at(em, &found->rigid, &found->rungs);
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* The rigid search, and the rungs unless it is sure. */
static sfgp_status find_starts(sfgp_em *em, sfgp_findings *found)
{
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_SEARCH);
    bool sure;
    sfgp_status status = run_rigid(em, found, &sure);
    if (status == SFGP_OK)
        status = run_rungs(em, found, !sure || searches_always(em->problem));
    sfgp_profile_leave(em->context, mark);
    return status;
}

/* Some more iterations with the points of the target as they are, where they have been rounded. */
static sfgp_status settle_exactly(sfgp_em *em)
{
    const int64_t last = em->state.iteration + (int64_t)sfgp_tuning_of(em->problem->basis)->exact_iterations;
    sfgp_outcome rests;
    return em->view.exact ? sfgp_em_run_to(em, last, &rests) : SFGP_OK;
}

/* Anisotropic labels, of shapes with enough points. */
static sfgp_status refine(sfgp_em *em)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const int64_t most = (int64_t)tuning->anisotropic_iterations,
                  wanted = em->problem->effort->anisotropic_iterations;
    const sfgp_em_anisotropy anisotropy = {.iterations = wanted < most ? wanted : most,
                                           .neighbours = (int)tuning->anisotropic_neighbours,
                                           .least = tuning->anisotropic_least,
                                           .rim = tuning->anisotropic_rim};
    const bool enough = (double)em->problem->basis->count >= tuning->anisotropic_points;
    return em->problem->refines && enough ? sfgp_em_anisotropic_refine(em, &anisotropy) : settle_exactly(em);
}

sfgp_status sfgp_search_refine(sfgp_em *em)
{
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_REFINE);
    const bool settled = em->settled; /* the stated variance asks for it */
    sfgp_status status = SFGP_OK;
    if (em->problem->exact && !em->view.exact)
        status = sfgp_em_see_exactly(em);
    if (status == SFGP_OK)
        status = refine(em);
    em->settled = settled;
    sfgp_profile_leave(em->context, mark);
    return status;
}

/* How a search has ended. */
typedef struct ending {
    sfgp_outcome outcome;
    sfgp_rivals rivals;
    sfgp_curve_fit rated; /* of a curve */
} ending;

/* The whole of the search, under the priors given. */
static sfgp_status run_under(sfgp_em *em, sfgp_searched_priors priors, ending *end)
{
    sfgp_findings found = {0};
    em->searched = priors;
    sfgp_status status = find_starts(em, &found);
    if (status == SFGP_OK)
        status = sfgp_whole_run(em, &found, &end->outcome);
    end->rivals = found.ends;
    if (status != SFGP_OK)
        return status;
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_REFINE);
    status = sfgp_proposals_run(em, em->problem->effort->proposals & ~(found.turned ? SFGP_PROPOSE_TURN : 0U),
                                &end->outcome);
    sfgp_profile_leave(em->context, mark);
    return status;
}

/* The same, of one prior of a curve, and what it is compared by. */
static sfgp_status run_one(sfgp_em *em, sfgp_searched_priors prior, double share, ending *end)
{
    const sfgp_progress_range outer = sfgp_progress_enter(em->context, share);
    sfgp_status status = run_under(em, prior, end);
    if (status == SFGP_OK)
        status = sfgp_search_score(em, &end->rated.score);
    end->rated.divergence = em->state.divergence;
    sfgp_progress_leave(em->context, outer);
    return status;
}

/* Of the fit under the prior as it is, which em has, and the stiff one, which `end` is of. */
static sfgp_status choose(sfgp_em *em, const sfgp_em_state *stiff, const ending *as_is, ending *end)
{
    const double gain = sfgp_curve_gain_of_stiff(em, &end->rated, &as_is->rated);
    if (gain > 0) {
        em->searched = SFGP_SEARCHED_STIFF;
        return sfgp_em_restore(em, stiff);
    }
    *end = *as_is;
    return sfgp_curve_set_between(em, stiff, gain);
}

/* The same under the prior as it is; the fit that em has stays if it is better. */
static sfgp_status run_as_is(sfgp_em *em, ending *end)
{
    ending as_is = {0};
    sfgp_em_state stiff = {0};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &stiff);
    if (status == SFGP_OK) {
        sfgp_em_state_copy(&em->state, &stiff);
        status = run_one(em, SFGP_SEARCHED_AS_IS, 1, &as_is);
    }
    if (status == SFGP_OK)
        status = choose(em, &stiff, &as_is, end);
    sfgp_em_state_clear(&stiff);
    return status;
}

/* A curve: each prior has a search of its own, as under the other one other poses are better (ADR 0091). */
static sfgp_status run_apart(sfgp_em *em, ending *end)
{
    const sfgp_status status = run_one(em, SFGP_SEARCHED_STIFF, SHARE_STIFF, end);
    return status == SFGP_OK && !em->context->late ? run_as_is(em, end) : status;
}

sfgp_status sfgp_search_run(sfgp_em *em, sfgp_outcome *outcome)
{
    ending end = {0};
    const bool apart =
        em->problem->rescaled[SFGP_PRIOR_STIFF] && sfgp_tuning_of(em->problem->basis)->prior_labels > 0;
    sfgp_status status = apart ? run_apart(em, &end) : run_under(em, SFGP_SEARCHED_BOTH, &end);
    *outcome = end.outcome;
    if (status == SFGP_OK)
        status = sfgp_rivals_compare(em, &end.rivals);
    if (status == SFGP_OK)
        status = sfgp_unreached_share(em, &em->facts.unreached);
    /* also where it was restored: the one step after that may move by more than the tolerance */
    em->settled = *outcome == SFGP_CONVERGED;
    return status == SFGP_OK && *outcome == SFGP_CONVERGED ? sfgp_search_refine(em) : status;
}
