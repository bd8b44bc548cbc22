/* Writing of the Statismo layout: texts, representer and components, from a model (docs/models.md). */
#include "model/statismo.h"
#include "base/memory.h"

#include <stdio.h>

/* Equal models are equal files: no time is written where the layout asks for one. */
#define NO_TIME "not recorded"

static const struct {
    const char *name;
    bool faces; /* only there with faces */
} ARRAYS[] = {{"/representer/points", false}, {"/representer/cells", true},  {"/model/mean", false},
              {"/model/pcaBasis", false},     {"/model/pcaVariance", false}, {"/model/noiseVariance", false}};

/* ---- texts ------------------------------------------------------------------------------------------- */

static void write_head(sfgp_hdf5 *file, const sfgp_model *model)
{
    sfgp_hdf5_write_number(file, "/version/majorVersion", SFGP_HDF5_INT32, 0);
    sfgp_hdf5_write_number(file, "/version/minorVersion", SFGP_HDF5_INT32, 9);
    sfgp_hdf5_write_group(file, "/representer");
    sfgp_hdf5_write_text(file, "/representer@name", "itkStandardMeshRepresenter");
    sfgp_hdf5_write_text(file, "/representer@version", "0.9");
    sfgp_hdf5_write_text(file, "/representer@version/majorVersion", "0");
    sfgp_hdf5_write_text(file, "/representer@version/minorVersion", "9");
    sfgp_hdf5_write_text(file, "/representer@datasetType",
                         model->face_count > 0 ? "POLYGON_MESH" : "POINT_SET");
}

static void write_info(sfgp_hdf5 *file, const sfgp_model *model)
{
    char kernel[SFGP_KERNEL_SIZE], residual[SFGP_NUMBER_SIZE];
    sfgp_kernel_format(&model->kernel_terms, kernel);
    sfgp_number_format(model->basis.scalar.residual, residual);
    sfgp_hdf5_write_text(file, "/modelinfo/build-time", NO_TIME);
    sfgp_hdf5_write_text(file, "/modelinfo/modelBuilder-0/builderName", "sfgp " SFGP_VERSION);
    sfgp_hdf5_write_text(file, "/modelinfo/modelBuilder-0/buildTime", NO_TIME);
    sfgp_hdf5_write_group(file, "/modelinfo/modelBuilder-0/dataInfo");
    sfgp_hdf5_write_text(file, "/modelinfo/modelBuilder-0/parameters/kernel", kernel);
    sfgp_hdf5_write_text(file, "/modelinfo/modelBuilder-0/parameters/prior", model->kernel);
    sfgp_hdf5_write_text(file, "/modelinfo/modelBuilder-0/parameters/residual", residual);
}

/* ---- representer ------------------------------------------------------------------------------------- */

/* One row an axis. */
static void write_points(sfgp_hdf5 *file, const sfgp_model *model, double *room)
{
    const int64_t n = model->count, d = model->dimension;
    for (int64_t k = 0; k < n * d; k++)
        room[k % d * n + k / d] = model->original[k];
    sfgp_hdf5_write_numbers(file, "/representer/points", SFGP_HDF5_FLOAT32, 2, (const int64_t[]){d, n}, room);
}

static int64_t count_triangles(const sfgp_model *model)
{
    return model->face_count > 0 ? model->face_start[model->face_count] - 2 * model->face_count : 0;
}

/* Triangles from the first corner of each face; cells: 3 x count. */
static void cut_faces(const sfgp_model *model, int64_t count, double *cells)
{
    int64_t t = 0;
    for (int64_t f = 0; f < model->face_count; f++) {
        const int64_t *corner = model->face_points + model->face_start[f];
        for (int64_t k = 1; k + 1 < model->face_start[f + 1] - model->face_start[f]; k++, t++) {
            cells[t] = (double)corner[0];
            cells[count + t] = (double)corner[k];
            cells[2 * count + t] = (double)corner[k + 1];
        }
    }
}

static sfgp_status write_cells(sfgp_context *context, sfgp_hdf5 *file, const sfgp_model *model)
{
    const int64_t count = count_triangles(model);
    double *cells = NULL;
    if (model->face_count == 0)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate_bytes(context, 3, count * (int64_t)sizeof *cells, (void **)&cells);
    if (status == SFGP_OK) {
        cut_faces(model, count, cells);
        sfgp_hdf5_write_numbers(file, "/representer/cells", SFGP_HDF5_INT32, 2, (const int64_t[]){3, count},
                                cells);
    }
    sfgp_free(cells);
    return status;
}

/* ---- model ------------------------------------------------------------------------------------------- */

static void write_mean(sfgp_hdf5 *file, const sfgp_model *model, double *room)
{
    sfgp_frame_leave(&model->frame, model->count, model->basis.mean, room);
    sfgp_hdf5_write_numbers(file, "/model/mean", SFGP_HDF5_FLOAT32, 1,
                            (const int64_t[]){model->count * model->dimension}, room);
}

static sfgp_status write_modes(sfgp_context *context, sfgp_hdf5 *file, const sfgp_model *model,
                               const sfgp_modes *modes)
{
    const int64_t size = model->count * model->dimension;
    const double unit = model->frame.scale * model->frame.scale;
    double *basis = NULL, *variance = NULL;
    sfgp_status status = sfgp_modes_basis(context, model, modes, &basis);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, modes->count, &variance);
    if (status == SFGP_OK) {
        sfgp_frame_leave_columns(&model->frame, model->count, modes->count, basis);
        for (int64_t k = 0; k < modes->count; k++)
            variance[k] = unit * modes->variance[k];
        sfgp_hdf5_write_numbers(file, "/model/pcaBasis", SFGP_HDF5_FLOAT32, 2,
                                (const int64_t[]){size, modes->count}, basis);
        sfgp_hdf5_write_numbers(file, "/model/pcaVariance", SFGP_HDF5_FLOAT32, 1,
                                (const int64_t[]){modes->count}, variance);
        sfgp_hdf5_write_number(file, "/model/noiseVariance", SFGP_HDF5_FLOAT32, 0);
    }
    sfgp_free(basis);
    sfgp_free(variance);
    return status;
}

sfgp_status sfgp_statismo_write(sfgp_context *context, sfgp_hdf5 *file, const sfgp_model *model,
                                const sfgp_modes *modes)
{
    double *room = NULL;
    sfgp_status status = sfgp_allocate(context, model->count * model->dimension, &room);
    if (status != SFGP_OK)
        return status;
    write_head(file, model);
    write_info(file, model);
    sfgp_hdf5_checksum_start(file);
    write_points(file, model, room);
    if ((status = write_cells(context, file, model)) == SFGP_OK) {
        write_mean(file, model, room);
        status = write_modes(context, file, model, modes);
    }
    sfgp_free(room);
    return status;
}

sfgp_status sfgp_statismo_add_checksum(sfgp_hdf5 *file)
{
    sfgp_array *array = NULL;
    sfgp_status status = SFGP_OK;
    if (sfgp_hdf5_is_sealed(file))
        return SFGP_OK;
    sfgp_hdf5_checksum_start(file);
    for (size_t k = 0; status == SFGP_OK && k < sizeof ARRAYS / sizeof *ARRAYS; k++)
        if (!ARRAYS[k].faces || sfgp_hdf5_has(file, ARRAYS[k].name)) {
            status = sfgp_hdf5_read_array(file, ARRAYS[k].name, &array);
            sfgp_array_free(array);
        }
    return status;
}
