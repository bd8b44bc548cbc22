/* Elements: the triangles of a surface or the segments of a curve, on which a field is linear.
 *
 *     mesh                 its faces; polygons are fans of triangles
 *     points in 3D         of each point the triangles around it in the Delaunay triangulation of its neighbours, in their
 *                          tangent plane (Clarenz, Rumpf, Telea, Finite Elements on Point Based Surfaces, SPBG 2004). Each
 *                          triangle is found at its three corners, so one of them counts 1/3 (Sharp, Crane, A Laplacian for
 *                          Nonmanifold Triangle Meshes, SGP 2020, section 5.7)
 *     points in 2D         a curve: of each point the segments to the nearest neighbour on either side, which count 1/2
 *
 * A point of a cloud sees no surface but its neighbours: sheets that are closer than some spacings of the points are one. */
#ifndef SFGP_GEOM_ELEMENTS_H
#define SFGP_GEOM_ELEMENTS_H

#include "base/context.h"

typedef struct sfgp_elements {
    int corners;     /* of an element: 3 triangles, 2 segments */
    int64_t count;   /* elements */
    int32_t *points; /* count x corners */
    double weight;   /* of each element */
} sfgp_elements;

/* Of the faces of a mesh, or of its points where it has none. Elements with a repeated corner are left out. O(n log n).
 * SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_elements_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_elements *elements);
void sfgp_elements_clear(sfgp_elements *elements);

/* -G_ij of the edges of an element, and its area or length. Edge k is opposite to corner k; a segment has edge 0 only. */
typedef struct sfgp_element {
    double edge[3];
    double size;
} sfgp_element;

/* Of a triangle with these sides, which are lengthened until two of them are longer than the third by `least`. */
sfgp_element sfgp_element_triangle(double sides[3], double least);
/* Of a segment, which is at least so long. */
sfgp_element sfgp_element_segment(double length, double least);

/* The triangles of the origin and two of n other points in the plane (n x 2) in their Delaunay triangulation, as pairs of
 * indices: the edges of the convex hull of p / |p|^2 that the origin lies left of. pairs has room for n of them; order: n.
 * Returns how many. Points at the origin are left out. O(n log n). */
int sfgp_delaunay_star(int n, const double *points, int *order, int (*pairs)[2]);
/* Elements of a point cloud; sfgp_elements_new calls it. */
sfgp_status sfgp_elements_of_cloud(sfgp_context *context, const sfgp_mesh *mesh, sfgp_elements *elements);

#endif
