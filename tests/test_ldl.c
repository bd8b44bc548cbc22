/* What CHOLMOD allocates by itself may fail at any place: the factor says so, or is that of a run with enough memory. */
#include "support/cholmod.h"
#include "support/sheet.h"
#include "support/support.h"
#include "geom/laplacian.h"
#include "linalg/ldl.h"

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

/* ---- tests ------------------------------------------------------------------------------------------- */

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
    assert_true(all > 20);
    for (long k = 0; k < all; k++) {
        count_from(k);
        const sfgp_status status = run(*state, &l.stiffness, found);
        if (status == SFGP_OK)
            assert_memory_equal(found, expected, (size_t)l.count * sizeof *found);
        else
            assert_int_equal(status, SFGP_ERROR_MEMORY);
    }
    count_from(-1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_failing_allocation_is_told),
        sfgp_unit_test(a_solve_allocates_nothing),
        sfgp_unit_test(an_ordering_without_memory_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
