#include "fit/trail.h"
#include "base/memory.h"
#include "geom/measure.h"

#include <math.h>

#define EARLY 10      /* iterations after which fits are compared */
#define TOGETHER 0.05 /* deviations of a label: less is the same, */
#define TRAINED 0.15  /* with training shapes, which lead fits together again, */
#define ALIKE 0.1     /* and so is less in ln v */

sfgp_status sfgp_trail_new(sfgp_context *context, const sfgp_model *model, sfgp_trail *trail)
{
    *trail = (sfgp_trail){0};
    return sfgp_allocate(context, model->count * model->dimension, &trail->points);
}

void sfgp_trail_clear(sfgp_trail *trail)
{
    sfgp_free(trail->points);
    *trail = (sfgp_trail){0};
}

static void lay(const sfgp_solver *solver, sfgp_trail *trail)
{
    const sfgp_model *model = solver->model;
    sfgp_pose_apply(&solver->pose, model->dimension, model->count, solver->fitted, trail->points);
    trail->noise = solver->noise[0];
    trail->laid = true;
}

static bool meets(const sfgp_solver *solver, const sfgp_trail *trail)
{
    const sfgp_model *model = solver->model;
    double *here = solver->deltas; /* free between steps */
    const double v = solver->noise[0], together = model->pca.modes > 0 ? TRAINED : TOGETHER;
    if (!trail->laid || fabs(log(v / trail->noise)) > ALIKE)
        return false;
    sfgp_pose_apply(&solver->pose, model->dimension, model->count, solver->fitted, here);
    return sfgp_points_apart(model->count, model->dimension, trail->points, here) < together * sqrt(v);
}

sfgp_status sfgp_trail_fit(sfgp_solver *solver, const sfgp_start *start, sfgp_trail *trail, bool quiet,
                           bool *same, sfgp_outcome *outcome)
{
    const int64_t most = solver->settings.max_iterations;
    *same = false;
    sfgp_status status = sfgp_solver_begin(solver, start);
    if (status == SFGP_OK)
        status = sfgp_solver_iterate_to(solver, most < EARLY ? most : EARLY, quiet, outcome);
    if (status != SFGP_OK || *outcome != SFGP_MAX_ITERATIONS || solver->age < EARLY)
        return status;
    if (trail && meets(solver, trail)) {
        *same = true;
        return SFGP_OK;
    }
    if (trail && !trail->laid)
        lay(solver, trail);
    return sfgp_solver_iterate(solver, quiet, outcome);
}
