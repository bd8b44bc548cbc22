#include "fit/reheat.h"
#include "base/memory.h"
#include "fit/squarem.h"
#include "model/coefficients.h"

#include <math.h>
#include <string.h>

#define GAIN 1.0 /* nats by which a maximum is better, not the same again */

static const double HEATS[] = {8, 30}; /* times the variance */
enum { HEAT_COUNT = sizeof HEATS / sizeof *HEATS };

/* What a fit goes on from. */
typedef struct state {
    double *fitted, *coefficients, *variance, *mixing; /* N x d, m, N, N */
    double noise, omega, divergence, evidence;
} state;

static sfgp_status state_new(const sfgp_solver *solver, state *s)
{
    const int64_t n = solver->model->count;
    sfgp_status status = sfgp_allocate(solver->context, n * solver->model->dimension, &s->fitted);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, sfgp_coefficients_size(solver->model), &s->coefficients);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, n, &s->variance);
    return status == SFGP_OK ? sfgp_allocate(solver->context, n, &s->mixing) : status;
}

static void state_clear(state *s)
{
    sfgp_free(s->fitted);
    sfgp_free(s->coefficients);
    sfgp_free(s->variance);
    sfgp_free(s->mixing);
}

static void save(const sfgp_solver *solver, state *s)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension,
                 m = (size_t)sfgp_coefficients_size(solver->model);
    memcpy(s->fitted, solver->fitted, n * d * sizeof(double));
    memcpy(s->coefficients, solver->coefficients, m * sizeof(double));
    memcpy(s->variance, solver->variance, n * sizeof(double));
    memcpy(s->mixing, solver->mixing, n * sizeof(double));
    s->noise = solver->noise[0];
    s->omega = solver->rule.omega;
    s->divergence = solver->divergence;
    s->evidence = solver->evidence;
}

static void set_noise(sfgp_solver *solver, double noise)
{
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->noise[i] = noise;
    solver->settled = false;
    sfgp_squarem_begin(solver);
}

static sfgp_status restore(sfgp_solver *solver, const state *s)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension,
                 m = (size_t)sfgp_coefficients_size(solver->model);
    memcpy(solver->fitted, s->fitted, n * d * sizeof(double));
    memcpy(solver->coefficients, s->coefficients, m * sizeof(double));
    memcpy(solver->variance, s->variance, n * sizeof(double));
    memcpy(solver->mixing, s->mixing, n * sizeof(double));
    solver->rule.omega = s->omega;
    solver->divergence = s->divergence;
    set_noise(solver, s->noise);
    return sfgp_solver_step(solver); /* the posterior that belongs to it */
}

sfgp_status sfgp_solver_reheat(sfgp_solver *solver, sfgp_outcome *outcome)
{
    state best = {0};
    sfgp_status status = state_new(solver, &best);
    for (int k = 0; status == SFGP_OK && k < HEAT_COUNT; k++) {
        sfgp_outcome heated = *outcome;
        save(solver, &best);
        set_noise(solver, HEATS[k] * best.noise);
        status = sfgp_solver_iterate(solver, false, &heated);
        if (status == SFGP_OK && heated == SFGP_CONVERGED && solver->evidence > best.evidence + GAIN)
            k = -1;
        else if (status == SFGP_OK || status == SFGP_ERROR_NUMERIC)
            status = restore(solver, &best);
    }
    state_clear(&best);
    return status;
}
