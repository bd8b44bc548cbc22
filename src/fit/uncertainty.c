#include "fit/uncertainty.h"
#include "gpr/information.h"

#include <string.h>

#define TEMPER 2.0               /* T */
#define UNEXPRESSED_SURFACE 10.0 /* c */
#define UNEXPRESSED_TRAINED 0.05

static double unexpressed(const sfgp_model *model)
{
    if (model->pca.modes > 0)
        return UNEXPRESSED_TRAINED;
    return model->dimension == 3 ? UNEXPRESSED_SURFACE : 0;
}

static sfgp_status label_at(sfgp_solver *solver, double noise)
{
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->noise[i] = noise;
    return sfgp_solver_label(solver);
}

sfgp_status sfgp_solver_finish(sfgp_solver *solver)
{
    const int64_t n = solver->model->count;
    const double v = solver->noise[0], rest = unexpressed(solver->model) * v;
    double *variance = solver->weights; /* no longer needed; the labels still need the other */
    memcpy(variance, solver->variance, (size_t)n * sizeof *variance);
    sfgp_status status = label_at(solver, solver->settled ? TEMPER * v : v);
    if (status == SFGP_OK)
        status =
            sfgp_information_variance(solver->context, &solver->posterior, &solver->labels, solver->target,
                                      solver->fitted, solver->noise, solver->rule.threads, variance);
    if (status == SFGP_OK)
        status = label_at(solver, v);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        solver->variance[i] = variance[i] + rest;
    return status;
}
