/* Plane: the largest flat part of a surface, as a table or a wall in a scan.
 *
 * Every fourth point proposes the plane through it, along its normal. The plane near which most points lie, whose normals agree, is fitted
 * to them (principal components), four times. This is RANSAC (Fischler and Bolles, CACM 1981) with every fourth point as a
 * sample, as a point with a normal is enough for a plane (Schnabel, Wahl and Klein, CGF 2007, section 4.1). */
#ifndef SFGP_GEOM_PLANE_H
#define SFGP_GEOM_PLANE_H

#include "geom/oriented.h"

#include <stdbool.h>

typedef struct sfgp_plane {
    double normal[3]; /* unit length */
    double offset;    /* x lies in the plane: normal . x = offset */
    double within;    /* a point of the plane is so near, at most */
    double share;     /* of the points that it was found among */
} sfgp_plane;

/* The plane with most of the points, to `within` of it. share is 0 where there is none. O(count^2). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_plane_largest(sfgp_context *context, const sfgp_oriented *some, double within,
                               sfgp_plane *plane);
/* Fits the plane again, with three deviations of its own points as `within`, but at least that. share is 0 if they are more than `most`: the points
 * of a curved surface spread evenly over all distances. O(count log count). The same errors. */
sfgp_status sfgp_plane_narrow(sfgp_context *context, const sfgp_oriented *some, double least, double most,
                              sfgp_plane *plane);
bool sfgp_plane_has(const sfgp_plane *plane, const double point[3]);

#endif
