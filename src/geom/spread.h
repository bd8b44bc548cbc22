/* Spread: an even subset of many points, and a spatial order of them.
 *
 * A set is halved at the median of its longest side, recursively, until there are as many cells as points are
 * wanted. The subset has the point nearest to the middle of each cell. A random subset would have gaps of
 * several spacings, and clusters. */
#ifndef SFGP_GEOM_SPREAD_H
#define SFGP_GEOM_SPREAD_H

#include "base/context.h"

/* index (wanted): an even subset of the points (count x dimension), 1 <= wanted <= count. Points that are
 * near each other are mostly consecutive. cell (count), or NULL: the cell of each point, 0 .. wanted - 1,
 * where cell k has the point index[k]. O(count log wanted). Same bits for any number of threads.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_points_spread(sfgp_context *context, int64_t count, int dimension, const double *points,
                               int64_t wanted, int64_t *index, int32_t *cell);

/* order (count): a spatial order of the points. Each `block` consecutive points, counted from the first, are
 * near each other, and so are each two, four, eight ... consecutive blocks. Sets are halved at the largest
 * power of two of blocks. O(count log(count / block)). Same bits for any number of threads.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_points_order(sfgp_context *context, int64_t count, int dimension, const double *points,
                              int64_t block, int32_t *order);

#endif
