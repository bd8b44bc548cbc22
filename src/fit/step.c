#include "fit/squarem.h"
#include "fit/strays.h"
#include "fit/thinning.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define STEP_MOST 0.001      /* of the deviation of a label */
#define NOISE_STEP_MOST 0.02 /* of the variance of a label */
#define HOLD 0.1             /* change of v that asks for the variance anew, */
#define HOLD_BELOW 0.01      /* unless it is less than this part of v */

/* delta_i = label - prior mean, label = rbar_i + (sum of P_ij (s_j - rbar_i)) / n_i; W_i = n_i / v_i, where a
 * target point in use counts for as many as were thinned out. */
static void weigh_labels(sfgp_solver *solver)
{
    const int d = solver->model->dimension;
    const sfgp_labels *labels = &solver->labels;
    for (int64_t i = 0; i < labels->count; i++) {
        const double n = labels->weight[i];
        solver->weights[i] = (double)solver->thinning * n / solver->noise[i];
        for (int a = 0; a < d && n > 0; a++)
            solver->deltas[i * d + a] = solver->fitted[i * d + a] + labels->shift[i * d + a] / n -
                                        solver->model->prior_mean[i * d + a];
    }
}

static double mean_motion(const sfgp_solver *solver)
{
    const int d = solver->model->dimension;
    double sum = 0;
    for (int64_t i = 0; i < solver->labels.count; i++) {
        double square = 0;
        for (int a = 0; a < d; a++) {
            double step = solver->posterior.mean[i * d + a] - solver->fitted[i * d + a];
            square += step * step;
        }
        sum += sqrt(square);
    }
    return sum / (double)solver->labels.count;
}

/* A motion counts against what the labels scatter by, which must rest as well: exact data are followed far
 * below the tolerance. Not by a carried fit: its part was. */
static bool rests(const sfgp_solver *solver, double last_noise)
{
    const double tolerance = solver->settings.tolerance, noise = solver->noise[0];
    if (!solver->method->search)
        return solver->change < tolerance;
    return solver->change < (solver->carried ? tolerance : fmin(tolerance, STEP_MOST * sqrt(noise))) &&
           (fabs(noise - last_noise) < NOISE_STEP_MOST * noise || noise < tolerance * tolerance * tolerance);
}

sfgp_status sfgp_solver_label(sfgp_solver *solver)
{
    const sfgp_state state = {solver->fitted, solver->variance, solver->noise};
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_LABELS);
    sfgp_status status = solver->method->correspond(solver->context, &solver->rule, solver->tree,
                                                    solver->target, state, &solver->labels);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

/* Mean variance of a label's point. */
static double labelled_variance(const sfgp_solver *solver)
{
    double sum = 0, mass = 0;
    for (int64_t i = 0; i < solver->labels.count; i++) {
        sum += solver->labels.weight[i] * solver->variance[i];
        mass += solver->labels.weight[i];
    }
    return sum / mass;
}

/* The variance follows v. In a carried fit it waits: while v hardly changes, or where it is nothing beside v,
 * as it is when points are many. */
static bool holds(const sfgp_solver *solver)
{
    const double v = solver->noise[0];
    return solver->carried && solver->age > 0 &&
           (fabs(v - solver->held_noise) < HOLD * solver->held_noise ||
            labelled_variance(solver) < HOLD_BELOW * v);
}

static sfgp_status move(sfgp_solver *solver)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_POSTERIOR);
    weigh_labels(solver);
    solver->posterior.hold = holds(solver);
    if (!solver->posterior.hold)
        solver->held_noise = solver->noise[0];
    sfgp_status status =
        sfgp_posterior_update(solver->context, solver->weights, solver->deltas, &solver->posterior);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

static void learn(sfgp_solver *solver)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_NOISE);
    solver->method->update_noise(solver);
    if (solver->method->search)
        sfgp_strays_learn(solver);
    sfgp_profile_leave(solver->context, mark);
}

/* E-step and its bound. */
static sfgp_status bound(sfgp_solver *solver)
{
    const sfgp_status status = sfgp_solver_label(solver);
    if (status == SFGP_OK && solver->labels.missing < solver->labels.count)
        solver->evidence = solver->labels.evidence - solver->divergence;
    return status;
}

sfgp_status sfgp_solver_step(sfgp_solver *solver)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension;
    sfgp_status status = bound(solver);
    if (status == SFGP_OK && sfgp_squarem_retreat(solver))
        status = bound(solver);
    if (status != SFGP_OK || solver->labels.missing == solver->labels.count)
        return status;
    if ((status = move(solver)) != SFGP_OK)
        return status;
    solver->change = mean_motion(solver);
    if (!isfinite(solver->change))
        return sfgp_fail(solver->context, SFGP_ERROR_NUMERIC, "fit: the points are no longer finite");
    solver->divergence = sfgp_posterior_divergence(&solver->posterior);
    const double last_noise = solver->noise[0];
    learn(solver);
    solver->age++;
    memcpy(solver->fitted, solver->posterior.mean, n * d * sizeof(double));
    memcpy(solver->variance, solver->posterior.variance, n * sizeof(double));
    solver->settled = sfgp_thinning_has_ended(solver) && !solver->squarem.leapt && rests(solver, last_noise);
    if (solver->method->search)
        sfgp_squarem_advance(solver, last_noise);
    return sfgp_thinning_refine(solver);
}
