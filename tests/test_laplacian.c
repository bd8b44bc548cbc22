/* Mass, stiffness and pieces of meshes, clouds and curves, and LDL' with the diagonal of the inverse. */
#include "support/sheet.h"
#include "support/support.h"
#include "support/sparse.h"
#include "geom/elements.h"
#include "geom/laplacian.h"
#include "linalg/dense.h"
#include "linalg/ldl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* n x n, symmetric. */
static double *dense_of(const sfgp_laplacian *l)
{
    const int32_t *start = sfgp_sparse_start(&l->stiffness), *row = sfgp_sparse_index(&l->stiffness);
    double *dense = calloc((size_t)(l->count * l->count), sizeof *dense);
    for (int64_t j = 0; j < l->count; j++)
        for (int32_t p = start[j]; p < start[j + 1]; p++)
            dense[row[p] * l->count + j] = dense[j * l->count + row[p]] = sfgp_sparse_value(&l->stiffness)[p];
    return dense;
}

/* x'Gx for values x: the Dirichlet energy. */
static double energy_of(const sfgp_laplacian *l, const double *x)
{
    double *dense = dense_of(l), sum = 0;
    for (int64_t i = 0; i < l->count; i++)
        for (int64_t j = 0; j < l->count; j++)
            sum += dense[i * l->count + j] * x[i] * x[j];
    free(dense);
    return sum;
}

static double total_mass(const sfgp_laplacian *l)
{
    double sum = 0;
    for (int64_t i = 0; i < l->count; i++)
        sum += l->mass[i];
    return sum;
}

static void elements_of_a_mesh_are_those_of_the_gradients(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 9, 7, 0.5, 1, 0);
    const int64_t n = mesh->count;
    for (int64_t i = 0; i < n; i++) /* not flat */
        mesh->points[3 * i + 2] = 0.2 * sin(4 * mesh->points[3 * i]);
    double *mass = malloc((size_t)n * sizeof *mass), *expected = malloc((size_t)(n * n) * sizeof *expected);
    sfgp_laplacian l;
    test_elements(mesh, mass, expected);
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &l));
    double *found = dense_of(&l);
    for (int64_t i = 0; i < n; i++)
        assert_true(fabs(l.mass[i] - mass[i]) < 1e-15);
    for (int64_t k = 0; k < n * n; k++)
        assert_true(fabs(found[k] - expected[k]) < 1e-13);
    assert_int_equal(l.piece_count, 1);
    assert_int_equal(l.dimension, 2);
    assert_true(test_sparse_is_valid(&l.stiffness));
    free(found), free(mass), free(expected);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

/* A flat triangle, one with two coincident corners, one with a repeated corner, and a third sheet at an edge. */
static void bad_triangles_survive(void **state)
{
    sfgp_context *context = *state;
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0, 0, 1, 1, 0, 1, 1, 0, 0.5, 0.5, 1, 5, 5, 5};
    const int64_t faces[] = {0, 1, 2, 0, 3, 1, 1, 4, 2, 4, 5, 2, 1, 2, 6, 4, 4, 7};
    sfgp_mesh *mesh = NULL;
    sfgp_laplacian l;
    sfgp_assert_ok(context, sfgp_mesh_new(context, 8, 3, 6, 18, &mesh));
    memcpy(mesh->points, points, sizeof points);
    memcpy(mesh->face_points, faces, sizeof faces);
    for (int f = 0; f <= 6; f++)
        mesh->face_start[f] = 3 * f;
    sfgp_assert_ok(context, sfgp_laplacian_new(context, mesh, &l));
    double *dense = dense_of(&l), ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(l.piece_count, 2); /* the face 4 4 7 connects nothing */
    assert_true(l.area[1] == 0 && l.mass[7] > 0 && l.piece[5] == 0);
    for (int i = 0; i < 8; i++)
        assert_true(isfinite(l.mass[i]) && l.mass[i] > 0 && dense[9 * i] >= 0);
    assert_true(fabs(energy_of(&l, ones)) < 1e-9);
    /* The area of the three good triangles: 1/2 + 1/2 + 0.61; flat ones have their share of LEAST_SLACK's square root. */
    assert_true(fabs(l.area[0] - (1 + 0.5 * sqrt(2) * sqrt(1))) < 0.01);
    free(dense);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

static void delaunay_star_is_the_hull_of_the_inverted(void **state)
{
    (void)state;
    /* Around the origin: a square of neighbours, a far point behind one of them, and the origin itself. */
    const double closed[] = {1, 0.1, 0, 1, -1, 0, 0, -1, 3, 3, 0, 0};
    const double border[] = {1, 0, 0.1, 1, -1, 0, 0.2, 2.5};
    int order[6], pairs[12][2], seen[6] = {0};
    assert_int_equal(sfgp_delaunay_star(6, closed, order, pairs), 4);
    for (int k = 0; k < 4; k++) {
        const double *a = closed + 2 * pairs[k][0], *b = closed + 2 * pairs[k][1];
        assert_true(a[0] * b[1] - a[1] * b[0] > 0);
        seen[pairs[k][0]]++, seen[pairs[k][1]]++;
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(seen[k], 2);
    assert_int_equal(sfgp_delaunay_star(4, border, order, pairs), 2);
    assert_int_equal(sfgp_delaunay_star(1, border, order, pairs), 0);
}

/* Of the points of a sheet without its faces: the same area and energies of smooth functions. A grid is the worst case, as all
 * of its squares have two Delaunay triangulations. */
static void cloud_agrees_with_the_mesh(void **state)
{
    for (int k = 0; k < 2; k++) {
        sfgp_mesh *mesh = test_sheet(*state, 17, 17, k == 0 ? 0 : 0.4, 1, 0);
        sfgp_laplacian by_faces, by_points;
        double x[289];
        sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &by_faces));
        mesh->face_count = 0;
        sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &by_points));
        for (int i = 0; i < 289; i++)
            x[i] = cos(PI * mesh->points[3 * i]) * cos(PI * mesh->points[3 * i + 1]);
        assert_int_equal(by_points.piece_count, 1);
        assert_true(fabs(total_mass(&by_points) / total_mass(&by_faces) - 1) < 0.02);
        assert_true(fabs(energy_of(&by_points, x) / energy_of(&by_faces, x) - 1) < 0.02);
        assert_true(fabs(energy_of(&by_faces, x) / (PI * PI / 2) - 1) < 0.02);
        sfgp_laplacian_clear(&by_faces);
        sfgp_laplacian_clear(&by_points);
        mesh->face_count = 512;
        sfgp_mesh_free(mesh);
    }
}

/* A circle of radius 1: its length, and cos(2 t) with the energy 4 pi. */
static void curve_has_length_and_energy(void **state)
{
    enum { COUNT = 200 };
    sfgp_mesh *mesh = NULL;
    sfgp_laplacian l;
    double x[COUNT];
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, COUNT, 2, 0, 0, &mesh));
    for (int i = 0; i < COUNT; i++) {
        mesh->points[2 * i] = cos(2 * PI * i / COUNT);
        mesh->points[2 * i + 1] = sin(2 * PI * i / COUNT);
        x[i] = cos(4 * PI * i / COUNT);
    }
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &l));
    assert_int_equal(l.dimension, 1);
    assert_int_equal(l.piece_count, 1);
    assert_true(fabs(l.area[0] / (2 * PI) - 1) < 1e-3);
    assert_true(fabs(energy_of(&l, x) / (4 * PI) - 1) < 1e-3);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

/* Solutions, inverse and signs against dense matrices, for a definite and an indefinite matrix. */
static void ldl_agrees_with_dense(void **state)
{
    sfgp_context *context = *state;
    sfgp_mesh *mesh = test_sheet(context, 11, 9, 0.5, 1, 0);
    const int64_t n = mesh->count;
    sfgp_laplacian l;
    sfgp_ldl *ldl = NULL;
    sfgp_assert_ok(context, sfgp_laplacian_new(context, mesh, &l));
    sfgp_assert_ok(context, sfgp_ldl_new(context, &l.stiffness, &ldl));
    for (int sign = 1; sign >= -1; sign -= 2) {
        double *values = malloc((size_t)n * sizeof *values),
               *vectors = malloc((size_t)(n * n) * sizeof *vectors);
        double *diagonal = malloc((size_t)n * sizeof *diagonal), *x = malloc((size_t)n * sizeof *x);
        int64_t negative = 0;
        for (int64_t i = 0; i < n; i++) {
            sfgp_sparse_value(&l.stiffness)[sfgp_sparse_start(&l.stiffness)[i]] += sign > 0 ? 0.3 : -1.1;
            x[i] = sin((double)i);
        }
        double *dense = dense_of(&l), *copy = dense_of(&l), *b = malloc((size_t)n * sizeof *b);
        sfgp_assert_ok(context, sfgp_ldl_factorise(context, &l.stiffness, ldl));
        sfgp_assert_ok(context, sfgp_ldl_inverse_diagonal(context, ldl, diagonal));
        sfgp_assert_ok(context, sfgp_dense_eigen(context, n, copy, values, vectors));
        memcpy(b, x, (size_t)n * sizeof *b);
        sfgp_ldl_solve(ldl, 1, x);
        for (int64_t i = 0; i < n; i++) {
            double sum = 0, inverse = 0;
            for (int64_t k = 0; k < n; k++) {
                sum += dense[i * n + k] * x[k];
                inverse += vectors[k * n + i] * vectors[k * n + i] / values[k];
            }
            negative += values[i] < 0;
            assert_true(fabs(sum - b[i]) < 1e-11);
            assert_true(fabs(diagonal[i] - inverse) < 1e-10 * (1 + fabs(inverse)));
        }
        assert_int_equal(sfgp_ldl_negative(ldl), negative);
        assert_true(sign > 0 ? negative == 0 : negative > 5);
        assert_true(sfgp_ldl_entries(ldl) >= sfgp_sparse_start(&l.stiffness)[n]);
        free(values), free(vectors), free(diagonal), free(x), free(dense), free(copy), free(b);
    }
    sfgp_ldl_free(ldl);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

static void ldl_of_a_singular_matrix_fails(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 3, 3, 0, 1, 1);
    sfgp_laplacian l;
    sfgp_ldl *ldl = NULL;
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &l)); /* the row of the last point is 0 */
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, &l.stiffness, &ldl));
    sfgp_assert_status(*state, sfgp_ldl_factorise(*state, &l.stiffness, ldl), SFGP_ERROR_NUMERIC);
    sfgp_ldl_free(ldl);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

/* It lies across the surface there: the area is that of the sheet, and no triangle stands on it. */
static void a_point_above_another_is_no_side_of_it(void **state)
{
    sfgp_mesh *sheet = test_sheet(*state, 17, 17, 0, 1, 0), *cloud;
    sfgp_laplacian one, both;
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 290, 3, 0, 0, &cloud));
    memcpy(cloud->points, sheet->points, 289 * 3 * sizeof(double));
    memcpy(cloud->points + 3 * 289, sheet->points + 3 * 144, 3 * sizeof(double));
    cloud->points[3 * 289 + 2] += 0.01; /* of a spacing of 1 / 16 */
    sheet->face_count = 0;
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, sheet, &one));
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, cloud, &both));
    assert_true(fabs(total_mass(&both) / total_mass(&one) - 1) < 0.02);
    sfgp_laplacian_clear(&one), sfgp_laplacian_clear(&both);
    sheet->face_count = 512;
    sfgp_mesh_free(sheet), sfgp_mesh_free(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_point_above_another_is_no_side_of_it),
        sfgp_unit_test(elements_of_a_mesh_are_those_of_the_gradients),
        sfgp_unit_test(bad_triangles_survive),
        sfgp_unit_test(delaunay_star_is_the_hull_of_the_inverted),
        sfgp_unit_test(cloud_agrees_with_the_mesh),
        sfgp_unit_test(curve_has_length_and_energy),
        sfgp_unit_test(ldl_agrees_with_dense),
        sfgp_unit_test(ldl_of_a_singular_matrix_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
