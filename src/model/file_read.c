/* The group /sfgp of a model file (docs/models.md), read back. Every size is compared with the others
 * before it is used, and the checksum covers all. */
#include "base/memory.h"
#include "io/hdf5_group.h"
#include "linalg/dense.h"
#include "model/file.h"
#include "model/standard.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NAME(name) SFGP_MODEL_GROUP "/" name

/* ---- points ------------------------------------------------------------------------------------------ */

/* A' A = I, to the digits of a file. */
static bool are_axes(const double *a)
{
    double off = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            off = fmax(off, fabs(a[i] * a[j] + a[3 + i] * a[3 + j] + a[6 + i] * a[6 + j] - (i == j)));
    return off < 1e-9;
}

/* Files of before ADR 0083 do not have them. */
static sfgp_status read_axes(sfgp_hdf5 *file, sfgp_frame *frame)
{
    int64_t columns = 3;
    double *axes = NULL;
    if (!sfgp_hdf5_has(file, NAME("axes")))
        return SFGP_OK;
    if (frame->dimension != 3)
        return sfgp_hdf5_fail(file, NAME("axes"), "the points are not in 3D");
    sfgp_status status = sfgp_hdf5_read_matrix(file, NAME("axes"), 3, &columns, &axes);
    if (status == SFGP_OK && !are_axes(axes))
        status = sfgp_hdf5_fail(file, NAME("axes"), "its rows are not unit vectors at right angles");
    if (status == SFGP_OK)
        sfgp_frame_set_axes(axes, frame);
    sfgp_free(axes);
    return status;
}

static sfgp_status read_frame(sfgp_hdf5 *file, sfgp_model *model)
{
    const int d = model->dimension;
    double values[4];
    sfgp_status status = sfgp_hdf5_read_values(file, NAME("frame"), d + 1, values);
    if (status != SFGP_OK)
        return status;
    if (!(values[d] > 0))
        return sfgp_hdf5_fail(file, NAME("frame"), "its scale is %g, not positive", values[d]);
    model->frame = sfgp_frame_plain(d);
    model->frame.scale = values[d];
    memcpy(model->frame.centre, values, (size_t)d * sizeof *values);
    return read_axes(file, &model->frame);
}

static sfgp_status read_reference(sfgp_hdf5 *file, sfgp_model *model)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_read_finite(file, NAME("reference"), &array);
    if (status != SFGP_OK)
        return status;
    const int64_t d = array->shape[1];
    if (array->rank != 2 || d < 2 || d > 3 || array->shape[0] < d + 1) {
        status = sfgp_hdf5_fail(file, NAME("reference"), "it is not points x 2 or 3");
    } else {
        model->count = model->basis.count = array->shape[0];
        model->dimension = model->basis.dimension = (int)d;
        model->original = array->values;
        array->values = NULL;
    }
    sfgp_array_free(array);
    return status;
}

/* In its frame a reference is about the origin with the RMS radius 1, which strays make larger. Where squares are not finite,
 * no point has neighbours. */
static sfgp_status check_frame(sfgp_hdf5 *file, const sfgp_model *model)
{
    double square = 0;
    for (int64_t k = 0; k < model->count * model->dimension; k++)
        square += model->reference[k] * model->reference[k] / (double)model->count;
    return square > 0.01 && square <= DBL_MAX
               ? SFGP_OK
               : sfgp_hdf5_fail(file, NAME("frame"), "it is not the frame of " NAME("reference"));
}

/* Points in the frame are computed from the given ones as they were when the model was made. */
static sfgp_status read_points(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    sfgp_status status = SFGP_OK;
    if ((status = read_reference(file, model)) != SFGP_OK || (status = read_frame(file, model)) != SFGP_OK ||
        (status = sfgp_allocate(context, model->count * model->dimension, &model->reference)) != SFGP_OK)
        return status;
    sfgp_frame_enter(&model->frame, model->count, model->original, model->reference);
    int64_t d = model->dimension;
    status = check_frame(file, model);
    return status == SFGP_OK ? sfgp_hdf5_read_matrix(file, NAME("mean"), model->count, &d, &model->basis.mean)
                             : status;
}

/* ---- factor ------------------------------------------------------------------------------------------ */

/* At most so many columns as a factor of ours can have. The squares of their number, too, are then in proportion to the file. */
static sfgp_status read_columns(sfgp_hdf5 *file, const char *name, int64_t rows, int64_t most,
                                int64_t *columns, double **values)
{
    sfgp_status status = sfgp_hdf5_read_matrix(file, name, rows, columns, values);
    return status == SFGP_OK && (*columns < 1 || *columns > most)
               ? sfgp_hdf5_fail(file, name, "it has %lld columns, expected 1 to %lld", (long long)*columns,
                                (long long)most)
               : status;
}

/* How many columns are along the surface. */
static sfgp_status read_surface(sfgp_hdf5 *file, sfgp_factor *scalar)
{
    double count = 0;
    if (!sfgp_hdf5_has(file, NAME("surface")))
        return SFGP_OK;
    const sfgp_status status = sfgp_hdf5_read_number(file, NAME("surface"), 0, (double)scalar->rows, &count);
    scalar->surface = (int64_t)count;
    return status;
}

static sfgp_status read_pivots(sfgp_hdf5 *file, sfgp_factor *scalar)
{
    int64_t count = 0;
    if (!sfgp_hdf5_has(file, NAME("pivots")))
        return SFGP_OK;
    sfgp_status status =
        sfgp_hdf5_read_integers(file, NAME("pivots"), scalar->rows - 1, &count, &scalar->pivots);
    return status == SFGP_OK && count != scalar->rank - scalar->surface
               ? sfgp_hdf5_fail(file, NAME("pivots"), "it is not one for every column in space")
               : status;
}

/* Files of before ADR 0067 do not have it. */
static sfgp_status read_unspanned(sfgp_hdf5 *file, sfgp_pca *pca)
{
    if (sfgp_hdf5_has(file, NAME("unspanned")))
        return sfgp_hdf5_read_number(file, NAME("unspanned"), 0, HUGE_VAL, &pca->unspanned);
    pca->unspanned = pca->modes > 0 ? -1 : 0;
    return SFGP_OK;
}

/* A factor in space has at most as many columns as rows: no matrix has a larger rank. The columns along the surface are another
 * factor. */
static sfgp_status read_scalar(sfgp_hdf5 *file, sfgp_context *context, sfgp_factor *scalar)
{
    sfgp_status status = read_surface(file, scalar);
    if (status == SFGP_OK)
        status = sfgp_hdf5_has(file, NAME("scalar"))
                     ? read_columns(file, NAME("scalar"), scalar->rows, scalar->rows + scalar->surface,
                                    &scalar->rank, &scalar->values)
                     : sfgp_allocate(context, 0, &scalar->values);
    return status == SFGP_OK && scalar->surface > scalar->rank
               ? sfgp_hdf5_fail(file, NAME("surface"), "it is more than the columns")
               : status;
}

/* Of d N rows. The modes of a posterior stand for up to N columns in space, N along the surface and N of a field, for each of d axes,
 * and for up to d N modes of the fit (deformation/posterior.c). */
static sfgp_status read_modes(sfgp_hdf5 *file, sfgp_context *context, int64_t rows, sfgp_pca *pca)
{
    return sfgp_hdf5_has(file, NAME("pca"))
               ? read_columns(file, NAME("pca"), rows, 4 * rows, &pca->modes, &pca->factor)
               : sfgp_allocate(context, 0, &pca->factor);
}

static sfgp_status read_factor(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    sfgp_factor *scalar = &model->basis.scalar;
    scalar->rows = model->count;
    sfgp_status status = read_scalar(file, context, scalar);
    if (status == SFGP_OK)
        status = read_pivots(file, scalar);
    if (status == SFGP_OK)
        status = read_modes(file, context, model->count * model->dimension, &model->basis.pca);
    if (status == SFGP_OK)
        status = sfgp_hdf5_read_number(file, NAME("residual"), 0, HUGE_VAL, &scalar->residual);
    return status == SFGP_OK ? read_unspanned(file, &model->basis.pca) : status;
}

/* ---- faces and texts --------------------------------------------------------------------------------- */

static sfgp_status check_faces(sfgp_hdf5 *file, const sfgp_model *model, int64_t corners)
{
    for (int64_t f = 0; f < model->face_count; f++)
        if (model->face_start[0] != 0 || model->face_start[f + 1] < model->face_start[f] + 3 ||
            model->face_start[f + 1] > corners)
            return sfgp_hdf5_fail(file, NAME("face_start"), "face %lld is not a face", (long long)f);
    return SFGP_OK;
}

static sfgp_status read_faces(sfgp_hdf5 *file, sfgp_model *model)
{
    int64_t starts = 0, corners = 0;
    sfgp_status status = SFGP_OK;
    if (!sfgp_hdf5_has(file, NAME("face_start")))
        return SFGP_OK;
    if ((status = sfgp_hdf5_read_integers(file, NAME("face_start"), INT32_MAX, &starts,
                                          &model->face_start)) != SFGP_OK ||
        (status = sfgp_hdf5_read_integers(file, NAME("face_points"), model->count - 1, &corners,
                                          &model->face_points)) != SFGP_OK)
        return status;
    model->face_count = starts > 0 ? starts - 1 : 0;
    return check_faces(file, model, corners);
}

static sfgp_status read_texts(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    char kernel[SFGP_KERNEL_SIZE];
    sfgp_status status = sfgp_hdf5_read_text(file, NAME("kernel"), sizeof kernel, kernel);
    if (status == SFGP_OK)
        status = sfgp_hdf5_read_text(file, NAME("prior"), sizeof model->kernel, model->kernel);
    if (status == SFGP_OK && sfgp_kernel_parse(context, kernel, &model->kernel_terms) != SFGP_OK)
        status = sfgp_hdf5_fail(file, NAME("kernel"), "'%.200s' is not a kernel", kernel);
    if (status == SFGP_OK && sfgp_basis_size(&model->basis) == 0 && !sfgp_kernel_sparse(&model->kernel_terms))
        status = sfgp_hdf5_fail(file, NAME("scalar"), "a model without a factor cannot move");
    return status;
}

/* ---- the group --------------------------------------------------------------------------------------- */

static sfgp_status read_group(sfgp_hdf5 *file, sfgp_context *context, sfgp_model *model)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_hdf5_check_version(file, NAME("version"), SFGP_MODEL_VERSION)) != SFGP_OK ||
        (status = read_points(file, context, model)) != SFGP_OK ||
        (status = read_factor(file, context, model)) != SFGP_OK ||
        (status = sfgp_model_read_field(context, file, model)) != SFGP_OK ||
        (status = read_faces(file, model)) != SFGP_OK ||
        (status = read_texts(file, context, model)) != SFGP_OK ||
        (status = sfgp_hdf5_check_checksum(file, NAME("checksum"))) != SFGP_OK)
        return status;
    status = sfgp_model_restore_field(context, file, model);
    return status == SFGP_OK ? sfgp_model_find_symmetry(context, model) : status;
}

sfgp_status sfgp_model_read_group(sfgp_context *context, sfgp_hdf5 *file, sfgp_model **model)
{
    sfgp_model *made = NULL;
    sfgp_status status = sfgp_dense_prepare(context);
    *model = NULL;
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = read_group(file, context, made);
    if (status == SFGP_OK)
        *model = made;
    else
        sfgp_model_free(made);
    return status;
}
