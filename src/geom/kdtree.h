/* kd-tree: which points lie within a radius, and which is nearest. Static: built once, then only read, so any
 * number of threads may query one tree. Dimension is 2 or 3, coordinates are finite.
 *
 * Every squared distance is the plain sum of squares in axis order, so all queries agree with each other and
 * with a loop over all points, to the last bit, also for points exactly on the boundary. Two back ends,
 * chosen when the library is built (SFGP_KDTREE): kdtree_builtin_*.c and kdtree_libkdtreepp.cpp. */
#ifndef SFGP_GEOM_KDTREE_H
#define SFGP_GEOM_KDTREE_H

#include "base/context.h"

typedef struct sfgp_kdtree sfgp_kdtree;

/* Tree over count points (count x dimension, copied). O(n log n). Indices are int32_t: count must be
 * < 2^31 - 1. Errors: SFGP_ERROR_MEMORY, also for more points ("too large"). */
sfgp_status sfgp_kdtree_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                            sfgp_kdtree **tree);
void sfgp_kdtree_free(sfgp_kdtree *tree); /* NULL is allowed */

/* Number of points with |x - centre|^2 <= radius2 (none if radius2 < 0 or NaN). O(log n + found) for points
 * on a surface; allocates nothing, like the other queries. */
int64_t sfgp_kdtree_count(const sfgp_kdtree *tree, const double *centre, double radius2);

/* Writes their indices and squared distances, returns how many; the caller's arrays have room for at least
 * sfgp_kdtree_count() (same query) elements. The order is fixed by the tree, the same on every run. */
int64_t sfgp_kdtree_within(const sfgp_kdtree *tree, const double *centre, double radius2, int32_t *index,
                           double *distance2);

/* Index of the nearest point, smallest index among ties; *distance2 its squared distance. count >= 1. */
int64_t sfgp_kdtree_nearest(const sfgp_kdtree *tree, const double *centre, double *distance2);

/* The same, sooner the nearer the known point is, which is `point` with index `known`: where the last nearest one is still near. */
int64_t sfgp_kdtree_nearer(const sfgp_kdtree *tree, const double *centre, int64_t known, const double *point,
                           double *distance2);

/* The same for centres that lie one near the other, such as the vertices of a mesh in their order. last: what the last call returned, -1 at first;
 * points: those of the tree. */
static inline int64_t sfgp_kdtree_follow(const sfgp_kdtree *tree, const double *points, int dimension,
                                         int64_t last, const double *centre, double *distance2)
{
    return last < 0 ? sfgp_kdtree_nearest(tree, centre, distance2)
                    : sfgp_kdtree_nearer(tree, centre, last, points + last * dimension, distance2);
}

const char *sfgp_kdtree_backend(void); /* "builtin" or "libkdtree++" */

#endif
