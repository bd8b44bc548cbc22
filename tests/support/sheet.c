/* Sheets of triangles, and fields on them by dense matrices. */
#include "support/sheet.h"
#include "support/support.h"
#include "base/random.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void place_points(int columns, int rows, double jitter, double height, sfgp_random *random,
                         double *points)
{
    const double spacing = 1.0 / (columns - 1);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const bool inner = r > 0 && r < rows - 1 && c > 0 && c < columns - 1;
            double *x = points + 3 * (r * columns + c);
            const double dx = jitter * (sfgp_random_uniform(random) - 0.5),
                         dy = jitter * (sfgp_random_uniform(random) - 0.5);
            x[0] = spacing * (c + (inner ? dx : 0));
            x[1] = spacing * (r + (inner ? dy : 0));
            x[2] = height;
        }
}

static void place_faces(int columns, int rows, int64_t first, int64_t *points)
{
    for (int r = 0; r < rows - 1; r++)
        for (int c = 0; c < columns - 1; c++) {
            const int64_t at = first + r * columns + c;
            const int64_t corners[6] = {at, at + 1, at + columns + 1, at, at + columns + 1, at + columns};
            memcpy(points + 6 * (r * (columns - 1) + c), corners, sizeof corners);
        }
}

sfgp_mesh *test_sheet(sfgp_context *context, int columns, int rows, double jitter, int pieces, int more)
{
    const int64_t n = (int64_t)columns * rows, faces = (int64_t)2 * (columns - 1) * (rows - 1);
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(context,
                   sfgp_mesh_new(context, pieces * n + more, 3, pieces * faces, 3 * pieces * faces, &mesh));
    for (int p = 0; p < pieces; p++) {
        sfgp_random random = sfgp_random_of(5); /* equal pieces */
        place_points(columns, rows, jitter, 0.1 * p, &random, mesh->points + 3 * p * n);
        place_faces(columns, rows, p * n, mesh->face_points + 3 * p * faces);
    }
    for (int64_t f = 0; f <= pieces * faces; f++)
        mesh->face_start[f] = 3 * f;
    for (int k = 0; k < more; k++)
        for (int a = 0; a < 3; a++)
            mesh->points[3 * (pieces * n + k) + a] = a == 0 ? k : 9;
    return mesh;
}

/* G_ij += e_i e_j / (4 area), with the edges e_i opposite to the corners. */
static void add_triangle(const sfgp_mesh *mesh, const int64_t *corner, double *mass, double *stiffness)
{
    const int64_t n = mesh->count;
    double edge[3][3], across[3], dots[3][3] = {{0}};
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            edge[k][a] =
                mesh->points[3 * corner[(k + 2) % 3] + a] - mesh->points[3 * corner[(k + 1) % 3] + a];
    for (int a = 0; a < 3; a++)
        across[a] = edge[0][(a + 1) % 3] * edge[1][(a + 2) % 3] - edge[0][(a + 2) % 3] * edge[1][(a + 1) % 3];
    const double area = 0.5 * sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int a = 0; a < 3; a++)
                dots[i][j] += edge[i][a] * edge[j][a];
    for (int i = 0; i < 3; i++) {
        mass[corner[i]] += area / 3;
        for (int j = 0; j < 3; j++)
            stiffness[corner[i] * n + corner[j]] += dots[i][j] / (4 * area);
    }
}

void test_elements(const sfgp_mesh *mesh, double *mass, double *stiffness)
{
    memset(mass, 0, (size_t)mesh->count * sizeof *mass);
    memset(stiffness, 0, (size_t)(mesh->count * mesh->count) * sizeof *stiffness);
    for (int64_t f = 0; f < mesh->face_count; f++)
        add_triangle(mesh, mesh->face_points + mesh->face_start[f], mass, stiffness);
}

/* b = A \ b for the Cholesky factor l. */
static void solve(int64_t n, const double *l, double *b)
{
    sfgp_dense_solve_lower(n, n, l, b);
    sfgp_dense_solve_lower_transposed(n, n, l, b);
}

void test_field(sfgp_context *context, int64_t n, const double *mass, const double *stiffness, double kappa2,
                double strength, int smoothness, double *covariance)
{
    double *a = malloc((size_t)(n * n) * sizeof *a);
    memcpy(a, stiffness, (size_t)(n * n) * sizeof *a);
    memset(covariance, 0, (size_t)(n * n) * sizeof *covariance);
    for (int64_t i = 0; i < n; i++) {
        a[i * n + i] += kappa2 * mass[i];
        covariance[i * n + i] = strength;
    }
    sfgp_assert_ok(context, sfgp_dense_cholesky(context, "field", n, a));
    solve(n, a, covariance);
    for (int k = 0; k < smoothness; k++) {
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                covariance[i * n + j] *= mass[i];
        solve(n, a, covariance);
    }
    free(a);
}

/* 2^(1 - nu) / Gamma(nu) x^nu K_nu(x), x = sqrt(2 nu) r / length, K_nu(x) = integral of exp(-x cosh t) cosh(nu t): the
 * trapezoidal rule converges exponentially. */
double test_matern(double nu, double length, double r)
{
    const double x = sqrt(2 * nu) * r / length, step = 0.05;
    double sum = 0.5 * exp(-x);
    for (int k = 1; k < 400; k++)
        sum += exp(-x * cosh(k * step)) * cosh(nu * k * step);
    return pow(2, 1 - nu) / tgamma(nu) * pow(x, nu) * step * sum;
}
