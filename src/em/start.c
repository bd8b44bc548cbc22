/* Where a fit begins: at a start, or at a snapshot. */
#include "em/em.h"
#include "base/memory.h"
#include "em/landmarks.h"
#include "em/loop.h"
#include "em/thinning.h"
#include "linalg/dense.h"

#include <math.h>

sfgp_em_start sfgp_em_standard_start(const sfgp_em_problem *problem)
{
    return (sfgp_em_start){.pose = sfgp_similarity_identity(problem->basis->dimension),
                           .sigma2 = problem->sigma2,
                           .omega = problem->omega,
                           .regional = true};
}

sfgp_status sfgp_em_take_target(sfgp_em *em)
{
    const sfgp_em_problem *problem = em->problem;
    const sfgp_em_start start = sfgp_em_standard_start(problem);
    const int64_t targets = problem->target.count, row = problem->target.dimension * (int64_t)sizeof(double);
    em->label_weight = sfgp_em_label_weight(problem);
    sfgp_status status = sfgp_dense_prepare(em->context);
    if (status == SFGP_OK)
        status = sfgp_em_take_priors(em);
    if (status == SFGP_OK)
        status = sfgp_responsibilities_reserve(
            em->context, targets,
            sfgp_em_pairs_reserved(problem->cold, problem->variant->learns, problem->basis->count),
            &em->responsibilities);
    if (status == SFGP_OK)
        status = sfgp_reserve_bytes(em->context, targets, row, (void **)&em->view.points, &em->view.capacity);
    if (status == SFGP_OK)
        status = sfgp_em_begin(em, &start);
    sfgp_free(em->between);
    em->between = NULL;
    em->iterations = em->starts = 0;
    em->facts = (sfgp_em_facts){.pose_margin = HUGE_VAL, .mirror_gain = -HUGE_VAL};
    return status;
}

void sfgp_em_use_prior(sfgp_em *em)
{
    const sfgp_em_prior prior = em->state.start.prior;
    em->posterior.prior = em->problem->rescaled[prior] ? &em->rescaled[prior] : NULL;
}

/* Nothing approximate survives: the path of the extrapolation, B'WB, the variance of an older sigma2. */
static void forget_path(sfgp_em *em)
{
    em->settled = em->posterior.has_gram = false;
    em->variance_sigma2 = 0;
    sfgp_extrapolation_reset(em);
}

sfgp_status sfgp_em_begin(sfgp_em *em, const sfgp_em_start *start)
{
    sfgp_em_state_begin(em->problem->basis, start, &em->state);
    em->schedule = em->problem->cold;
    em->state.omega = fmax(em->state.omega, em->problem->clutter);
    sfgp_em_use_prior(em);
    em->change = 0;
    em->view.exact = false;
    em->starts++;
    em->posterior.solved = em->posterior.freeze_variance = false;
    forget_path(em);
    sfgp_status status = sfgp_thinning_use(em, sfgp_em_thinning_for(em->problem));
    return status == SFGP_OK ? sfgp_landmarks_start(em) : status;
}

sfgp_status sfgp_em_see_exactly(sfgp_em *em)
{
    forget_path(em);
    em->view.exact = true;
    return sfgp_thinning_use(em, em->state.thinning);
}

sfgp_status sfgp_em_restore(sfgp_em *em, const sfgp_em_state *snapshot)
{
    sfgp_em_state_copy(snapshot, &em->state);
    sfgp_em_use_prior(em);
    forget_path(em);
    sfgp_status status = sfgp_thinning_use(em, snapshot->thinning);
    if (status == SFGP_OK)
        sfgp_landmarks_observe(em, &em->state.pose);
    if (status == SFGP_OK)
        status = sfgp_em_step(em);
    em->state.iteration = snapshot->iteration;
    return status;
}

void sfgp_em_use_basis(sfgp_em *em)
{
    em->posterior.basis = em->problem->basis;
}
