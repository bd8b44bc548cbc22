/* Makes the map of a fit: from its posterior, or by a regression on the points of a baseline. */
#include "deformation/deformation.h"
#include "base/memory.h"
#include "geom/mirror.h"
#include "geom/rotations.h"
#include "gpr/normal.h"

#include <math.h>
#include <string.h>

#define OBSERVED_SD 1e-3 /* RMS radii: how close the regression keeps to the points of a baseline */

static void set_identity(int64_t m, double *a)
{
    for (int64_t k = 0; k < m; k++)
        a[k * m + k] = 1;
}

/* With room for the factor of an axis with a prior of its own. */
static sfgp_status allocate_block(sfgp_context *context, sfgp_basis basis, double **block)
{
    basis.across = 1;
    return sfgp_allocate(context, sfgp_normal_size(&basis), block);
}

sfgp_status sfgp_deformation_new(sfgp_context *context, const sfgp_model *model, sfgp_deformation **made)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_deformation *new = NULL;
    *made = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &new);
    *made = new;
    if (status != SFGP_OK)
        return status;
    new->model = model;
    new->basis = model->basis;
    new->pose = sfgp_similarity_identity((int)d);
    sfgp_deformation_set_size(new, 1);
    if ((status = sfgp_allocate(context, n * d, &new->points)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &new->residual)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &new->extra_variance)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &new->added)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &new->stated)) != SFGP_OK ||
        (status = sfgp_basis_new(context, model->field ? n : 0, (int)d, model->basis.scalar.rank,
                                 model->basis.pca.modes, &new->eliminated)) != SFGP_OK ||
        (status = sfgp_allocate(context, model->field ? n : 0, &new->weights)) != SFGP_OK ||
        (status = allocate_block(context, model->basis, &new->block)) != SFGP_OK)
        return status;
    const sfgp_normal parts = sfgp_normal_parts(&new->basis, new->block);
    set_identity(model->basis.scalar.rank, parts.scalar);
    set_identity(model->basis.pca.modes, parts.pca);
    return SFGP_OK;
}

void sfgp_deformation_set_size(sfgp_deformation *made, double size)
{
    made->size = size;
    made->frame = sfgp_frame_resized(&made->model->frame, size);
}

void sfgp_deformation_free(sfgp_deformation *deformation)
{
    if (!deformation)
        return;
    sfgp_free(deformation->points);
    sfgp_free(deformation->block);
    sfgp_free(deformation->extra_variance);
    sfgp_free(deformation->added);
    sfgp_free(deformation->stated);
    sfgp_free(deformation->residual);
    sfgp_basis_clear(&deformation->eliminated);
    sfgp_free(deformation->weights);
    sfgp_prior_at_clear(&deformation->prior);
    sfgp_model_free(deformation->owned);
    sfgp_free(deformation);
}

/* ---- from a result ----------------------------------------------------------------------------------- */

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
        (status = sfgp_posterior_new(context, &model->basis, &posterior)) == SFGP_OK) {
        sfgp_frame_enter_exactly(&model->frame, n, result->points, labels);
        sfgp_similarity_undo(&made->pose, n, labels, labels);
        for (int64_t k = 0; k < size; k++)
            labels[k] -= model->basis.mean[k];
        for (int64_t i = 0; i < n; i++)
            weights[i] = 1 / (OBSERVED_SD * OBSERVED_SD);
        status = sfgp_posterior_update(context, weights, labels, &posterior);
    }
    if (status == SFGP_OK)
        memcpy(made->block, posterior.lane_normals, (size_t)posterior.normal_size * sizeof(double));
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        made->extra_variance[i] = pow(result->sd[i] / model->frame.scale, 2);
    sfgp_posterior_clear(&posterior);
    sfgp_free(weights);
    sfgp_free(labels);
    return status;
}

/* P^-1 W B = B - Z, the variance given the columns, and W. */
static void copy_field(const sfgp_markov_posterior *field, sfgp_deformation *made)
{
    const sfgp_basis *basis = field->basis;
    const int64_t n = basis->count, modes = n * basis->dimension * basis->pca.modes;
    for (int64_t k = 0; k < n * basis->scalar.rank; k++)
        made->eliminated.scalar.values[k] = basis->scalar.values[k] - field->left.scalar.values[k];
    for (int64_t k = 0; k < modes; k++)
        made->eliminated.pca.factor[k] = basis->pca.factor[k] - field->left.pca.factor[k];
    memcpy(made->extra_variance, field->inverse, (size_t)n * sizeof(double));
    memcpy(made->weights, field->weights, (size_t)n * sizeof(double));
}

/* c and L of the fit's own posterior, and the rest of its stated variance. */
static void copy_posterior(sfgp_em *em, sfgp_deformation *made)
{
    sfgp_posterior *posterior = &em->posterior;
    made->pose = em->state.pose;
    if (!posterior->solved)
        return;
    if (em->problem->variant->learns)
        sfgp_posterior_predict_variance(posterior); /* it may be frozen, or of single precision */
    made->basis.across = posterior->basis->across;
    sfgp_normal_widen(posterior->basis, posterior->lane_normals, &made->basis, made->block);
    if (posterior->field)
        copy_field(posterior->field, made);
    for (int64_t i = 0; em->problem->variant->learns && i < made->model->count; i++)
        made->extra_variance[i] = em->state.variance[i] - posterior->variance[i];
}

/* Without overlap: the reference as it came, under the prior. */
static sfgp_status set_map(sfgp_context *context, sfgp_em *em, const sfgp_result *result,
                           sfgp_deformation *made)
{
    made->outcome = result->outcome;
    sfgp_deformation_set_size(made, result->size);
    memcpy(made->points, result->points, (size_t)(result->count * result->dimension) * sizeof(double));
    if (made->model->field)
        memcpy(made->extra_variance, made->model->field->variance, (size_t)result->count * sizeof(double));
    if (result->outcome == SFGP_NO_OVERLAP)
        return SFGP_OK;
    if (!em && result->settings->mirror)
        sfgp_mirror_pose(&made->model->frame, &made->pose);
    if (!em)
        return regress(context, result, made);
    copy_posterior(em, made);
    return SFGP_OK;
}

sfgp_status sfgp_deformation_from_result(sfgp_context *context, const sfgp_model *model, sfgp_em *em,
                                         const sfgp_result *result, sfgp_deformation **deformation)
{
    sfgp_deformation *made = NULL;
    *deformation = NULL;
    sfgp_status status = sfgp_deformation_new(context, model, &made);
    if (status == SFGP_OK)
        status = set_map(context, em, result, made);
    if (status == SFGP_OK)
        status = sfgp_deformation_finish(context, made);
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

int sfgp_deformation_mirrors(const sfgp_deformation *deformation)
{
    return sfgp_rotation_mirrors(deformation->pose.rotation, deformation->pose.dimension);
}

sfgp_outcome sfgp_deformation_outcome(const sfgp_deformation *deformation)
{
    return deformation->outcome;
}
