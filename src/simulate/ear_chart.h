/* Chart: the mean ear as a table over the square around the unit disk, for the many look-ups that
 * placing a grid needs. It is bilinear between the nodes, which is accurate enough to place points. */
#ifndef SFGP_SIMULATE_EAR_CHART_H
#define SFGP_SIMULATE_EAR_CHART_H

#include "simulate/ear_surface.h"

#define SFGP_EAR_CELLS 120 /* cells along a side */

typedef struct sfgp_ear_chart {
    double point[SFGP_EAR_CELLS + 1][SFGP_EAR_CELLS + 1][3]; /* at u = -1 + 2 column / cells, v by row; mm */
} sfgp_ear_chart;

/* Cost: (SFGP_EAR_CELLS + 1)^2 surface points. */
void sfgp_ear_chart_prepare(const sfgp_ear_surface *mean, sfgp_ear_chart *chart);

/* Point of the mean ear at (u, v) of the disk and its derivatives, mm. */
void sfgp_ear_chart_at(const sfgp_ear_chart *chart, double u, double v, double point[3], double by_u[3],
                       double by_v[3]);

#endif
