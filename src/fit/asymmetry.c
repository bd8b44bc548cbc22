/* The evidence for and against a symmetric prior, and a fit without. Equation in asymmetry.h. */
#include "fit/asymmetry.h"
#include "base/memory.h"
#include "em/mstep.h"
#include "fit/first.h"
#include "fit/priors.h"
#include "geom/kdtree.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "search/tuning.h"
#include "search/unreached.h"

#include <math.h>
#include <string.h>

enum { POINTS = 3000 }; /* at most, that are asked */

/* ---- the evidence --------------------------------------------------------------------------------------- */

/* Labels of some points of the reference, and room for a posterior. */
typedef struct observed {
    sfgp_basis basis;
    double *weights; /* N: W, each for as many points as it stands for */
    double *labels;  /* N x 3: label - mean of the prior; 0 where there is none */
    sfgp_posterior posterior;
} observed;

static void observed_clear(observed *o)
{
    sfgp_basis_clear(&o->basis);
    sfgp_free(o->weights);
    sfgp_free(o->labels);
    sfgp_posterior_clear(&o->posterior);
}

static sfgp_status make_room(sfgp_context *context, const sfgp_basis *whole, const int64_t *index,
                             int64_t count, observed *o)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_basis_select(context, whole, count, index, &o->basis)) != SFGP_OK ||
        (status = sfgp_allocate(context, count, &o->weights)) != SFGP_OK ||
        (status = sfgp_allocate(context, 3 * count, &o->labels)) != SFGP_OK)
        return status;
    return sfgp_posterior_new(context, &o->basis, &o->posterior);
}

/* Overwrites em->weights and em->deltas. */
static void observe(sfgp_em *em, const int64_t *index, observed *o)
{
    const sfgp_basis *basis = &o->basis;
    const double each = (double)em->problem->basis->count / (double)basis->count;
    sfgp_em_weigh_shifts(em, em->weights, em->deltas);
    for (int64_t k = 0; k < 3 * basis->count; k++) {
        const int64_t i = index[k / 3], from = 3 * i + k % 3;
        const double weight = em->weights[i];
        o->weights[k / 3] = each * weight;
        o->labels[k] = weight > 0 ? em->deltas[from] / weight + em->state.points[from] - basis->mean[k] : 0;
    }
}

/* A point whose mirror image has no label tells nothing of the symmetry: it is left out. */
static sfgp_status keep_pairs(sfgp_context *context, observed *o)
{
    const int64_t n = o->basis.count;
    sfgp_kdtree *tree = NULL;
    double *weights = NULL, distance2;
    sfgp_status status = sfgp_kdtree_new(context, n, 3, o->basis.mean, &tree);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, n, &weights);
    for (int64_t i = 0; i < n && status == SFGP_OK; i++) {
        double image[3];
        memcpy(image, o->basis.mean + 3 * i, sizeof image);
        image[o->basis.across - 1] *= -1;
        weights[i] = o->weights[sfgp_kdtree_nearest(tree, image, &distance2)] > 0 ? o->weights[i] : 0;
    }
    if (status == SFGP_OK)
        memcpy(o->weights, weights, (size_t)n * sizeof(double));
    sfgp_free(weights);
    sfgp_kdtree_free(tree);
    return status;
}

/* Of a dense shape every k-th point: the sums over all would cost as much as its fit. */
static sfgp_status observed_new(sfgp_em *em, observed *o)
{
    const sfgp_basis *whole = em->problem->basis;
    const int64_t count = whole->count < POINTS ? whole->count : POINTS;
    int64_t *index = NULL;
    *o = (observed){.weights = NULL};
    sfgp_status status = sfgp_allocate(em->context, count, &index);
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        index[k] = k * whole->count / count;
    if (status == SFGP_OK)
        status = make_room(em->context, whole, index, count, o);
    if (status == SFGP_OK)
        observe(em, index, o);
    sfgp_free(index);
    return status == SFGP_OK ? keep_pairs(em->context, o) : status;
}

/* E of the posterior that is there. */
static double evidence(const observed *o)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * o->basis.count; k++) {
        const double left = o->labels[k] - (o->posterior.mean[k] - o->basis.mean[k]);
        sum += o->weights[k / 3] * (left * left + o->posterior.variance[k / 3]);
    }
    return -0.5 * sum - sfgp_posterior_divergence(&o->posterior);
}

static sfgp_status evidence_under(sfgp_context *context, const sfgp_prior *prior, observed *o, double *value)
{
    o->posterior.prior = prior;
    const sfgp_status status = sfgp_posterior_update(context, o->weights, o->labels, &o->posterior);
    if (status == SFGP_OK)
        *value = evidence(o);
    return status;
}

/* C of the prior of the fit, without symmetry. */
static sfgp_status make_prior(const sfgp_solver *solver, sfgp_prior *prior)
{
    const sfgp_em_prior kind = solver->em->state.start.prior;
    return sfgp_prior_new(solver->context, solver->problem.basis->scalar.rank,
                          solver->asymmetric.within[kind], solver->problem.rescaled_stride, prior);
}

sfgp_status sfgp_asymmetry_gain(sfgp_solver *solver, double *gain)
{
    observed o;
    sfgp_prior asymmetric = {0};
    double with = 0, without = 0;
    sfgp_status status = observed_new(solver->em, &o);
    if (status == SFGP_OK)
        status = make_prior(solver, &asymmetric);
    if (status == SFGP_OK)
        status = evidence_under(solver->context, solver->em->posterior.prior, &o, &with);
    if (status == SFGP_OK)
        status = evidence_under(solver->context, &asymmetric, &o, &without);
    *gain = without - with;
    sfgp_prior_clear(&asymmetric);
    observed_clear(&o);
    return status;
}

/* ---- the fit -------------------------------------------------------------------------------------------- */

static sfgp_status fit_without(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_first first = sfgp_first_of(solver, *outcome);
    double gain = 0;
    sfgp_priors_use_asymmetric(solver);
    sfgp_status status = sfgp_first_search_for_gain(solver, &first, outcome, &gain);
    if (status == SFGP_OK && !(gain > sfgp_tuning_of(solver->problem.basis)->asymmetry_margin)) {
        sfgp_priors_restore(solver);
        status = sfgp_first_return(solver, &first, outcome);
    }
    sfgp_first_clear(&first);
    return status;
}

/* The labels of such a fit may have followed a wrong prior. */
static bool is_poor(const sfgp_solver *solver)
{
    return sfgp_overlap_doubts(solver->em, sfgp_expected_error(solver->em)) ||
           sfgp_unreached_is_large(solver->em, solver->em->facts.unreached);
}

static sfgp_status is_asked_for(sfgp_solver *solver, bool *asked)
{
    double gain = 0;
    sfgp_status status = sfgp_priors_make_asymmetric(solver);
    if (status == SFGP_OK)
        status = sfgp_asymmetry_gain(solver, &gain);
    *asked = status == SFGP_OK &&
             (gain > sfgp_tuning_of(solver->problem.basis)->asymmetry_gain || is_poor(solver));
    return status;
}

sfgp_status sfgp_asymmetry_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    bool asked;
    if (!solver->problem.symmetric)
        return SFGP_OK;
    const sfgp_status status = is_asked_for(solver, &asked);
    if (status == SFGP_ERROR_NUMERIC) /* the evidence is not known: the fit stays as it is */
        return SFGP_OK;
    return status == SFGP_OK && asked ? fit_without(solver, outcome) : status;
}
