#include "fit/squarem.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "model/coefficients.h"

#include <math.h>
#include <string.h>

#define PATIENCE 20    /* iterations without a leap: the points come */
#define CREEP 0.1      /* v changes by less than this part of it in a step of a creeping fit */
#define LONGEST 64.0   /* most a */
#define GROW 4.0       /* of the longest leap, when one was as long, or its decline */
#define WILD 3.0       /* motions after and before a good leap */
#define COST 0.1       /* most nats of the bound, per target point, that a leap may cost */
#define NOISE_LEAP 0.3 /* most change of ln v */

/* x = points (N d), coefficients, ln v */
static int64_t points_size(const sfgp_solver *solver)
{
    return solver->model->count * solver->model->dimension;
}

sfgp_status sfgp_squarem_new(sfgp_solver *solver)
{
    const int64_t size = points_size(solver) + sfgp_coefficients_size(solver->model) + 1;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < 3 && status == SFGP_OK; k++)
        status = sfgp_allocate(solver->context, size, &solver->squarem.path[k]);
    return status;
}

void sfgp_squarem_clear(sfgp_squarem *squarem)
{
    for (int k = 0; k < 3; k++)
        sfgp_free(squarem->path[k]);
}

void sfgp_squarem_begin(sfgp_solver *solver)
{
    solver->squarem.taken = 0;
    solver->squarem.longest = solver->carried ? GROW : 1;
    solver->squarem.leapt = false;
    solver->last_evidence = -HUGE_VAL;
    solver->trust = 1;
}

static void keep(const sfgp_solver *solver, double *x)
{
    const int64_t points = points_size(solver), coefficients = sfgp_coefficients_size(solver->model);
    sfgp_lanes_copy(points, solver->fitted, x);
    memcpy(x + points, sfgp_posterior_coefficients(&solver->posterior), (size_t)coefficients * sizeof *x);
    x[points + coefficients] = log(solver->noise[0]);
}

/* KL(x) - KL(x2) = (|c|^2 - |c_2|^2) / 2: the covariance is the same. */
static void go_to(sfgp_solver *solver, const double *x)
{
    const int64_t points = points_size(solver), coefficients = sfgp_coefficients_size(solver->model);
    const double *c = x + points, *c2 = sfgp_posterior_coefficients(&solver->posterior),
                 noise = exp(x[points + coefficients]);
    sfgp_lanes_copy(points, x, solver->fitted);
    memcpy(solver->coefficients, c, (size_t)coefficients * sizeof *x);
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->noise[i] = noise;
    solver->divergence = solver->squarem.divergence +
                         0.5 * (sfgp_dense_dot(coefficients, c, c) - sfgp_dense_dot(coefficients, c2, c2));
}

/* |r|^2 and |w|^2, r = x1 - x0, w = x2 - x1 - r */
static double first_difference(const void *data, int64_t first, int64_t end)
{
    const sfgp_squarem *s = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += (s->path[1][k] - s->path[0][k]) * (s->path[1][k] - s->path[0][k]);
    return sum;
}

static double second_difference(const void *data, int64_t first, int64_t end)
{
    const sfgp_squarem *s = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++) {
        const double w = s->path[2][k] - s->path[1][k] - (s->path[1][k] - s->path[0][k]);
        sum += w * w;
    }
    return sum;
}

/* a = |r| / |w| between 1 and the longest, which grows with a leap of its length. */
static double length_of_leap(sfgp_solver *solver)
{
    sfgp_squarem *s = &solver->squarem;
    const double rr = sfgp_lanes_sum(points_size(solver), first_difference, s),
                 ww = sfgp_lanes_sum(points_size(solver), second_difference, s);
    const double length = ww > 0 ? sqrt(rr / ww) : 1, longest = s->longest;
    if (length >= longest)
        s->longest = fmin(GROW * longest, LONGEST);
    return fmin(fmax(length, 1), longest);
}

/* x into x0 */
static void leap(sfgp_solver *solver, double a)
{
    sfgp_squarem *s = &solver->squarem;
    const int64_t last = points_size(solver) + sfgp_coefficients_size(solver->model);
    double *x0 = s->path[0];
    const double *x1 = s->path[1], *x2 = s->path[2];
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k <= last; k++)
        x0[k] += 2 * a * (x1[k] - x0[k]) + a * a * (x2[k] - 2 * x1[k] + x0[k]);
    x0[last] = fmin(fmax(x0[last], x2[last] - NOISE_LEAP), x2[last] + NOISE_LEAP);
    s->bound = solver->evidence;
    s->divergence = solver->divergence;
    s->motion = solver->change;
    s->leapt = true;
    go_to(solver, x0);
}

static bool creeps(const sfgp_solver *solver, double last_noise)
{
    return (solver->thinning == 1 || solver->carried) && !solver->settled &&
           (solver->age > PATIENCE || solver->carried) && solver->age < solver->settings.max_iterations &&
           fabs(solver->noise[0] - last_noise) < CREEP * solver->noise[0];
}

static void shorten(sfgp_squarem *s)
{
    s->longest = fmax(s->longest / GROW, 1);
}

void sfgp_squarem_advance(sfgp_solver *solver, double last_noise)
{
    sfgp_squarem *s = &solver->squarem;
    if (s->leapt && solver->change > WILD * s->motion)
        shorten(s);
    s->leapt = false;
    if (!creeps(solver, last_noise)) {
        s->taken = 0;
        return;
    }
    keep(solver, s->path[s->taken++]);
    if (s->taken < 3)
        return;
    s->taken = 0;
    const double length = length_of_leap(solver);
    if (length > 1)
        leap(solver, length);
}

bool sfgp_squarem_retreat(sfgp_solver *solver)
{
    sfgp_squarem *s = &solver->squarem;
    if (!s->leapt || (solver->labels.missing < solver->labels.count &&
                      solver->evidence >= s->bound - COST * (double)solver->labels.targets))
        return false;
    s->leapt = false;
    shorten(s);
    go_to(solver, s->path[2]);
    return true;
}
