/* The group /sfgp, read back: everything is checked before it is believed. */
#include "base/memory.h"
#include "linalg/dense.h"
#include "model/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- arrays of /sfgp --------------------------------------------------------------------------------- */

/* A data set of the given rank; rows, if not below 0, is the first size. Its values are the caller's. */
static sfgp_status take_values(sfgp_hdf5 *file, const char *name, int rank, int64_t rows, int64_t *columns,
                               double **values)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_array(file, name, &array);
    if (status != SFGP_OK)
        return status;
    if (array->rank != rank || (rows >= 0 && array->shape[0] != rows))
        status = sfgp_hdf5_fail(file, name, "its shape does not fit the others");
    for (int64_t k = 0; status == SFGP_OK && k < array->shape[0] * array->shape[1]; k++)
        if (!isfinite(array->values[k]))
            status = sfgp_hdf5_fail(file, name, "value %lld is not finite", (long long)k);
    if (status == SFGP_OK) {
        *columns = rank == 2 ? array->shape[1] : array->shape[0];
        *values = array->values;
        array->values = NULL;
    }
    sfgp_array_free(array);
    return status;
}

static sfgp_status take_matrix(sfgp_hdf5 *file, const char *name, int64_t rows, int64_t columns,
                               double **values)
{
    int64_t found = 0;
    sfgp_status status = take_values(file, name, 2, rows, &found, values);
    return status == SFGP_OK && found != columns
               ? sfgp_hdf5_fail(file, name, "its shape does not fit the others")
               : status;
}

/* Whole numbers from 0 to most. */
static sfgp_status take_integers(sfgp_hdf5 *file, sfgp_context *context, const char *name, int64_t most,
                                 int64_t *count, int64_t **integers)
{
    double *values = NULL;
    sfgp_status status = take_values(file, name, 1, -1, count, &values);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, *count, integers);
    for (int64_t k = 0; status == SFGP_OK && k < *count; k++)
        if (values[k] >= 0 && values[k] <= (double)most && values[k] == floor(values[k]))
            (*integers)[k] = (int64_t)values[k];
        else
            status = sfgp_hdf5_fail(file, name, "value %lld is %g, not a whole number from 0 to %lld",
                                    (long long)k, values[k], (long long)most);
    sfgp_free(values);
    return status;
}

/* ---- /sfgp ------------------------------------------------------------------------------------------- */

static sfgp_status take_number(sfgp_hdf5 *file, const char *name, double least, double most, double *value)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_array(file, name, &array);
    if (status != SFGP_OK)
        return status;
    if (array->rank != 0 || !(array->values[0] >= least && array->values[0] <= most))
        status = sfgp_hdf5_fail(file, name, "it is not one number from %g to %g", least, most);
    else
        *value = array->values[0];
    sfgp_array_free(array);
    return status;
}

static sfgp_status take_version(sfgp_hdf5 *file)
{
    double version = 0;
    sfgp_status status = take_number(file, SFGP_MODEL_GROUP "/version", 1, 1e6, &version);
    return status == SFGP_OK && version > SFGP_MODEL_VERSION
               ? sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/version",
                                "it is %g and this program reads up to %d: use a newer one", version,
                                SFGP_MODEL_VERSION)
               : status;
}

static sfgp_status take_frame(sfgp_hdf5 *file, sfgp_model *model)
{
    double *values = NULL;
    int64_t count = 0;
    const int d = model->dimension;
    sfgp_status status = take_values(file, SFGP_MODEL_GROUP "/frame", 1, d + 1, &count, &values);
    if (status == SFGP_OK && !(values[d] > 0))
        status = sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/frame", "its scale is %g, not positive", values[d]);
    if (status == SFGP_OK) {
        model->frame = (sfgp_frame){.dimension = d, .scale = values[d]};
        memcpy(model->frame.centre, values, (size_t)d * sizeof *values);
    }
    sfgp_free(values);
    return status;
}

/* Points as given; in the frame they are computed as they were when the model was made. */
static sfgp_status take_points(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    int64_t d = 0;
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_array(file, SFGP_MODEL_GROUP "/reference", &array);
    if (status != SFGP_OK)
        return status;
    d = array->shape[1];
    if (array->rank != 2 || d < 2 || d > 3 || array->shape[0] < d + 1)
        status = sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/reference", "it is not points x 2 or 3");
    if (status == SFGP_OK) {
        model->count = model->basis.count = array->shape[0];
        model->dimension = model->basis.dimension = (int)d;
        model->original = array->values;
        array->values = NULL;
        status = sfgp_allocate(context, model->count * d, &model->reference);
    }
    sfgp_array_free(array);
    if (status == SFGP_OK && (status = take_frame(file, model)) == SFGP_OK)
        sfgp_frame_enter(&model->frame, model->count, model->original, model->reference);
    return status == SFGP_OK
               ? take_matrix(file, SFGP_MODEL_GROUP "/mean", model->count, d, &model->basis.mean)
               : status;
}

static sfgp_status take_factor(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    const int64_t n = model->count;
    int64_t pivots = 0;
    sfgp_status status = SFGP_OK;
    model->basis.scalar.rows = n;
    if (sfgp_hdf5_has(file, SFGP_MODEL_GROUP "/scalar"))
        status = take_values(file, SFGP_MODEL_GROUP "/scalar", 2, n, &model->basis.scalar.rank,
                             &model->basis.scalar.values);
    else
        status = sfgp_allocate(context, 0, &model->basis.scalar.values);
    if (status == SFGP_OK && sfgp_hdf5_has(file, SFGP_MODEL_GROUP "/pivots")) {
        status = take_integers(file, context, SFGP_MODEL_GROUP "/pivots", n - 1, &pivots,
                               &model->basis.scalar.pivots);
        if (status == SFGP_OK && pivots != model->basis.scalar.rank)
            status = sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/pivots", "it is not one for every column");
    }
    if (status == SFGP_OK && sfgp_hdf5_has(file, SFGP_MODEL_GROUP "/pca"))
        status = take_values(file, SFGP_MODEL_GROUP "/pca", 2, n * model->dimension, &model->basis.pca.modes,
                             &model->basis.pca.factor);
    if (status == SFGP_OK && model->basis.scalar.rank + model->basis.pca.modes == 0)
        status = sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/scalar", "a model without a factor cannot move");
    return status == SFGP_OK
               ? take_number(file, SFGP_MODEL_GROUP "/residual", 0, HUGE_VAL, &model->basis.scalar.residual)
               : status;
}

static sfgp_status take_faces(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    int64_t starts = 0, corners = 0;
    sfgp_status status = SFGP_OK;
    if (!sfgp_hdf5_has(file, SFGP_MODEL_GROUP "/face_start"))
        return SFGP_OK;
    if ((status = take_integers(file, context, SFGP_MODEL_GROUP "/face_start", INT32_MAX, &starts,
                                &model->face_start)) != SFGP_OK ||
        (status = take_integers(file, context, SFGP_MODEL_GROUP "/face_points", model->count - 1, &corners,
                                &model->face_points)) != SFGP_OK)
        return status;
    model->face_count = starts > 0 ? starts - 1 : 0;
    for (int64_t f = 0; f < model->face_count; f++)
        if (model->face_start[0] != 0 || model->face_start[f + 1] < model->face_start[f] + 3 ||
            model->face_start[f + 1] > corners)
            return sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/face_start", "face %lld is not a face",
                                  (long long)f);
    return SFGP_OK;
}

static sfgp_status take_texts(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    char kernel[SFGP_KERNEL_SIZE];
    sfgp_status status = sfgp_hdf5_text(file, SFGP_MODEL_GROUP "/kernel", sizeof kernel, kernel);
    if (status == SFGP_OK)
        status = sfgp_hdf5_text(file, SFGP_MODEL_GROUP "/prior", sizeof model->kernel, model->kernel);
    if (status == SFGP_OK && sfgp_kernel_parse(context, kernel, &model->kernel_terms) != SFGP_OK)
        status = sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/kernel", "'%.200s' is not a kernel", kernel);
    return status;
}

/* Before it is read: the sum of what was read so far. */
static sfgp_status check_sum(sfgp_hdf5 *file)
{
    char stored[SFGP_MODEL_CHECKSUM_SIZE], found[SFGP_MODEL_CHECKSUM_SIZE];
    snprintf(found, sizeof found, "%016" PRIx64, sfgp_hdf5_checksum(file));
    sfgp_status status = sfgp_hdf5_text(file, SFGP_MODEL_GROUP "/checksum", sizeof stored, stored);
    return status == SFGP_OK && strcmp(stored, found) != 0
               ? sfgp_hdf5_fail(file, SFGP_MODEL_GROUP "/checksum",
                                "the numbers of the file are not those that were written: it is damaged or "
                                "was edited; without the group " SFGP_MODEL_GROUP
                                " it is read as a plain shape model")
               : status;
}

static sfgp_status take(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    sfgp_status status = SFGP_OK;
    if ((status = take_version(file)) != SFGP_OK || (status = take_points(file, context, model)) != SFGP_OK ||
        (status = take_factor(file, context, model)) != SFGP_OK ||
        (status = take_faces(file, context, model)) != SFGP_OK ||
        (status = take_texts(file, context, model)) != SFGP_OK)
        return status;
    return check_sum(file);
}

sfgp_status sfgp_model_take(sfgp_context *context, sfgp_hdf5 *file, sfgp_model **model)
{
    sfgp_model *made = NULL;
    sfgp_status status = sfgp_dense_prepare(context);
    *model = NULL;
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = take(file, context, made);
    if (status == SFGP_OK)
        *model = made;
    else
        sfgp_model_free(made);
    return status;
}
