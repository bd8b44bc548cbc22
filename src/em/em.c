/* The workspace of a fit: its memory. */
#include "em/em.h"
#include "geom/similarity.h"
#include "base/memory.h"
#include "em/mixing.h"

#include <math.h>
#include <string.h>

/* What only a fit that learns needs. */
static sfgp_status make_room_to_learn(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    sfgp_status status = sfgp_allocate(em->context, basis->count, &em->density);
    if (status == SFGP_OK)
        status = sfgp_mixing_regions(em->context, em->problem, &em->regions);
    if (status == SFGP_OK && em->problem->tiles)
        status = sfgp_tiles_new(em->context, basis->count, basis->dimension, basis->mean, &em->view.tiles);
    return status == SFGP_OK ? sfgp_extrapolation_new(em->context, basis, &em->extrapolation) : status;
}

static void clear_priors(sfgp_em *em)
{
    for (int k = 0; k < SFGP_PRIORS; k++)
        sfgp_prior_clear(&em->rescaled[k]);
    memset(em->priors_of, 0, sizeof em->priors_of);
}

sfgp_status sfgp_em_take_priors(sfgp_em *em)
{
    const sfgp_em_problem *problem = em->problem;
    const int64_t m = problem->basis->scalar.rank, stride = problem->rescaled_stride;
    sfgp_status status = SFGP_OK;
    if (memcmp(em->priors_of, problem->rescaled, sizeof em->priors_of) == 0)
        return SFGP_OK;
    clear_priors(em);
    for (int k = 0; k < SFGP_PRIORS && status == SFGP_OK; k++) {
        if (problem->rescaled[k])
            status = sfgp_prior_new(em->context, m, problem->rescaled[k], stride, &em->rescaled[k]);
        if (status == SFGP_OK && problem->rescaled[k] && problem->rescaled_across[k])
            status = sfgp_prior_set_axis(em->context, problem->basis->across - 1, problem->rescaled_across[k],
                                         stride, &em->rescaled[k]);
    }
    if (status == SFGP_OK)
        memcpy(em->priors_of, problem->rescaled, sizeof em->priors_of);
    return status;
}

static sfgp_status make_room(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const int64_t n = basis->count, d = basis->dimension;
    const bool learns = em->problem->variant->learns;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_posterior_new(em->context, basis, &em->posterior)) != SFGP_OK ||
        (status = sfgp_em_take_priors(em)) != SFGP_OK ||
        (status = sfgp_responsibilities_new(em->context, n, (int)d, em->problem->variant->threshold,
                                            &em->responsibilities)) != SFGP_OK ||
        (status = sfgp_em_state_new(em->context, basis, learns, &em->state)) != SFGP_OK ||
        (status = sfgp_allocate(em->context, n, &em->weights)) != SFGP_OK ||
        (status = sfgp_allocate(em->context, n * d, &em->deltas)) != SFGP_OK ||
        (status = sfgp_em_set_landmarks(em)) != SFGP_OK)
        return status;
    return learns ? make_room_to_learn(em) : SFGP_OK;
}

sfgp_status sfgp_em_new(sfgp_context *context, const sfgp_em_problem *problem, sfgp_em **em)
{
    sfgp_em *made = NULL;
    *em = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &made);
    if (status != SFGP_OK)
        return status;
    made->context = context;
    made->problem = problem;
    made->schedule = problem->cold;
    made->max_iterations = problem->max_iterations;
    status = make_room(made);
    if (status == SFGP_OK)
        *em = made;
    else
        sfgp_em_free(made);
    return status;
}

void sfgp_em_free(sfgp_em *em)
{
    if (!em)
        return;
    sfgp_posterior_clear(&em->posterior);
    clear_priors(em);
    sfgp_responsibilities_clear(&em->responsibilities);
    sfgp_em_state_clear(&em->state);
    sfgp_free(em->weights);
    sfgp_free(em->deltas);
    sfgp_free(em->landmark_labels);
    sfgp_free(em->density);
    sfgp_regions_clear(&em->regions);
    sfgp_extrapolation_clear(&em->extrapolation);
    sfgp_free(em->coarse.variance);
    sfgp_free(em->between);
    sfgp_free(em->view.points);
    sfgp_kdtree_free(em->view.tree);
    sfgp_tiles_free(em->view.tiles);
    sfgp_free(em);
}

void sfgp_em_swap_room(sfgp_em *one, sfgp_em *other)
{
    const sfgp_sparse matrix = one->responsibilities.matrix;
    one->responsibilities.matrix = other->responsibilities.matrix;
    other->responsibilities.matrix = matrix;
}

sfgp_status sfgp_em_set_landmarks(sfgp_em *em)
{
    const sfgp_em_landmarks *landmarks = em->problem->landmarks;
    sfgp_free(em->landmark_labels);
    em->landmark_labels = NULL;
    sfgp_posterior_drop_landmarks(&em->posterior);
    if (!landmarks)
        return SFGP_OK;
    sfgp_status status = sfgp_posterior_add_landmarks(em->context, &em->posterior);
    return status == SFGP_OK ? sfgp_allocate(em->context, landmarks->basis.count * landmarks->basis.dimension,
                                             &em->landmark_labels)
                             : status;
}

bool sfgp_em_is_warm(const sfgp_em *em)
{
    return em->schedule == em->problem->warm;
}

double sfgp_em_rest_motion(const sfgp_em *em)
{
    return em->schedule->rest_tolerance * em->problem->tolerance;
}

/* From the mean of the prior to points. */
static bool fit_motion(const sfgp_basis *basis, sfgp_align_kind kind, const double *points,
                       sfgp_similarity *motion)
{
    const sfgp_pairs pairs = {
        .count = basis->count, .dimension = basis->dimension, .from = basis->mean, .to = points};
    return sfgp_similarity_fit(kind, &pairs, motion);
}

bool sfgp_em_motion(sfgp_em *em, sfgp_similarity *motion)
{
    sfgp_similarity_apply(&em->state.pose, em->problem->basis->count, em->state.points, em->deltas);
    return fit_motion(em->problem->basis, SFGP_ALIGN_RIGID, em->deltas, motion);
}

double sfgp_em_bend(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const int64_t n = basis->count * basis->dimension;
    sfgp_similarity nearest;
    double square = 0;
    if (!fit_motion(basis, SFGP_ALIGN_SIMILARITY, em->state.points, &nearest))
        return 0;
    sfgp_similarity_apply(&nearest, basis->count, basis->mean, em->deltas);
    for (int64_t k = 0; k < n; k++)
        square += (em->state.points[k] - em->deltas[k]) * (em->state.points[k] - em->deltas[k]);
    return sqrt(square / (double)basis->count) / nearest.scale;
}
