/* Roughness: how far points that are measured on a surface are from lying on a smooth one, at each of them.
 *
 * With the K neighbours of a point, itself included, it is measured in two ways. By the points alone it is the root mean square distance, along the
 * normal, from the quadric that is fitted to the neighbours,
 *
 *     h = c . (1, u, v, u^2, u v, v^2),   (u, v, h): the neighbours about their mean, h along the normal,
 *
 * over K - 6 degrees of freedom. Where a surface has a fold, or is thin, and points are few, that is large, too. Beside another surface that has these,
 * such as a fit, it is the median of |h_k - h_j|, where h are the heights of points above that surface. Where the fit is wrong that is large.
 * Where both are large, the points are no surface. ADR 0122. */
#ifndef SFGP_GEOM_ROUGHNESS_H
#define SFGP_GEOM_ROUGHNESS_H

#include "geom/normals.h"

/* Most neighbours, itself included. */
#define SFGP_ROUGHNESS_MOST 32

/* A place on another surface that belongs to each point. */
typedef struct sfgp_heights {
    const double *height; /* of the point above it */
    const double *
        normal; /* count x 3: of the surface there, unit length; the sign is arbitrary and is that of the height */
} sfgp_heights;

/* By the points alone (count x 3). At least 7 neighbours and at most SFGP_ROUGHNESS_MOST of each. roughness: count. O(count neighbours).
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_roughness_of(sfgp_context *context, const sfgp_neighbours *neighbours, const double *points,
                              double *roughness);
/* Beside another surface. Neighbours whose normals there differ by more than 60 degrees are on other sides of a fold, and do not count; without others it is
 * 0. The same cost. */
void sfgp_roughness_beside(const sfgp_neighbours *neighbours, const sfgp_heights *heights, double *roughness);
/* The median over the neighbours of each point. The same cost. */
void sfgp_roughness_smooth(const sfgp_neighbours *neighbours, const double *roughness, double *smooth);

#endif
