/* The stretch of a fit. Equation in stretch.h. */
#include "search/stretch.h"
#include "base/quantile.h"
#include "geom/measure.h"

#include <math.h>

enum { NEAREST = 9 }; /* the point itself is one of them */

/* Sum of the squared distances to the nearest cells. */
static double spread_around(const sfgp_em *em, const double *points, int64_t cell)
{
    const sfgp_neighbours *near = &em->regions.neighbours;
    const int size = near->size < NEAREST ? near->size : NEAREST, d = em->problem->basis->dimension;
    const double *centre = points + d * sfgp_regions_centre(&em->regions, cell);
    double sum = 0;
    for (int k = 0; k < size; k++) {
        const int64_t other = sfgp_regions_centre(&em->regions, near->index[cell * near->size + k]);
        const double distance = sfgp_points_distance(d, centre, points + d * other);
        sum += distance * distance;
    }
    return sum;
}

double sfgp_stretch_at(const sfgp_em *em, const double *points, const double *others, int64_t cell)
{
    return spread_around(em, points, cell) / spread_around(em, others, cell);
}

static double quantile_of(sfgp_em *em, const double *points, const double *others, double quantile)
{
    const int64_t count = em->regions.count;
    double *ratio = em->weights;
    for (int64_t c = 0; c < count; c++)
        ratio[c] = sfgp_stretch_at(em, points, others, c);
    sfgp_sort(count, ratio);
    return sfgp_quantile(count, ratio, quantile);
}

double sfgp_stretch_beside(sfgp_em *em, const double *points, const double *others)
{
    return quantile_of(em, points, others, 0.75);
}

double sfgp_stretch_size(sfgp_em *em, const double *points, const double *others)
{
    return sqrt(quantile_of(em, points, others, 0.5));
}
