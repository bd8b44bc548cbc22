/* Adds the field along the surface to a fit. */
#include "fit/detail.h"
#include "base/progress.h"
#include "em/detail.h"
#include "search/effort.h"

#include <math.h>

#define LEAST 1000 /* points: shapes with fewer were not tried (ADR 0052) */

static bool applies(const sfgp_solver *solver, sfgp_outcome outcome)
{
    const sfgp_model *model = solver->model;
    return solver->settings.detail && model->dimension == 3 && model->count >= LEAST &&
           solver->problem.shape_area > 0 && outcome != SFGP_NO_OVERLAP && solver->em->state.iteration > 0 &&
           !sfgp_progress_is_late(solver->context);
}

static sfgp_status add(sfgp_solver *solver, const sfgp_mesh *reference, sfgp_em_detail *detail)
{
    sfgp_coarse_surface *coarse = &solver->coarse;
    sfgp_status status = SFGP_OK;
    if (coarse->points == 0)
        status =
            sfgp_coarse_surface_new(solver->context, reference, solver->problem.effort->field_points, coarse);
    return status == SFGP_OK ? sfgp_em_detail_add(solver->em, reference, coarse, detail) : status;
}

sfgp_status sfgp_fit_detail(sfgp_solver *solver, sfgp_result *result)
{
    const sfgp_model *model = solver->model;
    const sfgp_mesh reference = sfgp_model_mesh(model);
    sfgp_em_detail detail = {0};
    if (!applies(solver, result->outcome))
        return SFGP_OK;
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_REFINE);
    const sfgp_status status = add(solver, &reference, &detail);
    sfgp_profile_leave(solver->context, mark);
    if (status == SFGP_ERROR_NUMERIC)
        return sfgp_warn(solver->context, "detail: left out, its linear equations were not solved"), SFGP_OK;
    result->detail = solver->frame.scale * sqrt(detail.variance);
    result->detail_length = solver->frame.scale * detail.length;
    result->detail_points = detail.variance > 0 ? solver->coarse.count : 0;
    return status;
}
