/* The stretch of a fit. Equation in stretch.h. */
#include "search/stretch.h"
#include "base/quantile.h"

enum { NEAREST = 9 }; /* the point itself is one of them */

static int64_t point_of(const sfgp_regions *regions, int64_t cell)
{
    return regions->centre ? regions->centre[cell] : cell;
}

static double distance2(int d, const double *points, int64_t i, int64_t j)
{
    double sum = 0;
    for (int a = 0; a < d; a++)
        sum += (points[i * d + a] - points[j * d + a]) * (points[i * d + a] - points[j * d + a]);
    return sum;
}

/* Sum over the nearest cells. */
static double spread_around(const sfgp_em *em, const double *points, int64_t cell)
{
    const sfgp_neighbours *near = &em->regions.neighbours;
    const int size = near->size < NEAREST ? near->size : NEAREST;
    const int64_t i = point_of(&em->regions, cell);
    double sum = 0;
    for (int k = 0; k < size; k++)
        sum += distance2(em->problem->basis->dimension, points, i,
                         point_of(&em->regions, near->index[cell * near->size + k]));
    return sum;
}

double sfgp_stretch_beside(sfgp_em *em, const double *others)
{
    const int64_t count = em->regions.count;
    double *ratio = em->weights;
    for (int64_t c = 0; c < count; c++)
        ratio[c] = spread_around(em, em->state.points, c) / spread_around(em, others, c);
    sfgp_sort(count, ratio);
    return sfgp_quantile(count, ratio, 0.75);
}
