/* Points beyond the rim of the scan. Equations in rim.h. */
#include "em/rim.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>

#define GRAIN 512 /* points that a thread takes at a time */
#define STEEP 8   /* at half of the limit 0.996 is left, at twice the limit 0.004 */

/* sum w, sum w (r - r_i), sum w |r - r_i|^2 over the neighbourhood of point i. */
typedef struct sums {
    double weight, first[3], second;
} sums;

static sums sum_around(const sfgp_rim *rim, const double *weights, int64_t i)
{
    const int d = rim->around.dimension;
    const double *points = rim->em->problem->basis->mean;
    const int32_t *index = rim->around.index + i * rim->around.size;
    sums s = {0};
    for (int k = 0; k < rim->around.size; k++) {
        const int64_t j = index[k];
        s.weight += weights[j];
        for (int a = 0; a < d; a++) {
            const double shift = points[j * d + a] - points[i * d + a];
            s.first[a] += weights[j] * shift;
            s.second += weights[j] * shift * shift;
        }
    }
    return s;
}

/* ---- areas, centres and spreads -------------------------------------------------------------------------- */

typedef struct disc {
    const sfgp_rim *rim;
    const sfgp_neighbours *near;
    double *area; /* N, up to a factor that all have */
} disc;

static void measure_areas(const void *data, int64_t first, int64_t end)
{
    const disc *all = data;
    const int64_t d = all->near->dimension, size = all->near->size;
    const double *points = all->rim->em->problem->basis->mean;
    for (int64_t i = first; i < end; i++) {
        all->area[i] = 0;
        for (int64_t k = 0; k < size; k++)
            for (int64_t a = 0; a < d; a++) {
                const double shift = points[all->near->index[i * size + k] * d + a] - points[i * d + a];
                all->area[i] += shift * shift;
            }
    }
}

static void measure_discs(const void *data, int64_t first, int64_t end)
{
    const disc *all = data;
    const int d = all->near->dimension;
    for (int64_t i = first; i < end; i++) {
        const sums s = sum_around(all->rim, all->area, i);
        double second = s.weight > 0 ? s.second / s.weight : 0;
        for (int a = 0; a < d; a++) {
            const double centre = s.weight > 0 ? s.first[a] / s.weight : 0;
            all->rim->centre[i * d + a] = centre;
            second -= centre * centre;
        }
        all->rim->spread[i] = sqrt(fmax(second, 0));
    }
}

static sfgp_status measure(sfgp_rim *rim, const sfgp_neighbours *near)
{
    double *area = NULL;
    const sfgp_status status = sfgp_allocate(rim->em->context, near->count, &area);
    if (status == SFGP_OK) {
        const disc all = {rim, near, area};
        sfgp_parallel_for(near->count, GRAIN, measure_areas, &all);
        sfgp_parallel_for(near->count, GRAIN, measure_discs, &all);
    }
    sfgp_free(area);
    return status;
}

sfgp_status sfgp_rim_new(const sfgp_em *em, const sfgp_neighbours *near, double limit, sfgp_rim *rim)
{
    const sfgp_basis *basis = em->problem->basis;
    const int64_t n = basis->count, d = basis->dimension;
    sfgp_context *context = em->context;
    sfgp_status status = SFGP_OK;
    *rim = (sfgp_rim){.em = em, .limit = limit};
    if (limit == 0)
        return SFGP_OK;
    if ((status = sfgp_regions_nearest(context, &em->regions, (int)d, basis->mean,
                                       em->regions.neighbours.size, &rim->around)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * d, &rim->centre)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &rim->spread)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &rim->pull)) == SFGP_OK)
        status = measure(rim, near);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        rim->pull[i] = 1;
    return status;
}

void sfgp_rim_clear(sfgp_rim *rim)
{
    sfgp_neighbours_clear(&rim->around);
    sfgp_free(rim->centre);
    sfgp_free(rim->spread);
    sfgp_free(rim->pull);
    *rim = (sfgp_rim){0};
}

/* ---- the rim ---------------------------------------------------------------------------------------------- */

/* o_i; 0 where nothing around the point has a label */
static double offset_of(const sfgp_rim *rim, int64_t i)
{
    const int d = rim->around.dimension;
    const sums s = sum_around(rim, rim->em->responsibilities.mass, i);
    double offset2 = 0;
    for (int a = 0; a < d && s.weight > 0; a++) {
        const double offset = s.first[a] / s.weight - rim->centre[i * d + a];
        offset2 += offset * offset;
    }
    return sqrt(offset2);
}

static void find(const void *data, int64_t first, int64_t end)
{
    const sfgp_rim *rim = data;
    for (int64_t i = first; i < end; i++) {
        const double limit = rim->limit * rim->spread[i];
        rim->pull[i] = limit > 0 ? 1 / (1 + pow(offset_of(rim, i) / limit, STEEP)) : 1;
    }
}

void sfgp_rim_find(sfgp_rim *rim)
{
    if (rim->pull)
        sfgp_parallel_for(rim->around.count, GRAIN, find, rim);
}
