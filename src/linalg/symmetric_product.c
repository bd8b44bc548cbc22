/* The product of sparse symmetric matrices that commute but for a diagonal between them. */
#include "base/memory.h"
#include "linalg/symmetric.h"

#include <stdlib.h>

typedef struct product {
    const sfgp_sparse *a, *b;
    const double *scale;
    int32_t *seen; /* n: the last column + 1 that had an entry in this row */
    int32_t *rows; /* n: rows of a column */
    double *sum;   /* n: a column */
} product;

static int ascending(const void *a, const void *b)
{
    const int32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Rows of column j from the diagonal on; their number. With values, their sums too. */
static int32_t gather(const product *s, int32_t j, int values)
{
    const int32_t *a = sfgp_sparse_start(s->a), *b = sfgp_sparse_start(s->b);
    int32_t count = 0;
    for (int32_t q = b[j]; q < b[j + 1]; q++) {
        const int32_t k = sfgp_sparse_index(s->b)[q];
        for (int32_t p = a[k]; p < a[k + 1]; p++) {
            const int32_t i = sfgp_sparse_index(s->a)[p];
            if (i < j)
                continue;
            if (s->seen[i] != j + 1) {
                s->rows[count++] = i;
                s->sum[i] = 0;
            }
            s->seen[i] = j + 1;
            if (values)
                s->sum[i] += sfgp_sparse_value(s->a)[p] * s->scale[k] * sfgp_sparse_value(s->b)[q];
        }
    }
    return count;
}

static sfgp_status count_entries(sfgp_context *context, const product *s, sfgp_sparse *made)
{
    const int64_t n = (int64_t)s->a->form.ncol;
    int32_t *start = sfgp_sparse_start(made);
    int64_t entries = 0;
    for (int64_t j = 0; j < n; j++) {
        entries += gather(s, (int32_t)j, 0);
        if (entries > INT32_MAX) /* GCOVR_EXCL_START: 25 GB of entries */
            return sfgp_fail(
                context, SFGP_ERROR_MEMORY,
                "too large: the precision of a field has 2^31 entries or more; use fewer points"); /* GCOVR_EXCL_STOP */
        start[j + 1] = (int32_t)entries;
    }
    for (int64_t i = 0; i < n; i++)
        s->seen[i] = 0;
    return sfgp_sparse_reserve(context, entries, made);
}

static void fill_entries(const product *s, sfgp_sparse *made)
{
    const int32_t *start = sfgp_sparse_start(made);
    for (int64_t j = 0; j < (int64_t)s->a->form.ncol; j++) {
        const int32_t count = gather(s, (int32_t)j, 1);
        qsort(s->rows, (size_t)count, sizeof *s->rows, ascending);
        for (int32_t p = 0; p < count; p++) {
            sfgp_sparse_index(made)[start[j] + p] = s->rows[p];
            sfgp_sparse_value(made)[start[j] + p] = s->sum[s->rows[p]];
        }
    }
}

sfgp_status sfgp_symmetric_product(sfgp_context *context, const sfgp_sparse *a, const double *scale,
                                   const sfgp_sparse *b, sfgp_sparse *made)
{
    const int64_t n = (int64_t)a->form.ncol;
    product s = {.a = a, .b = b, .scale = scale};
    sfgp_status status = sfgp_sparse_new(context, n, n, made);
    if (status == SFGP_OK && (status = sfgp_allocate(context, n, &s.seen)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &s.rows)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &s.sum)) == SFGP_OK &&
        (status = count_entries(context, &s, made)) == SFGP_OK)
        fill_entries(&s, made);
    sfgp_free(s.seen);
    sfgp_free(s.rows);
    sfgp_free(s.sum);
    return status;
}
