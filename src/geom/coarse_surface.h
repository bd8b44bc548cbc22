/* Coarse surface: some points of a dense surface, evenly spread, with the surface between them. A field along it costs what these
 * points cost, and is carried to all.
 *
 * Each point belongs to the cell of the nearest of them. Three cells have a triangle where a triangle of
 * the mesh has its corners in them: the mesh with each cell drawn together to one point. So what is apart by more than a cell stays
 * apart, and holes stay holes. Sheets that are closer share cells. Points without faces are a cloud again (elements.h).
 *
 * A field with the value u_j and the slope G_j at coarse point c_j has at a point x of the cell of c_k
 *
 *     u(x) = sum_j w_j (u_j + G_j (x - c_j)) / sum_j w_j,   w_j = |x - c_j|^-4,   j: k and its neighbours,
 *
 * where G_j is that of the differences to the neighbours, by least squares (Renka, ACM TOMS 14(2), 1988, with slopes only). A linear
 * field is carried as it is, waves of six spacings with an error of a fifth (tests/test_coarse_surface.c). */
#ifndef SFGP_GEOM_COARSE_SURFACE_H
#define SFGP_GEOM_COARSE_SURFACE_H

#include "geom/laplacian.h"

typedef struct sfgp_coarse_surface {
    int64_t points;  /* of the shape; 0: not made */
    int64_t count;   /* coarse points */
    int64_t *index;  /* count: which points they are; NULL: all points, and the arrays below are NULL, too */
    int32_t *cell;   /* points: the coarse point of each */
    double *centres; /* count x 3 */
    sfgp_laplacian laplacian; /* of the coarse surface; its count is 0 until sfgp_coarse_surface_connect */
} sfgp_coarse_surface;

/* At most so many points of a mesh or a cloud in space. O(N log most). SFGP_ERROR_MEMORY, with nothing in it. */
sfgp_status sfgp_coarse_surface_new(sfgp_context *context, const sfgp_mesh *mesh, int64_t most,
                                    sfgp_coarse_surface *coarse);
/* Its laplacian, unless it is there. mesh: the same. O(N). SFGP_ERROR_MEMORY: there is none then. */
sfgp_status sfgp_coarse_surface_connect(sfgp_context *context, const sfgp_mesh *mesh,
                                        sfgp_coarse_surface *coarse);
void sfgp_coarse_surface_clear(sfgp_coarse_surface *coarse);

/* The coarse point of a point. */
static inline int64_t sfgp_coarse_surface_cell(const sfgp_coarse_surface *coarse, int64_t point)
{
    return coarse->cell ? coarse->cell[point] : point;
}

/* to (points x 3) += the field with these values (count x 3), which is connected. mesh: the same. SFGP_ERROR_MEMORY: nothing is
 * added. O(N). */
sfgp_status sfgp_coarse_surface_carry(sfgp_context *context, const sfgp_coarse_surface *coarse,
                                      const sfgp_mesh *mesh, const double *values, double *to);

#endif
