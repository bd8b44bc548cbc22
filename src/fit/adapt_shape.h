/* Adapted shapes: the reference with its surface smoothed or sharpened, or moved along its normals.
 *
 * A scan may show a surface that is smoother than that of the reference, as worn bones, old teeth and coarse volumes have, or one with more
 * relief than a reference that was smoothed, or one that lies farther out or in, as a threshold of a volume or another thickness of the soft
 * tissue gives. The moves are along the normals n_i of the reference,
 *
 *     m_i = n_i n_i'(f_i - r_i) + offset n_i,
 *
 * where f is r after heat flow of the length `smooth` (lowrank/flow.h); a negative one takes r - f instead of f - r. They are known at up to SFGP_ADAPT_KNOWN points; others move as the nearest
 * of these, or as the surface between them. */
#ifndef SFGP_FIT_ADAPT_SHAPE_H
#define SFGP_FIT_ADAPT_SHAPE_H

#include "geom/coarse_surface.h"

enum { SFGP_ADAPT_KNOWN = 6000 }; /* points: their spacing is half of the least length on a sphere */

typedef struct sfgp_adaptation {
    double smooth; /* RMS radii; negative: sharpened by what that length smooths away; 0: neither */
    double offset; /* RMS radii, outwards */
} sfgp_adaptation;

typedef struct sfgp_adapt_shape {
    sfgp_context *context;
    sfgp_mesh reference;         /* its arrays are the model's */
    sfgp_coarse_surface surface; /* the points whose moves are known */
    bool has_outside;            /* else it cannot be moved outwards */
    double *points;              /* surface.count x 3 */
    double *normals;             /* likewise: outward ones where there is an outside */
} sfgp_adapt_shape;

/* O(N log N). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_adapt_shape_new(sfgp_context *context, const sfgp_mesh *reference, sfgp_adapt_shape *shape);
void sfgp_adapt_shape_clear(sfgp_adapt_shape *shape);
/* moves (surface.count x 3): m. With a length the cost of a sparse factorisation. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_adapt_shape_moves(const sfgp_adapt_shape *shape, const sfgp_adaptation *adaptation,
                                   double *moves);
/* points (N x 3) += the moves. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_adapt_shape_carry(const sfgp_adapt_shape *shape, const double *moves, double *points);

#endif
