/* Shapes of a model: reference, mean, samples and principal components, with the faces of the reference. */
#include "base/memory.h"
#include "base/threads.h"
#include "base/random.h"
#include "model/modes.h"

#include <math.h>
#include <string.h>

static sfgp_status new_shape(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape)
{
    const int64_t faces = model->face_count, corners = faces > 0 ? model->face_start[faces] : 0;
    sfgp_status status = sfgp_mesh_new(context, model->count, model->dimension, faces, corners, shape);
    if (status == SFGP_OK && faces > 0) {
        memcpy((*shape)->face_start, model->face_start, (size_t)(faces + 1) * sizeof *model->face_start);
        memcpy((*shape)->face_points, model->face_points, (size_t)corners * sizeof *model->face_points);
    }
    return status;
}

sfgp_status sfgp_model_reference(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape)
{
    sfgp_status status = new_shape(context, model, shape);
    if (status == SFGP_OK)
        memcpy((*shape)->points, model->original,
               (size_t)(model->count * model->dimension) * sizeof *model->original);
    return status;
}

sfgp_status sfgp_model_mean(sfgp_context *context, const sfgp_model *model, sfgp_mesh **shape)
{
    sfgp_status status = new_shape(context, model, shape);
    if (status == SFGP_OK)
        sfgp_frame_leave(&model->frame, model->count, model->basis.mean, (*shape)->points);
    return status;
}

/* points += w */
static sfgp_status add_field(sfgp_context *context, const sfgp_model *model, uint64_t seed, double *points)
{
    const int64_t size = model->count * model->dimension;
    double *values = NULL;
    sfgp_status status = sfgp_allocate(context, size, &values);
    if (status == SFGP_OK)
        status = sfgp_markov_sample(context, model->field, model->dimension, seed, values);
    if (status == SFGP_OK)
        sfgp_frame_leave_columns(&model->frame, model->count, 1, values);
    for (int64_t k = 0; status == SFGP_OK && k < size; k++)
        points[k] += model->frame.scale * values[k];
    sfgp_free(values);
    return status;
}

/* mean + B c */
static sfgp_status shape_of(sfgp_context *context, const sfgp_model *model, const double *coefficients,
                            sfgp_mesh **shape)
{
    sfgp_status status = new_shape(context, model, shape);
    if (status == SFGP_OK) {
        double *points = (*shape)->points;
        sfgp_basis_multiply(&model->basis, coefficients, 0, model->count, points);
        sfgp_frame_leave(&model->frame, model->count, points, points);
    }
    return status;
}

sfgp_status sfgp_model_sample(sfgp_context *context, const sfgp_model *model, uint64_t seed,
                              sfgp_mesh **shape)
{
    const int before = sfgp_threads_begin(1, 0);
    const int64_t size = sfgp_basis_size(&model->basis);
    double *coefficients = NULL;
    sfgp_status status = sfgp_allocate(context, size, &coefficients);
    *shape = NULL;
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t k = 0; status == SFGP_OK && k < size; k++)
        coefficients[k] = sfgp_random_normal(&random);
    if (status == SFGP_OK)
        status = shape_of(context, model, coefficients, shape);
    if (status == SFGP_OK && model->field)
        status = add_field(context, model, sfgp_random_bits(&random), (*shape)->points);
    if (status != SFGP_OK) {
        sfgp_mesh_free(*shape);
        *shape = NULL;
    }
    sfgp_free(coefficients);
    sfgp_threads_end(before);
    return status;
}

sfgp_status sfgp_model_variances(sfgp_context *context, const sfgp_model *model, sfgp_array **variances)
{
    sfgp_modes modes = {0};
    sfgp_model view;
    sfgp_array *made = NULL;
    const int before = sfgp_threads_begin(1, 0);
    sfgp_status status = sfgp_model_with_columns(context, model, &view);
    *variances = NULL;
    if (status == SFGP_OK)
        status = sfgp_modes_new(context, &view, &modes);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK) {
        *made = (sfgp_array){.rank = 1, .shape = {modes.count, 1, 1, 1}, .values = modes.variance};
        for (int64_t k = 0; k < modes.count; k++)
            made->values[k] *= model->frame.scale * model->frame.scale;
        modes.variance = NULL;
        *variances = made;
    }
    sfgp_modes_clear(&modes);
    sfgp_model_with_columns_clear(model, &view);
    sfgp_threads_end(before);
    return status;
}

/* B v_k has the length sqrt(lambda_k). */
static sfgp_status make_component(sfgp_context *context, const sfgp_model *model, int64_t index,
                                  double deviations, sfgp_mesh **shape)
{
    sfgp_modes modes;
    sfgp_status status = sfgp_modes_new(context, model, &modes);
    if (status != SFGP_OK)
        return status;
    if (index < 0 || index >= modes.count)
        status = sfgp_fail(context, SFGP_ERROR_PARAMETER, "component: %lld is not one of 0 to %lld",
                           (long long)index, (long long)modes.count - 1);
    else if (!isfinite(deviations))
        status =
            sfgp_fail(context, SFGP_ERROR_PARAMETER, "component: %g deviations are not finite", deviations);
    if (status == SFGP_OK) {
        double *vector = modes.vectors + index * modes.size;
        for (int64_t k = 0; k < modes.size; k++)
            vector[k] *= deviations;
        status = shape_of(context, model, vector, shape);
    }
    sfgp_modes_clear(&modes);
    return status;
}

sfgp_status sfgp_model_component(sfgp_context *context, const sfgp_model *model, int64_t index,
                                 double deviations, sfgp_mesh **shape)
{
    const int before = sfgp_threads_begin(1, 0);
    sfgp_model view;
    sfgp_status status = sfgp_model_with_columns(context, model, &view);
    *shape = NULL;
    if (status == SFGP_OK)
        status = make_component(context, &view, index, deviations, shape);
    sfgp_model_with_columns_clear(model, &view);
    sfgp_threads_end(before);
    return status;
}
