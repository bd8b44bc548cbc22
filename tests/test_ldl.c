/* LDL' of a matrix whose factor has wide panels, against what is known of it. What CHOLMOD allocates by itself, and what we do, may fail at any place: the factor says
 * so, or is that of a run with enough memory. */
#include "support/cholmod.h"
#include "support/corrupt.h"
#include "support/sheet.h"
#include "support/support.h"
#include "geom/laplacian.h"
#include "linalg/ldl.h"
#include "linalg/symmetric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory of CHOLMOD ------------------------------------------------------------------------------- */

static long made, fail_at = -1;
static size_t most = SIZE_MAX; /* bytes of an allocation */

static void *limited_malloc(size_t bytes)
{
    return made++ == fail_at || bytes > most ? NULL : malloc(bytes);
}

static void *limited_calloc(size_t count, size_t bytes)
{
    return made++ == fail_at ? NULL : calloc(count, bytes);
}

static void *limited_realloc(void *block, size_t bytes)
{
    return made++ == fail_at ? NULL : realloc(block, bytes);
}

static void limit_cholmod(void)
{
    *test_cholmod_allocator() =
        (test_cholmod_functions){limited_malloc, limited_calloc, limited_realloc, free};
}

static void count_from(long failing)
{
    made = 0;
    fail_at = failing;
}

/* ---- matrices ---------------------------------------------------------------------------------------- */

/* A cube of side^3 points with their six neighbours: so much fill that CHOLMOD's rule asks for METIS, which leaves less. */
static void make_cube(sfgp_context *context, int32_t side, sfgp_sparse *matrix)
{
    const int32_t n = side * side * side, step[3] = {1, side, side * side};
    int32_t entries = 0;
    sfgp_assert_ok(context, sfgp_sparse_new(context, n, n, matrix));
    sfgp_assert_ok(context, sfgp_sparse_reserve(context, (int64_t)4 * n, matrix));
    for (int32_t j = 0; j < n; j++) {
        sfgp_sparse_index(matrix)[entries] = j;
        sfgp_sparse_value(matrix)[entries++] = 7;
        for (int axis = 0; axis < 3; axis++)
            if (j / step[axis] % side < side - 1) {
                sfgp_sparse_index(matrix)[entries] = j + step[axis];
                sfgp_sparse_value(matrix)[entries++] = -1;
            }
        sfgp_sparse_start(matrix)[j + 1] = entries;
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

/* The eigenvalues of a cube's matrix are 7 - 2 sum_a cos(pi k_a / (side + 1)). */
static double log_determinant_of_cube(int side)
{
    double sum = 0, cosine[64];
    for (int k = 0; k < side; k++)
        cosine[k] = 2 * cos(3.14159265358979323846 * (k + 1) / (side + 1));
    for (int a = 0; a < side; a++)
        for (int b = 0; b < side; b++)
            for (int c = 0; c < side; c++)
                sum += log(7 - cosine[a] - cosine[b] - cosine[c]);
    return sum;
}

/* Largest entry of A x - b for A x = b, x and b (columns x n). */
static double residual_of(const sfgp_sparse *matrix, int columns, const double *x, const double *b)
{
    const int32_t n = (int32_t)matrix->form.ncol, *start = sfgp_sparse_start(matrix),
                  *row = sfgp_sparse_index(matrix);
    double worst = 0, *left = malloc((size_t)n * sizeof *left);
    for (int c = 0; c < columns; c++) {
        memcpy(left, b + c * n, (size_t)n * sizeof *left);
        for (int32_t j = 0; j < n; j++)
            for (int32_t p = start[j]; p < start[j + 1]; p++) {
                left[row[p]] -= sfgp_sparse_value(matrix)[p] * x[c * n + j];
                left[j] -= row[p] == j ? 0 : sfgp_sparse_value(matrix)[p] * x[c * n + row[p]];
            }
        for (int32_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(left[i]));
    }
    free(left);
    return worst;
}

/* Its last panel has more columns than a block and a product: 15 x 15 points between two halves. */
static void wide_panels_are_factorised(void **state)
{
    enum { SIDE = 15, N = SIDE * SIDE * SIDE };
    sfgp_sparse matrix;
    sfgp_ldl *ldl = NULL;
    double *x = malloc(3 * N * sizeof *x), *b = malloc(3 * N * sizeof *b), *diagonal = malloc(N * sizeof *b);
    make_cube(*state, SIDE, &matrix);
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, &matrix, &ldl));
    sfgp_assert_ok(*state, sfgp_ldl_factorise(*state, &matrix, ldl));
    assert_true(fabs(sfgp_ldl_log_determinant(ldl) - log_determinant_of_cube(SIDE)) < 1e-9);
    assert_int_equal(sfgp_ldl_negative(ldl), 0);
    for (int columns = 1; columns <= 3; columns++) {
        for (int k = 0; k < columns * N; k++)
            x[k] = b[k] = sin(k);
        sfgp_ldl_solve(ldl, columns, x);
        assert_true(residual_of(&matrix, columns, x, b) < 1e-13);
    }
    sfgp_assert_ok(*state, sfgp_ldl_inverse_diagonal(*state, ldl, diagonal));
    for (int i = 0; i < N; i += N / 5) {
        memset(x, 0, N * sizeof *x);
        x[i] = 1;
        sfgp_ldl_solve(ldl, 1, x);
        assert_true(fabs(x[i] - diagonal[i]) < 1e-14);
    }
    sfgp_ldl_free(ldl);
    sfgp_sparse_clear(&matrix);
    free(x), free(b), free(diagonal);
}

/* The columns of a row side by side, and a diagonal matrix between two solves. */
static void two_solves_are_two_solves(void **state)
{
    enum { SIDE = 5, N = SIDE * SIDE * SIDE };
    sfgp_sparse matrix;
    sfgp_ldl *ldl = NULL;
    double x[3 * N], y[3 * N], between[N];
    make_cube(*state, SIDE, &matrix);
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, &matrix, &ldl));
    sfgp_assert_ok(*state, sfgp_ldl_factorise(*state, &matrix, ldl));
    for (int columns = 1; columns <= 3; columns++) {
        for (int i = 0; i < N; i++)
            between[i] = 2 + cos(i);
        for (int k = 0; k < columns * N; k++)
            x[k] = y[k % columns * N + k / columns] = sin(k);
        sfgp_ldl_solve_twice(ldl, columns, between, x);
        sfgp_ldl_solve(ldl, columns, y);
        for (int k = 0; k < columns * N; k++)
            y[k] *= between[k % N];
        sfgp_ldl_solve(ldl, columns, y);
        for (int k = 0; k < columns * N; k++)
            assert_true(x[k] == y[k % columns * N + k / columns]);
    }
    sfgp_ldl_free(ldl);
    sfgp_sparse_clear(&matrix);
}

/* ---- powers of a graph ------------------------------------------------------------------------------- */

/* A B of matrices that commute, by their lower triangles. */
static void multiply(sfgp_context *context, const sfgp_sparse *a, const sfgp_sparse *b, sfgp_sparse *product)
{
    const int64_t n = (int64_t)a->form.ncol;
    sfgp_sparse left, right;
    double *ones = malloc((size_t)n * sizeof *ones);
    for (int64_t i = 0; i < n; i++)
        ones[i] = 1;
    sfgp_assert_ok(context, sfgp_symmetric_expand(context, a, &left));
    sfgp_assert_ok(context, sfgp_symmetric_expand(context, b, &right));
    sfgp_assert_ok(context, sfgp_symmetric_product(context, &left, ones, &right, product));
    sfgp_sparse_clear(&left);
    sfgp_sparse_clear(&right);
    free(ones);
}

static void check_power(sfgp_context *context, const sfgp_sparse *power, const sfgp_sparse *graph,
                        int exponent)
{
    const int64_t n = (int64_t)power->form.ncol;
    double *x = malloc((size_t)n * sizeof *x), *b = malloc((size_t)n * sizeof *b);
    sfgp_ldl *metis, *ldl;
    sfgp_assert_ok(context, sfgp_ldl_new(context, power, &metis));
    sfgp_assert_ok(context, sfgp_ldl_new_power(context, power, graph, exponent, &ldl));
    print_message("exponent %d: %lld entries, by METIS %lld\n", exponent, (long long)sfgp_ldl_entries(ldl),
                  (long long)sfgp_ldl_entries(metis));
    assert_true((double)sfgp_ldl_entries(ldl) < 1.01 * (double)sfgp_ldl_entries(metis));
    assert_true(sfgp_ldl_entries(ldl) != sfgp_ldl_entries(metis));
    sfgp_assert_ok(context, sfgp_ldl_factorise(context, power, ldl));
    for (int64_t i = 0; i < n; i++)
        x[i] = b[i] = sin((double)i);
    sfgp_ldl_solve(ldl, 1, x);
    assert_true(residual_of(power, 1, x, b) < 1e-10);
    sfgp_ldl_free(metis), sfgp_ldl_free(ldl);
    free(x), free(b);
}

/* Separators of the graph that are made wide leave as few entries as those that METIS finds in the power. */
static void powers_are_ordered_by_their_graph(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 260, 260, 0.5, 1, 0);
    sfgp_laplacian l;
    sfgp_sparse square, cube, fourth;
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &l));
    for (int64_t i = 0; i < l.count; i++)
        sfgp_sparse_value(&l.stiffness)[sfgp_sparse_start(&l.stiffness)[i]] += 0.3;
    multiply(*state, &l.stiffness, &l.stiffness, &square);
    multiply(*state, &l.stiffness, &square, &cube);
    multiply(*state, &square, &square, &fourth);
    check_power(*state, &cube, &l.stiffness, 3);
    check_power(*state, &fourth, &square, 2);
    sfgp_sparse_clear(&square), sfgp_sparse_clear(&cube), sfgp_sparse_clear(&fourth);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

/* Ordering, factor and three solves with numbers of columns that change; x (n). */
static sfgp_status run(sfgp_context *context, const sfgp_sparse *matrix, double *x)
{
    const int64_t n = (int64_t)matrix->form.ncol;
    double columns[3 * 200] = {0};
    sfgp_ldl *ldl = NULL;
    sfgp_status status = sfgp_ldl_new(context, matrix, &ldl);
    if (status == SFGP_OK)
        status = sfgp_ldl_factorise(context, matrix, ldl);
    for (int64_t i = 0; i < n; i++)
        x[i] = (double)(i % 7) - 3;
    for (int count = 1; status == SFGP_OK && count <= 3; count++) {
        memcpy(columns + (count - 1) * n, x, (size_t)n * sizeof *x);
        sfgp_ldl_solve(ldl, count, columns);
        memcpy(x, columns + (count - 1) * n, (size_t)n * sizeof *x);
    }
    sfgp_ldl_free(ldl);
    return status;
}

static sfgp_status run_sheet(sfgp_context *context, void *matrix)
{
    double x[200];
    return run(context, matrix, x);
}

static void every_failing_allocation_is_told(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 11, 9, 0.5, 1, 0);
    sfgp_laplacian l;
    double expected[200], found[200];
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &l));
    for (int64_t i = 0; i < l.count; i++)
        sfgp_sparse_value(&l.stiffness)[sfgp_sparse_start(&l.stiffness)[i]] += 0.3;
    limit_cholmod();
    count_from(-1);
    sfgp_assert_ok(*state, run(*state, &l.stiffness, expected));
    const long all = made;
    assert_true(all > 10);
    for (long k = 0; k < all; k++) {
        count_from(k);
        const sfgp_status status = run(*state, &l.stiffness, found);
        if (status == SFGP_OK)
            assert_memory_equal(found, expected, (size_t)l.count * sizeof *found);
        else
            assert_int_equal(status, SFGP_ERROR_MEMORY);
    }
    count_from(-1);
    assert_true(sfgp_sweep_allocations(*state, run_sheet, &l.stiffness) > 10);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

static void a_solve_allocates_nothing(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 11, 9, 0.5, 1, 0);
    sfgp_laplacian l;
    sfgp_ldl *ldl = NULL;
    double x[3 * 200] = {1};
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, mesh, &l));
    sfgp_sparse_value(&l.stiffness)[0] += 1;
    limit_cholmod();
    count_from(-1);
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, &l.stiffness, &ldl));
    sfgp_assert_ok(*state, sfgp_ldl_factorise(*state, &l.stiffness, ldl));
    count_from(0);
    for (int columns = 1; columns <= 3; columns++) {
        sfgp_ldl_solve(ldl, columns, x);
        sfgp_ldl_sample(ldl, columns, x);
    }
    assert_int_equal(made, 0);
    count_from(-1);
    sfgp_ldl_free(ldl);
    sfgp_laplacian_clear(&l);
    sfgp_mesh_free(mesh);
}

/* CHOLMOD asks for 860 bytes a point of this matrix before it calls METIS, and for less elsewhere in an analysis. Where they are refused there
 * is no factor by AMD instead, whose sums round otherwise. */
static void an_ordering_without_memory_is_not_replaced(void **state)
{
    enum { SIDE = 26, N = SIDE * SIDE * SIDE };
    sfgp_sparse matrix;
    sfgp_ldl *ldl = NULL;
    make_cube(*state, SIDE, &matrix);
    limit_cholmod();
    count_from(-1);
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, &matrix, &ldl));
    sfgp_ldl_free(ldl);
    most = 800 * (size_t)N;
    sfgp_assert_status(*state, sfgp_ldl_new(*state, &matrix, &ldl), SFGP_ERROR_MEMORY);
    most = SIZE_MAX;
    sfgp_sparse_clear(&matrix);
}

typedef struct power {
    const sfgp_sparse *matrix, *graph;
    int32_t *order; /* n: expected */
} power;

static sfgp_status order_power(sfgp_context *context, void *user)
{
    const power *p = user;
    sfgp_ldl *ldl = NULL;
    const sfgp_status status = sfgp_ldl_new_power(context, p->matrix, p->graph, 3, &ldl);
    if (status == SFGP_OK)
        assert_memory_equal(p->order, sfgp_ldl_order(ldl), p->matrix->form.ncol * sizeof *p->order);
    sfgp_ldl_free(ldl);
    return status;
}

static void fail_some(sfgp_context *context, power *p)
{
    count_from(-1);
    sfgp_assert_ok(context, order_power(context, p));
    const long all = made;
    for (long k = 1; k < 20; k += 2) {
        count_from(k * all / 20);
        const sfgp_status status = order_power(context, p);
        assert_true(status == SFGP_OK || status == SFGP_ERROR_MEMORY);
    }
    count_from(-1);
}

/* Ten of the allocations of CHOLMOD, and all of ours. Separators need more of ours than AMD alone. */
static void an_ordering_by_separators_without_memory_is_told(void **state)
{
    sfgp_sparse graph, square, cube;
    sfgp_ldl *ldl;
    make_cube(*state, 14, &graph);
    multiply(*state, &graph, &graph, &square);
    multiply(*state, &graph, &square, &cube);
    sfgp_assert_ok(*state, sfgp_ldl_new_power(*state, &cube, &graph, 3, &ldl));
    power p = {&cube, &graph, malloc(cube.form.ncol * sizeof(int32_t))};
    memcpy(p.order, sfgp_ldl_order(ldl), cube.form.ncol * sizeof(int32_t));
    limit_cholmod();
    fail_some(*state, &p);
    assert_true(sfgp_sweep_allocations(*state, order_power, &p) > 20);
    sfgp_ldl_free(ldl);
    free(p.order);
    sfgp_sparse_clear(&graph), sfgp_sparse_clear(&square), sfgp_sparse_clear(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(wide_panels_are_factorised),
        sfgp_unit_test(two_solves_are_two_solves),
        sfgp_long_test(powers_are_ordered_by_their_graph),
        sfgp_unit_test(every_failing_allocation_is_told),
        sfgp_unit_test(a_solve_allocates_nothing),
        sfgp_unit_test(an_ordering_without_memory_is_not_replaced),
        sfgp_unit_test(an_ordering_by_separators_without_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
