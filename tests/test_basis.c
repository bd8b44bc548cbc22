/* The basis: products with it against plain loops over its rows, and the same prior at some of the points. */
#include "lowrank/basis.h"
#include "support/corrupt.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 23 };

#define ROUNDING 1e-14 /* 1e-16 times the terms of a sum, below a hundred of size 1 */

static const struct kind {
    int d, rank, modes;
} KINDS[] = {{2, 7, 0}, {3, 5, 4}, {2, 6, 3}, {3, 0, 9}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static void fill(int64_t count, double seed, double *x)
{
    for (int64_t k = 0; k < count; k++)
        x[k] = sin(1.7 * (double)k + seed);
}

static sfgp_basis basis_new(sfgp_context *context, const struct kind *kind)
{
    sfgp_basis basis;
    sfgp_assert_ok(context, sfgp_basis_new(context, N, kind->d, kind->rank, kind->modes, &basis));
    fill(N * kind->d, 1, basis.mean);
    fill(N * kind->rank, 2, basis.scalar.values);
    fill(N * kind->d * kind->modes, 3, basis.pca.factor);
    basis.scalar.residual = 0.125;
    basis.pca.unspanned = 0.25;
    return basis;
}

/* Row `row` of B, m numbers: the scalar coefficients first, those of one column for all axes together. */
static double entry(const sfgp_basis *basis, int64_t row, int64_t column)
{
    const int64_t d = basis->dimension, s = basis->scalar.rank, p = basis->pca.modes;
    if (column >= s * d)
        return basis->pca.factor[row * p + column - s * d];
    return column % d == row % d ? basis->scalar.values[row / d * s + column / d] : 0;
}

static void new_rows_are_zero(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis;
        sfgp_assert_ok(*state, sfgp_basis_new(*state, N, KINDS[k].d, KINDS[k].rank, KINDS[k].modes, &basis));
        assert_true(basis.count == N && basis.dimension == KINDS[k].d);
        assert_int_equal(sfgp_basis_size(&basis), KINDS[k].d * KINDS[k].rank + KINDS[k].modes);
        for (int64_t i = 0; i < N; i++)
            assert_true(sfgp_basis_variance(&basis, i) == 0);
        for (int64_t row = 0; row < N * KINDS[k].d; row++)
            assert_true(basis.mean[row] == 0);
        sfgp_basis_clear(&basis);
        assert_true(basis.count == 0 && !basis.mean);
    }
}

/* points = mean + B c, of the rows that are asked for, and no others. */
static void a_product_is_the_plain_sum(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis = basis_new(*state, &KINDS[k]);
        const int64_t d = basis.dimension, m = sfgp_basis_size(&basis), first = 4, end = 19;
        double c[64], points[3 * N];
        fill(m, 4, c);
        for (int64_t row = 0; row < N * d; row++)
            points[row] = 99;
        sfgp_basis_multiply(&basis, c, first, end, points);
        for (int64_t row = 0; row < N * d; row++) {
            double sum = basis.mean[row];
            for (int64_t column = 0; column < m; column++)
                sum += entry(&basis, row, column) * c[column];
            assert_true(row / d >= first && row / d < end ? fabs(points[row] - sum) < ROUNDING
                                                          : points[row] == 99);
        }
        sfgp_basis_clear(&basis);
    }
}

/* g += B'r over the rows that are asked for. */
static void a_transposed_product_is_the_plain_sum(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis = basis_new(*state, &KINDS[k]);
        const int64_t d = basis.dimension, m = sfgp_basis_size(&basis), first = 3, end = 22;
        double g[64], r[3 * N];
        fill(N * d, 5, r);
        fill(m, 6, g);
        sfgp_basis_multiply_transposed(&basis, r, first, end, g);
        for (int64_t column = 0; column < m; column++) {
            double sum = sin(1.7 * (double)column + 6);
            for (int64_t row = first * d; row < end * d; row++)
                sum += entry(&basis, row, column) * r[row];
            assert_true(fabs(g[column] - sum) < ROUNDING);
        }
        sfgp_basis_clear(&basis);
    }
}

/* |b_i|^2 / d */
static void the_variance_is_that_of_the_rows(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis = basis_new(*state, &KINDS[k]);
        const int64_t d = basis.dimension;
        for (int64_t i = 0; i < N; i++) {
            double sum = 0;
            for (int64_t row = i * d; row < (i + 1) * d; row++)
                for (int64_t column = 0; column < sfgp_basis_size(&basis); column++)
                    sum += pow(entry(&basis, row, column), 2);
            assert_true(fabs(sfgp_basis_variance(&basis, i) - sum / (double)d) < ROUNDING);
        }
        sfgp_basis_clear(&basis);
    }
}

static void assert_same_row(const sfgp_basis *a, int64_t i, const sfgp_basis *b, int64_t j)
{
    const int64_t d = a->dimension, m = sfgp_basis_size(a);
    for (int64_t axis = 0; axis < d; axis++) {
        assert_true(a->mean[i * d + axis] == b->mean[j * d + axis]);
        for (int64_t column = 0; column < m; column++)
            assert_true(entry(a, i * d + axis, column) == entry(b, j * d + axis, column));
    }
}

/* In any order, also the same point twice. */
static void selected_points_have_the_same_prior(void **state)
{
    const int64_t index[] = {5, 0, 22, 5, 13};
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis = basis_new(*state, &KINDS[k]), part;
        sfgp_assert_ok(*state, sfgp_basis_select(*state, &basis, 5, index, &part));
        assert_true(part.count == 5 && part.dimension == basis.dimension);
        assert_true(part.scalar.rows == 5 && part.scalar.residual == 0.125 && part.pca.unspanned == 0.25);
        assert_int_equal(sfgp_basis_size(&part), sfgp_basis_size(&basis));
        for (int64_t i = 0; i < 5; i++)
            assert_same_row(&part, i, &basis, index[i]);
        sfgp_basis_clear(&part);
        sfgp_basis_clear(&basis);
    }
}

/* Nothing may be lost: the same prior. Or as much as the last column is: all others. */
static void a_narrow_basis_has_the_first_columns(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis = basis_new(*state, &KINDS[k]), copy, narrow;
        const int64_t rank = basis.scalar.rank;
        double last = 0;
        sfgp_assert_ok(*state, sfgp_basis_narrow(*state, &basis, 0, &copy));
        assert_true(copy.scalar.residual == 0.125 && copy.pca.unspanned == 0.25);
        for (int64_t i = 0; i < N; i++) {
            assert_same_row(&copy, i, &basis, i);
            if (rank > 0)
                last = fmax(last, pow(basis.scalar.values[(i + 1) * rank - 1], 2));
        }
        sfgp_assert_ok(*state, sfgp_basis_narrow(*state, &basis, last, &narrow));
        assert_int_equal(narrow.scalar.rank, rank > 1 ? rank - 1 : rank);
        assert_true(narrow.scalar.residual == 0.125 + (rank > 1 ? last : 0) && narrow.count == N);
        for (int64_t i = 0; i < N; i++)
            assert_memory_equal(narrow.scalar.values + i * narrow.scalar.rank, basis.scalar.values + i * rank,
                                (size_t)narrow.scalar.rank * sizeof(double));
        sfgp_basis_clear(&copy);
        sfgp_basis_clear(&narrow);
        sfgp_basis_clear(&basis);
    }
}

static void copied_rows_are_those_and_no_others(void **state)
{
    const int64_t index[] = {7, 8, 9, 10};
    for (int k = 0; k < KIND_COUNT; k++) {
        sfgp_basis basis = basis_new(*state, &KINDS[k]), part, all = basis_new(*state, &KINDS[k]);
        sfgp_assert_ok(*state, sfgp_basis_select(*state, &basis, 4, index, &part));
        sfgp_basis_copy_rows(&part, 15, &all);
        for (int64_t i = 0; i < N; i++)
            assert_same_row(&all, i, &basis, i >= 15 && i < 19 ? i - 8 : i);
        sfgp_basis_clear(&part);
        sfgp_basis_clear(&all);
        sfgp_basis_clear(&basis);
    }
}

static sfgp_status select_two(sfgp_context *context, void *user)
{
    const int64_t index[] = {1, 2};
    sfgp_basis part;
    const sfgp_status status = sfgp_basis_select(context, user, 2, index, &part);
    sfgp_basis_clear(&part);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    sfgp_basis basis = basis_new(*state, &KINDS[1]);
    assert_true(sfgp_sweep_allocations(*state, select_two, &basis) >= 3);
    sfgp_basis_clear(&basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(new_rows_are_zero),
        sfgp_unit_test(a_product_is_the_plain_sum),
        sfgp_unit_test(a_transposed_product_is_the_plain_sum),
        sfgp_unit_test(the_variance_is_that_of_the_rows),
        sfgp_unit_test(selected_points_have_the_same_prior),
        sfgp_unit_test(a_narrow_basis_has_the_first_columns),
        sfgp_unit_test(copied_rows_are_those_and_no_others),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
