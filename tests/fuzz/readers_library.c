/* Readers of the library: meshes, masks, landmarks, models, fits, arrays. */
#include "fuzz/parts.h"

#include <math.h>

enum { MASK = 8 };

static void check_mesh(const sfgp_mesh *mesh)
{
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        fuzz_require(isfinite(mesh->points[k]), "coordinates are finite");
    for (int64_t k = 0; k < (mesh->face_count > 0 ? mesh->face_start[mesh->face_count] : 0); k++)
        fuzz_require(mesh->face_points[k] >= 0 && mesh->face_points[k] < mesh->count,
                     "corners of faces exist");
}

/* With what is kept for writing: colours, texture coordinates, groups. */
sfgp_status fuzz_read_mesh(sfgp_context *context, const char *path)
{
    sfgp_mesh *mesh = NULL;
    sfgp_attributes *attributes = NULL;
    const sfgp_read_options options = {.keep = 1};
    const sfgp_status status = sfgp_mesh_read_with(context, path, &options, &mesh, &attributes);
    fuzz_require((status == SFGP_OK) == (mesh != NULL), "a mesh, or an error");
    if (mesh)
        check_mesh(mesh);
    sfgp_attributes_free(attributes);
    sfgp_mesh_free(mesh);
    return status;
}

/* A table whose columns the caller names: by number, and by name. */
sfgp_status fuzz_read_columns(sfgp_context *context, const char *path)
{
    static const char *const COLUMNS[] = {"3,1,2", "x,y,z", "2,1"};
    sfgp_status status = SFGP_OK;
    for (size_t k = 0; k < sizeof COLUMNS / sizeof *COLUMNS; k++) {
        sfgp_mesh *mesh = NULL;
        const sfgp_read_options options = {.columns = COLUMNS[k]};
        status = sfgp_mesh_read_with(context, path, &options, &mesh, NULL);
        fuzz_require((status == SFGP_OK) == (mesh != NULL), "a mesh, or an error");
        if (mesh)
            check_mesh(mesh);
        sfgp_mesh_free(mesh);
        if (status == SFGP_ERROR_PARAMETER) { /* the file has no such column */
            fuzz_require(sfgp_context_error(context)[0], "an error has a text");
            status = SFGP_OK;
        }
    }
    return status;
}

sfgp_status fuzz_read_mask(sfgp_context *context, const char *path)
{
    unsigned char *mask = NULL;
    const sfgp_status status = sfgp_mask_read(context, path, MASK, &mask);
    for (int k = 0; status == SFGP_OK && k < MASK; k++)
        fuzz_require(mask[k] <= 1, "a mask is 0 and 1");
    sfgp_mask_free(mask);
    return status;
}

sfgp_status fuzz_read_landmarks(sfgp_context *context, const char *path)
{
    sfgp_landmarks *landmarks = NULL;
    const sfgp_status status = sfgp_landmarks_read(context, path, &landmarks);
    for (int64_t k = 0; landmarks && k < landmarks->count * landmarks->dimension; k++)
        fuzz_require(isfinite(landmarks->points[k]), "landmarks are finite");
    sfgp_landmarks_free(landmarks);
    return status;
}

sfgp_status fuzz_read_model(sfgp_context *context, const char *path)
{
    sfgp_model *model = NULL;
    sfgp_mesh *reference = NULL;
    const sfgp_status status = sfgp_model_read(context, path, &model);
    fuzz_require((status == SFGP_OK) == (model != NULL), "a model, or an error");
    if (model && sfgp_model_reference(context, model, &reference) == SFGP_OK)
        check_mesh(reference);
    sfgp_mesh_free(reference);
    sfgp_model_free(model);
    return status;
}

sfgp_status fuzz_read_deformation(sfgp_context *context, const char *path)
{
    sfgp_deformation *map = NULL;
    const sfgp_status status = sfgp_deformation_read(context, path, &map);
    sfgp_deformation_free(map);
    return status;
}

sfgp_status fuzz_read_array(sfgp_context *context, const char *path)
{
    sfgp_array *array = NULL;
    const sfgp_status status = sfgp_array_read(context, path, "model/mean", &array);
    sfgp_array_free(array);
    return status;
}
