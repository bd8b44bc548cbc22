#include "fit/deformation.h"
#include "base/memory.h"
#include "base/threads.h"
#include "gpr/normal.h"

#include <math.h>
#include <string.h>

#define TRUST 1e-3 /* RMS radii: how close the regression keeps to the points of a baseline */

static void set_identity(int64_t m, double *a)
{
    for (int64_t k = 0; k < m; k++)
        a[k * m + k] = 1;
}

sfgp_status sfgp_deformation_new(sfgp_context *context, const sfgp_model *model, sfgp_deformation **made)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_deformation *new = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &new);
    *made = new;
    if (status != SFGP_OK)
        return status;
    new->model = model;
    new->pose = sfgp_pose_identity((int)d);
    if ((status = sfgp_allocate(context, n * d, &new->points)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &new->rest)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &new->spread)) != SFGP_OK ||
        (status = sfgp_allocate(context, sfgp_normal_size(model), &new->block)) != SFGP_OK)
        return status;
    const sfgp_normal parts = sfgp_normal_parts(model, new->block);
    set_identity(model->scalar.rank, parts.scalar);
    set_identity(model->pca.modes, parts.pca);
    return SFGP_OK;
}

void sfgp_deformation_free(sfgp_deformation *deformation)
{
    if (!deformation)
        return;
    sfgp_free(deformation->points);
    sfgp_free(deformation->block);
    sfgp_free(deformation->spread);
    sfgp_free(deformation->rest);
    sfgp_elsewhere_clear(&deformation->elsewhere);
    sfgp_model_free(deformation->owned);
    sfgp_free(deformation);
}

/* ---- from a solver ----------------------------------------------------------------------------------- */

/* c and L of a regression on the points of the result. */
static sfgp_status regress(sfgp_context *context, const sfgp_result *result, sfgp_deformation *made)
{
    const sfgp_model *model = made->model;
    const int64_t n = model->count, size = n * model->dimension;
    sfgp_posterior posterior = {0};
    double *weights = NULL, *labels = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, n, &weights)) == SFGP_OK &&
        (status = sfgp_allocate(context, size, &labels)) == SFGP_OK &&
        (status = sfgp_posterior_new(context, model, &posterior)) == SFGP_OK) {
        sfgp_frame_enter(&model->frame, n, result->points, labels);
        for (int64_t k = 0; k < size; k++)
            labels[k] -= model->prior_mean[k];
        for (int64_t i = 0; i < n; i++)
            weights[i] = 1 / (TRUST * TRUST);
        status = sfgp_posterior_update(context, weights, labels, &posterior);
    }
    if (status == SFGP_OK)
        memcpy(made->block, posterior.lane_normals, (size_t)posterior.normal_size * sizeof(double));
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        made->spread[i] = pow(result->sd[i] / model->frame.scale, 2);
    sfgp_posterior_clear(&posterior);
    sfgp_free(weights);
    sfgp_free(labels);
    return status;
}

static sfgp_status take(sfgp_solver *solver, const sfgp_result *result, sfgp_deformation *made)
{
    sfgp_posterior *posterior = &solver->posterior;
    made->outcome = result->outcome;
    memcpy(made->points, result->points, (size_t)(result->count * result->dimension) * sizeof(double));
    if (result->outcome == SFGP_NO_OVERLAP)
        return SFGP_OK; /* the reference as it came, under the prior */
    if (solver->method->baseline)
        return regress(solver->context, result, made);
    made->pose = solver->pose;
    if (posterior->solved && posterior->hold)
        sfgp_posterior_refresh(posterior);
    if (posterior->solved)
        memcpy(made->block, posterior->lane_normals, (size_t)posterior->normal_size * sizeof(double));
    for (int64_t i = 0; posterior->solved && solver->method->search && i < result->count; i++)
        made->spread[i] = fmax(solver->variance[i] - posterior->variance[i], 0);
    return SFGP_OK;
}

sfgp_status sfgp_solver_deformation(sfgp_solver *solver, const sfgp_result *result,
                                    sfgp_deformation **deformation)
{
    const sfgp_model *model = solver->model;
    sfgp_deformation *made = NULL;
    *deformation = NULL;
    if (result->count != model->count || result->dimension != model->dimension)
        return sfgp_fail(solver->context, SFGP_ERROR_PARAMETER,
                         "deformation: a result of %lld points in %dD is not of this solver",
                         (long long)result->count, result->dimension);
    const int before = sfgp_threads_begin(solver->settings.threads, model->count);
    sfgp_status status = sfgp_deformation_new(solver->context, model, &made);
    if (status == SFGP_OK)
        status = take(solver, result, made);
    if (status == SFGP_OK)
        status = sfgp_deformation_finish(solver->context, made);
    sfgp_threads_end(before);
    if (status == SFGP_OK)
        *deformation = made;
    else
        sfgp_deformation_free(made);
    return status;
}

const sfgp_model *sfgp_deformation_model(const sfgp_deformation *deformation)
{
    return deformation->model;
}

sfgp_outcome sfgp_deformation_outcome(const sfgp_deformation *deformation)
{
    return deformation->outcome;
}
