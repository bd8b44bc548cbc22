/* The model: the reference in its frame, and its prior. */
#include "model/model.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/threads.h"
#include "geom/inspect.h"
#include "linalg/dense.h"
#include "model/standard.h"
#include "model/training.h"

#include <stdio.h>
#include <string.h>

static sfgp_status copy_faces(sfgp_context *context, const sfgp_mesh *mesh, sfgp_model *model)
{
    const int64_t faces = mesh->face_count,
                  corners = faces > 0 && mesh->face_start ? mesh->face_start[faces] : 0;
    sfgp_status status = SFGP_OK;
    if (faces == 0)
        return SFGP_OK;
    if ((status = sfgp_mesh_check_faces(context, mesh)) != SFGP_OK ||
        (status = sfgp_allocate(context, faces + 1, &model->face_start)) != SFGP_OK ||
        (status = sfgp_allocate(context, corners, &model->face_points)) != SFGP_OK)
        return status;
    model->face_count = faces;
    sfgp_lanes_copy(faces + 1, mesh->face_start, model->face_start);
    sfgp_lanes_copy(corners, mesh->face_points, model->face_points);
    return SFGP_OK;
}

sfgp_status sfgp_model_place(sfgp_context *context, const sfgp_mesh *reference, sfgp_model *model)
{
    const int64_t n = reference->count, size = n * reference->dimension;
    sfgp_status status = SFGP_OK;
    model->count = model->basis.count = n;
    model->dimension = model->basis.dimension = reference->dimension;
    if ((status = sfgp_allocate(context, size, &model->original)) != SFGP_OK ||
        (status = sfgp_allocate(context, size, &model->reference)) != SFGP_OK ||
        (status = sfgp_allocate(context, size, &model->basis.mean)) != SFGP_OK)
        return status;
    sfgp_lanes_copy(size, reference->points, model->original);
    sfgp_frame_enter(&model->frame, n, reference->points, model->reference);
    sfgp_lanes_copy(size, model->reference, model->basis.mean);
    return copy_faces(context, reference, model);
}

/* text: of the kernel as it was given; the model has it already where its form was chosen. */
static void describe(const char *text, sfgp_model *model)
{
    char chosen[sizeof model->kernel];
    memcpy(chosen, model->kernel, sizeof chosen);
    snprintf(model->kernel, sizeof model->kernel, "%s%.480s", model->basis.pca.modes > 0 ? "pca+" : "",
             chosen[0] ? chosen : text);
}

static sfgp_status build(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *const *training,
                         int64_t training_count, const sfgp_settings *settings, sfgp_model *model)
{
    const char *text = strcmp(settings->kernel, "auto") != 0
                           ? settings->kernel
                           : sfgp_model_kernel_for(reference->dimension, training_count > 0);
    const sfgp_kernel *kernel = &model->kernel_terms;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_settings_check_numbers(context, settings)) != SFGP_OK ||
        (status = sfgp_kernel_parse(context, text, &model->kernel_terms)) != SFGP_OK ||
        (status = sfgp_inspect_reference(context, reference, &model->frame)) != SFGP_OK ||
        (status = sfgp_training_check(context, reference, training, training_count)) != SFGP_OK ||
        (status = sfgp_dense_prepare(context)) != SFGP_OK ||
        (status = sfgp_frame_turn(context, reference, &model->frame)) != SFGP_OK ||
        (status = sfgp_model_place(context, reference, model)) != SFGP_OK ||
        (status = sfgp_model_choose_form(context, settings, model)) != SFGP_OK ||
        (status = sfgp_training_learn(context, training, training_count, settings->align_training, model)) !=
            SFGP_OK ||
        (status = sfgp_model_factorise(context, settings, model)) != SFGP_OK)
        return status;
    if (kernel->count > 0)
        sfgp_model_warn_rank(context, settings, model);
    if (kernel->count > 0 && model->basis.scalar.rank == 0 && !model->field)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "kernel: its variance %g is below the accuracy %g: nothing can move",
                         sfgp_kernel_variance(kernel), sfgp_model_accuracy(settings, model->count));
    if (model->basis.scalar.rank + model->basis.pca.modes == 0 && !model->field)
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "kernel: 'none' and no variation in the training shapes: nothing "
                         "can move; name a kernel");
    describe(text, model);
    return sfgp_model_find_symmetry(context, model);
}

sfgp_status sfgp_model_new(sfgp_context *context, const sfgp_mesh *reference,
                           const sfgp_mesh *const *training, int64_t training_count,
                           const sfgp_settings *settings, sfgp_model **model)
{
    sfgp_settings own;
    sfgp_model *made = NULL;
    *model = NULL;
    sfgp_status status = sfgp_settings_complete(context, settings, &own);
    if (status != SFGP_OK)
        return status;
    const int before = sfgp_threads_begin(own.threads, reference->count);
    status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = build(context, reference, training, training ? training_count : 0, &own, made);
    sfgp_threads_end(before);
    if (status == SFGP_OK)
        *model = made;
    else
        sfgp_model_free(made);
    return status;
}

static sfgp_status build_in_frame(sfgp_context *context, const sfgp_mesh *reference, const sfgp_frame *frame,
                                  const sfgp_settings *settings, sfgp_model *model)
{
    sfgp_status status = SFGP_OK;
    model->frame = *frame;
    memcpy(model->kernel, settings->kernel, sizeof model->kernel);
    if ((status = sfgp_kernel_parse(context, settings->kernel, &model->kernel_terms)) != SFGP_OK ||
        (status = sfgp_dense_prepare(context)) != SFGP_OK ||
        (status = sfgp_model_place(context, reference, model)) != SFGP_OK ||
        (status = sfgp_model_choose_form(context, settings, model)) != SFGP_OK)
        return status;
    return sfgp_model_factorise(context, settings, model);
}

sfgp_status sfgp_model_new_in_frame(sfgp_context *context, const sfgp_mesh *reference,
                                    const sfgp_frame *frame, const sfgp_settings *settings,
                                    sfgp_model **model)
{
    sfgp_model *made = NULL;
    *model = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = build_in_frame(context, reference, frame, settings, made);
    if (status == SFGP_OK)
        *model = made;
    else
        sfgp_model_free(made);
    return status;
}

void sfgp_model_free(sfgp_model *model)
{
    if (!model)
        return;
    sfgp_free(model->original);
    sfgp_free(model->reference);
    sfgp_free(model->face_start);
    sfgp_free(model->face_points);
    if (model->field)
        sfgp_markov_clear(model->field);
    sfgp_free(model->field);
    sfgp_basis_clear(&model->basis);
    sfgp_free(model);
}

void sfgp_model_describe_sized(const sfgp_model *model, sfgp_model_info *info, size_t size)
{
    sfgp_model_info all = {.count = model->count,
                           .dimension = model->dimension,
                           .scale = model->frame.scale,
                           .rank = model->basis.scalar.rank + model->basis.pca.modes,
                           .rank_scalar = model->basis.scalar.rank,
                           .rank_pca = model->basis.pca.modes,
                           .face_count = model->face_count,
                           .kernel_residual = model->basis.scalar.residual,
                           .symmetric = sfgp_model_asks_symmetry(model) ? model->across > 0 : -1};
    memcpy(all.centre, model->frame.centre, sizeof all.centre);
    memcpy(all.kernel, model->kernel, sizeof all.kernel);
    sfgp_struct_copy(&all, sizeof all, size, info);
}
