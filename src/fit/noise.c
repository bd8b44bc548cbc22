#include "base/lanes.h"
#include "fit/solver.h"

#include <math.h>

/* Training shapes know how the points move together: they keep up with a variance that falls no faster than
 * this, down to a part of the squared spacing, and so find labels that a fast fall misses. Without them a
 * wide variance pulls the shape together the longer it lasts. */
#define FALL 0.93
#define FALL_END 0.1
#define SEARCH_LEAST 1e-13 /* exact data may be fitted exactly */
#define TIME 20            /* for the points to come */

/* A collapse to 0 would make every label of a point impossible: 1e-6 RMS radii is below any scanner. */
#define NOISE_LEAST 1e-12

/* sum_j P_ij |s_j - new rbar_i|^2 from the moments about the old rbar_i: q - 2 m.t + nu |t|^2, t = new - old.
 * The moments are about a point next to the data, so unlike |s|^2 - 2 s.r + |r|^2 nothing cancels. */
static double spread(const sfgp_solver *solver, int64_t i)
{
    const int d = solver->model->dimension;
    const sfgp_labels *labels = &solver->labels;
    double sum = labels->second[i];
    for (int a = 0; a < d; a++) {
        double t = solver->posterior.mean[i * d + a] - solver->fitted[i * d + a];
        sum += t * (labels->mass[i] * t - 2 * labels->first[i * d + a]);
    }
    return fmax(sum, 0);
}

/* Without any mass the posterior over labels is the nearest target point, its limit for small variance. */
static double nearest_spread(const sfgp_solver *solver, int64_t i)
{
    double distance2;
    sfgp_kdtree_nearest(solver->tree, solver->posterior.mean + i * solver->model->dimension, &distance2);
    return distance2;
}

void sfgp_noise_update_each(sfgp_solver *solver)
{
    const int d = solver->model->dimension;
    const sfgp_labels *labels = &solver->labels;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t i = 0; i < labels->count; i++) {
        double mean_square =
            labels->mass[i] > 0 ? spread(solver, i) / labels->mass[i] : nearest_spread(solver, i);
        solver->noise[i] = fmax(mean_square / d + solver->posterior.variance[i], NOISE_LEAST);
    }
}

static double scatter_of(const void *data, int64_t first, int64_t end)
{
    const sfgp_solver *solver = data;
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        sum += spread(solver, i) / solver->model->dimension +
               solver->labels.mass[i] * solver->posterior.variance[i];
    return sum;
}

static double shared_noise(const sfgp_solver *solver)
{
    const int64_t n = solver->labels.count;
    return sfgp_lanes_sum(n, scatter_of, solver) / sfgp_lanes_total(n, solver->labels.mass);
}

/* One variance for all points. */
static void set_noise(double noise, sfgp_solver *solver)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < solver->labels.count; i++)
        solver->noise[i] = noise;
}

void sfgp_noise_update_shared(sfgp_solver *solver)
{
    set_noise(fmax(shared_noise(solver), NOISE_LEAST), solver);
}

void sfgp_noise_update_annealed(sfgp_solver *solver)
{
    const double last = solver->noise[0], end = FALL_END * solver->spacing * solver->spacing;
    double noise = shared_noise(solver);
    if (solver->model->pca.modes > 0 && last > end)
        noise = fmax(noise, FALL * last);
    if (solver->age > TIME)
        noise = fmin(noise, SFGP_SEARCH_NOISE_MOST);
    set_noise(fmax(noise, SEARCH_LEAST), solver);
}

void sfgp_noise_keep(sfgp_solver *solver)
{
    (void)solver;
}
