#include "fit/kept.h"
#include "base/memory.h"
#include "fit/squarem.h"
#include "model/coefficients.h"

#include <string.h>

sfgp_status sfgp_kept_new(const sfgp_solver *solver, sfgp_kept *kept)
{
    const int64_t n = solver->model->count;
    sfgp_context *context = solver->context;
    sfgp_status status = SFGP_OK;
    *kept = (sfgp_kept){0};
    if ((status = sfgp_allocate(context, n * solver->model->dimension, &kept->fitted)) == SFGP_OK &&
        (status = sfgp_allocate(context, sfgp_coefficients_size(solver->model), &kept->coefficients)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, n, &kept->variance)) == SFGP_OK)
        status = sfgp_allocate(context, n, &kept->mixing);
    return status;
}

void sfgp_kept_clear(sfgp_kept *kept)
{
    sfgp_free(kept->fitted);
    sfgp_free(kept->coefficients);
    sfgp_free(kept->variance);
    sfgp_free(kept->mixing);
    *kept = (sfgp_kept){0};
}

void sfgp_kept_take(const sfgp_solver *solver, sfgp_kept *kept)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension,
                 m = (size_t)sfgp_coefficients_size(solver->model);
    memcpy(kept->fitted, solver->fitted, n * d * sizeof(double));
    memcpy(kept->coefficients, solver->coefficients, m * sizeof(double));
    memcpy(kept->variance, solver->variance, n * sizeof(double));
    memcpy(kept->mixing, solver->mixing, n * sizeof(double));
    kept->noise = solver->noise[0];
    kept->omega = solver->rule.omega;
    kept->divergence = solver->divergence;
    kept->evidence = solver->evidence;
    kept->begun = solver->begun;
    kept->age = solver->age;
    kept->thinning = solver->thinning;
}

sfgp_status sfgp_kept_restore(const sfgp_kept *kept, sfgp_solver *solver)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension,
                 m = (size_t)sfgp_coefficients_size(solver->model);
    memcpy(solver->fitted, kept->fitted, n * d * sizeof(double));
    memcpy(solver->coefficients, kept->coefficients, m * sizeof(double));
    memcpy(solver->variance, kept->variance, n * sizeof(double));
    memcpy(solver->mixing, kept->mixing, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        solver->noise[i] = kept->noise;
    solver->rule.omega = kept->omega;
    solver->divergence = kept->divergence;
    solver->settled = false;
    sfgp_squarem_begin(solver);
    return sfgp_solver_step(solver);
}
