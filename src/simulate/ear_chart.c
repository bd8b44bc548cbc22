/* The mean ear as a table with bilinear interpolation (ear_chart.h). */
#include "simulate/ear_chart.h"

#include <math.h>

#define BEYOND 1.1 /* nodes outside the disk continue the rim up to this radius */

void sfgp_ear_chart_prepare(const sfgp_ear_surface *mean, sfgp_ear_chart *chart)
{
    for (int row = 0; row <= SFGP_EAR_CELLS; row++)
        for (int column = 0; column <= SFGP_EAR_CELLS; column++) {
            double u = 2.0 * column / SFGP_EAR_CELLS - 1, v = 2.0 * row / SFGP_EAR_CELLS - 1;
            sfgp_ear_surface_at(mean, fmin(hypot(u, v), BEYOND), atan2(v, u), chart->point[row][column]);
        }
}

/* Cell of a coordinate and the place within it. */
static int find_cell(double coordinate, double *within)
{
    double at = (coordinate + 1) / 2 * SFGP_EAR_CELLS;
    int cell = (int)fmin(fmax(floor(at), 0), SFGP_EAR_CELLS - 1);
    *within = at - cell;
    return cell;
}

void sfgp_ear_chart_at(const sfgp_ear_chart *chart, double u, double v, double point[3], double by_u[3],
                       double by_v[3])
{
    double s, t;
    int column = find_cell(u, &s), row = find_cell(v, &t);
    const double *a = chart->point[row][column], *b = chart->point[row][column + 1];
    const double *c = chart->point[row + 1][column], *d = chart->point[row + 1][column + 1];
    for (int axis = 0; axis < 3; axis++) {
        double low = b[axis] - a[axis], high = d[axis] - c[axis];
        double bottom = a[axis] + s * low, top = c[axis] + s * high;
        point[axis] = bottom + t * (top - bottom);
        by_u[axis] = (low + t * (high - low)) * SFGP_EAR_CELLS / 2;
        by_v[axis] = (top - bottom) * SFGP_EAR_CELLS / 2;
    }
}
