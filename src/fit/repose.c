#include "fit/repose.h"
#include "fit/search.h"
#include "geom/similarity.h"

#include <string.h>

#define ROUNDS 3
#define GAIN 0.5 /* nats by which a fit is better, not the same again */
#define NOISE 0.1
#define OMEGA 0.1

/* The rigid motion from the prior mean to the fit. */
static bool pose_of_fit(sfgp_solver *solver, sfgp_pose *pose)
{
    const sfgp_model *model = solver->model;
    const int d = model->dimension;
    const sfgp_pairs pairs = {model->count, d, solver->weights, NULL, model->prior_mean, solver->deltas};
    sfgp_map map = sfgp_map_identity(d);
    for (int64_t i = 0; i < model->count; i++)
        solver->weights[i] = 1;
    sfgp_pose_apply(&solver->pose, d, model->count, solver->fitted, solver->deltas);
    if (!sfgp_map_fit_rigid(&pairs, &map))
        return false;
    memcpy(pose->rotation, map.linear, (size_t)(d * d) * sizeof(double));
    memcpy(pose->shift, map.shift, (size_t)d * sizeof(double));
    return true;
}

static sfgp_status fit_and_score(sfgp_solver *solver, const sfgp_start *start, sfgp_outcome *outcome,
                                 double *score)
{
    sfgp_status status = sfgp_solver_begin(solver, start);
    if (status == SFGP_OK)
        status = sfgp_solver_iterate(solver, false, outcome);
    return status == SFGP_OK ? sfgp_search_score(solver, score) : status;
}

sfgp_status sfgp_solver_repose(sfgp_solver *solver, sfgp_outcome *outcome)
{
    double best, score;
    sfgp_status status = sfgp_search_score(solver, &best);
    for (int round = 0; round < ROUNDS && status == SFGP_OK; round++) {
        const sfgp_start last = solver->begun;
        sfgp_start start = {sfgp_pose_identity(solver->model->dimension), NOISE, OMEGA, last.coherent, false};
        if (!pose_of_fit(solver, &start.pose))
            break;
        status = fit_and_score(solver, &start, outcome, &score);
        if (status == SFGP_ERROR_NUMERIC || (status == SFGP_OK && score <= best + GAIN))
            return fit_and_score(solver, &last, outcome, &score);
        best = score;
    }
    return status;
}
