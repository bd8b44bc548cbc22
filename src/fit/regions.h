/* Regions: what is near a reference point, for what is missing in regions (strays.h).
 *
 * Up to SFGP_DENSE points every point is a cell of its own. A denser shape is cut into SFGP_CELLS cells of
 * evenly many points (geom/spread.h), so that a neighbourhood of so many cells is the same part of the shape,
 * whatever its density, and costs no more. */
#ifndef SFGP_FIT_REGIONS_H
#define SFGP_FIT_REGIONS_H

#include "geom/normals.h"

#define SFGP_DENSE 6000
#define SFGP_CELLS 3000

typedef struct sfgp_regions {
    int64_t points, count;      /* points, cells */
    int32_t *cell;              /* points: the cell of each; NULL: its own */
    int64_t *centre;            /* count: a point in the middle of the cell; NULL: the point itself */
    double *size, *mean;        /* count: points in it, mean of a quantity; NULL with cell */
    sfgp_neighbours neighbours; /* of the cells */
} sfgp_regions;

/* Cells of count points (count x dimension) and the `size` nearest of each, itself included, fewer if there
 * are fewer. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_regions_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                             int size, sfgp_regions *regions);
void sfgp_regions_clear(sfgp_regions *regions);

/* smooth_i = mean over the `size` cells (no more than a neighbourhood has) nearest to that of point i of the
 * mean of x in each. O(points + cells size). */
void sfgp_regions_smooth(sfgp_regions *regions, int size, const double *x, double *smooth);

#endif
