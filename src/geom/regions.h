/* Regions: the neighbourhood of a reference point, as points are missing in regions (em/mixing.h).
 *
 * Up to `dense` points every point is a cell of its own. A denser shape is cut into `cells` cells of evenly
 * many points (geom/spread.h), so that a neighbourhood of so many cells is the same part of the shape,
 * whatever its density, and costs no more. */
#ifndef SFGP_GEOM_REGIONS_H
#define SFGP_GEOM_REGIONS_H

#include "geom/normals.h"

typedef struct sfgp_region_size {
    int64_t dense, cells;
    int neighbours; /* points or cells of a neighbourhood, itself included */
} sfgp_region_size;

typedef struct sfgp_regions {
    int64_t points;             /* of the shape */
    int64_t count;              /* cells */
    int32_t *cell;              /* points: the cell of each; NULL: its own */
    int64_t *centre;            /* count: a point in the middle of the cell; NULL: the point itself */
    double *size;               /* count: points in the cell; NULL with cell */
    double *mean;               /* count: mean of a quantity over the cell; NULL with cell */
    sfgp_neighbours neighbours; /* of the cells */
} sfgp_regions;

/* Cells of count points (count x dimension) and the nearest ones of each, fewer if there are fewer.
 * SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_regions_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                             const sfgp_region_size *size, sfgp_regions *regions);
void sfgp_regions_clear(sfgp_regions *regions);

/* smooth_i = mean over the `size` cells (no more than a neighbourhood has) nearest to that of point i of the
 * mean of x in each. O(points + cells size). */
void sfgp_regions_smooth(sfgp_regions *regions, int size, const double *x, double *smooth);

#endif
