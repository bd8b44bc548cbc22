#include "fit/kept.h"
#include "base/memory.h"
#include "fit/squarem.h"
#include "model/coefficients.h"

#include <string.h>

enum { PARTS = 4 };

/* The arrays of a fit that are kept, and their sizes. */
typedef struct parts {
    double *at[PARTS];
    int64_t size[PARTS];
} parts;

static parts parts_of(const sfgp_solver *s)
{
    const int64_t n = s->model->count, m = sfgp_coefficients_size(s->model);
    return (parts){{s->fitted, s->coefficients, s->variance, s->mixing}, {n * s->model->dimension, m, n, n}};
}

sfgp_status sfgp_kept_new(const sfgp_solver *solver, sfgp_kept *kept)
{
    const parts p = parts_of(solver);
    sfgp_status status = SFGP_OK;
    *kept = (sfgp_kept){0};
    for (int k = 0; k < PARTS && status == SFGP_OK; k++)
        status = sfgp_allocate(solver->context, p.size[k], &kept->part[k]);
    return status;
}

void sfgp_kept_clear(sfgp_kept *kept)
{
    for (int k = 0; k < PARTS; k++)
        sfgp_free(kept->part[k]);
    *kept = (sfgp_kept){0};
}

void sfgp_kept_take(const sfgp_solver *solver, sfgp_kept *kept)
{
    const parts p = parts_of(solver);
    for (int k = 0; k < PARTS; k++)
        memcpy(kept->part[k], p.at[k], (size_t)p.size[k] * sizeof(double));
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
    const parts p = parts_of(solver);
    for (int k = 0; k < PARTS; k++)
        memcpy(p.at[k], kept->part[k], (size_t)p.size[k] * sizeof(double));
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->noise[i] = kept->noise;
    solver->rule.omega = kept->omega;
    solver->divergence = kept->divergence;
    solver->settled = solver->posterior.summed = false;
    solver->held_noise = 0; /* sums and variance are those of where the fit is, not of where it was */
    sfgp_squarem_begin(solver);
    return sfgp_solver_step(solver);
}
