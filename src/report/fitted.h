/* The fit as a mesh: the reference's faces at the fitted points, with sd and missing for every point. */
#ifndef SFGP_REPORT_FITTED_H
#define SFGP_REPORT_FITTED_H

#include "sfgp/sfgp.h"

/* Errors: those of sfgp_mesh_write. */
sfgp_status report_fitted_write(sfgp_context *context, const char *path, const sfgp_mesh *reference,
                                const sfgp_result *result);

/* A fit read back: its mesh, and what report_fitted_write wrote beside it. */
typedef struct report_fitted {
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    const double *sd;      /* mesh->count, of the attributes */
    const double *missing; /* mesh->count, of the attributes, 0 or 1 */
} report_fitted;

/* Errors: those of sfgp_mesh_read, and SFGP_ERROR_FORMAT when the file has no sd or no missing. Clear also after
 * an error. */
sfgp_status report_fitted_read(sfgp_context *context, const char *path, report_fitted *fitted);
void report_fitted_clear(report_fitted *fitted);

#endif
