/* Eigenpairs of P^-1 by ARPACK, whose products are solves with the factor of P. */
#include "gpr/markov_columns.h"
#include "lowrank/spectral.h"
#include "lowrank/surface_factor.h"

#include <string.h>

typedef struct inverse {
    sfgp_ldl *ldl;
    int64_t n;
} inverse;

static void apply(const void *user, const double *x, double *y)
{
    const inverse *op = user;
    memcpy(y, x, (size_t)op->n * sizeof *y);
    sfgp_ldl_solve(op->ldl, 1, y);
}

/* The posterior needs fewer pairs than the prior, and where all is seen none for this accuracy: then it gets as many as the prior has. */
sfgp_status sfgp_markov_posterior_columns(sfgp_context *context, const sfgp_mesh *mesh,
                                          const struct sfgp_kernel_term *term, double left, int64_t most,
                                          const sfgp_markov_posterior *posterior, sfgp_factor *columns)
{
    const sfgp_kernel kernel = {1, {*term}};
    sfgp_factor_request request = {left, most, 1, true};
    const inverse op = {posterior->ldl, mesh->count};
    const sfgp_operator matrix = {mesh->count, apply, &op};
    int64_t guess = 0;
    *columns = (sfgp_factor){0};
    sfgp_status status = sfgp_surface_factor_guess(context, mesh, &kernel, &request, &guess);
    guess = guess < most ? guess : most;
    if (status == SFGP_OK)
        status = sfgp_factor_spectral(context, &matrix, posterior->inverse, guess, &request, columns);
    if (status != SFGP_OK || columns->rank >= guess)
        return status;
    sfgp_factor_clear(columns);
    request.accuracy = 0;
    request.rank = guess;
    return sfgp_factor_spectral(context, &matrix, posterior->inverse, guess, &request, columns);
}
