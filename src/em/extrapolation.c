/* SQUAREM: the path of three EM steps, the step along it, and the way back (ADR 0014). */
#include "em/extrapolation.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "em/em.h"
#include "linalg/dense.h"

#include <math.h>

#define GRAIN 4096 /* entries of the path that a thread takes at a time */

sfgp_status sfgp_extrapolation_new(sfgp_context *context, const sfgp_basis *basis,
                                   sfgp_em_extrapolation *extrapolation)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < 3 && status == SFGP_OK; k++)
        status = sfgp_allocate(context, sfgp_em_state_path_size(basis), &extrapolation->path[k]);
    return status;
}

void sfgp_extrapolation_clear(sfgp_em_extrapolation *extrapolation)
{
    for (int k = 0; k < 3; k++)
        sfgp_free(extrapolation->path[k]);
}

void sfgp_extrapolation_reset(sfgp_em *em)
{
    em->extrapolation.count = 0;
    em->extrapolation.most = em->schedule->extrapolation_first;
    em->extrapolation.pending = false;
    sfgp_guard_reset(&em->guard);
}

/* The state at x, with the covariance of x2: KL(x) = KL(x2) + (|c|^2 - |c2|^2) / 2. */
static void move_state(sfgp_em *em, const double *x)
{
    const int64_t m = sfgp_basis_size(em->problem->basis);
    const double *c = em->state.coefficients, *c2 = sfgp_posterior_coefficients(&em->posterior);
    sfgp_em_state_from_path(em->problem->basis, x, &em->state);
    em->state.divergence =
        em->extrapolation.divergence + 0.5 * (sfgp_dense_dot(m, c, c) - sfgp_dense_dot(m, c2, c2));
}

/* |r|^2 and |w|^2, r = x1 - x0, w = x2 - x1 - r. */
static double first_difference(const void *data, int64_t first, int64_t end)
{
    const sfgp_em_extrapolation *e = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += (e->path[1][k] - e->path[0][k]) * (e->path[1][k] - e->path[0][k]);
    return sum;
}

static double second_difference(const void *data, int64_t first, int64_t end)
{
    const sfgp_em_extrapolation *e = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++) {
        const double w = e->path[2][k] - e->path[1][k] - (e->path[1][k] - e->path[0][k]);
        sum += w * w;
    }
    return sum;
}

/* a = |r| / |w| between 1 and the longest, which grows when it was reached. */
static double step_length(sfgp_em *em)
{
    sfgp_em_extrapolation *e = &em->extrapolation;
    const int64_t points = em->problem->basis->count * em->problem->basis->dimension;
    const double rr = sfgp_lanes_sum(points, first_difference, e),
                 ww = sfgp_lanes_sum(points, second_difference, e);
    const double length = ww > 0 ? sqrt(rr / ww) : 1, most = e->most;
    if (length >= most)
        e->most = fmin(em->schedule->extrapolation_grow * most, em->schedule->extrapolation_most);
    return fmin(fmax(length, 1), most);
}

typedef struct step {
    double *x0;
    const double *x1, *x2;
    double a; /* its length */
} step;

static void move_along(const void *data, int64_t first, int64_t end)
{
    const step *s = data;
    double *x0 = s->x0;
    const double *x1 = s->x1, *x2 = s->x2, a = s->a;
    for (int64_t k = first; k < end; k++)
        x0[k] += 2 * a * (x1[k] - x0[k]) + a * a * (x2[k] - 2 * x1[k] + x0[k]);
}

/* x into x0. */
static void extrapolate(sfgp_em *em, double a)
{
    sfgp_em_extrapolation *e = &em->extrapolation;
    const int64_t last = sfgp_em_state_path_size(em->problem->basis) - 1;
    const double most = em->schedule->extrapolation_sigma;
    double *x0 = e->path[0];
    const double *x2 = e->path[2];
    const step all = {x0, e->path[1], x2, a};
    sfgp_parallel_for(last + 1, GRAIN, move_along, &all);
    x0[last] = fmin(fmax(x0[last], x2[last] - most), x2[last] + most);
    e->bound = em->state.bound;
    e->divergence = em->state.divergence;
    e->motion = em->change;
    e->pending = true;
    move_state(em, x0);
}

/* Whether the fit converges slowly: it has come to its target, and sigma2 hardly changes. */
static bool is_slow(const sfgp_em *em, double last_sigma2, bool is_final)
{
    const sfgp_em_schedule *s = em->schedule;
    const double iteration = (double)em->state.iteration, sigma2 = em->state.sigma2[0];
    return (is_final || s->extrapolate_thinned) && !em->settled && iteration > s->extrapolate_after &&
           iteration < (double)em->max_iterations &&
           fabs(sigma2 - last_sigma2) < s->extrapolate_slow * sigma2;
}

static void shorten(sfgp_em *em)
{
    em->extrapolation.most = fmax(em->extrapolation.most / em->schedule->extrapolation_grow, 1);
}

void sfgp_extrapolation_advance(sfgp_em *em, double last_sigma2, bool is_final)
{
    sfgp_em_extrapolation *e = &em->extrapolation;
    if (e->pending && em->change > em->schedule->extrapolation_wild * e->motion)
        shorten(em);
    e->pending = false;
    if (!e->path[0] || !is_slow(em, last_sigma2, is_final)) {
        e->count = 0;
        return;
    }
    sfgp_em_state_to_path(em->problem->basis, &em->state, e->path[e->count++]);
    if (e->count < 3)
        return;
    e->count = 0;
    const double length = step_length(em);
    if (length > 1)
        extrapolate(em, length);
}

void sfgp_extrapolation_retract(sfgp_em *em)
{
    em->extrapolation.pending = false;
    shorten(em);
    move_state(em, em->extrapolation.path[2]);
}
