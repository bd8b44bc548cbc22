/* Sparse symmetric matrices with both triangles. */
#include "linalg/symmetric.h"
#include "base/memory.h"
#include "base/parallel.h"

#define GRAIN 1024 /* rows that a thread takes at a time */

/* start (n + 1) of the columns of the full matrix. */
static void count_columns(const sfgp_sparse *lower, int32_t *start)
{
    const int64_t n = (int64_t)lower->form.ncol;
    const int32_t *from = sfgp_sparse_start(lower), *row = sfgp_sparse_index(lower);
    for (int64_t j = 0; j < n; j++)
        for (int32_t p = from[j]; p < from[j + 1]; p++) {
            start[j + 1]++;
            start[row[p] + 1] += row[p] != j;
        }
    for (int64_t j = 0; j < n; j++)
        start[j + 1] += start[j];
}

/* next (n): where the next entry of each column goes. */
static void fill_columns(const sfgp_sparse *lower, int32_t *next, sfgp_sparse *full)
{
    const int64_t n = (int64_t)lower->form.ncol;
    const int32_t *from = sfgp_sparse_start(lower), *row = sfgp_sparse_index(lower);
    const double *value = sfgp_sparse_value(lower);
    for (int64_t j = 0; j < n; j++)
        next[j] = sfgp_sparse_start(full)[j];
    for (int64_t j = 0; j < n; j++)
        for (int32_t p = from[j]; p < from[j + 1]; p++) {
            const int32_t own = next[j]++, mirrored = row[p] == j ? own : next[row[p]]++;
            sfgp_sparse_index(full)[own] = row[p];
            sfgp_sparse_index(full)[mirrored] = (int32_t)j;
            sfgp_sparse_value(full)[own] = sfgp_sparse_value(full)[mirrored] = value[p];
        }
}

sfgp_status sfgp_symmetric_expand(sfgp_context *context, const sfgp_sparse *lower, sfgp_sparse *full)
{
    const int64_t n = (int64_t)lower->form.ncol;
    int32_t *next = NULL;
    sfgp_status status = sfgp_sparse_new(context, n, n, full);
    if (status != SFGP_OK)
        return status;
    count_columns(lower, sfgp_sparse_start(full));
    if ((status = sfgp_sparse_reserve(context, sfgp_sparse_start(full)[n], full)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &next)) == SFGP_OK)
        fill_columns(lower, next, full);
    sfgp_free(next);
    return status;
}

typedef struct multiplied {
    const sfgp_sparse *full;
    int axes;
    const double *x;
    double *y;
} multiplied;

static void multiply_rows(const void *data, int64_t first, int64_t end)
{
    const multiplied *all = data;
    const int32_t *start = sfgp_sparse_start(all->full), *index = sfgp_sparse_index(all->full);
    const double *value = sfgp_sparse_value(all->full);
    for (int64_t i = first; i < end; i++) {
        double sum[3] = {0};
        for (int32_t p = start[i]; p < start[i + 1]; p++)
            for (int a = 0; a < all->axes; a++)
                sum[a] += value[p] * all->x[(int64_t)index[p] * all->axes + a];
        for (int a = 0; a < all->axes; a++)
            all->y[i * all->axes + a] = sum[a];
    }
}

void sfgp_symmetric_multiply(const sfgp_sparse *full, int axes, const double *x, double *y)
{
    const multiplied all = {full, axes, x, y};
    sfgp_parallel_for((int64_t)full->form.ncol, GRAIN, multiply_rows, &all);
}

double sfgp_symmetric_square(const sfgp_sparse *lower, int axes, const double *x)
{
    const int32_t *start = sfgp_sparse_start(lower), *row = sfgp_sparse_index(lower);
    const double *value = sfgp_sparse_value(lower);
    double sum = 0;
    for (int64_t j = 0; j < (int64_t)lower->form.ncol; j++)
        for (int32_t p = start[j]; p < start[j + 1]; p++)
            for (int a = 0; a < axes; a++)
                sum += (row[p] == j ? 1 : 2) * value[p] * x[(int64_t)row[p] * axes + a] * x[j * axes + a];
    return sum;
}
