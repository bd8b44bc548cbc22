/* Regions: neighbourhoods of the reference points, because missing points form regions (em/mixing.h).
 *
 * In a shape of up to `dense` points every point is a cell of its own. A denser shape is divided into `cells` cells
 * with about the same number of points (geom/spread.h). So a neighbourhood is the same part of the shape for any
 * density, and its cost does not grow with the density. */
#ifndef SFGP_GEOM_REGIONS_H
#define SFGP_GEOM_REGIONS_H

#include "geom/normals.h"

typedef struct sfgp_region_size {
    int64_t dense;  /* largest number of points that are all cells of their own */
    int64_t cells;  /* number of cells of a denser shape */
    int neighbours; /* points or cells of a neighbourhood, itself included */
} sfgp_region_size;

typedef struct sfgp_regions {
    int64_t points;             /* of the shape */
    int64_t count;              /* cells */
    int32_t *cell;              /* points: the cell of each; NULL: its own */
    int64_t *centre;            /* count: a point in the middle of the cell; NULL: the point itself */
    double *size;               /* count: points in the cell; NULL when cell is NULL */
    double *mean;               /* count: mean of a quantity over the cell; NULL when cell is NULL */
    sfgp_neighbours neighbours; /* of the cells */
} sfgp_regions;

/* Cells of count points (count x dimension) and the nearest ones of each, fewer if there are fewer.
 * SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_regions_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                             const sfgp_region_size *size, sfgp_regions *regions);
void sfgp_regions_clear(sfgp_regions *regions);

/* The point in the middle of a cell. */
static inline int64_t sfgp_regions_centre(const sfgp_regions *regions, int64_t cell)
{
    return regions->centre ? regions->centre[cell] : cell;
}

/* The `size` points that are nearest to each point: of those in the neighbourhoods where every point is a cell, which are in that order,
 * else by a search in points. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_regions_nearest(sfgp_context *context, const sfgp_regions *regions, int dimension,
                                 const double *points, int size, sfgp_neighbours *nearest);

/* smooth_i = mean of the means of x in the `size` cells that are nearest to the cell of point i. size is at most that
 * of a neighbourhood. O(points + cells size). */
void sfgp_regions_smooth(sfgp_regions *regions, int size, const double *x, double *smooth);

#endif
