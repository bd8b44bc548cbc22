/* Even: a scan of very uneven points is made even before it is fitted (ADR 0116). Spacings, areas and the density of outliers are learned from the
 * points, as if they lay alike everywhere.
 *
 *     near copies    for a quarter of the points the nearest one is ten times nearer than the twelfth, not counting lines of points: two exposures of nearly the same
 *                    points. They are thinned.
 *     wide triangles a mesh with few points in flat parts: points are put on its triangles
 *     dense spots    half of the surface has 15 times fewer points for its area than where most points lie. They are thinned.
 *
 * What lies scattered in space, as strays and noise do, is no surface, and does not count. */
#ifndef SFGP_GEOM_EVEN_H
#define SFGP_GEOM_EVEN_H

#include "geom/frame.h"
#include "geom/places.h"

#include <stdbool.h>

/* Makes the sorted places of a scan in space even, and warns; those that are even stay as they are. frame, target: from which they come,
 * for its triangles; they and the places are measured in `step`. A place on a triangle has the index -1 - k, k the corner next to it.
 * *places may move; the caller frees it, also after an error. About O(count); where something is changed O(count log count).
 * SFGP_ERROR_MEMORY, SFGP_ERROR_PARAMETER (faces). */
sfgp_status sfgp_places_even(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                             double step, int64_t *count, sfgp_place **places);

/* Places one after the other, without those that are nearer than the radius to one before. O(count log count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_places_thin(sfgp_context *context, double radius, int64_t *count, sfgp_place *places);

/* Puts places on the triangles of the target if it has wide ones (*filled), and thins all. area: of the surface around one place, where most
 * lie; 0: not known, and nothing is done. The rest as above. */
sfgp_status sfgp_places_on_triangles(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                                     double step, double area, int64_t *count, sfgp_place **places,
                                     bool *filled);

#endif
