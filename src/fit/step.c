#include "base/lanes.h"
#include "fit/squarem.h"
#include "fit/strays.h"
#include "fit/thinning.h"
#include "geom/measure.h"
#include "model/coefficients.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FINE 0.003           /* spacings: labels that scatter by less are too fine for tiles */
#define STEP_MOST 0.001      /* of the deviation of a label */
#define NOISE_STEP_MOST 0.02 /* of the variance of a label */

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

static sfgp_status label(sfgp_solver *solver, sfgp_tiles *tiles)
{
    const sfgp_state state = {solver->fitted, solver->variance, solver->noise};
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_LABELS);
    solver->rule.tiles = tiles;
    sfgp_status status = solver->method->correspond(solver->context, &solver->rule, solver->tree,
                                                    solver->target, state, &solver->labels);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

sfgp_status sfgp_solver_label_whole(sfgp_solver *solver)
{
    const sfgp_status status = sfgp_thinning_tree(solver);
    return status == SFGP_OK ? label(solver, NULL) : status;
}

/* Next to the extent of sixteen points, which a target whose points coincide does not tell. */
static bool is_fine(const sfgp_solver *solver)
{
    const double spacing = fmax(solver->spacing, 1 / sqrt((double)solver->labels.count));
    return sqrt(solver->noise[0]) < FINE * spacing;
}

sfgp_status sfgp_solver_label(sfgp_solver *solver)
{
    return solver->tiles && !is_fine(solver) ? label(solver, solver->tiles) : sfgp_solver_label_whole(solver);
}

static void learn(sfgp_solver *solver)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_NOISE);
    solver->method->update_noise(solver);
    if (solver->method->search)
        sfgp_strays_learn(solver);
    sfgp_profile_leave(solver->context, mark);
}

/* M-step */
static sfgp_status move(sfgp_solver *solver)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_POSTERIOR);
    const sfgp_status status = sfgp_solver_move(solver);
    sfgp_profile_leave(solver->context, mark);
    return status;
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
    const int64_t n = solver->model->count, d = solver->model->dimension,
                  m = sfgp_coefficients_size(solver->model);
    sfgp_status status = bound(solver);
    if (status == SFGP_OK && sfgp_squarem_retreat(solver))
        status = bound(solver);
    if (status != SFGP_OK || solver->labels.missing == solver->labels.count)
        return status;
    if ((status = move(solver)) != SFGP_OK)
        return status;
    solver->change = sfgp_points_apart(n, (int)d, solver->posterior.mean, solver->fitted);
    if (!isfinite(solver->change))
        return sfgp_fail(solver->context, SFGP_ERROR_NUMERIC, "fit: the points are no longer finite");
    solver->divergence = sfgp_posterior_divergence(&solver->posterior);
    const double last_noise = solver->noise[0];
    learn(solver);
    solver->age++;
    sfgp_lanes_copy(n * d, solver->posterior.mean, solver->fitted);
    sfgp_lanes_copy(n, solver->posterior.variance, solver->variance);
    memcpy(solver->coefficients, sfgp_posterior_coefficients(&solver->posterior), (size_t)m * sizeof(double));
    solver->settled = sfgp_thinning_has_ended(solver) && !solver->squarem.leapt &&
                      rests(solver, last_noise) && sfgp_solver_is_fresh(solver);
    if (solver->method->search)
        sfgp_squarem_advance(solver, last_noise);
    return sfgp_thinning_refine(solver);
}
