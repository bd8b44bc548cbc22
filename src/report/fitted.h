/* The fit as a mesh: the reference's faces at the fitted points, with sd and missing for every point. */
#ifndef SFGP_REPORT_FITTED_H
#define SFGP_REPORT_FITTED_H

#include "sfgp/sfgp.h"

/* Errors: those of sfgp_mesh_write. */
sfgp_status report_fitted_write(sfgp_context *context, const char *path, const sfgp_mesh *reference,
                                const sfgp_result *result);

/* What the thumbnails of an overview need of a PLY that report_fitted_write made. */
typedef struct report_fitted {
    sfgp_mesh *mesh;
    double *sd;             /* mesh->count */
    unsigned char *missing; /* mesh->count */
} report_fitted;

/* Errors: those of sfgp_mesh_read, and SFGP_ERROR_FORMAT where sd and missing are not what and where they
 * were written. Clear also after an error. */
sfgp_status report_fitted_read(sfgp_context *context, const char *path, report_fitted *fitted);
void report_fitted_clear(report_fitted *fitted);

#endif
