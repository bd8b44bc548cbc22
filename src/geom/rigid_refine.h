/* Rigid refinement: moves a pose until the part lies on the whole as closely as it can (iterative closest points, to planes:
 * Chen and Medioni, Image and Vision Computing 10(3), 1992). In iteration k each point y of the part has the weight
 *
 *     exp(-|y - x|^2 / (2 s_k^2)) (n . m)^2,   s_k = max(s, first 0.8^k),
 *
 * x the nearest point of the whole, n and m the normals there: what has no counterpart counts for nothing. The tree finds x at the start and
 * at the end; between, x is followed from neighbour to neighbour. */
#ifndef SFGP_GEOM_RIGID_REFINE_H
#define SFGP_GEOM_RIGID_REFINE_H

#include "geom/kdtree.h"
#include "geom/rigid_search.h"

typedef struct sfgp_rigid_target {
    const sfgp_oriented *whole; /* with neighbours */
    const sfgp_kdtree *tree;    /* over its points */
    double first, width;        /* s_0 and s, unit of the points */
    int iterations;
} sfgp_rigid_target;

/* Moves each of count poses, and sets its score (rigid_search.h) with the width s. On the threads of base/parallel.h; the same bits on
 * any number. O(count part.count (iterations + log(whole.count))), some 10 ms for 30 poses of 200 points. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_rigid_refine(sfgp_context *context, const sfgp_rigid_target *target,
                              const sfgp_oriented *part, int count, sfgp_rigid_pose *poses);

#endif
