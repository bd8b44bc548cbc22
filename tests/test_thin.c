/* Products with one to three columns, and those in single precision, against plain loops. */
#include "support/support.h"
#include "base/random.h"
#include "linalg/single.h"
#include "linalg/thin.h"

#include <math.h>
#include <string.h>

enum { ROWS = 11, COLUMNS = 300, WIDE = 40 };

static double a[ROWS * COLUMNS], b[COLUMNS * 3], c[COLUMNS * 3];

static void fill(int n, double *x, uint64_t seed)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int k = 0; k < n; k++)
        x[k] = sfgp_random_normal(&random);
}

/* Up to 300 terms of size 1, each rounded: far below this. */
static void assert_sum(double ours, double exact)
{
    assert_true(fabs(ours - exact) < 1e-12 * (1 + fabs(exact)));
}

/* C is added to; nothing behind its end is touched. */
static void multiply(int n, int m, int k)
{
    fill(n * m, a, 1), fill(m * k, b, 2), fill(COLUMNS * 3, c, 3);
    double before[COLUMNS * 3];
    memcpy(before, c, sizeof c);
    sfgp_thin_multiply(n, m, k, a, b, c);
    for (int i = 0; i < n; i++)
        for (int axis = 0; axis < k; axis++) {
            double sum = before[i * k + axis];
            for (int l = 0; l < m; l++)
                sum += a[i * m + l] * b[l * k + axis];
            assert_sum(c[i * k + axis], sum);
        }
    assert_memory_equal(c + n * k, before + n * k, sizeof c - (size_t)(n * k) * sizeof *c);
}

static void cross(int n, int m, int k)
{
    fill(n * m, a, 1), fill(n * k, b, 2), fill(COLUMNS * 3, c, 3);
    for (int i = 1; i < n; i += 3) /* a row of zeros, which is passed over, and one that begins with zero */
        memset(b + i * k, 0, (i % 2 ? (size_t)k : 1) * sizeof *b);
    double before[COLUMNS * 3];
    memcpy(before, c, sizeof c);
    sfgp_thin_cross(n, m, k, a, b, c);
    for (int l = 0; l < m; l++)
        for (int axis = 0; axis < k; axis++) {
            double sum = before[l * k + axis];
            for (int i = 0; i < n; i++)
                sum += a[i * m + l] * b[i * k + axis];
            assert_sum(c[l * k + axis], sum);
        }
    assert_memory_equal(c + m * k, before + m * k, sizeof c - (size_t)(m * k) * sizeof *c);
}

static void thin_products_match_plain_loops(void **state)
{
    const int widths[] = {0, 1, 7, 8, 17, 127, 128, 129, COLUMNS};
    (void)state;
    for (int n = 0; n <= ROWS; n++)
        for (int w = 0; w < (int)(sizeof widths / sizeof *widths); w++)
            for (int k = 1; k <= 3; k++) {
                multiply(n, widths[w], k);
                cross(n, widths[w], k);
            }
}

/* ---- single precision --------------------------------------------------------------------------------- */

static float x[WIDE * WIDE], y[WIDE * WIDE], z[WIDE * WIDE];

static void fill_single(int n, float *values, uint64_t seed)
{
    double exact[WIDE * WIDE];
    fill(n, exact, seed);
    for (int k = 0; k < n; k++)
        values[k] = (float)exact[k];
}

/* Sums of up to 40 terms, 6e-8 each */
static void assert_near(float ours, double exact)
{
    assert_true(fabs((double)ours - exact) < 1e-5 * (1 + fabs(exact)));
}

static void narrow_products_match_plain_loops(void **state)
{
    const int n = 29, m = 13, k = 7;
    (void)state;
    fill_single(n * m, x, 4), fill_single(n * k, y, 5), fill_single(m * k, z, 6);
    sfgp_single_cross(n, m, k, x, y, z); /* overwritten */
    for (int r = 0; r < m; r++)
        for (int s = 0; s < k; s++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += (double)x[i * m + r] * (double)y[i * k + s];
            assert_near(z[r * k + s], sum);
        }
    fill_single(m * m, z, 7);
    sfgp_single_gram(n, m, x, z);
    for (int r = 0; r < m; r++)
        for (int s = 0; s <= r; s++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += (double)x[i * m + r] * (double)x[i * m + s];
            assert_near(z[r * m + s], sum);
        }
}

/* What C had is overwritten by zeros. */
static void narrow_products_without_rows_are_zero(void **state)
{
    const int m = 13, k = 7;
    (void)state;
    fill_single(m * k, z, 6);
    sfgp_single_cross(0, m, k, x, y, z);
    for (int r = 0; r < m * k; r++)
        assert_true(z[r] == 0);
    fill_single(m * m, z, 7);
    sfgp_single_gram(0, m, x, z);
    for (int r = 0; r < m; r++)
        for (int s = 0; s <= r; s++)
            assert_true(z[r * m + s] == 0);
}

/* X becomes X - A B with B the solution of rows: L (L \ x) = x. */
static void narrow_solves_undo_products(void **state)
{
    const int n = 9, m = 6;
    float l[36] = {0}, rows[54], back[54];
    (void)state;
    fill_single(n * m, rows, 8);
    memcpy(back, rows, sizeof back);
    for (int r = 0; r < m; r++)
        for (int s = 0; s <= r; s++)
            l[r * m + s] = r == s ? 2.0f : 0.1f * (float)(r + s);
    sfgp_single_solve_rows(n, m, l, rows);
    float upper[36];
    for (int r = 0; r < m; r++)
        for (int s = 0; s < m; s++)
            upper[r * m + s] = l[s * m + r];
    sfgp_single_subtract(n, m, m, rows, upper, back);
    for (int at = 0; at < n * m; at++)
        assert_true(fabsf(back[at]) < 1e-5f && fabsf(rows[at]) > 1e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(thin_products_match_plain_loops),
        sfgp_unit_test(narrow_products_match_plain_loops),
        sfgp_unit_test(narrow_products_without_rows_are_zero),
        sfgp_unit_test(narrow_solves_undo_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
