/* Which points of a surface lie under another layer of it: the inner one of two walls. */
#ifndef SFGP_GEOM_COVERED_H
#define SFGP_GEOM_COVERED_H

#include "base/context.h"

/* Points, with the outward normal that belongs to each. */
typedef struct sfgp_cover {
    int64_t count;
    const double *points, *normals; /* count x 3 each; normals of unit length, or 0 */
    double least, most;             /* how far a layer lies over the points that it covers */
} sfgp_cover;

/* covered (count): 1 where two or more other points k lie over point j, and next to none between: with the outward normal n_j
 *
 *     min(least, h / 2) < z = n_j'(x_k - x_j),   |x_k - x_j| <= most,   |x_k - x_j - z n_j| < min(1.2 h, z),   n_j'n_k > 0.8,
 *
 * where h is the median distance of a point from the sixth nearest other one. The last two conditions leave out slopes, and the
 * other side of a thin part. Between are points beside n_j with a third to two thirds of the mean height z of those that are over
 * j: noise has as many there, two layers none, and more than one for ten that are over is too many. Points whose distance from the
 * sixth nearest is more than 1.75 h are strays: they count nowhere. O(count (log count + points within `most`)). SFGP_ERROR_MEMORY.
 * */
sfgp_status sfgp_covered_find(sfgp_context *context, const sfgp_cover *cover, unsigned char *covered);

#endif
