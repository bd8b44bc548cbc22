/* Products with matrices of one to three columns, in vectors of eight doubles whose sums have a fixed order.
 */
#include "linalg/thin.h"
#include "base/simd.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline)) /* k is a constant in each clone */
#define CHUNK 128 /* columns of A at a time: their part of the thin matrix stays in the cache */
#define WIDE 8

typedef double wide __attribute__((vector_size(WIDE * sizeof(double))));
typedef double any_wide __attribute__((vector_size(WIDE * sizeof(double)), aligned(8), may_alias));
#define VEC(array) (*(const any_wide *)(array))

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- A B ---------------------------------------------------------------------------------------------- */

/* c (k) += row of A (m) times B. B is stored by columns that are CHUNK apart. */
INLINE void multiply_row(const int k, int64_t m, const double *row, const double *columns, double *c)
{
    wide sum[3] = {{0}, {0}, {0}};
    int64_t at = 0;
    for (; at + WIDE <= m; at += WIDE)
        for (int a = 0; a < k; a++)
            sum[a] += VEC(row + at) * VEC(columns + a * CHUNK + at);
    for (int a = 0; a < k; a++) {
        double tail = ((sum[a][0] + sum[a][4]) + (sum[a][2] + sum[a][6])) +
                      ((sum[a][1] + sum[a][5]) + (sum[a][3] + sum[a][7]));
        for (int64_t l = at; l < m; l++)
            tail += row[l] * columns[a * CHUNK + l];
        c[a] += tail;
    }
}

INLINE void multiply(const int k, int64_t n, int64_t m, const double *a, const double *b, double *c)
{
    double columns[3 * CHUNK];
    for (int64_t first = 0; first < m; first += CHUNK) {
        const int64_t width = least(CHUNK, m - first);
        for (int64_t l = 0; l < width; l++)
            for (int axis = 0; axis < k; axis++)
                columns[axis * CHUNK + l] = b[(first + l) * k + axis];
        for (int64_t i = 0; i < n; i++)
            multiply_row(k, width, a + i * m + first, columns, c + i * k);
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

/* Adds up to four rows of A at once, so that the sums are loaded and stored once for all of them. */
INLINE void add_rows(const int k, const int rows, int64_t lda, int64_t m, const double *a, const double *b,
                     double *columns)
{
    int64_t at = 0;
    for (; at + WIDE <= m; at += WIDE)
        for (int axis = 0; axis < k; axis++) {
            wide sum = VEC(columns + axis * CHUNK + at);
            for (int i = 0; i < rows; i++)
                sum += b[i * k + axis] * VEC(a + i * lda + at);
            memcpy(columns + axis * CHUNK + at, &sum, sizeof sum);
        }
    for (; at < m; at++)
        for (int axis = 0; axis < k; axis++)
            for (int i = 0; i < rows; i++)
                columns[axis * CHUNK + at] += b[i * k + axis] * a[i * lda + at];
}

INLINE void cross(const int k, int64_t n, int64_t m, const double *a, const double *b, double *c)
{
    double columns[3 * CHUNK];
    for (int64_t first = 0; first < m; first += CHUNK) {
        const int64_t width = least(CHUNK, m - first);
        int64_t i = 0;
        memset(columns, 0, sizeof columns);
        for (; i + 4 <= n; i += 4)
            add_rows(k, 4, m, width, a + i * m + first, b + i * k, columns);
        for (; i < n; i++)
            add_rows(k, 1, m, width, a + i * m + first, b + i * k, columns);
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
