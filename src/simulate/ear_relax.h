/* Evens out the places of a grid on the mean ear. */
#ifndef SFGP_SIMULATE_EAR_RELAX_H
#define SFGP_SIMULATE_EAR_RELAX_H

#include "simulate/ear_chart.h"
#include "simulate/ear_grid.h"

#define SFGP_EAR_SWEEPS 60

/* Springs along the edges of the triangles, in energy the fourth power of their length so that long ones pull
 * most, slide the places over the mean ear; the outline stays. A fixed number of sweeps, so that the result
 * depends on the rings only. Cost: SFGP_EAR_SWEEPS passes over points and triangles.
 * Errors: SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ear_relax(sfgp_context *context, int64_t rings, const sfgp_ear_chart *chart,
                           sfgp_ear_place *places);

#endif
