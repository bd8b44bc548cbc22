#include "support/corrupt.h"
#include "support/sparse.h"
#include "base/exponential.h"
#include "base/memory.h"
#include "base/random.h"
#include "linalg/dense.h"
#include "linalg/eig.h"
#include "linalg/minimise.h"
#include "linalg/sparse.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void fill(int n, double *x, uint64_t seed)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int k = 0; k < n; k++)
        x[k] = sfgp_random_normal(&random);
}

/* A = X'X + I, symmetric positive definite. */
static void definite(int n, double *a, uint64_t seed)
{
    double x[64 * 64];
    fill(n * n, x, seed);
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i == j;
            for (int k = 0; k < n; k++)
                a[i * n + j] += x[k * n + i] * x[k * n + j] / n;
        }
}

static void exponential_is_within_two_ulp(void **state)
{
    double x[257], y[257], sum[257] = {0};
    (void)state;
    for (int k = 0; k < 257; k++)
        x[k] = 2.76 * k;
    sfgp_exponential(257, 3.0, -1.0, x, y);
    sfgp_exponential_add(257, 3.0, -1.0, x, sum);
    for (int k = 0; k < 257; k++) {
        double exact = -x[k] < -708 ? 0 : 3 * exp(-x[k]);
        assert_true(fabs(y[k] - exact) <= 3 * DBL_EPSILON * exact); /* 2 ulp, the product, libm's half */
        assert_true(y[k] == sum[k]);
    }
    x[0] = INFINITY;
    sfgp_exponential(1, 1.0, -1.0, x, y);
    assert_true(y[0] == 0);
}

static void products_and_solves_match_plain_loops(void **state)
{
    enum { N = 7, M = 5, K = 3 };
    double a[N * M], b[N * K], c[M * K] = {0}, gram[M * M] = {0}, l[M * M], x[M * K], product[N * K] = {0};
    (void)state;
    fill(N * M, a, 1), fill(N * K, b, 2), fill(M * K, x, 3);
    sfgp_dense_cross(N, M, K, 2.0, a, b, c);
    sfgp_dense_gram(N, M, 1.0, a, gram);
    sfgp_dense_multiply(N, M, K, 1.0, a, M, x, product, K);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j++) {
            for (int k = 0; k < N; k++)
                c[i * K + j] -= 2 * a[k * M + i] * b[k * K + j];
            assert_true(fabs(c[i * K + j]) < 1e-13);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < K; j++) {
            for (int k = 0; k < M; k++)
                product[i * K + j] -= a[i * M + k] * x[k * K + j];
            assert_true(fabs(product[i * K + j]) < 1e-13);
        }
    definite(M, l, 4);
    double original[M * M], solved[M * K], rows[K * M];
    memcpy(original, l, sizeof l), memcpy(solved, x, sizeof x);
    sfgp_assert_ok(*state, sfgp_dense_cholesky(*state, "test", M, l));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j++)
            rows[j * M + i] = x[i * K + j];
    sfgp_dense_solve_rows(K, M, l, rows);
    sfgp_dense_solve_lower(M, K, l, solved);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j++)
            assert_true(fabs(rows[j * M + i] - solved[i * K + j]) < 1e-14);
    sfgp_dense_solve_lower_transposed(M, K, l, solved);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j++) {
            double sum = 0;
            for (int k = 0; k < M; k++)
                sum += original[i * M + k] * solved[k * K + j];
            assert_true(fabs(sum - x[i * K + j]) < 1e-13);
        }
}

static void cholesky_names_what_is_not_definite(void **state)
{
    double a[4] = {1, 2, 2, 1}, b[4] = {NAN, 0, 0, 1};
    sfgp_assert_error(*state, sfgp_dense_cholesky(*state, "matrix of the test", 2, a), SFGP_ERROR_NUMERIC,
                      "matrix of the test");
    sfgp_assert_status(*state, sfgp_dense_cholesky(*state, "test", 2, b), SFGP_ERROR_NUMERIC);
}

typedef struct matrix {
    int n;
    const double *a;
} matrix;

static void apply(const void *user, const double *x, double *y)
{
    const matrix *m = user;
    for (int i = 0; i < m->n; i++) {
        y[i] = 0;
        for (int k = 0; k < m->n; k++)
            y[i] += m->a[i * m->n + k] * x[k];
    }
}

static void lanczos_finds_the_pairs_of_the_dense_solver(void **state)
{
    enum { N = 60, COUNT = 12 };
    double a[N * N], copy[N * N], values[N], vectors[N * N], some[COUNT], again[COUNT];
    double *some_vectors = NULL, *again_vectors = NULL, *none = NULL;
    definite(N, a, 5);
    memcpy(copy, a, sizeof a);
    const matrix user = {N, a};
    const sfgp_operator definite_matrix = {N, apply, &user};
    sfgp_assert_ok(*state, sfgp_dense_eigen(*state, N, copy, values, vectors));
    const sfgp_eig_request request = {.count = COUNT, .seed = 1}, all = {.count = N, .seed = 1};
    sfgp_assert_ok(*state, sfgp_eig_largest(*state, &definite_matrix, &request, some, &some_vectors));
    sfgp_assert_ok(*state, sfgp_eig_largest(*state, &definite_matrix, &request, again, &again_vectors));
    assert_memory_equal(some_vectors, again_vectors,
                        COUNT * N * sizeof(double)); /* the start vector is ours */
    for (int k = 0; k < COUNT; k++) {
        double y[N], residual = 0, dot = 0;
        apply(&user, some_vectors + k * N, y);
        for (int i = 0; i < N; i++) {
            residual = fmax(residual, fabs(y[i] - some[k] * some_vectors[k * N + i]));
            dot += vectors[k * N + i] * some_vectors[k * N + i];
        }
        assert_true(fabs(some[k] - values[k]) < 1e-12 * values[0] && residual < 1e-11);
        assert_true(fabs(fabs(dot) - 1) < 1e-8); /* gaps of the random matrix are near 1e-2 */
    }
    sfgp_assert_status(*state, sfgp_eig_largest(*state, &definite_matrix, &all, values, &none),
                       SFGP_ERROR_NUMERIC);
    assert_null(none);
    sfgp_free(some_vectors);
    sfgp_free(again_vectors);
}

static void apply_nothing_finite(const void *user, const double *x, double *y)
{
    const matrix *m = user;
    for (int i = 0; i < m->n; i++)
        y[i] = (double)NAN * x[i];
}

static void an_operator_that_is_not_finite_has_no_pairs(void **state)
{
    enum { N = 60, COUNT = 5 };
    double values[COUNT], *vectors = NULL;
    const matrix user = {N, NULL};
    const sfgp_operator broken = {N, apply_nothing_finite, &user};
    const sfgp_eig_request request = {.count = COUNT, .seed = 1};
    sfgp_assert_error(*state, sfgp_eig_largest(*state, &broken, &request, values, &vectors),
                      SFGP_ERROR_NUMERIC, "eigen: ");
}

/* libLBFGS counts them by an int. */
static void too_many_variables_are_refused(void **state)
{
    const sfgp_problem problem = {.n = 1LL << 31};
    sfgp_minimum minimum;
    sfgp_assert_error(*state, sfgp_minimise(*state, &problem, NULL, &minimum), SFGP_ERROR_MEMORY,
                      "too large: L-BFGS in 2147483648 variables");
}

static void sparse_form_is_valid_for_cholmod(void **state)
{
    sfgp_sparse p;
    sfgp_assert_ok(*state, sfgp_sparse_new(*state, 5, 2, &p));
    sfgp_assert_ok(*state, sfgp_sparse_reserve(*state, 3, &p));
    int32_t *start = sfgp_sparse_start(&p), *index = sfgp_sparse_index(&p);
    start[1] = 2, start[2] = 3, index[0] = 4, index[1] = 0, index[2] = 2;
    for (int k = 0; k < 3; k++)
        sfgp_sparse_value(&p)[k] = k;
    assert_true(test_sparse_is_valid(&p));
    index[1] = 5; /* a row that is not there */
    assert_false(test_sparse_is_valid(&p));
    sfgp_assert_status(*state, sfgp_sparse_reserve(*state, (int64_t)1 << 31, &p), SFGP_ERROR_MEMORY);
    sfgp_assert_ok(*state, sfgp_sparse_reserve(*state, 4, &p));
    sfgp_sparse_clear(&p);
    sfgp_assert_status(*state, sfgp_sparse_new(*state, 5, (int64_t)1 << 31, &p), SFGP_ERROR_MEMORY);
}

static sfgp_status find_largest(sfgp_context *context, void *user)
{
    const sfgp_operator definite_matrix = {((matrix *)user)->n, apply, user};
    const sfgp_eig_request request = {.count = 5, .seed = 1};
    double values[5], *vectors = NULL;
    const sfgp_status status = sfgp_eig_largest(context, &definite_matrix, &request, values, &vectors);
    assert_true((status == SFGP_OK) == (vectors != NULL));
    sfgp_free(vectors);
    return status;
}

static void memory_failures_are_reported(void **state)
{
    enum { N = 60 };
    double a[N * N];
    definite(N, a, 6);
    matrix user = {N, a};
    sfgp_sweep_allocations(*state, find_largest, &user);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(exponential_is_within_two_ulp),
        sfgp_unit_test(products_and_solves_match_plain_loops),
        sfgp_unit_test(cholesky_names_what_is_not_definite),
        sfgp_unit_test(lanczos_finds_the_pairs_of_the_dense_solver),
        sfgp_unit_test(an_operator_that_is_not_finite_has_no_pairs),
        sfgp_unit_test(too_many_variables_are_refused),
        sfgp_unit_test(sparse_form_is_valid_for_cholmod),
        sfgp_unit_test(memory_failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
