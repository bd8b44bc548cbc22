/* Rings of points on the disk and the triangles between them.
 *
 * Ring k has 4k points, ring 0 is the middle. Places on the disk are chosen once, on the mean ear, so that
 * the rings cut every ray from the middle into equal lengths of surface and the rays are equally far apart at
 * the outline: spacing is then nearly even although the relief stretches the disk. */
#ifndef SFGP_SIMULATE_EAR_GRID_H
#define SFGP_SIMULATE_EAR_GRID_H

#include "base/context.h"
#include "simulate/ear_chart.h"

typedef struct sfgp_ear_place {
    double radius; /* 0 to 1 */
    double turn;   /* direction from the middle, radians */
} sfgp_ear_place;

#define SFGP_EAR_RINGS_MOST 4096

int64_t sfgp_ear_point_count(int64_t rings);    /* 1 + 2 rings (rings + 1) */
int64_t sfgp_ear_triangle_count(int64_t rings); /* 4 rings^2 */

/* Fills sfgp_ear_point_count(rings) places. Cost: about 25000 look-ups in the chart of the mean ear.
 * Errors: SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ear_places(sfgp_context *context, int64_t rings, const sfgp_ear_chart *chart,
                            sfgp_ear_place *places);

/* Corners of the triangles, counter-clockwise seen from outside the head. */
void sfgp_ear_triangles(int64_t rings, int64_t (*triangles)[3]);

#endif
