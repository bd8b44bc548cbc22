/* Writes the PLY file of a fit, with sd and missing for every point, and reads it again for pictures. */
#include "report/fitted.h"

#include <stdlib.h>
#include <string.h>

sfgp_status report_fitted_write(sfgp_context *context, const char *path, const sfgp_mesh *reference,
                                const sfgp_result *result)
{
    sfgp_mesh fitted = *reference;
    double *missing = malloc((size_t)result->count * sizeof *missing);
    if (!missing)
        return SFGP_ERROR_MEMORY;
    for (int64_t i = 0; i < result->count; i++)
        missing[i] = result->missing[i];
    fitted.points = result->points;
    /* MeshLab shows quality as colours */
    const sfgp_attribute attributes[] = {
        {"sd", result->sd, 0}, {"missing", missing, 1}, {"quality", result->sd, 0}};
    sfgp_status status = sfgp_mesh_write(context, path, &fitted, attributes, 3);
    free(missing);
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
