/* A dense shape with fewer points, for views: one point for each cell of a grid, and the faces that are left. */
#ifndef SFGP_PAGE_THIN_H
#define SFGP_PAGE_THIN_H

#include "sfgp/sfgp.h"

typedef struct thin_shape {
    sfgp_mesh *mesh; /* its faces are triangles */
    int64_t *index;  /* mesh->count: the points of the shape that it has, ascending */
} thin_shape;

/* At most `most` points; all of them, in their order, when there are no more. Errors: SFGP_ERROR_MEMORY. Clear in any
 * case. */
sfgp_status thin_make(sfgp_context *context, const sfgp_mesh *mesh, int64_t most, thin_shape *thin);
void thin_clear(thin_shape *thin);
/* The numbers (width for each point) of the points that are left. The caller frees them. NULL: out of memory. */
double *thin_values(const thin_shape *thin, const double *values, int width);

#endif
