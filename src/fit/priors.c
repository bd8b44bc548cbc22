/* Covariances of the coefficients of each prior, with or without a plane of symmetry. */
#include "fit/priors.h"
#include "base/memory.h"
#include "model/standard.h"
#include "search/tuning.h"

#include <string.h>

/* The basis of the problem gets the axis across the plane of symmetry of the reference. */
static void use_symmetry(sfgp_solver *solver)
{
    if (!solver->model->across || !solver->settings.symmetry)
        return;
    solver->symmetric = *solver->problem.basis;
    solver->symmetric.across = solver->model->across;
    solver->problem.basis = &solver->symmetric;
    solver->problem.symmetric = true;
}

static void use(const sfgp_priors *priors, sfgp_em_problem *problem)
{
    memcpy(problem->rescaled, priors->within, sizeof priors->within);
    memcpy(problem->rescaled_across, priors->across, sizeof priors->across);
}

/* Within a plane of symmetry, and across it; without correlation all axes have the same. */
static sfgp_status add_prior(const sfgp_solver *solver, double affine, double smooth, double correlation,
                             double **within, double **across)
{
    const int axis = solver->problem.basis->across - 1;
    const sfgp_reflection along = {axis, correlation}, opposite = {axis, -correlation};
    const sfgp_status status =
        sfgp_model_rescale(solver->context, solver->model, affine, smooth, &along, within);
    return status == SFGP_OK && correlation != 0
               ? sfgp_model_rescale(solver->context, solver->model, affine, smooth, &opposite, across)
               : status;
}

static sfgp_status add_priors(const sfgp_solver *solver, double correlation, sfgp_priors *priors)
{
    const sfgp_tuning *t = sfgp_tuning_of(&solver->model->basis);
    const struct {
        bool is_used;
        double affine, smooth;
    } PRIORS[SFGP_PRIORS] = {[SFGP_PRIOR_AS_IS] = {solver->problem.basis->across > 0, 1, 1},
                             [SFGP_PRIOR_STIFF] = {true, t->stiff_affine, t->stiff},
                             [SFGP_PRIOR_LOOSE] = {t->loose != 1, 1, t->loose}};
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < SFGP_PRIORS && status == SFGP_OK; k++)
        if (PRIORS[k].is_used)
            status = add_prior(solver, PRIORS[k].affine, PRIORS[k].smooth, correlation, &priors->within[k],
                               &priors->across[k]);
    return status;
}

sfgp_status sfgp_priors_add(sfgp_solver *solver)
{
    const sfgp_model *model = solver->model;
    const sfgp_tuning *t = sfgp_tuning_of(&model->basis);
    if (!solver->problem.variant->learns || t->stiff == 1 || !sfgp_model_is_standard(model))
        return SFGP_OK;
    solver->problem.rescaled_stride = model->basis.scalar.rank;
    use_symmetry(solver);
    const sfgp_status status =
        add_priors(solver, solver->problem.symmetric ? t->symmetry : 0, &solver->priors);
    use(&solver->priors, &solver->problem);
    return status;
}

sfgp_status sfgp_priors_make_asymmetric(sfgp_solver *solver)
{
    if (solver->asymmetric.within[SFGP_PRIOR_STIFF])
        return SFGP_OK;
    const sfgp_status status = add_priors(solver, 0, &solver->asymmetric);
    if (status != SFGP_OK) /* a part of them would be other priors */
        sfgp_priors_clear(&solver->asymmetric);
    return status;
}

void sfgp_priors_use_asymmetric(sfgp_solver *solver)
{
    use(&solver->asymmetric, &solver->problem);
    solver->problem.symmetric = false;
}

void sfgp_priors_restore(sfgp_solver *solver)
{
    if (solver->problem.symmetric || solver->problem.basis->across == 0)
        return;
    use(&solver->priors, &solver->problem);
    solver->problem.symmetric = true;
}

void sfgp_priors_clear(sfgp_priors *priors)
{
    for (int k = 0; k < SFGP_PRIORS; k++) {
        sfgp_free(priors->within[k]);
        sfgp_free(priors->across[k]);
    }
    *priors = (sfgp_priors){{NULL}, {NULL}};
}
