/* Surface: the distance from any point to the triangles of a mesh, by a tree of boxes. Polygons are fans of triangles.
 *
 * The tree is binary and balanced: triangles are sorted by halving their ranges at the median centre along the widest
 * axis, so that node k has the children 2 k + 1 and 2 k + 2, and sizes alone give the ranges. A box that is farther away
 * than the nearest triangle so far is left out. Distances are those of a loop over all triangles, to the last bit. */
#ifndef SFGP_GEOM_SURFACE_H
#define SFGP_GEOM_SURFACE_H

#include "base/context.h"

typedef struct sfgp_surface sfgp_surface;

/* The mesh must outlive the surface; its faces are checked, its dimension is 3. O(n log n). *surface is NULL after an
 * error: SFGP_ERROR_DATA (no triangle), _MEMORY. */
sfgp_status sfgp_surface_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_surface **surface);
void sfgp_surface_free(sfgp_surface *surface); /* NULL is allowed */

/* Squared distance from a point to the nearest triangle. About O(log n). */
double sfgp_surface_distance2(const sfgp_surface *surface, const double point[3]);

/* The nearest point of the surface as a mean of the corners of its triangle: their indices, and weights >= 0 that add up to 1.
 * Returns its squared distance. About O(log n). */
double sfgp_surface_nearest(const sfgp_surface *surface, const double point[3], int64_t index[3],
                            double weights[3]);

/* Weights of the corners in the point of the triangle abc that is nearest to p. */
void sfgp_triangle_weights(const double p[3], const double a[3], const double b[3], const double c[3],
                           double weights[3]);
/* Squared distance from p to the triangle abc, which may be flat. */
double sfgp_triangle_distance2(const double p[3], const double a[3], const double b[3], const double c[3]);

#endif
