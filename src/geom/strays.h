/* Strays: points of a reference that do not belong to its shape. A mean or a radius over all points would
 * follow them.
 *
 *     in no face    of a mesh with a tenth of its points in faces at least: some triangles beside a cloud of points are not its shape
 *     far           beyond a gap of the sorted distances r from the middle: the first r_k > 2 r_(k-1) beyond the
 *                   median. Strays are at most a third of the points, and no face crosses the gap.
 */
#ifndef SFGP_GEOM_STRAYS_H
#define SFGP_GEOM_STRAYS_H

#include "base/context.h"

typedef struct sfgp_strays {
    int64_t loose;   /* points in no face */
    int64_t far;     /* points beyond the gap */
    int64_t first;   /* index of the first of them; -1: there is none */
    double distance; /* of the farthest one from the middle */
    sfgp_mesh *rest; /* the other points, without faces; NULL: there are no strays */
} sfgp_strays;

/* The faces of the mesh are valid. O(N log N). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_strays_find(sfgp_context *context, const sfgp_mesh *mesh, sfgp_strays *strays);
void sfgp_strays_clear(sfgp_strays *strays);

#endif
