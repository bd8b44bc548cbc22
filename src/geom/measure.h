/* Sizes of a point set. A single outlier does not change them, except the box. */
#ifndef SFGP_GEOM_MEASURE_H
#define SFGP_GEOM_MEASURE_H

#include "base/context.h"

/* Median distance to the nearest other point, over up to 101 points spread evenly over the array; 0 for
 * coincident points. O(101 count). */
double sfgp_points_spacing(int64_t count, int dimension, const double *points);
/* The same, but the distance that this share of the points has at most. */
double sfgp_points_spacing_quantile(int64_t count, int dimension, const double *points, double share);
/* Median distance to the middle, which gets the medians of the coordinates; over up to 1001 points likewise.
 * 0 when most points coincide. O(1). */
double sfgp_points_extent(int64_t count, int dimension, const double *points, double middle[3]);

double sfgp_points_distance(int dimension, const double *x, const double *y);

/* 1 / volume of the bounding box: the density of uniform outliers. A side shorter than a tenth of the longest counts as a
 * tenth. O(count). */
double sfgp_points_box_density(int64_t count, int dimension, const double *points);

/* Root mean square distance from the centroid; relative to the first point, so that a far origin loses no digits. O(count). */
double sfgp_points_radius(int64_t count, int dimension, const double *points);

/* Mean distance between points of the same index in two arrays. O(count). */
double sfgp_points_apart(int64_t count, int dimension, const double *a, const double *b);

#endif
