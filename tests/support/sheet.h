/* Sheets of triangles, for tests of what lives on a surface. */
#ifndef SFGP_TESTS_SHEET_H
#define SFGP_TESTS_SHEET_H

#include "sfgp/sfgp.h"

/* A flat sheet of side lengths 1 and (rows - 1) / (columns - 1) in the plane z = 0, row after row; every square is two
 * triangles. Inner points are moved by up to `jitter` of the spacing, at random (seeded). The mesh has room for `pieces` such
 * sheets, one above the other by 0.1, and for `more` points without faces at (k, 9, 9). sfgp_mesh_free. */
sfgp_mesh *test_sheet(sfgp_context *context, int columns, int rows, double jitter, int pieces, int more);

/* Dense mass (n, lumped) and stiffness (n x n) of the triangles of a mesh, by the gradients of the elements. */
void test_elements(const sfgp_mesh *mesh, double *mass, double *stiffness);
/* Dense covariance (n x n) of a Matern field: (1 / tau^2) (A^-1 C)^smoothness A^-1, A = G + kappa^2 C. */
void test_field(sfgp_context *context, int64_t n, const double *mass, const double *stiffness, double kappa2,
                double strength, int smoothness, double *covariance);
/* Correlation of the Matern kernel at the distance r. */
double test_matern(double nu, double length, double r);

#endif
