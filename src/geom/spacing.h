/* Spacing: how far apart the points of a cloud lie. */
#ifndef SFGP_GEOM_SPACING_H
#define SFGP_GEOM_SPACING_H

#include "base/context.h"

/* Median distance to the nearest other point, over up to 101 points spread evenly over the array; 0 for
 * coincident points. O(101 count). */
double sfgp_points_spacing(int64_t count, int dimension, const double *points);

#endif
