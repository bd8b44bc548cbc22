/* A saved fit: the model's group (model/file.h) and beside it
 *     /fit/version, /fit/outcome; version 2 where there is a size or a symmetry, which earlier readers do not know
 *     /fit/points      N x d, unit of the files
 *     /fit/spread      N, squared frame units, of either sign; absent where it is 0 at all points
 *     /fit/pose        rotation d x d, shift d in the frame; absent when it is the identity
 *     /fit/size        of the fit, times that of the reference; absent when it is 1
 *     /fit/symmetry    the axis of the frame across the plane of symmetry, from 1; absent without one
 *     /fit/posterior   L and c: scalar, across, pca, cross, scalar_coefficients, pca_coefficients (gpr/posterior.h)
 *     /fit/eliminated  scalar, pca: P^-1 W B of a field in the sparse form; absent without one
 *     /fit/weights     N: W of that field; absent without one
 *     /fit/checksum    over all of that */
#include "base/threads.h"
#include "deformation/deformation.h"
#include "geom/rotations.h"
#include "gpr/normal.h"
#include "io/hdf5_group.h"
#include "model/file.h"

#include <math.h>
#include <string.h>

#define GROUP "/fit"
enum { VERSION = 2, VERSION_PLAIN = 1 };
#define TURN GROUP "/pose/rotation"
#define SHIFT GROUP "/pose/shift"
#define SIZE GROUP "/size"
#define SYMMETRY GROUP "/symmetry"
#define ROTATION_GAP 1e-6 /* from R R' = I, in a file */
enum { PART_COUNT = 9, ACROSS = 1, PCA = 2 };

/* A matrix of the posterior, as one vector in the file so that empty ones need no exception. */
typedef struct part {
    const char *name;
    int64_t size;
    double *values;
} part;

static void list_parts(const sfgp_deformation *map, part parts[PART_COUNT])
{
    const int64_t s = map->basis.scalar.rank, p = map->basis.pca.modes, d = map->model->dimension,
                  n = map->eliminated.count;
    const sfgp_normal block = sfgp_normal_parts(&map->basis, map->block);
    const part list[PART_COUNT] = {
        {GROUP "/posterior/scalar", s * s, block.scalar},
        [ACROSS] = {GROUP "/posterior/across", map->basis.across ? s * s : 0, block.across},
        [PCA] = {GROUP "/posterior/pca", p * p, block.pca},
        {GROUP "/posterior/cross", d * s * p, block.cross},
        {GROUP "/posterior/scalar_coefficients", s * d, block.right_scalar},
        {GROUP "/posterior/pca_coefficients", p, block.right_pca},
        {GROUP "/eliminated/scalar", n * s, map->eliminated.scalar.values},
        {GROUP "/eliminated/pca", n * d * p, map->eliminated.pca.factor},
        {GROUP "/weights", n, map->weights}};
    memcpy(parts, list, sizeof list);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static bool any(int64_t count, const double *values)
{
    int64_t k = 0;
    while (k < count && values[k] == 0)
        k++;
    return k < count;
}

static void write_vector(sfgp_hdf5 *file, const char *name, int64_t size, const double *values)
{
    if (size > 0)
        sfgp_hdf5_write_numbers(file, name, SFGP_HDF5_FLOAT64, 1, &size, values);
}

static void write_pose(sfgp_hdf5 *file, int64_t d, const sfgp_similarity *pose)
{
    if (sfgp_similarity_is_identity(pose))
        return;
    sfgp_hdf5_write_matrix(file, TURN, d, d, pose->rotation);
    write_vector(file, SHIFT, d, pose->shift);
}

static void write_fit(sfgp_hdf5 *file, const sfgp_deformation *map)
{
    const int64_t n = map->model->count, d = map->model->dimension;
    part parts[PART_COUNT];
    sfgp_hdf5_checksum_start(file);
    sfgp_hdf5_write_number(file, GROUP "/version", SFGP_HDF5_INT32,
                           map->size != 1 || map->basis.across ? VERSION : VERSION_PLAIN);
    sfgp_hdf5_write_text(file, GROUP "/outcome", sfgp_outcome_name(map->outcome));
    sfgp_hdf5_write_matrix(file, GROUP "/points", n, d, map->points);
    if (any(n, map->extra_variance))
        write_vector(file, GROUP "/spread", n, map->extra_variance);
    write_pose(file, d, &map->pose);
    if (map->size != 1)
        write_vector(file, SIZE, 1, &map->size);
    if (map->basis.across)
        sfgp_hdf5_write_number(file, SYMMETRY, SFGP_HDF5_INT32, map->basis.across);
    list_parts(map, parts);
    for (int k = 0; k < PART_COUNT; k++)
        write_vector(file, parts[k].name, parts[k].size, parts[k].values);
    sfgp_hdf5_write_checksum(file, GROUP "/checksum");
}

sfgp_status sfgp_deformation_write(sfgp_context *context, const sfgp_deformation *deformation,
                                   const char *path)
{
    sfgp_hdf5 *file = NULL;
    sfgp_status status = sfgp_hdf5_new(context, &file);
    if (status == SFGP_OK)
        status = sfgp_model_write_group(context, file, deformation->model);
    if (status == SFGP_OK) {
        write_fit(file, deformation);
        status = sfgp_hdf5_save(file, path);
    }
    sfgp_hdf5_free(file);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static sfgp_status read_outcome(sfgp_hdf5 *file, sfgp_outcome *outcome)
{
    char text[32];
    sfgp_status status = sfgp_hdf5_read_text(file, GROUP "/outcome", sizeof text, text);
    if (status != SFGP_OK)
        return status;
    for (int k = SFGP_CONVERGED; k <= SFGP_DOUBTFUL; k++)
        if (strcmp(text, sfgp_outcome_name((sfgp_outcome)k)) == 0)
            return *outcome = (sfgp_outcome)k, SFGP_OK;
    return sfgp_hdf5_fail(file, GROUP "/outcome", "'%s' is not an outcome", text);
}

static sfgp_status read_pose(sfgp_hdf5 *file, int d, sfgp_similarity *pose)
{
    sfgp_status status = SFGP_OK;
    if (!sfgp_hdf5_has(file, TURN) && !sfgp_hdf5_has(file, SHIFT))
        return SFGP_OK;
    if ((status = sfgp_hdf5_read_values(file, TURN, d * d, pose->rotation)) != SFGP_OK ||
        (status = sfgp_hdf5_read_values(file, SHIFT, d, pose->shift)) != SFGP_OK)
        return status;
    if (!sfgp_rotation_is_orthogonal(pose->rotation, d,
                                     ROTATION_GAP)) /* a reflection is that of the setting mirror */
        return sfgp_hdf5_fail(file, TURN, "it is not a rotation");
    return SFGP_OK;
}

static sfgp_status read_size(sfgp_hdf5 *file, sfgp_deformation *map)
{
    double size = 1;
    const sfgp_status status =
        sfgp_hdf5_has(file, SIZE) ? sfgp_hdf5_read_values(file, SIZE, 1, &size) : SFGP_OK;
    if (status == SFGP_OK && !(size > 0 && isfinite(size)))
        return sfgp_hdf5_fail(file, SIZE, "%g is not a size: it is above 0", size);
    sfgp_deformation_set_size(map, size);
    return status;
}

static sfgp_status read_symmetry(sfgp_hdf5 *file, sfgp_deformation *map)
{
    double axis = 0;
    const sfgp_status status = sfgp_hdf5_has(file, SYMMETRY)
                                   ? sfgp_hdf5_read_number(file, SYMMETRY, 1, map->model->dimension, &axis)
                                   : SFGP_OK;
    if (status == SFGP_OK && axis > 0 && map->basis.pca.modes > 0)
        return sfgp_hdf5_fail(file, SYMMETRY, "it does not go with training shapes");
    map->basis.across = (int)axis;
    return status;
}

/* In the order of write_fit, as the checksum wants it. */
static sfgp_status read_fit(sfgp_hdf5 *file, sfgp_deformation *map)
{
    const int64_t n = map->model->count, d = map->model->dimension;
    part parts[PART_COUNT];
    sfgp_status status = SFGP_OK;
    sfgp_hdf5_checksum_start(file);
    if ((status = sfgp_hdf5_check_version(file, GROUP "/version", VERSION)) != SFGP_OK ||
        (status = read_outcome(file, &map->outcome)) != SFGP_OK ||
        (status = sfgp_hdf5_read_values(file, GROUP "/points", n * d, map->points)) != SFGP_OK)
        return status;
    if (sfgp_hdf5_has(file, GROUP "/spread"))
        status = sfgp_hdf5_read_values(file, GROUP "/spread", n, map->extra_variance);
    if (status == SFGP_OK)
        status = read_pose(file, (int)d, &map->pose);
    if (status == SFGP_OK)
        status = read_size(file, map);
    if (status == SFGP_OK)
        status = read_symmetry(file, map);
    list_parts(map, parts);
    for (int k = 0; status == SFGP_OK && k < PART_COUNT; k++)
        if (parts[k].size > 0)
            status = sfgp_hdf5_read_values(file, parts[k].name, parts[k].size, parts[k].values);
    return status == SFGP_OK ? sfgp_hdf5_check_checksum(file, GROUP "/checksum") : status;
}

/* A factor with a 0 on its diagonal would divide by it. */
static sfgp_status check_diagonal(sfgp_hdf5 *file, const char *name, int64_t m, const double *factor)
{
    for (int64_t k = 0; k < m; k++)
        if (!(factor[k * m + k] > 0))
            return sfgp_hdf5_fail(file, name, "it is not a Cholesky factor");
    return SFGP_OK;
}

static sfgp_status check_factors(sfgp_hdf5 *file, const sfgp_deformation *map)
{
    part parts[PART_COUNT];
    list_parts(map, parts);
    const int64_t s = map->basis.scalar.rank;
    sfgp_status status = check_diagonal(file, parts[0].name, s, parts[0].values);
    if (status == SFGP_OK && map->basis.across)
        status = check_diagonal(file, parts[ACROSS].name, s, parts[ACROSS].values);
    return status == SFGP_OK ? check_diagonal(file, parts[PCA].name, map->basis.pca.modes, parts[PCA].values)
                             : status;
}

static sfgp_status read_file(sfgp_context *context, sfgp_hdf5 *file, sfgp_deformation **made)
{
    sfgp_model *model = NULL;
    sfgp_status status = SFGP_OK;
    if (!sfgp_hdf5_has(file, GROUP "/points"))
        return sfgp_hdf5_fail(file, GROUP "/points",
                              "the file has no fit; sfgp register --save writes files that have one");
    if ((status = sfgp_model_read_group(context, file, &model)) != SFGP_OK)
        return status;
    status = sfgp_deformation_new(context, model, made);
    if (!*made) {
        sfgp_model_free(model);
        return status;
    }
    (*made)->owned = model;
    if (status == SFGP_OK)
        status = read_fit(file, *made);
    return status == SFGP_OK ? check_factors(file, *made) : status;
}

sfgp_status sfgp_deformation_read(sfgp_context *context, const char *path, sfgp_deformation **deformation)
{
    const int before = sfgp_threads_begin(1, 0);
    sfgp_hdf5 *file = NULL;
    sfgp_deformation *made = NULL;
    *deformation = NULL;
    sfgp_status status = sfgp_hdf5_open(context, path, &file);
    if (status == SFGP_OK)
        status = read_file(context, file, &made);
    sfgp_hdf5_free(file);
    if (status == SFGP_OK)
        status = sfgp_deformation_finish(context, made);
    sfgp_threads_end(before);
    if (status == SFGP_OK)
        *deformation = made;
    else
        sfgp_deformation_free(made);
    return status;
}
