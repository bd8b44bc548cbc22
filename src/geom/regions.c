/* Cells, their neighbourhoods, and means over both (ADR 0013, 0015). */
#include "geom/regions.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/spread.h"

#include <string.h>

#define GRAIN 8192 /* numbers that a thread reads at a time */

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

sfgp_status sfgp_regions_nearest(sfgp_context *context, const sfgp_regions *regions, int dimension,
                                 const double *points, int size, sfgp_neighbours *nearest)
{
    const sfgp_neighbours *more = &regions->neighbours;
    if (regions->cell || more->size < size)
        return sfgp_neighbours_new(context, regions->points, dimension, points, size, nearest);
    return sfgp_neighbours_narrow(context, more, size, nearest);
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

enum { SIDES = 4 }; /* points side by side: no sum waits for its last term */

/* The means around SIDES points from the first; each sum in the order of mean_around. */
static void means_around(const sfgp_regions *regions, int size, const double *x, int64_t first, double *mean)
{
    const int64_t each = regions->neighbours.size;
    const int32_t *near = regions->neighbours.index + first * each;
    double sum[SIDES] = {0};
    for (int k = 0; k < size; k++)
        for (int s = 0; s < SIDES; s++)
            sum[s] += x[near[s * each + k]];
    for (int s = 0; s < SIDES; s++)
        mean[s] = sum[s] / size;
}

static double mean_around(const sfgp_regions *regions, int size, const double *x, int64_t c)
{
    const int32_t *near = regions->neighbours.index + c * regions->neighbours.size;
    double sum = 0;
    for (int k = 0; k < size; k++)
        sum += x[near[k]];
    return sum / size;
}

typedef struct smoothing {
    const sfgp_regions *regions;
    int size;
    const double *x;
    double *smooth;
} smoothing;

static void smooth_points(const void *data, int64_t first, int64_t end)
{
    const smoothing *s = data;
    int64_t i = first;
    for (; i + SIDES <= end; i += SIDES)
        means_around(s->regions, s->size, s->x, i, s->smooth + i);
    for (; i < end; i++)
        s->smooth[i] = mean_around(s->regions, s->size, s->x, i);
}

static void smooth_centres(const void *data, int64_t first, int64_t end)
{
    const smoothing *s = data;
    for (int64_t c = first; c < end; c++)
        s->smooth[s->regions->centre[c]] = mean_around(s->regions, s->size, s->regions->mean, c);
}

static void copy_from_centres(const void *data, int64_t first, int64_t end)
{
    const smoothing *s = data;
    for (int64_t i = first; i < end; i++) {
        const int64_t centre = s->regions->centre[s->regions->cell[i]];
        if (i != centre)
            s->smooth[i] = s->smooth[centre];
    }
}

void sfgp_regions_smooth(sfgp_regions *regions, int size, const double *x, double *smooth)
{
    const smoothing all = {regions, size, x, smooth};
    if (!regions->cell) {
        sfgp_parallel_for(regions->points, GRAIN / size + 1, smooth_points, &all);
        return;
    }
    gather(regions, x);
    sfgp_parallel_for(regions->count, GRAIN / size + 1, smooth_centres, &all);
    sfgp_parallel_for(regions->points, GRAIN, copy_from_centres, &all);
}
