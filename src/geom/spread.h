/* Spread: some points of many that lie evenly among them.
 *
 * The points are halved at the median of their longest side, again and again, until there are as many cells
 * as points are wanted, and of every cell the point next to its middle is taken. Random points would leave
 * gaps of several spacings, and clusters. */
#ifndef SFGP_GEOM_SPREAD_H
#define SFGP_GEOM_SPREAD_H

#include "base/context.h"

/* Indices of `wanted` of the points (count x dimension), 1 <= wanted <= count, into index; those near each
 * other mostly follow each other. cell (count), or NULL: for each point, which of them is that of its cell, 0
 * .. wanted - 1. O(count log wanted). Same bits for any number of threads.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_points_spread(sfgp_context *context, int64_t count, int dimension, const double *points,
                               int64_t wanted, int64_t *index, int32_t *cell);

/* The points in an order in which every `block` that follow each other, from the first on, are near each
 * other, and so are two, four, eight ... blocks, from the first on: halved likewise, at the largest power of
 * two of blocks. order (count): which point comes where. O(count log(count / block)). Same bits for any
 * number of threads. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_points_order(sfgp_context *context, int64_t count, int dimension, const double *points,
                              int64_t block, int32_t *order);

#endif
