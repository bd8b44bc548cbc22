/* The fit as a mesh file: fitted points, faces of the reference, and for every point sd, missing, the distance to the scan and
 * quality, which is sd under the name by which MeshLab colours. */
#ifndef SFGP_REPORT_FITTED_H
#define SFGP_REPORT_FITTED_H

#include "sfgp/sfgp.h"

/* Errors: those of sfgp_distances and sfgp_mesh_write. */
sfgp_status report_fitted_write(sfgp_context *context, const char *path, const sfgp_mesh *reference,
                                const sfgp_mesh *scan, const sfgp_result *result);

/* A fit that was read from a file of report_fitted_write. */
typedef struct report_fitted {
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    const double *sd;      /* mesh->count; belongs to attributes */
    const double *missing; /* mesh->count, 0 or 1; belongs to attributes */
} report_fitted;

/* Errors: those of sfgp_mesh_read, and SFGP_ERROR_FORMAT when the file has no sd or no missing. Clear also after
 * an error. */
sfgp_status report_fitted_read(sfgp_context *context, const char *path, report_fitted *fitted);
void report_fitted_clear(report_fitted *fitted);

#endif
