/* A saved fit: the model's group (model/file.h) and beside it
 *     /fit/version, /fit/outcome
 *     /fit/points      N x d, unit of the files
 *     /fit/spread      N, squared frame units; absent but for baselines
 *     /fit/pose        rotation d x d, shift d in the frame; absent when it is the identity
 *     /fit/posterior   L and c: scalar, pca, cross, scalar_coefficients, pca_coefficients (gpr/posterior.h)
 *     /fit/checksum    over all of that */
#include "base/memory.h"
#include "base/threads.h"
#include "deformation/deformation.h"
#include "geom/rotations.h"
#include "gpr/normal.h"
#include "io/file.h"
#include "model/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GROUP "/fit"
#define VERSION 1
#define TURN GROUP "/pose/rotation"
#define SHIFT GROUP "/pose/shift"
#define ROTATION_GAP 1e-6 /* from R R' = I, in a file */
enum { CHECKSUM_SIZE = 17, PART_COUNT = 5 };

/* A matrix of the posterior, as one vector in the file so that empty ones need no exception. */
typedef struct part {
    const char *name;
    int64_t size;
    double *values;
} part;

static void list_parts(const sfgp_deformation *map, part parts[PART_COUNT])
{
    const int64_t s = map->model->basis.scalar.rank, p = map->model->basis.pca.modes,
                  d = map->model->dimension;
    const sfgp_normal block = sfgp_normal_parts(&map->model->basis, map->block);
    const part list[PART_COUNT] = {{GROUP "/posterior/scalar", s * s, block.scalar},
                                   {GROUP "/posterior/pca", p * p, block.pca},
                                   {GROUP "/posterior/cross", d * s * p, block.cross},
                                   {GROUP "/posterior/scalar_coefficients", s * d, block.right_scalar},
                                   {GROUP "/posterior/pca_coefficients", p, block.right_pca}};
    memcpy(parts, list, sizeof list);
}

static void sum_text(const sfgp_hdf5 *file, char text[CHECKSUM_SIZE])
{
    snprintf(text, CHECKSUM_SIZE, "%016" PRIx64, sfgp_hdf5_checksum(file));
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static bool any(int64_t count, const double *values)
{
    int64_t k = 0;
    while (k < count && values[k] == 0)
        k++;
    return k < count;
}

static void put_vector(sfgp_hdf5 *file, const char *name, int64_t size, const double *values)
{
    if (size > 0)
        sfgp_hdf5_put(file, name, SFGP_HDF5_FLOAT64, 1, &size, values);
}

static void put_pose(sfgp_hdf5 *file, int64_t d, const sfgp_similarity *pose)
{
    if (sfgp_similarity_is_identity(pose))
        return;
    sfgp_hdf5_put(file, TURN, SFGP_HDF5_FLOAT64, 2, (const int64_t[]){d, d}, pose->rotation);
    put_vector(file, SHIFT, d, pose->shift);
}

static void put_fit(sfgp_hdf5 *file, const sfgp_deformation *map)
{
    const int64_t n = map->model->count, d = map->model->dimension;
    part parts[PART_COUNT];
    char sum[CHECKSUM_SIZE];
    sfgp_hdf5_checksum_start(file);
    sfgp_hdf5_put_number(file, GROUP "/version", SFGP_HDF5_INT32, VERSION);
    sfgp_hdf5_put_text(file, GROUP "/outcome", sfgp_outcome_name(map->outcome));
    sfgp_hdf5_put(file, GROUP "/points", SFGP_HDF5_FLOAT64, 2, (const int64_t[]){n, d}, map->points);
    if (any(n, map->extra_variance))
        put_vector(file, GROUP "/spread", n, map->extra_variance);
    put_pose(file, d, &map->pose);
    list_parts(map, parts);
    for (int k = 0; k < PART_COUNT; k++)
        put_vector(file, parts[k].name, parts[k].size, parts[k].values);
    sum_text(file, sum);
    sfgp_hdf5_put_text(file, GROUP "/checksum", sum);
}

sfgp_status sfgp_deformation_write(sfgp_context *context, const sfgp_deformation *deformation,
                                   const char *path)
{
    sfgp_hdf5 *file = NULL;
    sfgp_status status = sfgp_hdf5_new(context, &file);
    if (status == SFGP_OK) {
        sfgp_model_put(file, deformation->model);
        put_fit(file, deformation);
        status = sfgp_hdf5_save(file, path);
    }
    sfgp_hdf5_free(file);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* size finite numbers, of any rank, into values. */
static sfgp_status take_values(sfgp_hdf5 *file, const char *name, int64_t size, double *values)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_array(file, name, &array);
    if (status != SFGP_OK)
        return status;
    const int64_t found = array->shape[0] * array->shape[1] * array->shape[2] * array->shape[3];
    if (found != size)
        status = sfgp_hdf5_fail(file, name, "%lld numbers, the model asks for %lld", (long long)found,
                                (long long)size);
    for (int64_t k = 0; status == SFGP_OK && k < size; k++)
        if (isfinite(array->values[k]))
            values[k] = array->values[k];
        else
            status = sfgp_hdf5_fail(file, name, "value %lld is not finite", (long long)k);
    sfgp_array_free(array);
    return status;
}

static sfgp_status take_outcome(sfgp_hdf5 *file, sfgp_outcome *outcome)
{
    char text[32];
    sfgp_status status = sfgp_hdf5_text(file, GROUP "/outcome", sizeof text, text);
    if (status != SFGP_OK)
        return status;
    for (int k = SFGP_CONVERGED; k <= SFGP_NO_OVERLAP; k++)
        if (strcmp(text, sfgp_outcome_name((sfgp_outcome)k)) == 0)
            return *outcome = (sfgp_outcome)k, SFGP_OK;
    return sfgp_hdf5_fail(file, GROUP "/outcome", "'%s' is not an outcome", text);
}

static sfgp_status take_version(sfgp_hdf5 *file)
{
    double version = 0;
    sfgp_status status = take_values(file, GROUP "/version", 1, &version);
    if (status == SFGP_OK && version != VERSION)
        return sfgp_hdf5_fail(file, GROUP "/version",
                              "it is %g and this program reads %d: use another release", version, VERSION);
    return status;
}

static sfgp_status take_pose(sfgp_hdf5 *file, int d, sfgp_similarity *pose)
{
    sfgp_status status = SFGP_OK;
    if (!sfgp_hdf5_has(file, TURN) && !sfgp_hdf5_has(file, SHIFT))
        return SFGP_OK;
    if ((status = take_values(file, TURN, d * d, pose->rotation)) != SFGP_OK ||
        (status = take_values(file, SHIFT, d, pose->shift)) != SFGP_OK)
        return status;
    if (!sfgp_rotation_is_proper(pose->rotation, d, ROTATION_GAP))
        return sfgp_hdf5_fail(file, TURN, "it is not a rotation");
    return SFGP_OK;
}

static sfgp_status check_sum(sfgp_hdf5 *file)
{
    char stored[CHECKSUM_SIZE], found[CHECKSUM_SIZE];
    sum_text(file, found);
    sfgp_status status = sfgp_hdf5_text(file, GROUP "/checksum", sizeof stored, stored);
    if (status == SFGP_OK && strcmp(stored, found) != 0)
        return sfgp_hdf5_fail(
            file, GROUP "/checksum",
            "the numbers are not those that were written: the file is damaged or was edited");
    return status;
}

/* In the order of put_fit, as the checksum wants it. */
static sfgp_status take_fit(sfgp_hdf5 *file, sfgp_deformation *map)
{
    const int64_t n = map->model->count, d = map->model->dimension;
    part parts[PART_COUNT];
    sfgp_status status = SFGP_OK;
    sfgp_hdf5_checksum_start(file);
    if ((status = take_version(file)) != SFGP_OK || (status = take_outcome(file, &map->outcome)) != SFGP_OK ||
        (status = take_values(file, GROUP "/points", n * d, map->points)) != SFGP_OK)
        return status;
    if (sfgp_hdf5_has(file, GROUP "/spread"))
        status = take_values(file, GROUP "/spread", n, map->extra_variance);
    if (status == SFGP_OK)
        status = take_pose(file, (int)d, &map->pose);
    list_parts(map, parts);
    for (int k = 0; status == SFGP_OK && k < PART_COUNT; k++)
        if (parts[k].size > 0)
            status = take_values(file, parts[k].name, parts[k].size, parts[k].values);
    return status == SFGP_OK ? check_sum(file) : status;
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
    sfgp_status status = check_diagonal(file, parts[0].name, map->model->basis.scalar.rank, parts[0].values);
    return status == SFGP_OK
               ? check_diagonal(file, parts[1].name, map->model->basis.pca.modes, parts[1].values)
               : status;
}

static sfgp_status take_file(sfgp_context *context, sfgp_hdf5 *file, const char *path,
                             sfgp_deformation **made)
{
    sfgp_model *model = NULL;
    sfgp_status status = SFGP_OK;
    if (!sfgp_hdf5_has(file, GROUP "/points"))
        return sfgp_fail(context, SFGP_ERROR_FORMAT,
                         "%s: has no fit (%s/points); sfgp register --save writes files that have one",
                         sfgp_path_shown(path), GROUP);
    if ((status = sfgp_model_take(context, file, &model)) != SFGP_OK)
        return status;
    status = sfgp_deformation_new(context, model, made);
    if (!*made) {
        sfgp_model_free(model);
        return status;
    }
    (*made)->owned = model;
    if (status == SFGP_OK)
        status = take_fit(file, *made);
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
        status = take_file(context, file, path, &made);
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
