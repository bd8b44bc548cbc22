/* sfgp_model_write: the Statismo layout, then /sfgp (docs/models.md). The checksum runs over the arrays of
 * both. */
#include "model/file.h"
#include "base/threads.h"
#include "io/hdf5_group.h"
#include "model/modes.h"
#include "model/statismo.h"

/* ---- our own group ----------------------------------------------------------------------------------- */

static void write_faces(sfgp_hdf5 *file, const sfgp_model *model)
{
    if (model->face_count == 0)
        return;
    sfgp_hdf5_write_integers(file, SFGP_MODEL_GROUP "/face_start", model->face_count + 1, model->face_start);
    sfgp_hdf5_write_integers(file, SFGP_MODEL_GROUP "/face_points", model->face_start[model->face_count],
                             model->face_points);
}

static void write_factor(sfgp_hdf5 *file, const sfgp_model *model)
{
    const int64_t n = model->count, d = model->dimension;
    if (model->basis.scalar.surface > 0)
        sfgp_hdf5_write_number(file, SFGP_MODEL_GROUP "/surface", SFGP_HDF5_FLOAT64,
                               (double)model->basis.scalar.surface);
    if (model->basis.scalar.rank > 0)
        sfgp_hdf5_write_matrix(file, SFGP_MODEL_GROUP "/scalar", n, model->basis.scalar.rank,
                               model->basis.scalar.values);
    if (model->basis.scalar.pivots)
        sfgp_hdf5_write_integers(file, SFGP_MODEL_GROUP "/pivots",
                                 model->basis.scalar.rank - model->basis.scalar.surface,
                                 model->basis.scalar.pivots);
    if (model->basis.pca.modes > 0)
        sfgp_hdf5_write_matrix(file, SFGP_MODEL_GROUP "/pca", n * d, model->basis.pca.modes,
                               model->basis.pca.factor);
    sfgp_hdf5_write_number(file, SFGP_MODEL_GROUP "/residual", SFGP_HDF5_FLOAT64,
                           model->basis.scalar.residual);
    if (model->basis.pca.modes > 0 && model->basis.pca.unspanned >= 0)
        sfgp_hdf5_write_number(file, SFGP_MODEL_GROUP "/unspanned", SFGP_HDF5_FLOAT64,
                               model->basis.pca.unspanned);
}

sfgp_status sfgp_model_write_group(sfgp_context *context, sfgp_hdf5 *file, const sfgp_model *model)
{
    const int64_t n = model->count, d = model->dimension;
    char kernel[SFGP_KERNEL_SIZE];
    double frame[4] = {model->frame.centre[0], model->frame.centre[1], model->frame.centre[2]};
    frame[d] = model->frame.scale;
    sfgp_kernel_format(&model->kernel_terms, kernel);
    sfgp_hdf5_write_number(file, SFGP_MODEL_GROUP "/version", SFGP_HDF5_INT32, SFGP_MODEL_VERSION);
    sfgp_hdf5_write_matrix(file, SFGP_MODEL_GROUP "/reference", n, d, model->original);
    sfgp_hdf5_write_numbers(file, SFGP_MODEL_GROUP "/frame", SFGP_HDF5_FLOAT64, 1, (const int64_t[]){d + 1},
                            frame);
    if (d == 3)
        sfgp_hdf5_write_matrix(file, SFGP_MODEL_GROUP "/axes", d, d, model->frame.axes);
    sfgp_hdf5_write_matrix(file, SFGP_MODEL_GROUP "/mean", n, d, model->basis.mean);
    write_factor(file, model);
    const sfgp_status status = sfgp_model_write_field(context, file, model->field);
    write_faces(file, model);
    sfgp_hdf5_write_text(file, SFGP_MODEL_GROUP "/kernel", kernel);
    sfgp_hdf5_write_text(file, SFGP_MODEL_GROUP "/prior", model->kernel);
    sfgp_hdf5_write_checksum(file, SFGP_MODEL_GROUP "/checksum");
    return status;
}

/* ---- the whole file ---------------------------------------------------------------------------------- */

sfgp_status sfgp_model_write(sfgp_context *context, const sfgp_model *model, const char *path)
{
    sfgp_hdf5 *file = NULL;
    sfgp_modes modes = {0};
    if (!context || !model || !path)
        return SFGP_ERROR_PARAMETER;
    const int before = sfgp_threads_begin(1, 0);
    sfgp_model view;
    sfgp_status status = sfgp_model_with_columns(context, model, &view);
    if (status == SFGP_OK)
        status = sfgp_modes_new(context, &view, &modes);
    if (status == SFGP_OK)
        status = sfgp_hdf5_new(context, &file);
    if (status == SFGP_OK)
        status = sfgp_statismo_write(context, file, &view, &modes);
    if (status == SFGP_OK)
        status = sfgp_model_write_group(context, file, model);
    if (status == SFGP_OK)
        status = sfgp_hdf5_save(file, path);
    sfgp_hdf5_free(file);
    sfgp_modes_clear(&modes);
    sfgp_model_with_columns_clear(model, &view);
    sfgp_threads_end(before);
    return status;
}
