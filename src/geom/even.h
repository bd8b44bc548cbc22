/* Even: a scan of very uneven points is made even before it is fitted (ADR 0116). Spacings, areas and the density of outliers are learned from the
 * points, as if they lay alike everywhere.
 *
 *     near copies for a quarter of the points the nearest one is ten times nearer than the twelfth, not counting lines of points: two exposures of nearly the same
 *                 points. They are thinned.
 *     dense spots half of the surface has 15 times fewer points for its area than where most points lie. They are thinned.
 *
 * What lies scattered in space, as strays and noise do, is no surface, and does not count. */
#ifndef SFGP_GEOM_EVEN_H
#define SFGP_GEOM_EVEN_H

#include "geom/places.h"

/* Makes the sorted places of a scan in space even, and warns; those that are even stay as they are. About O(count); where something is
 * changed O(count log count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_places_even(sfgp_context *context, int64_t *count, sfgp_place *places);

#endif
