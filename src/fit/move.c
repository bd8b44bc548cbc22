/* The M-step of a fit. A method that searches makes anew only what has changed: the sums B'WB while they are
 * those of other weights, and the variance while it is that of another v. It still rests where it would. */
#include "fit/solver.h"

#include <math.h>

#define DRIFT 0.05        /* part of the weight that has moved when the sums are made anew, */
#define DRIFT_CARRIED 0.2 /* of a carried fit, whose labels are few until it ends */
#define TRUST 0.5         /* of that, after the bound has fallen */
#define HOLD 0.03         /* change of v that asks for the variance anew, */
#define HOLD_CARRIED 0.1  /* of a carried fit, */
#define HOLD_BELOW 0.01   /* unless the variance is less than this part of v; */
#define FRESH 0.01        /* change of v beyond which a fit does not end with it */

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

/* W_i (label_i - rbar_i) */
static void weigh_shifts(sfgp_solver *solver)
{
    const int d = solver->model->dimension;
    const sfgp_labels *labels = &solver->labels;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < labels->count; i++) {
        const double scale = (double)solver->thinning / solver->noise[i];
        solver->weights[i] = scale * labels->weight[i];
        for (int a = 0; a < d; a++)
            solver->deltas[i * d + a] = scale * labels->shift[i * d + a];
    }
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

static bool is_near(const sfgp_solver *solver, double most)
{
    return fabs(solver->noise[0] - solver->held_noise) <= most * solver->held_noise;
}

/* The variance waits while v hardly changes; in a carried fit also where it is nothing beside v, as it is
 * when points are many. */
static bool holds(const sfgp_solver *solver)
{
    if (!solver->tiles || solver->held_noise == 0)
        return false;
    return is_near(solver, solver->carried ? HOLD_CARRIED : HOLD) ||
           (solver->carried && labelled_variance(solver) < HOLD_BELOW * solver->noise[0]);
}

bool sfgp_solver_is_fresh(sfgp_solver *solver)
{
    const bool fresh = !solver->posterior.hold || solver->carried || is_near(solver, FRESH);
    if (!fresh)
        solver->held_noise = 0;
    return fresh;
}

/* Steps go too far where weight has come to points that had next to none: the bound tells. A fit that such
 * steps throw back again and again trusts old sums less and less, and in the end only new ones. */
static bool goes_on(sfgp_solver *solver)
{
    const bool fell = !solver->squarem.leapt && solver->evidence < solver->last_evidence;
    solver->last_evidence = solver->evidence;
    if (fell)
        solver->trust *= TRUST;
    return !fell;
}

/* With the sums at hand where they will do. */
static sfgp_status step(sfgp_solver *solver)
{
    sfgp_posterior *posterior = &solver->posterior;
    double ratio = 1;
    weigh_shifts(solver);
    const double most = solver->carried ? DRIFT_CARRIED : DRIFT;
    if (!goes_on(solver) ||
        sfgp_posterior_drift(posterior, solver->weights, &ratio) >= solver->trust * most) {
        sfgp_posterior_sum(solver->weights, posterior);
        ratio = 1;
    }
    return sfgp_posterior_step(solver->context, ratio, solver->deltas, solver->coefficients, posterior);
}

sfgp_status sfgp_solver_move(sfgp_solver *solver)
{
    solver->posterior.hold = holds(solver);
    if (!solver->posterior.hold)
        solver->held_noise = solver->noise[0];
    if (solver->tiles && !solver->posterior.landmarks)
        return step(solver);
    weigh_labels(solver);
    return sfgp_posterior_update(solver->context, solver->weights, solver->deltas, &solver->posterior);
}
