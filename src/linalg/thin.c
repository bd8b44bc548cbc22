/* Products with matrices of one to three columns, in vectors of four doubles whose sums have a fixed order.
 */
#include "linalg/thin.h"
#include "base/simd.h"

#include <stdbool.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline)) /* k and rows are constants in each clone */
#define CHUNK 128 /* columns of A at a time: their part of the thin matrix stays in the cache */
#define QUAD 4
#define HALVES 2 /* a row has two sums of four numbers each, so that one need not wait for the other */

typedef double quad __attribute__((vector_size(QUAD * sizeof(double))));
typedef double any_quad __attribute__((vector_size(QUAD * sizeof(double)), aligned(8), may_alias));
#define VEC(array) (*(const any_quad *)(array))

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- A B ---------------------------------------------------------------------------------------------- */

/* The sum of eight partial sums and of the columns from `at`, of which the vectors hold none. */
INLINE double finish(const quad sum[HALVES], int64_t at, int64_t m, const double *row, const double *column)
{
    const quad four = sum[0] + sum[1];
    double total = (four[0] + four[2]) + (four[1] + four[3]);
    for (; at < m; at++)
        total += row[at] * column[at];
    return total;
}

/* c (rows x k) += rows of A (m) times B. B is stored by columns that are CHUNK apart; each of its vectors is loaded
 * once for all rows. */
INLINE void multiply_rows(const int k, const int rows, int64_t lda, int64_t m, const double *a,
                          const double *columns, double *c)
{
    quad sum[4][3][HALVES];
    int64_t at = 0;
    for (int i = 0; i < rows; i++)
        for (int axis = 0; axis < k; axis++)
            sum[i][axis][0] = sum[i][axis][1] = (quad){0};
    for (; at + HALVES * QUAD <= m; at += HALVES * QUAD)
        for (int half = 0; half < HALVES; half++)
            for (int axis = 0; axis < k; axis++)
                for (int i = 0; i < rows; i++)
                    sum[i][axis][half] +=
                        VEC(a + i * lda + at + half * QUAD) * VEC(columns + axis * CHUNK + at + half * QUAD);
    for (int i = 0; i < rows; i++)
        for (int axis = 0; axis < k; axis++)
            c[i * k + axis] += finish(sum[i][axis], at, m, a + i * lda, columns + axis * CHUNK);
}

INLINE void multiply(const int k, int64_t n, int64_t m, const double *a, const double *b, double *c)
{
    const int rows = k == 1 ? 4 : 2; /* their sums fit into sixteen registers */
    double columns[3 * CHUNK];
    for (int64_t first = 0; first < m; first += CHUNK) {
        const int64_t width = least(CHUNK, m - first);
        int64_t i = 0;
        for (int64_t l = 0; l < width; l++)
            for (int axis = 0; axis < k; axis++)
                columns[axis * CHUNK + l] = b[(first + l) * k + axis];
        for (; i + rows <= n; i += rows)
            multiply_rows(k, rows, m, width, a + i * m + first, columns, c + i * k);
        for (; i < n; i++)
            multiply_rows(k, 1, m, width, a + i * m + first, columns, c + i * k);
    }
}

SFGP_SIMD void sfgp_thin_multiply(int64_t n, int64_t m, int64_t k, const double *a, const double *b,
                                  double *c)
{
    if (k == 3)
        multiply(3, n, m, a, b, c);
    else if (k == 2)
        multiply(2, n, m, a, b, c);
    else
        multiply(1, n, m, a, b, c);
}

/* ---- A'B ---------------------------------------------------------------------------------------------- */

/* Rows of A, from a column on, and of B. */
typedef struct pairs {
    const double *a[4], *b[4];
} pairs;

/* Adds up to four rows at once, so that the sums are loaded and stored once for all of them. */
INLINE void add_rows(const int k, const int rows, int64_t m, const pairs *of, double *columns)
{
    double b[4][3]; /* copies, which the compiler knows not to be among the sums */
    int64_t at = 0;
    for (int i = 0; i < rows; i++)
        for (int axis = 0; axis < k; axis++)
            b[i][axis] = of->b[i][axis];
    for (; at + QUAD <= m; at += QUAD) {
        quad sum[3];
        for (int axis = 0; axis < k; axis++)
            sum[axis] = VEC(columns + axis * CHUNK + at);
        for (int i = 0; i < rows; i++)
            for (int axis = 0; axis < k; axis++)
                sum[axis] += b[i][axis] * VEC(of->a[i] + at);
        for (int axis = 0; axis < k; axis++)
            memcpy(columns + axis * CHUNK + at, &sum[axis], sizeof sum[axis]);
    }
    for (; at < m; at++)
        for (int axis = 0; axis < k; axis++)
            for (int i = 0; i < rows; i++)
                columns[axis * CHUNK + at] += b[i][axis] * of->a[i][at];
}

INLINE bool is_zero(const int k, const double *b)
{
    bool zero = true;
    for (int axis = 0; axis < k; axis++)
        zero = zero && b[axis] == 0;
    return zero;
}

/* The sums of some columns of A. Rows of B that are 0, as those of points without labels are, add nothing. */
INLINE void sum_columns(const int k, int64_t n, int64_t lda, int64_t m, const double *a, const double *b,
                        double *columns)
{
    pairs of;
    int count = 0;
    for (int64_t i = 0; i < n; i++) {
        if (is_zero(k, b + i * k))
            continue;
        of.a[count] = a + i * lda;
        of.b[count++] = b + i * k;
        if (count == 4) {
            add_rows(k, 4, m, &of, columns);
            count = 0;
        }
    }
    for (int i = 0; i < count; i++)
        add_rows(k, 1, m, &(pairs){{of.a[i]}, {of.b[i]}}, columns);
}

INLINE void cross(const int k, int64_t n, int64_t m, const double *a, const double *b, double *c)
{
    double columns[3 * CHUNK];
    for (int64_t first = 0; first < m; first += CHUNK) {
        const int64_t width = least(CHUNK, m - first);
        memset(columns, 0, sizeof columns);
        sum_columns(k, n, m, width, a + first, b, columns);
        for (int64_t l = 0; l < width; l++)
            for (int axis = 0; axis < k; axis++)
                c[(first + l) * k + axis] += columns[axis * CHUNK + l];
    }
}

SFGP_SIMD void sfgp_thin_cross(int64_t n, int64_t m, int64_t k, const double *a, const double *b, double *c)
{
    if (k == 3)
        cross(3, n, m, a, b, c);
    else if (k == 2)
        cross(2, n, m, a, b, c);
    else
        cross(1, n, m, a, b, c);
}
