/* Propose and accept: the table of proposals, one snapshot, one rule (ADR 0013, 0017). */
#include "search/proposals.h"
#include "base/progress.h"
#include "em/loop.h"
#include "geom/rotations.h"
#include "search/doubt.h"
#include "search/effort.h"
#include "search/halving.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>

#define NO_FIT SFGP_ERROR_NUMERIC /* there is nothing to propose: handled as a fit that failed numerically */

#define SHARE 0.5 /* of the progress that is left, for each proposal */

/* The fit and what has been tried with it. */
typedef struct attempt {
    sfgp_em *em;
    const sfgp_tuning *tuning;
    sfgp_em_state snapshot;
    sfgp_outcome outcome;
    unsigned rows; /* that may still be used */
    int reposed;   /* rounds of REPOSE */
} attempt;

/* ---- REPOSE ------------------------------------------------------------------------------------------ */

/* The prior, not the pose, has turned the shape, and pays for it by bending. */
static bool has_left_pose(const attempt *a)
{
    sfgp_similarity motion;
    return a->tuning->repose_turn > 0 && sfgp_em_motion(a->em, &motion) &&
           sfgp_rotation_cosine_between(motion.rotation, a->em->state.pose.rotation, motion.dimension) <
               a->tuning->repose_turn;
}

static bool may_repose(const attempt *a)
{
    const bool is_small = (double)a->em->problem->basis->count <= a->tuning->subset_points;
    return a->reposed < (int)a->tuning->repose_rounds && (is_small || has_left_pose(a));
}

static sfgp_status repose(attempt *a, sfgp_outcome *outcome)
{
    const double sigma2 = a->em->problem->given_sigma2, omega = a->em->problem->given_omega;
    sfgp_em_start start = {.pose = sfgp_similarity_identity(a->em->problem->basis->dimension),
                           .sigma2 = sigma2 > 0 ? sigma2 : a->tuning->start_sigma2_narrow,
                           .omega = omega > 0 ? omega : a->tuning->start_omega_few,
                           .regional = a->em->state.start.regional,
                           .prior = a->em->state.start.prior};
    a->reposed++;
    if (!sfgp_em_motion(a->em, &start.pose))
        return NO_FIT;
    const sfgp_status status = sfgp_em_begin(a->em, &start);
    return status == SFGP_OK ? sfgp_em_run(a->em, outcome) : status;
}

/* ---- REHEAT ------------------------------------------------------------------------------------------ */

static bool may_reheat(const attempt *a)
{
    return a->outcome == SFGP_CONVERGED;
}

static sfgp_status reheat(attempt *a, double factor, sfgp_outcome *outcome)
{
    sfgp_em *em = a->em;
    sfgp_em_state_set_sigma2(em->problem->basis->count, factor * em->state.sigma2[0], &em->state);
    em->settled = false;
    sfgp_extrapolation_reset(em);
    const sfgp_status status = sfgp_em_run(em, outcome);
    a->snapshot.iteration = em->state.iteration; /* it counts against the limit, accepted or not */
    return status == SFGP_OK && *outcome != SFGP_CONVERGED ? NO_FIT : status;
}

/* Under the stiff prior a fit of a surface that is heated far leaves what it had found (ADR 0074). */
static sfgp_status reheat_first(attempt *a, sfgp_outcome *outcome)
{
    const bool stiff = a->em->state.start.prior == SFGP_PRIOR_STIFF;
    return reheat(a, stiff ? a->tuning->reheat_stiff : a->tuning->reheat_first, outcome);
}

static bool may_reheat_second(const attempt *a)
{
    return a->tuning->reheat_second > 0 && may_reheat(a);
}

static sfgp_status reheat_second(attempt *a, sfgp_outcome *outcome)
{
    return reheat(a, a->tuning->reheat_second, outcome);
}

/* ---- TURN -------------------------------------------------------------------------------------------- */

/* A fit that does not look like one in place. */
static bool may_turn(const attempt *a)
{
    const sfgp_em_problem *problem = a->em->problem;
    const double spacing = sfgp_em_spacing(problem), sigma = sqrt(a->em->state.sigma2[0]);
    return (double)problem->basis->count > a->tuning->subset_points &&
           (spacing > 0 ? sfgp_doubt_is_far(a->em, sigma, spacing)
                        : sigma > a->tuning->residual_most * problem->target.spacing);
}

static sfgp_status turn(attempt *a, sfgp_outcome *outcome)
{
    sfgp_shortlist list = {0};
    bool turned;
    const sfgp_mark mark = sfgp_profile_enter(a->em->context, SFGP_STAGE_SEARCH);
    /* GCOVR_EXCL_START: only tests that are too long for a build with counters search again (test_proposals) */
    sfgp_status status = a->em->problem->effort->all_rungs ? sfgp_halving_run_turned(a->em, &list)
                                                           : sfgp_halving_run(a->em, &list, &turned);
    /* GCOVR_EXCL_STOP */
    sfgp_profile_leave(a->em->context, mark);
    a->rows &= ~(unsigned)SFGP_PROPOSE_TURN;
    if (status != SFGP_OK || list.count == 0)
        return status == SFGP_OK ? NO_FIT : status; /* GCOVR_EXCL_LINE: see above */
    list.best[0].start.prior = a->snapshot.start.prior;
    status = sfgp_em_begin(a->em, &list.best[0].start);
    return status == SFGP_OK ? sfgp_em_run(a->em, outcome) : status;
}

/* ---- the table --------------------------------------------------------------------------------------- */

enum { REPOSE, REHEAT_FIRST, REHEAT_SECOND, TURN, PROPOSALS };

typedef struct proposal {
    unsigned row; /* its bit */
    bool (*applies)(const attempt *a);
    /* Makes another fit in em; NO_FIT: there is none. */
    sfgp_status (*propose)(attempt *a, sfgp_outcome *outcome);
    size_t gain; /* nats: a field of the tuning */
    int next;    /* row after it was accepted */
} proposal;

#define GAIN(name) offsetof(sfgp_tuning, name)
static const proposal TABLE[PROPOSALS] = {
    [REPOSE] = {SFGP_PROPOSE_REPOSE, may_repose, repose, GAIN(repose_gain), REPOSE},
    [REHEAT_FIRST] = {SFGP_PROPOSE_REHEAT, may_reheat, reheat_first, GAIN(reheat_gain), REHEAT_FIRST},
    [REHEAT_SECOND] = {SFGP_PROPOSE_REHEAT, may_reheat_second, reheat_second, GAIN(reheat_gain),
                       REHEAT_FIRST},
    [TURN] = {SFGP_PROPOSE_TURN, may_turn, turn, GAIN(turn_gain), REPOSE},
};

/* Makes the proposal, and keeps it if score > best + gain. */
static sfgp_status try_proposal(attempt *a, const proposal *p, bool *accepted)
{
    const double gain = *(const double *)((const char *)a->tuning + p->gain);
    double best, score = -HUGE_VAL;
    sfgp_outcome outcome = a->outcome;
    sfgp_status status = sfgp_search_score(a->em, &best);
    if (status != SFGP_OK)
        return status;
    sfgp_em_state_copy(&a->em->state, &a->snapshot);
    const sfgp_progress_range outer = sfgp_progress_enter(a->em->context, SHARE);
    status = p->propose(a, &outcome);
    sfgp_progress_leave(a->em->context, outer);
    if (status == SFGP_OK)
        status = sfgp_search_score(a->em, &score);
    *accepted = status == SFGP_OK && score > best + gain;
    if (*accepted)
        a->outcome = outcome;
    else if (status == SFGP_OK || status == SFGP_ERROR_NUMERIC)
        status = sfgp_em_restore(a->em, &a->snapshot);
    return status;
}

sfgp_status sfgp_proposals_run(sfgp_em *em, unsigned rows, sfgp_outcome *outcome)
{
    attempt a = {.em = em, .tuning = sfgp_tuning_of(em->problem->basis), .outcome = *outcome, .rows = rows};
    sfgp_status status = sfgp_em_state_new(em->context, em->problem->basis, true, &a.snapshot);
    for (int k = 0; k < PROPOSALS && status == SFGP_OK;) {
        bool accepted = false;
        if ((TABLE[k].row & a.rows) && TABLE[k].applies(&a))
            status = try_proposal(&a, &TABLE[k], &accepted);
        k = accepted ? TABLE[k].next : k + 1;
    }
    sfgp_em_state_clear(&a.snapshot);
    *outcome = a.outcome;
    return status;
}
