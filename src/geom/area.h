/* Area of a sampled surface, and how densely its points lie. */
#ifndef SFGP_GEOM_AREA_H
#define SFGP_GEOM_AREA_H

#include "base/context.h"

/* Area of the surface (3D) on which points lie: count pi r^2 / k with the median squared distance r^2 to the k-th nearest
 * point, over up to 2000 of the points at random (seeded). Strays count little, as it is a median. Noise that is larger
 * than the spacing of these 2000 makes it too large. 0 for coincident points. O(count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_points_area(sfgp_context *context, int64_t count, const double *points, uint64_t seed,
                             double *area);

/* density (count): that of points around each point, an integral of about 1 over space: the points in a ball around it, of up
 * to 3000 of the points at random (seeded). The ball has the radius of 4.5 of their spacings sqrt(area / 3000), so it holds
 * some 60 of them. O(count log 3000). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_points_density(sfgp_context *context, int64_t count, const double *points, double area,
                                uint64_t seed, double *density);

#endif
