/* Target: the points of a scan in the frame of the reference. */
#ifndef SFGP_GEOM_TARGET_H
#define SFGP_GEOM_TARGET_H

#include "base/context.h"

#include <stdbool.h>

typedef struct sfgp_target {
    int64_t count;
    int dimension;
    double *points;   /* count x d, in the frame */
    int32_t *order;   /* caller's index of each point; NULL: the caller's order */
    double spacing;   /* median distance to the nearest point */
    double density;   /* 1 / volume of its bounding box along the axes of the frame */
    double *clutter;  /* count: density of clutter at each point, relative to `density`; NULL: 1 everywhere */
    int64_t capacity; /* points that fit into `points` */
} sfgp_target;

/* Copies the points of a mesh in the frame; in_blocks: into an order in which near points follow each other, as tiles and
 * thinning need. Room is reused. O(N_S log N_S) in blocks, else O(N_S).
 * SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_target_load(sfgp_context *context, const sfgp_mesh *mesh, bool in_blocks,
                             sfgp_target *target);
/* Least density of clutter, relative to `density`: this share of it is uniform strays. */
#define SFGP_TARGET_STRAYS 0.1
/* Sets `clutter`, for a scan of more than the shape: what is around the shape is a surface, too, as dense as the shape
 * (ADR 0035). 3D; area: of the scan. O(count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_target_set_clutter(sfgp_context *context, double area, uint64_t seed, sfgp_target *target);
void sfgp_target_clear(sfgp_target *target);

#endif
