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

/* Of a plane in which points end. */
typedef struct sfgp_plane_limits {
    double within;      /* thickness before its noise is known */
    double least, most; /* of its thickness, three deviations of its points */
    double beyond;      /* share of all points on its other side */
    double growth;      /* twice as thick it has at most so many times the points: a dome has twice as many */
} sfgp_plane_limits;

/* The plane with most of the points, to `within` of it. share is 0 where there is none. O(count^2). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_plane_largest(sfgp_context *context, const sfgp_oriented *some, double within,
                               sfgp_plane *plane);
/* Fits the plane again, with three deviations of its own points as `within`, but at least that. share is 0 if they are more than `most`: the points
 * of a curved surface spread evenly over all distances. O(count log count). The same errors. */
sfgp_status sfgp_plane_narrow(sfgp_context *context, const sfgp_oriented *some, double least, double most,
                              sfgp_plane *plane);
/* Where the points end: the largest plane with at most a share `beyond` of them on one of its sides, farther than its thickness and `within`. It is
 * fitted and narrowed as above; a curved end is none. share is 0 where there is none. O(count^2). The same errors. */
sfgp_status sfgp_plane_end(sfgp_context *context, const sfgp_oriented *some, const sfgp_plane_limits *limits,
                           sfgp_plane *plane);
bool sfgp_plane_has(const sfgp_plane *plane, const double point[3]);

#endif
