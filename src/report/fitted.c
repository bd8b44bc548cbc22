/* Writes the mesh file of a fit with its numbers for every point, and reads it again for pictures. */
#include "report/fitted.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The faces of a mirror image, the caller frees them; NULL for those of the reference. False: out of memory. */
static bool turn_faces(const sfgp_mesh *reference, const sfgp_result *result, int64_t **made)
{
    *made = NULL;
    if (reference->face_count == 0 || !result->settings->mirror || result->outcome == SFGP_NO_OVERLAP)
        return true;
    const size_t size = ((size_t)reference->face_start[reference->face_count] + 1) * sizeof **made;
    sfgp_mesh turned = *reference;
    turned.face_points = *made = malloc(size);
    turned.kept = NULL;
    if (*made) {
        memcpy(*made, reference->face_points, size - sizeof **made);
        sfgp_mesh_turn_faces(&turned);
    }
    return *made != NULL;
}

/* The mesh with its numbers; missing and distances are result->count doubles of working memory. */
static sfgp_status write_numbers(sfgp_context *context, const char *path, const sfgp_mesh *fitted,
                                 const sfgp_mesh *scan, const sfgp_result *result, double *missing,
                                 double *distances)
{
    const sfgp_attribute attributes[] = {
        {"sd", result->sd, 0},
        {"missing", missing, 1},
        {"distance", distances, 0},
        {"quality", result->sd, 0}, /* MeshLab shows quality as colours */
    };
    for (int64_t i = 0; i < result->count; i++)
        missing[i] = result->missing[i];
    sfgp_status status = sfgp_distances(context, fitted, scan, distances);
    return status == SFGP_OK ? sfgp_mesh_write(context, path, fitted, attributes, 4) : status;
}

sfgp_status report_fitted_write(sfgp_context *context, const char *path, const sfgp_mesh *reference,
                                const sfgp_mesh *scan, const sfgp_result *result)
{
    sfgp_mesh fitted = *reference;
    int64_t *faces = NULL;
    double *numbers = malloc(2 * (size_t)result->count * sizeof *numbers);
    if (!numbers || !turn_faces(reference, result, &faces))
        return free(numbers), SFGP_ERROR_MEMORY;
    if (faces) {
        fitted.face_points = faces;
        fitted.kept = NULL; /* its corners are those of the faces as they were */
    }
    fitted.points = result->points;
    sfgp_status status =
        write_numbers(context, path, &fitted, scan, result, numbers, numbers + result->count);
    free(numbers);
    free(faces);
    return status;
}

/* ---- read -------------------------------------------------------------------------------------------- */

static const double *find_values(const sfgp_attributes *attributes, const char *name)
{
    for (int k = 0; k < attributes->count; k++)
        if (strcmp(attributes->items[k].name, name) == 0)
            return attributes->items[k].values;
    return NULL;
}

sfgp_status report_fitted_read(sfgp_context *context, const char *path, report_fitted *fitted)
{
    *fitted = (report_fitted){0};
    sfgp_status status = sfgp_mesh_read_attributes(context, path, &fitted->mesh, &fitted->attributes);
    if (status != SFGP_OK)
        return status;
    fitted->sd = find_values(fitted->attributes, "sd");
    fitted->missing = find_values(fitted->attributes, "missing");
    return fitted->sd && fitted->missing ? SFGP_OK : SFGP_ERROR_FORMAT;
}

void report_fitted_clear(report_fitted *fitted)
{
    sfgp_mesh_free(fitted->mesh);
    sfgp_attributes_free(fitted->attributes);
}
