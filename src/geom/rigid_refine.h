/* Rigid refinement: moves a pose until the part lies on the whole as closely as it can (iterative closest points, to planes:
 * Chen and Medioni, Image and Vision Computing 10(3), 1992; to points: Besl and McKay, IEEE PAMI 14(2), 1992). Iteration k is a step that makes
 *
 *     sum over y of  w (((x - y) . n)^2 + 0.001 |x - y|^2),   w = exp(-|y - x|^2 / (2 s_k^2)) (n . m)^2,   s_k = max(s, first 0.8^k),
 *
 * small. y is a point of the part, x the nearest point of the whole, n and m the normals there. What has no counterpart counts for nothing. The
 * distances to planes alone would let a part slide on a flat or round whole. */
#ifndef SFGP_GEOM_RIGID_REFINE_H
#define SFGP_GEOM_RIGID_REFINE_H

#include "geom/kdtree.h"
#include "geom/rigid_search.h"

typedef struct sfgp_rigid_target {
    const sfgp_oriented *whole;
    const sfgp_kdtree *tree; /* over its points */
    double first, width;     /* s_0 and s, unit of the points */
    int iterations;
} sfgp_rigid_target;

/* Moves each of count poses, and sets its score (rigid_search.h) with the width s. On the threads of base/parallel.h; the same bits on
 * any number. O(count iterations part.count log(whole.count)), some 40 ms for 30 poses of 200 points. */
void sfgp_rigid_refine(const sfgp_rigid_target *target, const sfgp_oriented *part, int count,
                       sfgp_rigid_pose *poses);

#endif
