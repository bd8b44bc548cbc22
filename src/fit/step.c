#include "fit/thinning.h"

#include <math.h>
#include <string.h>

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

sfgp_status sfgp_solver_step(sfgp_solver *solver)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension;
    const sfgp_state state = {solver->fitted, solver->variance, solver->noise};
    sfgp_status status = solver->method->correspond(solver->context, &solver->rule, solver->tree,
                                                    solver->target, state, &solver->labels);
    if (status != SFGP_OK || solver->labels.missing == solver->labels.count)
        return status;
    weigh_labels(solver);
    status = sfgp_posterior_update(solver->context, solver->weights, solver->deltas, &solver->posterior);
    if (status != SFGP_OK)
        return status;
    solver->change = mean_motion(solver);
    if (!isfinite(solver->change))
        return sfgp_fail(solver->context, SFGP_ERROR_NUMERIC, "fit: the points are no longer finite");
    solver->method->update_noise(solver);
    memcpy(solver->fitted, solver->posterior.mean, n * d * sizeof(double));
    memcpy(solver->variance, solver->posterior.variance, n * sizeof(double));
    solver->settled = solver->thinning == 1 && solver->change < solver->settings.tolerance;
    return sfgp_thinning_refine(solver);
}
