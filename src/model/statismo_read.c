/* Reading of the Statismo layout, with the tolerance that docs/models.md lists: every number type, points,
 * cells and basis either way round, fixed and variable texts, versions 0.8 and 0.9. */
#include "base/memory.h"
#include "geom/inspect.h"
#include "io/hdf5_group.h"
#include "linalg/dense.h"
#include "model/statismo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What stands in the file. */
typedef struct layout {
    sfgp_context *context;
    sfgp_hdf5 *file;
    const char *root;
    bool scaled; /* 0.8: the basis is U sqrt(lambda) */
    sfgp_mesh *reference;
    sfgp_array *mean, *basis, *variance;
} layout;

static const char *name_of(const layout *l, const char *name, char text[SFGP_TEXT_SIZE])
{
    snprintf(text, SFGP_TEXT_SIZE, "%s%s", l->root, name);
    return text;
}

static sfgp_status read_array(const layout *l, const char *name, sfgp_array **array)
{
    char text[SFGP_TEXT_SIZE];
    sfgp_status status = sfgp_hdf5_read_finite(l->file, name_of(l, name, text), array);
    return status == SFGP_OK && (*array)->rank > 2
               ? sfgp_hdf5_fail(l->file, text, "it has too many dimensions")
               : status;
}

static bool has(const layout *l, const char *name)
{
    char text[SFGP_TEXT_SIZE];
    return sfgp_hdf5_has(l->file, name_of(l, name, text));
}

static sfgp_status fail(const layout *l, const char *name, const char *words)
{
    char text[SFGP_TEXT_SIZE];
    return sfgp_hdf5_fail(l->file, name_of(l, name, text), "%s", words);
}

/* ---- version ----------------------------------------------------------------------------------------- */

/* Beside the model or, in a catalogue, at the root of the file; files of 0.8 have no group of this name. */
static sfgp_status read_version(layout *l)
{
    char group[SFGP_TEXT_SIZE], major_name[SFGP_TEXT_SIZE + 16], minor_name[SFGP_TEXT_SIZE + 16];
    double major = 0, minor = 8;
    sfgp_status status = SFGP_OK;
    snprintf(group, sizeof group, "%s/version", has(l, "/version") ? l->root : "");
    snprintf(major_name, sizeof major_name, "%s/majorVersion", group);
    snprintf(minor_name, sizeof minor_name, "%s/minorVersion", group);
    if (sfgp_hdf5_has(l->file, group) &&
        ((status = sfgp_hdf5_read_number(l->file, major_name, 0, 1e6, &major)) != SFGP_OK ||
         (status = sfgp_hdf5_read_number(l->file, minor_name, 0, 1e6, &minor)) != SFGP_OK))
        return status;
    l->scaled = major == 0 && minor == 8;
    if (major != 1 && !(major == 0 && (minor == 8 || minor == 9)))
        return sfgp_hdf5_fail(l->file, major_name, "version %g.%g is not one of 0.8, 0.9 and 1", major,
                              minor);
    return SFGP_OK;
}

/* ---- mean -------------------------------------------------------------------------------------------- */

static int64_t size_of(const sfgp_array *array)
{
    return array->shape[0] * array->shape[1];
}

static sfgp_status read_mean(layout *l)
{
    sfgp_status status = read_array(l, "/model/mean", &l->mean);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is an array when the status is SFGP_OK */
    return status == SFGP_OK && l->mean->rank == 2 && l->mean->shape[0] != 1 && l->mean->shape[1] != 1
               ? fail(l, "/model/mean", "it is not one row of numbers")
               : status;
}

/* ---- representer ------------------------------------------------------------------------------------- */

/* points[axis][i], or points[i][axis] in transposed files: told by the number of axes. */
static sfgp_status copy_points(layout *l, const sfgp_array *points, int64_t faces)
{
    const int64_t size = size_of(l->mean);
    bool by_axis = points->rank == 2 && (points->shape[0] == 2 || points->shape[0] == 3);
    bool by_point = points->rank == 2 && (points->shape[1] == 2 || points->shape[1] == 3);
    const int64_t d = points->shape[by_axis ? 0 : 1], n = points->shape[by_axis ? 1 : 0];
    if (!by_axis && !by_point)
        return fail(l, "/representer/points", "its shape is neither 2 or 3 x points nor points x 2 or 3");
    if (d * n != size)
        return fail(l, "/representer/points", "it has not as many numbers as model/mean");
    sfgp_status status = sfgp_mesh_new(l->context, n, (int)d, faces, 3 * faces, &l->reference);
    for (int64_t k = 0; status == SFGP_OK && k < size; k++)
        l->reference->points[k] = points->values[by_axis ? k % d * n + k / d : k];
    return status;
}

/* cells[corner][f], or cells[f][corner]. */
static sfgp_status copy_cells(layout *l, const sfgp_array *cells)
{
    sfgp_mesh *mesh = l->reference;
    const bool by_corner = cells->shape[0] == 3;
    for (int64_t k = 0; k < 3 * mesh->face_count; k++) {
        double index = cells->values[by_corner ? k % 3 * mesh->face_count + k / 3 : k];
        if (!(index >= 0 && index < (double)mesh->count && index == floor(index)))
            return fail(l, "/representer/cells", "it names a point that is not there");
        mesh->face_points[k] = (int64_t)index;
    }
    for (int64_t f = 0; f < mesh->face_count; f++)
        mesh->face_start[f + 1] = 3 * (f + 1);
    return SFGP_OK;
}

/* Cells of other than three corners are lines or volumes: a fit has no use for them. */
static sfgp_status read_cells(layout *l, sfgp_array **cells, int64_t *faces)
{
    *faces = 0;
    if (!has(l, "/representer/cells"))
        return SFGP_OK;
    sfgp_status status = read_array(l, "/representer/cells", cells);
    if (status != SFGP_OK)
        return status;
    if ((*cells)->rank == 2 && ((*cells)->shape[0] == 3 || (*cells)->shape[1] == 3))
        *faces = (*cells)->shape[(*cells)->shape[0] == 3 ? 1 : 0];
    else
        sfgp_warn(l->context, "the cells of the model are not triangles: its reference is read as points");
    return SFGP_OK;
}

/* Files of 0.8 keep the reference as the bytes of a VTK file; the mean has its points. */
static sfgp_status copy_mean_as_reference(layout *l)
{
    const int64_t size = size_of(l->mean);
    if (size % 3 != 0)
        return fail(l, "/representer/points", "there is none of this name in the file");
    sfgp_warn(l->context, "the reference of the model is kept as a VTK file, which is not read: its mean is "
                          "the reference, without faces");
    return sfgp_mesh_from_points(l->context, size / 3, 3, l->mean->values, &l->reference);
}

static sfgp_status read_reference(layout *l)
{
    sfgp_array *points = NULL, *cells = NULL;
    int64_t faces = 0;
    sfgp_status status = SFGP_OK;
    if (!has(l, "/representer/points") && has(l, "/representer/reference"))
        return copy_mean_as_reference(l);
    if ((status = read_array(l, "/representer/points", &points)) == SFGP_OK &&
        (status = read_cells(l, &cells, &faces)) == SFGP_OK &&
        (status = copy_points(l, points, faces)) == SFGP_OK && faces > 0)
        status = copy_cells(l, cells);
    sfgp_array_free(points);
    sfgp_array_free(cells);
    return status;
}

/* ---- basis ------------------------------------------------------------------------------------------- */

/* A covariance of as many numbers as the mean has cannot have more components. */
static sfgp_status check_variances(const layout *l)
{
    const int64_t modes = size_of(l->variance);
    if (modes < 1 || modes > size_of(l->mean))
        return fail(l, "/model/pcaVariance", "it has no component, or more than model/mean has numbers");
    for (int64_t k = 0; k < modes; k++)
        if (l->variance->values[k] < 0)
            return fail(l, "/model/pcaVariance", "it has a variance below 0");
    return SFGP_OK;
}

static sfgp_status read_basis(layout *l)
{
    const int64_t size = size_of(l->mean);
    sfgp_status status = SFGP_OK;
    if ((status = read_array(l, "/model/pcaVariance", &l->variance)) != SFGP_OK ||
        (status = check_variances(l)) != SFGP_OK ||
        (status = read_array(l, "/model/pcaBasis", &l->basis)) != SFGP_OK)
        return status;
    const int64_t modes = size_of(l->variance);
    if (l->basis->rank != 2 || size_of(l->basis) != size * modes ||
        (l->basis->shape[0] != size && l->basis->shape[0] != modes))
        return fail(l, "/model/pcaBasis", "its shape is not that of model/mean x model/pcaVariance");
    return SFGP_OK;
}

static sfgp_status warn_noise(const layout *l)
{
    sfgp_array *noise = NULL;
    if (!has(l, "/model/noiseVariance"))
        return SFGP_OK;
    const sfgp_status status = read_array(l, "/model/noiseVariance", &noise);
    if (status == SFGP_OK && size_of(noise) > 0 && noise->values[0] > 0)
        sfgp_warn(l->context, "the noise variance %g of the model is left out: its modes alone are the prior",
                  noise->values[0]);
    sfgp_array_free(noise);
    return status;
}

/* ---- the model --------------------------------------------------------------------------------------- */

/* B = U diag(lambda)^1/2 in the frame; modes of variance 0 do not move anything and stay out. */
static sfgp_status scale_basis(const layout *l, sfgp_model *model)
{
    const int64_t size = size_of(l->mean), modes = size_of(l->variance);
    const bool by_mode = l->basis->shape[0] != size;
    int64_t kept = 0;
    for (int64_t k = 0; k < modes; k++)
        model->basis.pca.modes += l->variance->values[k] > 0;
    if (model->basis.pca.modes == 0)
        return fail(l, "/model/pcaVariance", "all variances are 0: nothing can move");
    sfgp_status status =
        sfgp_allocate_bytes(l->context, size, model->basis.pca.modes * (int64_t)sizeof(double),
                            (void **)&model->basis.pca.factor);
    for (int64_t k = 0; status == SFGP_OK && k < modes; k++) {
        const double variance = l->variance->values[k];
        const double factor = (l->scaled ? 1 : sqrt(variance)) / model->frame.scale;
        for (int64_t row = 0; variance > 0 && row < size; row++)
            model->basis.pca.factor[row * model->basis.pca.modes + kept] =
                factor * l->basis->values[by_mode ? k * size + row : row * modes + k];
        kept += variance > 0;
    }
    if (status == SFGP_OK)
        sfgp_frame_enter_columns(&model->frame, model->count, model->basis.pca.modes,
                                 model->basis.pca.factor);
    return status;
}

static sfgp_status read_layout(layout *l, sfgp_model *model)
{
    sfgp_status status = SFGP_OK;
    if ((status = read_version(l)) != SFGP_OK || (status = read_mean(l)) != SFGP_OK ||
        (status = read_reference(l)) != SFGP_OK || (status = read_basis(l)) != SFGP_OK ||
        (status = warn_noise(l)) != SFGP_OK ||
        (status = sfgp_inspect_reference(l->context, l->reference, &model->frame)) != SFGP_OK ||
        (status = sfgp_dense_prepare(l->context)) != SFGP_OK ||
        (status = sfgp_frame_turn(l->context, l->reference, &model->frame)) != SFGP_OK ||
        (status = sfgp_allocate(l->context, 0, &model->basis.scalar.values)) != SFGP_OK ||
        (status = sfgp_model_place(l->context, l->reference, model)) != SFGP_OK)
        return status;
    sfgp_frame_enter_exactly(&model->frame, model->count, l->mean->values, model->basis.mean);
    model->basis.scalar.rows = model->count;
    model->basis.pca.unspanned = -1;
    snprintf(model->kernel, sizeof model->kernel, "pca");
    return scale_basis(l, model);
}

sfgp_status sfgp_statismo_read(sfgp_context *context, sfgp_hdf5 *file, const char *root, sfgp_model **model)
{
    layout l = {.context = context, .file = file, .root = root};
    sfgp_model *made = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &made);
    *model = NULL;
    if (status == SFGP_OK)
        status = read_layout(&l, made);
    sfgp_mesh_free(l.reference);
    sfgp_array_free(l.mean);
    sfgp_array_free(l.basis);
    sfgp_array_free(l.variance);
    if (status == SFGP_OK)
        *model = made;
    else
        sfgp_model_free(made);
    return status;
}
