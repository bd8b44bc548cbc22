/* Rigid search: at which poses a part of a surface lies on the whole, over a table of rotations and all shifts of a grid.
 *
 * The whole has points x with normals n, the part points q_k with normals m_k. At the pose (R, t)
 *
 *     score = mean over k of  w(y_k) (n(y_k) . R m_k)^2,   y_k = R q_k + t,   w(y) = exp(-|y - x|^2 / (2 s^2)),
 *
 * where x is the point of the whole that is nearest to y. The signs of normals do not matter. A point of the part that lies
 * nowhere near the whole adds nothing, so that strays cost little; of the whole nothing is asked, so that most of it may
 * be missing from the part. w n n' is tabulated on the cells of a grid, and all shifts by whole cells are
 * summed at once. The middle of the part need not be that of the whole. Source: correlation of a rigid template with a
 * field of the surface, as in docking (Katchalski-Katzir et al., PNAS 89, 1992), by sums instead of Fourier transforms, as the part has few points. */
#ifndef SFGP_GEOM_RIGID_SEARCH_H
#define SFGP_GEOM_RIGID_SEARCH_H

#include "geom/oriented.h"
#include "geom/similarity.h"

typedef struct sfgp_rigid_pose {
    sfgp_similarity pose; /* of the whole: x -> pose(x) lies on the part */
    double score;         /* 0 to 1 */
} sfgp_rigid_pose;

typedef struct sfgp_rigid_table {
    int rotations; /* of sfgp_rotation_spiral */
    int kept; /* that go on, of the best by every fourth point of the part; as many as there are, or more: all */
    double cell, width; /* lengths: of the grid; s */
} sfgp_rigid_table;

/* The best pose of each rotation, in their order: poses (rotations). One that did not go on has a score of minus infinity. Shifts
 * bring the middle of the part into the box of the whole, or one cell beside it, and reach at most 8 cells each way from the
 * middle of the whole. O((rotations / 4 + kept) part.count shifts), of which those are left out that bring a point to where w
 * is 0: some 6 ms for 500 rotations, 100 that go on, and 120 points. On the threads of base/parallel.h; the same bits on any
 * number. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_rigid_search(sfgp_context *context, const sfgp_oriented *whole, const sfgp_oriented *part,
                              const sfgp_rigid_table *table, sfgp_rigid_pose *poses);

#endif
