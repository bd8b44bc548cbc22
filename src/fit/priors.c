/* Covariances of the coefficients of each prior, with or without a plane of symmetry. */
#include "fit/priors.h"
#include "model/standard.h"
#include "search/tuning.h"

/* The basis of the problem gets the axis across the plane of symmetry of the reference. */
static void use_symmetry(sfgp_solver *solver)
{
    if (!solver->model->across || !solver->settings.symmetry)
        return;
    solver->symmetric = *solver->problem.basis;
    solver->symmetric.across = solver->model->across;
    solver->problem.basis = &solver->symmetric;
}

/* Within a plane of symmetry, and across it. */
static sfgp_status add_prior(sfgp_solver *solver, sfgp_em_prior prior, double affine, double smooth)
{
    sfgp_em_problem *problem = &solver->problem;
    const int axis = problem->basis->across - 1;
    const double correlation = axis < 0 ? 0 : sfgp_tuning_of(problem->basis)->symmetry;
    const sfgp_reflection within = {axis, correlation}, across = {axis, -correlation};
    sfgp_status status =
        sfgp_model_rescale(solver->context, solver->model, affine, smooth, &within, &solver->rescaled[prior]);
    if (status == SFGP_OK && axis >= 0)
        status = sfgp_model_rescale(solver->context, solver->model, affine, smooth, &across,
                                    &solver->rescaled_across[prior]);
    problem->rescaled[prior] = solver->rescaled[prior];
    problem->rescaled_across[prior] = solver->rescaled_across[prior];
    return status;
}

sfgp_status sfgp_priors_add(sfgp_solver *solver)
{
    const sfgp_model *model = solver->model;
    const sfgp_tuning *t = sfgp_tuning_of(&model->basis);
    if (!solver->problem.variant->learns || t->stiff == 1 || !sfgp_model_is_standard(model))
        return SFGP_OK;
    solver->problem.rescaled_stride = model->basis.scalar.rank;
    sfgp_status status = SFGP_OK;
    use_symmetry(solver);
    if (solver->problem.basis->across)
        status = add_prior(solver, SFGP_PRIOR_AS_IS, 1, 1);
    if (status == SFGP_OK)
        status = add_prior(solver, SFGP_PRIOR_STIFF, t->stiff_affine, t->stiff);
    return status == SFGP_OK && t->loose != 1 ? add_prior(solver, SFGP_PRIOR_LOOSE, 1, t->loose) : status;
}
