/* The state of a fit: one block, and the ways to copy it. */
#include "em/state.h"
#include "base/lanes.h"
#include "base/memory.h"

#include <math.h>

sfgp_status sfgp_em_state_new(sfgp_context *context, const sfgp_basis *basis, bool with_mixing,
                              sfgp_em_state *state)
{
    const int64_t n = basis->count, points = n * basis->dimension, m = sfgp_basis_size(basis);
    *state = (sfgp_em_state){.size = points + m + (with_mixing ? 3 : 2) * n};
    sfgp_status status = sfgp_allocate(context, state->size, &state->values);
    if (status != SFGP_OK)
        return status;
    state->points = state->values;
    state->coefficients = state->points + points;
    state->variance = state->coefficients + m;
    state->sigma2 = state->variance + n;
    state->mixing = with_mixing ? state->sigma2 + n : NULL;
    return SFGP_OK;
}

void sfgp_em_state_clear(sfgp_em_state *state)
{
    sfgp_free(state->values);
    *state = (sfgp_em_state){0};
}

void sfgp_em_state_set_sigma2(int64_t count, double sigma2, sfgp_em_state *state)
{
    sfgp_lanes_set(count, sigma2, state->sigma2);
}

void sfgp_em_state_begin(const sfgp_basis *basis, const sfgp_em_start *start, sfgp_em_state *state)
{
    sfgp_lanes_set(state->size, 0, state->values);
    sfgp_lanes_copy(basis->count * basis->dimension, basis->mean, state->points);
    sfgp_em_state_set_sigma2(basis->count, start->sigma2, state);
    if (state->mixing)
        sfgp_lanes_set(basis->count, 1, state->mixing);
    state->omega = start->omega;
    state->pose = start->pose;
    state->start = *start;
    state->divergence = state->bound = 0;
    state->thinning = 1;
    state->iteration = 0;
}

void sfgp_em_state_copy(const sfgp_em_state *from, sfgp_em_state *to)
{
    sfgp_em_state copy = *from;
    copy.values = to->values;
    copy.points = to->points;
    copy.coefficients = to->coefficients;
    copy.variance = to->variance;
    copy.sigma2 = to->sigma2;
    copy.mixing = to->mixing;
    *to = copy;
    sfgp_lanes_copy(from->size, from->values, to->values);
}

/* ---- x = (points, c, ln sigma2) ---------------------------------------------------------------------- */

static int64_t moving_size(const sfgp_basis *basis)
{
    return basis->count * basis->dimension + sfgp_basis_size(basis);
}

int64_t sfgp_em_state_path_size(const sfgp_basis *basis)
{
    return moving_size(basis) + 1;
}

void sfgp_em_state_to_path(const sfgp_basis *basis, const sfgp_em_state *state, double *x)
{
    const int64_t size = moving_size(basis);
    sfgp_lanes_copy(size, state->values, x);
    x[size] = log(state->sigma2[0]);
}

void sfgp_em_state_from_path(const sfgp_basis *basis, const double *x, sfgp_em_state *state)
{
    const int64_t size = moving_size(basis);
    sfgp_lanes_copy(size, x, state->values);
    sfgp_em_state_set_sigma2(basis->count, exp(x[size]), state);
}
