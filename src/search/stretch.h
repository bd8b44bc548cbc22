/* How far a fit is stretched in comparison with another one of the same shape.
 *
 * A surface that bends keeps the distances between neighbours. One that is pulled over what the scan shows beside the shape does not. With x and y
 * the points of both fits and the 8 nearest points j of each point i of the reference,
 *
 *     stretch = upper quartile over i of sum_j |x_i - x_j|^2 / sum_j |y_i - y_j|^2.
 *
 * ADR 0100. */
#ifndef SFGP_SEARCH_STRETCH_H
#define SFGP_SEARCH_STRETCH_H

#include "em/em.h"

/* The ratio of both sums at one cell (geom/regions.h), x = points, y = others. Infinite or NaN where the points of `others` lie on each other. O(1). */
double sfgp_stretch_at(const sfgp_em *em, const double *points, const double *others, int64_t cell);

/* stretch, with x = points and y = others (N x d each), of a variant that learns. Of a dense shape the centres of its cells stand for all points.
 * Overwrites em->weights. O(N log N). */
double sfgp_stretch_beside(sfgp_em *em, const double *points, const double *others);

/* The size of `points` in that of `others`: the square root of the median of the same ratio. Cost and workspace as above. */
double sfgp_stretch_size(sfgp_em *em, const double *points, const double *others);

#endif
