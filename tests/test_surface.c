/* The kernel "surface": its factor against the inverse of the dense precision, its variance and correlation, pieces, curves and
 * clouds, and the certificate. */
#include "support/shapes.h"
#include "support/sheet.h"
#include "support/corrupt.h"
#include "base/memory.h"
#include "gpr/posterior.h"
#include "kernel/surface.h"
#include "linalg/dense.h"
#include "lowrank/harmonics.h"
#include "lowrank/surface_factor.h"
#include "model/prior_at.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static sfgp_kernel kernel_of(sfgp_context *context, const char *text)
{
    sfgp_kernel kernel;
    sfgp_assert_ok(context, sfgp_kernel_parse(context, text, &kernel));
    return kernel;
}

static sfgp_factor factor_of(sfgp_context *context, const sfgp_mesh *mesh, const char *text, double accuracy,
                             int64_t rank)
{
    const sfgp_kernel kernel = kernel_of(context, text);
    const sfgp_factor_request request = {accuracy, rank, 1, false};
    sfgp_factor factor;
    sfgp_assert_ok(context, sfgp_surface_factor_new(context, mesh, &kernel, &request, &factor));
    return factor;
}

static double entry_of(const sfgp_factor *factor, int64_t i, int64_t j)
{
    return sfgp_dense_dot(factor->rank, factor->values + i * factor->rank, factor->values + j * factor->rank);
}

/* The dense covariance of one term on the triangles of a mesh. */
static double *covariance_of(sfgp_context *context, const sfgp_mesh *mesh, const char *text)
{
    const int64_t n = mesh->count;
    const sfgp_kernel kernel = kernel_of(context, text);
    double *mass = malloc((size_t)n * sizeof *mass), *stiffness = malloc((size_t)(n * n) * sizeof *stiffness),
           *covariance = malloc((size_t)(n * n) * sizeof *covariance);
    test_elements(mesh, mass, stiffness);
    test_field(context, n, mass, stiffness, sfgp_surface_kappa2(kernel.terms, 2),
               sfgp_surface_strength(kernel.terms, 2), kernel.terms[0].smoothness, covariance);
    free(mass), free(stiffness);
    return covariance;
}

/* ---- against the dense oracle ------------------------------------------------------------------------ */

static void all_pairs_are_the_inverse_of_the_precision(void **state)
{
    const char *const texts[] = {"surface:length=0.2,variance=2,smoothness=1",
                                 "surface:length=0.3,variance=0.5"};
    sfgp_mesh *mesh = test_sheet(*state, 14, 12, 0.5, 1, 0);
    const int64_t n = mesh->count;
    for (int k = 0; k < 2; k++) {
        sfgp_factor factor = factor_of(*state, mesh, texts[k], 0, n);
        double *covariance = covariance_of(*state, mesh, texts[k]), worst = 0;
        assert_int_equal(factor.rank, n);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                worst = fmax(worst, fabs(covariance[i * n + j] - entry_of(&factor, i, j)));
        assert_true(worst < 1e-11);
        assert_true(factor.residual < 1e-11);
        free(covariance);
        sfgp_factor_clear(&factor);
    }
    sfgp_mesh_free(mesh);
}

/* mean = K (K + W^-1)^-1 y and variance = diag(K - K (K + W^-1)^-1 K), where most points are not observed. */
static void posterior_is_that_of_the_dense_field(void **state)
{
    sfgp_context *context = *state;
    const char *const text = "surface:length=0.2,variance=1,smoothness=1";
    sfgp_mesh *mesh = test_sheet(context, 14, 12, 0.5, 1, 0);
    const int64_t n = mesh->count;
    sfgp_basis basis = {.count = n, .dimension = 3, .scalar = factor_of(context, mesh, text, 0, n)};
    sfgp_posterior posterior = {0};
    double *k = covariance_of(context, mesh, text), *a = malloc((size_t)(n * n) * sizeof *a),
           *b = malloc((size_t)(n * n) * sizeof *b), *weights = calloc((size_t)n, sizeof *weights),
           *labels = calloc((size_t)(3 * n), sizeof *labels), *y = calloc((size_t)(3 * n), sizeof *y);
    sfgp_assert_ok(context, sfgp_allocate(context, 3 * n, &basis.mean));
    for (int64_t i = 0; i < n; i++) {
        weights[i] = i % 3 == 0 ? 50 + (double)i : 1e-8;
        for (int c = 0; c < 3; c++)
            labels[3 * i + c] = y[3 * i + c] = sin((double)(i * (c + 1)));
    }
    memcpy(a, k, (size_t)(n * n) * sizeof *a), memcpy(b, k, (size_t)(n * n) * sizeof *b);
    for (int64_t i = 0; i < n; i++)
        a[i * n + i] += 1 / weights[i];
    sfgp_assert_ok(context, sfgp_dense_cholesky(context, "oracle", n, a));
    sfgp_dense_solve_lower(n, n, a, b); /* L \ K */
    sfgp_dense_solve_lower(n, 3, a, y); /* L \ y */
    sfgp_assert_ok(context, sfgp_posterior_new(context, &basis, &posterior));
    sfgp_assert_ok(context, sfgp_posterior_update(context, weights, labels, &posterior));
    for (int64_t i = 0; i < n; i++) {
        double mean[3] = {0, 0, 0}, variance = k[i * n + i];
        for (int64_t j = 0; j < n; j++) {
            variance -= b[j * n + i] * b[j * n + i];
            for (int c = 0; c < 3; c++)
                mean[c] += b[j * n + i] * y[3 * j + c];
        }
        assert_true(fabs(posterior.variance[i] - variance) < 1e-9);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(posterior.mean[3 * i + c] - mean[c]) < 1e-9);
    }
    sfgp_posterior_clear(&posterior);
    sfgp_basis_clear(&basis);
    free(k), free(a), free(b), free(weights), free(labels), free(y);
    sfgp_mesh_free(mesh);
}

/* The certificate holds, and is not much larger than what is left, for one term, for a sum of them, by dense pairs and by ARPACK,
 * and where the rank ends it. */
static void certificate_is_true_and_close(void **state)
{
    const struct {
        int columns;
        const char *text[2];
        double accuracy;
        int64_t rank;
    } cases[] = {
        {14, {"surface:length=0.2,variance=2,smoothness=1"}, 0.1, 196},
        {14, {"surface:length=0.3,variance=1"}, 1e-3, 196},
        {17, {"surface:length=0.3,variance=1"}, 0.03, 289},
        {17, {"surface:length=0.3,variance=1"}, 1e-6, 30},
        {15, {"surface:length=0.3,variance=1", "surface:length=0.2,variance=0.2,smoothness=1"}, 0.03, 225}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s%s", cases[c].text[0], cases[c].text[1] ? "+" : "",
                 cases[c].text[1] ? cases[c].text[1] : "");
        sfgp_mesh *mesh = test_sheet(*state, cases[c].columns, cases[c].columns, 0.5, 1, 0);
        sfgp_factor factor = factor_of(*state, mesh, text, cases[c].accuracy, cases[c].rank);
        double *covariance = covariance_of(*state, mesh, cases[c].text[0]), worst = 0;
        double *second = cases[c].text[1] ? covariance_of(*state, mesh, cases[c].text[1]) : NULL;
        for (int64_t i = 0; i < mesh->count; i++)
            worst = fmax(worst, covariance[i * (mesh->count + 1)] +
                                    (second ? second[i * (mesh->count + 1)] : 0) - entry_of(&factor, i, i));
        if (cases[c].rank == mesh->count)
            assert_true(factor.residual <= cases[c].accuracy * (1 + 1e-9) && factor.rank < mesh->count);
        else
            assert_int_equal(factor.rank, cases[c].rank);
        assert_true(worst <= factor.residual && factor.residual < 1.25 * worst);
        free(covariance), free(second);
        sfgp_factor_clear(&factor);
        sfgp_mesh_free(mesh);
    }
}

/* ---- what the field is ------------------------------------------------------------------------------- */

/* Column `at` of the covariance of the elements, by alpha solves. */
static void solve_column(sfgp_context *context, const sfgp_mesh *mesh, const char *text, int64_t at,
                         double *column)
{
    const sfgp_kernel kernel = kernel_of(context, text);
    sfgp_laplacian l;
    sfgp_sparse matrix;
    sfgp_ldl *ldl = NULL;
    sfgp_assert_ok(context, sfgp_laplacian_new(context, mesh, &l));
    sfgp_assert_ok(context, sfgp_laplacian_shift(context, &l, sfgp_surface_kappa2(kernel.terms, 2), &matrix));
    sfgp_assert_ok(context, sfgp_ldl_new(context, &matrix, &ldl));
    sfgp_assert_ok(context, sfgp_ldl_factorise(context, &matrix, ldl));
    memset(column, 0, (size_t)mesh->count * sizeof *column);
    column[at] = sfgp_surface_strength(kernel.terms, 2);
    for (int k = 0; k <= kernel.terms[0].smoothness; k++) {
        for (int64_t i = 0; k > 0 && i < mesh->count; i++)
            column[i] *= l.mass[i];
        sfgp_ldl_solve(ldl, 1, column);
    }
    sfgp_ldl_free(ldl);
    sfgp_sparse_clear(&matrix);
    sfgp_laplacian_clear(&l);
}

/* A sheet of eight lengths, 16 points a length: images behind the borders have a correlation of 0.001 at most. */
static void sheet_has_the_variance_and_correlation(void **state)
{
    const char *const texts[] = {"surface:length=0.125,variance=3,smoothness=1",
                                 "surface:length=0.125,variance=3"};
    sfgp_mesh *mesh = test_sheet(*state, 129, 129, 0, 1, 0);
    const int64_t middle = 64 * 129 + 64;
    double *column = malloc((size_t)mesh->count * sizeof *column);
    for (int k = 0; k < 2; k++) {
        solve_column(*state, mesh, texts[k], middle, column);
        assert_true(fabs(column[middle] / 3 - 1) < 0.02);
        for (int lengths = 1; lengths <= 2; lengths++) {
            const double expected = test_matern(k + 1, 1, lengths);
            assert_true(fabs(column[middle + 16 * lengths] / column[middle] - expected) < 0.01);
            assert_true(fabs(column[middle + 129 * 16 * lengths] / column[middle] - expected) < 0.01);
        }
        solve_column(*state, mesh, texts[k], 64, column); /* at a border */
        assert_true(fabs(column[64] / 6 - 1) < 0.05);
    }
    free(column);
    sfgp_mesh_free(mesh);
}

/* The same by eigenpairs to 1 % of the variance. */
static void factor_has_the_variance_of_a_sheet(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 31, 31, 0, 1, 0);
    const int64_t middle = 15 * 31 + 15;
    sfgp_factor factor = factor_of(*state, mesh, "surface:length=0.2,variance=3", 0.03, 110);
    assert_true(fabs(entry_of(&factor, middle, middle) / 3 - 1) < 0.02);
    assert_true(fabs(entry_of(&factor, middle, middle + 6) / 3 - test_matern(2, 1, 1)) < 0.02);
    sfgp_factor_clear(&factor);
    sfgp_mesh_free(mesh);
}

/* An open curve of ten lengths: nu = smoothness + 1/2. */
static void curve_has_the_variance_and_correlation(void **state)
{
    const char *const texts[] = {"surface:length=1,variance=2,smoothness=1",
                                 "surface:length=1,variance=2,smoothness=2"};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 201, 2, 0, 0, &mesh));
    for (int i = 0; i < 201; i++) { /* an arc of radius 5 */
        mesh->points[2 * i] = 5 * cos(0.01 * i);
        mesh->points[2 * i + 1] = 5 * sin(0.01 * i);
    }
    for (int k = 0; k < 2; k++) {
        sfgp_factor factor = factor_of(*state, mesh, texts[k], 0, 201);
        const double variance = entry_of(&factor, 100, 100);
        assert_true(fabs(variance / 2 - 1) < 0.01);
        assert_true(fabs(entry_of(&factor, 100, 120) / variance - test_matern(k + 1.5, 1, 1)) < 0.01);
        sfgp_factor_clear(&factor);
    }
    sfgp_mesh_free(mesh);
}

/* Two equal sheets, one above the other by a third of the length, and points without faces: nothing is shared between them. Every
 * eigenvalue appears twice, and none is missed. */
static void pieces_are_strangers(void **state)
{
    sfgp_mesh *two = test_sheet(*state, 14, 14, 0.5, 2, 2), *one = test_sheet(*state, 14, 14, 0.5, 1, 0);
    sfgp_factor both = factor_of(*state, two, "surface:length=0.3,variance=1", 0.01, 394),
                single = factor_of(*state, one, "surface:length=0.3,variance=1", 0.01, 196);
    assert_int_equal(both.rank, 2 * single.rank + 2);
    for (int64_t i = 0; i < 196; i++) {
        assert_true(fabs(entry_of(&both, i, i) - entry_of(&single, i, i)) < 1e-10);
        assert_true(fabs(entry_of(&both, 196 + i, 20) - 0) < 1e-10);
        assert_true(fabs(entry_of(&both, 196 + i, 216) - entry_of(&single, i, 20)) < 1e-10);
        assert_true(fabs(entry_of(&both, i, 392)) < 1e-10);
    }
    assert_true(fabs(entry_of(&both, 392, 392) - 1) < 1e-12 && fabs(entry_of(&both, 393, 393) - 1) < 1e-12);
    sfgp_factor_clear(&both), sfgp_factor_clear(&single);
    sfgp_mesh_free(two), sfgp_mesh_free(one);
}

/* The constant of a piece has the variance of the term at most: no small piece flies away. */
static void small_pieces_have_a_bounded_variance(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 6, 6, 0, 1, 0);
    sfgp_factor factor = factor_of(*state, mesh, "surface:length=50,variance=2", 1e-9, 36);
    for (int64_t i = 0; i < 36; i++)
        assert_true(fabs(entry_of(&factor, i, i) - 2) < 2e-3);
    sfgp_factor_clear(&factor);
    sfgp_mesh_free(mesh);
}

/* A flat triangle, coincident corners and a third sheet at an edge (test_laplacian.c) have a finite factor whose certificate
 * is small. */
static void bad_triangles_have_a_factor(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0, 0, 1, 1, 0, 1, 1, 0, 0.5, 0.5, 1, 5, 5, 5};
    const int64_t faces[] = {0, 1, 2, 0, 3, 1, 1, 4, 2, 4, 5, 2, 1, 2, 6, 4, 4, 7};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 8, 3, 6, 18, &mesh));
    memcpy(mesh->points, points, sizeof points);
    memcpy(mesh->face_points, faces, sizeof faces);
    for (int f = 0; f <= 6; f++)
        mesh->face_start[f] = 3 * f;
    sfgp_factor factor = factor_of(*state, mesh, "surface:length=1,variance=1", 1e-6, 8);
    assert_true(factor.residual < 1e-6);
    for (int64_t i = 0; i < 8; i++)
        assert_true(entry_of(&factor, i, i) > 0.99 &&
                    entry_of(&factor, i, i) < 5);                           /* more than 1 at corners */
    assert_true(entry_of(&factor, 4, 5) > 0.999 * entry_of(&factor, 4, 4)); /* the same place */
    sfgp_factor_clear(&factor);
    sfgp_mesh_free(mesh);
}

static void cloud_agrees_with_the_mesh(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 17, 17, 0.4, 1, 0);
    sfgp_factor by_faces = factor_of(*state, mesh, "surface:length=0.3,variance=1", 0.05, 289);
    mesh->face_count = 0;
    sfgp_factor by_points = factor_of(*state, mesh, "surface:length=0.3,variance=1", 0.05, 289);
    for (int64_t i = 0; i < 289; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double scale = sqrt(entry_of(&by_faces, i, i) * entry_of(&by_faces, j, j));
            assert_true(fabs(entry_of(&by_faces, i, j) - entry_of(&by_points, i, j)) < 0.1 * scale);
        }
    mesh->face_count = 512;
    sfgp_factor_clear(&by_faces), sfgp_factor_clear(&by_points);
    sfgp_mesh_free(mesh);
}

static void bits_do_not_depend_on_threads(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 17, 17, 0.4, 1, 0);
    mesh->face_count = 0;
    sfgp_test_threads(1);
    sfgp_factor one = factor_of(*state, mesh, "surface:length=0.3,variance=1", 0.05, 289);
    sfgp_test_threads(2);
    sfgp_factor two = factor_of(*state, mesh, "surface:length=0.3,variance=1", 0.05, 289);
    assert_int_equal(one.rank, two.rank);
    assert_memory_equal(one.values, two.values, (size_t)(one.rows * one.rank) * sizeof(double));
    assert_memory_equal(&one.residual, &two.residual, sizeof one.residual);
    mesh->face_count = 512;
    sfgp_factor_clear(&one), sfgp_factor_clear(&two);
    sfgp_mesh_free(mesh);
}

/* ---- models ------------------------------------------------------------------------------------------ */

#define SUM "se:length=3,variance=0.5+surface:length=0.5,variance=0.1"

static sfgp_model *model_of(sfgp_context *context, const sfgp_mesh *mesh, const char *kernel)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    settings.accuracy = 0.01;
    sfgp_model *model = test_model(context, mesh, &settings);
    return model;
}

/* A curved sheet over another one, and a point without faces. */
static sfgp_mesh *curved_sheets(sfgp_context *context)
{
    sfgp_mesh *mesh = test_sheet(context, 12, 12, 0.5, 2, 1);
    for (int64_t i = 0; i < mesh->count - 1; i++)
        mesh->points[3 * i + 2] += 0.2 * sin(4 * mesh->points[3 * i]);
    for (int a = 0; a < 3; a++)
        mesh->points[3 * (mesh->count - 1) + a] = 1.5;
    return mesh;
}

static void saved_model_has_the_same_columns(void **state)
{
    char path[] = "surface.h5";
    sfgp_mesh *mesh = curved_sheets(*state);
    sfgp_model *model = model_of(*state, mesh, SUM), *again = NULL;
    const char *full = test_path(path);
    sfgp_assert_ok(*state, sfgp_model_write(*state, model, full));
    sfgp_assert_ok(*state, sfgp_model_read(*state, full, &again));
    const sfgp_factor *a = &model->basis.scalar, *b = &again->basis.scalar;
    assert_true(a->surface > 10 && a->surface < a->rank);
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->surface, b->surface);
    assert_memory_equal(a->values, b->values, (size_t)(a->rows * a->rank) * sizeof(double));
    assert_memory_equal(a->pivots, b->pivots, (size_t)(a->rank - a->surface) * sizeof(int64_t));
    assert_int_equal(again->kernel_terms.count, 2);
    assert_true(again->kernel_terms.terms[1].smoothness == 2 && a->residual <= 0.01);
    sfgp_model_free(model);
    sfgp_model_free(again);
    sfgp_mesh_free(mesh);
}

/* The row of the prior at x (in the frame), its variance with what is left out. */
static double row_at(sfgp_context *context, const sfgp_model *model, const double x[3], double *row)
{
    sfgp_prior_at prior;
    sfgp_prior_rows rows;
    sfgp_assert_ok(context, sfgp_prior_at_new(context, model, &prior));
    sfgp_assert_ok(context, sfgp_prior_rows_new(context, &prior, &rows));
    sfgp_prior_at_fill(&prior, 1, x, &rows);
    memcpy(row, rows.basis.scalar.values, (size_t)model->basis.scalar.rank * sizeof *row);
    const double variance = sfgp_dense_dot(model->basis.scalar.rank, row, row) + rows.left[0];
    sfgp_prior_rows_clear(&rows);
    sfgp_prior_at_clear(&prior);
    return variance;
}

/* At points of the reference the rows are those of the factor, also at the one without faces; within a triangle the columns along
 * the surface are those of its corners, and a point of the upper sheet has nothing of the lower one. */
static void prior_off_the_reference_is_that_of_the_nearest_triangle(void **state)
{
    sfgp_mesh *mesh = curved_sheets(*state);
    sfgp_model *model = model_of(*state, mesh, SUM);
    const sfgp_factor *factor = &model->basis.scalar;
    const int64_t m = factor->rank, first = m - factor->surface;
    double *row = calloc((size_t)m, sizeof *row), x[3];
    const int64_t vertices[] = {0, 30, 200, 288};
    for (int k = 0; k < 4; k++) {
        row_at(*state, model, model->reference + 3 * vertices[k], row);
        for (int64_t c = 0; c < m; c++)
            assert_true(fabs(row[c] - factor->values[vertices[k] * m + c]) < 1e-9);
    }
    const int64_t *corner = mesh->face_points + 3 * 300;
    for (int a = 0; a < 3; a++)
        x[a] = 0.5 * model->reference[3 * corner[0] + a] + 0.3 * model->reference[3 * corner[1] + a] +
               0.2 * model->reference[3 * corner[2] + a];
    const double variance = row_at(*state, model, x, row);
    assert_true(corner[0] >= 144 && variance > 0.5);
    for (int64_t c = first; c < m; c++)
        assert_true(fabs(row[c] - 0.5 * factor->values[corner[0] * m + c] -
                         0.3 * factor->values[corner[1] * m + c] - 0.2 * factor->values[corner[2] * m + c]) <
                    1e-12);
    double below = 0;
    for (int64_t c = first; c < m; c++)
        below += row[c] * factor->values[(corner[0] - 144) * m + c];
    assert_true(fabs(below) < 1e-8);
    free(row);
    sfgp_model_free(model);
    sfgp_mesh_free(mesh);
}

/* The rank of a sum is that of both parts. */
static void rank_is_shared_by_both_parts(void **state)
{
    sfgp_mesh *mesh = curved_sheets(*state);
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, SUM);
    settings.rank = 21;
    sfgp_model *model = test_model(*state, mesh, &settings);
    assert_int_equal(model->basis.scalar.rank, 21);
    assert_int_equal(model->basis.scalar.surface, 11);
    sfgp_assert_has(sfgp_test_warning(), "rank");
    sfgp_model_free(model);
    sfgp_mesh_free(mesh);
}

/* Half of one column is none: the other part has it, by every method. */
static void a_rank_of_one_is_that_of_the_surface(void **state)
{
    static const char *const METHODS[] = {"cholesky", "eigen", "nystrom"};
    sfgp_mesh *mesh = curved_sheets(*state);
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, SUM);
    settings.rank = 1;
    for (int k = 0; k < 3; k++) {
        strcpy(settings.lowrank, METHODS[k]);
        sfgp_model *model = test_model(*state, mesh, &settings);
        assert_true(model->basis.scalar.rank == 1 && model->basis.scalar.surface == 1);
        const sfgp_kernel space = sfgp_kernel_in_space(&model->kernel_terms);
        assert_true(model->basis.scalar.residual >= sfgp_kernel_variance(&space)); /* all of it is left */
        sfgp_model_free(model);
    }
    sfgp_mesh_free(mesh);
}

/* A reference without faces is carried by the neighbourhood, a curve in 2D likewise. */
static void clouds_and_curves_are_fitted(void **state)
{
    for (int d = 2; d <= 3; d++) {
        test_shapes *shapes = test_shapes_new(150, d, 0, 3);
        sfgp_result *result = NULL;
        sfgp_settings settings = test_settings();
        strcpy(settings.kernel, "se:length=6,variance=1+surface:length=1,variance=0.05");
        settings.accuracy = 0.01;
        strcpy(settings.method, "sfgp-scalar");
        result = test_shapes_fit(*state, shapes, &settings);
        assert_true(result->rank > 5 && result->outcome != SFGP_NO_OVERLAP);
        sfgp_result_free(result);
        test_shapes_free(shapes);
    }
}

/* The first `count` pairs but those two, psi. */
static sfgp_harmonics without(sfgp_context *context, const sfgp_harmonics *all, int64_t count, int64_t a,
                              int64_t b)
{
    sfgp_harmonics some;
    sfgp_assert_ok(context, sfgp_harmonics_allocate(context, all->points, count - 2, &some));
    for (int64_t k = 0, to = 0; k < count; k++)
        if (k != a && k != b) {
            some.values[to] = all->values[k];
            memcpy(some.vectors + to++ * all->points, all->vectors + k * all->points,
                   (size_t)all->points * sizeof(double));
        }
    return some;
}

/* The square of its part in the space of the dense pairs with its value; 1: it is an eigenvector. */
static double part_of_space(const sfgp_harmonics *all, double value, const double *psi)
{
    double sum = 0;
    for (int64_t k = 0; k < all->count; k++)
        if (fabs(all->values[k] - value) < 1e-6 * value)
            sum += pow(sfgp_dense_dot(all->points, all->vectors + k * all->points, psi), 2);
    return sum;
}

/* As Lanczos may miss copies of an eigenvalue. */
static void pairs_that_were_missed_are_found(void **state)
{
    enum { COUNT = 16 };
    sfgp_mesh *mesh = test_sheet(*state, 12, 12, 0.5, 2, 1);
    const sfgp_harmonics_request request = {COUNT, 1, 1};
    sfgp_laplacian laplacian;
    sfgp_harmonics all, some;
    sfgp_sparse matrix = {0};
    sfgp_ldl *ldl = NULL;
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &laplacian));
    sfgp_assert_ok(*state, sfgp_harmonics_dense(*state, &laplacian, &all));
    sfgp_assert_ok(*state, sfgp_laplacian_shift(*state, &laplacian, request.shift, &matrix));
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, &matrix, &ldl));
    some = without(*state, &all, COUNT, 3, 7);
    sfgp_assert_ok(*state, sfgp_harmonics_complete(*state, &laplacian, &request, ldl, &some));
    assert_int_equal(some.count, COUNT);
    for (int64_t k = 0; k < COUNT; k++) {
        const double *psi = some.vectors + k * some.points;
        assert_true(fabs(some.values[k] - all.values[k]) < 1e-7 * all.values[k]);
        assert_true(fabs(part_of_space(&all, some.values[k], psi) - 1) < 1e-6);
        for (int64_t j = 0; j < k; j++)
            assert_true(fabs(sfgp_dense_dot(some.points, some.vectors + j * some.points, psi)) < 1e-6);
    }
    sfgp_harmonics_clear(&some);
    sfgp_harmonics_clear(&all);
    sfgp_ldl_free(ldl);
    sfgp_sparse_clear(&matrix);
    sfgp_laplacian_clear(&laplacian);
    sfgp_mesh_free(mesh);
}

static void points_alone_are_no_surface(void **state)
{
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const sfgp_mesh cloud = {.count = 3, .dimension = 3, .points = points};
    sfgp_surface *surface = NULL;
    sfgp_assert_status(*state, sfgp_surface_new(*state, &cloud, &surface), SFGP_ERROR_DATA);
    assert_null(surface);
}

static void nearest_point_of_a_surface_has_the_distance(void **state)
{
    sfgp_mesh *mesh = curved_sheets(*state);
    sfgp_surface *surface = NULL;
    sfgp_assert_ok(*state, sfgp_surface_new(*state, mesh, &surface));
    for (int k = 0; k < 200; k++) {
        const double x[3] = {0.5 + sin(k), 0.5 + cos(3.0 * k), 0.3 * sin(7.0 * k)};
        double weights[3], distance2 = 0;
        int64_t corners[3];
        const double found = sfgp_surface_nearest(surface, x, corners, weights);
        for (int a = 0; a < 3; a++) {
            double off = -x[a];
            for (int c = 0; c < 3; c++)
                off += weights[c] * mesh->points[3 * corners[c] + a];
            distance2 += off * off;
        }
        assert_true(found == sfgp_surface_distance2(surface, x));
        assert_true(fabs(distance2 - found) < 1e-14);
        for (int c = 0; c < 3; c++)
            assert_true(weights[c] >= 0);
    }
    sfgp_surface_free(surface);
    sfgp_mesh_free(mesh);
}

/* ---- texts and errors -------------------------------------------------------------------------------- */

static void kernel_text_is_read_and_written(void **state)
{
    sfgp_kernel kernel =
        kernel_of(*state, "se:length=3+surface:length=0.5,variance=0.1,smoothness=1+surface");
    char text[SFGP_KERNEL_SIZE];
    sfgp_kernel_format(&kernel, text);
    assert_string_equal(text, "se:length=3,variance=1+surface:length=0.5,variance=0.1,smoothness=1+"
                              "surface:length=1,variance=1,smoothness=2");
    assert_int_equal(sfgp_kernel_in_space(&kernel).count, 1);
    assert_int_equal(sfgp_kernel_along_surface(&kernel).count, 2);
    kernel = kernel_of(*state, "surface:length=0.5,form=sparse+surface:length=2,form=eigen+se");
    sfgp_kernel_format(&kernel, text);
    assert_string_equal(text, "surface:length=0.5,variance=1,smoothness=2,form=sparse+"
                              "surface:length=2,variance=1,smoothness=2+se:length=1,variance=1");
    assert_ptr_equal(sfgp_kernel_sparse(&kernel), &kernel.terms[0]);
    assert_int_equal(sfgp_kernel_along_surface(&kernel).count, 1);
    const char *const forms[] = {"surface:form=dense", "surface:form=", "se:form=sparse",
                                 "surface:form=sparse+surface:length=2,form=sparse"};
    for (int k = 0; k < 4; k++) {
        sfgp_assert_error(*state, sfgp_kernel_parse(*state, forms[k], &kernel), SFGP_ERROR_PARAMETER, "form");
    }
    const char *const bad[] = {"surface:smoothness=3", "surface:smoothness=", "se:smoothness=1",
                               "surface:size=1"};
    for (int k = 0; k < 4; k++) {
        sfgp_assert_error(*state, sfgp_kernel_parse(*state, bad[k], &kernel), SFGP_ERROR_PARAMETER,
                          k == 3 ? "nor smoothness" : "smoothness");
    }
}

static void too_many_pairs_are_refused(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 46, 44, 0, 1, 0);
    const sfgp_kernel kernel = kernel_of(*state, "surface:length=0.05,variance=1,smoothness=1");
    const sfgp_factor_request request = {1e-4, mesh->count, 1, false};
    sfgp_factor factor;
    sfgp_assert_error(*state, sfgp_surface_factor_new(*state, mesh, &kernel, &request, &factor),
                      SFGP_ERROR_PARAMETER, "accuracy");
    sfgp_mesh_free(mesh);
}

static sfgp_status make_factor(sfgp_context *context, void *user)
{
    const sfgp_mesh *mesh = user;
    const sfgp_kernel kernel = kernel_of(context, "surface:length=0.4,variance=1");
    const sfgp_factor_request request = {0.05, mesh->count, 1, false};
    sfgp_factor factor;
    const sfgp_status status = sfgp_surface_factor_new(context, mesh, &kernel, &request, &factor);
    sfgp_factor_clear(&factor);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 17, 17, 0, 1, 0);
    assert_in_range(sfgp_sweep_allocations(*state, make_factor, mesh), 1, 299);
    sfgp_mesh_free(mesh);
}

/* One column for two pieces: the certificate knows of the other one. */
static void a_piece_without_a_column_keeps_its_variance(void **state)
{
    sfgp_mesh *two = test_sheet(*state, 14, 14, 0.5, 2, 2);
    sfgp_factor one = factor_of(*state, two, "surface:length=0.3,variance=1", 0.01, 1);
    assert_int_equal(one.rank, 1);
    assert_true(one.residual >= 1);
    sfgp_factor_clear(&one);
    sfgp_mesh_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_piece_without_a_column_keeps_its_variance),
        sfgp_unit_test(all_pairs_are_the_inverse_of_the_precision),
        sfgp_unit_test(posterior_is_that_of_the_dense_field),
        sfgp_unit_test(certificate_is_true_and_close),
        sfgp_unit_test(sheet_has_the_variance_and_correlation),
        sfgp_unit_test(factor_has_the_variance_of_a_sheet),
        sfgp_unit_test(curve_has_the_variance_and_correlation),
        sfgp_unit_test(pieces_are_strangers),
        sfgp_unit_test(small_pieces_have_a_bounded_variance),
        sfgp_unit_test(bad_triangles_have_a_factor),
        sfgp_unit_test(cloud_agrees_with_the_mesh),
        sfgp_unit_test(bits_do_not_depend_on_threads),
        sfgp_unit_test(saved_model_has_the_same_columns),
        sfgp_unit_test(prior_off_the_reference_is_that_of_the_nearest_triangle),
        sfgp_unit_test(rank_is_shared_by_both_parts),
        sfgp_unit_test(a_rank_of_one_is_that_of_the_surface),
        sfgp_unit_test(clouds_and_curves_are_fitted),
        sfgp_unit_test(pairs_that_were_missed_are_found),
        sfgp_unit_test(points_alone_are_no_surface),
        sfgp_unit_test(nearest_point_of_a_surface_has_the_distance),
        sfgp_unit_test(kernel_text_is_read_and_written),
        sfgp_unit_test(too_many_pairs_are_refused),
        sfgp_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
