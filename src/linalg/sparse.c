/* Memory of a sparse matrix in CHOLMOD's form, and CHOLMOD's own check of it. The form stands in sparse.h. */
#include "linalg/sparse.h"
#include "base/memory.h"

_Static_assert(sizeof(int) == sizeof(int32_t), "CHOLMOD_INT is a 32-bit int");

sfgp_status sfgp_sparse_new(sfgp_context *context, int64_t rows, int64_t columns, sfgp_sparse *matrix)
{
    int32_t *start = NULL;
    *matrix = (sfgp_sparse){{0}};
    if (rows >= INT32_MAX || columns >= INT32_MAX)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "too large: a point set has 2^31 - 1 points or more");
    sfgp_status status = sfgp_allocate(context, columns + 1, &start);
    matrix->form = (cholmod_sparse){.nrow = (size_t)rows,
                                    .ncol = (size_t)columns,
                                    .p = start,
                                    .itype = CHOLMOD_INT,
                                    .xtype = CHOLMOD_REAL,
                                    .dtype = CHOLMOD_DOUBLE,
                                    .packed = 1};
    return status;
}

void sfgp_sparse_clear(sfgp_sparse *matrix)
{
    sfgp_free(matrix->form.p);
    sfgp_free(matrix->form.i);
    sfgp_free(matrix->form.x);
    *matrix = (sfgp_sparse){{0}};
}

sfgp_status sfgp_sparse_reserve(sfgp_context *context, int64_t entries, sfgp_sparse *matrix)
{
    sfgp_status status = SFGP_OK;
    if (matrix->form.x && entries <= (int64_t)matrix->form.nzmax)
        return SFGP_OK;
    if (entries > INT32_MAX)
        return sfgp_fail(context, SFGP_ERROR_MEMORY,
                         "too large: %lld candidate labels; use a smaller --variance0 or a larger --prune",
                         (long long)entries);
    if (matrix->form.nzmax > 0 && entries < INT32_MAX / 2)
        entries += entries / 2; /* grow rarely */
    sfgp_free(matrix->form.i);
    sfgp_free(matrix->form.x);
    matrix->form.i = matrix->form.x = NULL;
    matrix->form.nzmax = 0;
    if ((status = sfgp_allocate_raw(context, entries, sizeof(int32_t), &matrix->form.i)) == SFGP_OK)
        status = sfgp_allocate_raw(context, entries, sizeof(double), &matrix->form.x);
    if (status == SFGP_OK)
        matrix->form.nzmax = (size_t)entries;
    return status;
}
