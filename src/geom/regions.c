/* Cells, their neighbourhoods, and means over both (ADR 0013, 0015). */
#include "geom/regions.h"
#include "base/memory.h"
#include "geom/spread.h"

#include <string.h>

static sfgp_status cut(sfgp_context *context, int dimension, const double *points, int64_t cells,
                       sfgp_regions *regions)
{
    sfgp_status status = SFGP_OK;
    regions->count = cells;
    if ((status = sfgp_allocate(context, regions->points, &regions->cell)) != SFGP_OK ||
        (status = sfgp_allocate(context, regions->count, &regions->centre)) != SFGP_OK ||
        (status = sfgp_allocate(context, regions->count, &regions->size)) != SFGP_OK ||
        (status = sfgp_allocate(context, regions->count, &regions->mean)) != SFGP_OK)
        return status;
    status = sfgp_points_spread(context, regions->points, dimension, points, regions->count, regions->centre,
                                regions->cell);
    for (int64_t i = 0; status == SFGP_OK && i < regions->points; i++)
        regions->size[regions->cell[i]]++;
    return status;
}

/* Neighbourhoods of the centres. */
static sfgp_status connect(sfgp_context *context, int dimension, const double *points, int size,
                           sfgp_regions *regions)
{
    const int64_t d = dimension;
    double *centres = NULL;
    sfgp_status status = sfgp_allocate(context, regions->count * d, &centres);
    for (int64_t c = 0; status == SFGP_OK && c < regions->count; c++)
        memcpy(centres + c * d, points + regions->centre[c] * d, (size_t)d * sizeof *centres);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, regions->count, dimension, centres, size, &regions->neighbours);
    sfgp_free(centres);
    return status;
}

sfgp_status sfgp_regions_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                             const sfgp_region_size *size, sfgp_regions *regions)
{
    *regions = (sfgp_regions){.points = count, .count = count};
    if (count <= size->dense)
        return sfgp_neighbours_new(context, count, dimension, points, size->neighbours, &regions->neighbours);
    sfgp_status status = cut(context, dimension, points, size->cells, regions);
    return status == SFGP_OK ? connect(context, dimension, points, size->neighbours, regions) : status;
}

void sfgp_regions_clear(sfgp_regions *regions)
{
    sfgp_free(regions->cell);
    sfgp_free(regions->centre);
    sfgp_free(regions->size);
    sfgp_free(regions->mean);
    sfgp_neighbours_clear(&regions->neighbours);
    *regions = (sfgp_regions){0};
}

/* mean = mean of x over the points of each cell */
static void gather(sfgp_regions *regions, const double *x)
{
    memset(regions->mean, 0, (size_t)regions->count * sizeof *regions->mean);
    for (int64_t i = 0; i < regions->points; i++)
        regions->mean[regions->cell[i]] += x[i];
    for (int64_t c = 0; c < regions->count; c++)
        regions->mean[c] /= regions->size[c];
}

static double mean_around(const sfgp_regions *regions, int size, const double *x, int64_t c)
{
    const int32_t *near = regions->neighbours.index + c * regions->neighbours.size;
    double sum = 0;
    for (int k = 0; k < size; k++)
        sum += x[near[k]];
    return sum / size;
}

void sfgp_regions_smooth(sfgp_regions *regions, int size, const double *x, double *smooth)
{
    if (!regions->cell) {
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < regions->points; i++)
            smooth[i] = mean_around(regions, size, x, i);
        return;
    }
    gather(regions, x);
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < regions->count; c++)
        smooth[regions->centre[c]] = mean_around(regions, size, regions->mean, c);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < regions->points; i++) {
        const int64_t centre = regions->centre[regions->cell[i]];
        if (i != centre)
            smooth[i] = smooth[centre];
    }
}
