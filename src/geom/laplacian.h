/* Laplacian of a surface or curve by linear finite elements (Lindgren, Rue, Lindstrom, JRSS B 73(4), 2011, appendix A.2):
 *
 *     C   lumped mass: of each point a third of the area of its triangles, or half of the length of its segments
 *     G   stiffness: G_ij = integral of grad psi_i grad psi_j, the cotangents of the triangles
 *
 * G phi = lambda C phi are the eigenfunctions of -Delta with Neumann borders: nothing flows over a border or into a hole.
 * Faces that share an edge add up, also where there are three of them.
 *
 * The edges of a triangle that is flat to LEAST_SLACK of the mean edge are lengthened until it is not (Sharp, Crane, SGP 2020,
 * section 4.5), so that its points stay connected. Other triangles keep their edges.
 *
 * A piece is what elements connect. A point without elements is a piece with the mean mass of a point, so that C can be
 * inverted, and with the area 0. */
#ifndef SFGP_GEOM_LAPLACIAN_H
#define SFGP_GEOM_LAPLACIAN_H

#include "geom/elements.h"
#include "linalg/sparse.h"

typedef struct sfgp_laplacian {
    int64_t count;         /* points */
    int dimension;         /* 2: surface; 1: curve */
    double *mass;          /* count: C, positive */
    sfgp_sparse stiffness; /* G: its lower triangle, rows ascending, the diagonal always there */
    int64_t piece_count;
    int32_t *piece; /* count: the piece of each point; pieces by their first point */
    double *area;   /* piece_count: area or length; 0 for a point without elements */
    double *weight; /* piece_count: sum of the mass */
} sfgp_laplacian;

/* mesh: reference with faces, or a cloud (geom/elements.h). O(n log n). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_laplacian_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_laplacian *laplacian);
/* Its pieces, after its masses are set; sfgp_laplacian_new calls it. */
sfgp_status sfgp_laplacian_find_pieces(sfgp_context *context, const sfgp_elements *elements,
                                       sfgp_laplacian *laplacian);
void sfgp_laplacian_clear(sfgp_laplacian *laplacian);

#endif
