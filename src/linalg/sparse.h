/* Sparse matrix in CHOLMOD form: compressed columns, 32-bit indices, doubles, packed and unsorted.
 * Only CHOLMOD's LGPL modules (Core, Check; in ldl.h Cholesky) are called; MatrixOps, Modify and Supernodal are GPL. */
#ifndef SFGP_LINALG_SPARSE_H
#define SFGP_LINALG_SPARSE_H

#include "base/context.h"

#include <cholmod.h>

typedef struct sfgp_sparse {
    cholmod_sparse form; /* form.p, form.i, form.x are our own blocks; form.nzmax is their capacity */
} sfgp_sparse;

/* An empty matrix; columns may be 0. Free with sfgp_sparse_clear, also after an error. */
sfgp_status sfgp_sparse_new(sfgp_context *context, int64_t rows, int64_t columns, sfgp_sparse *matrix);
void sfgp_sparse_clear(sfgp_sparse *matrix);
/* Room for entries; the values are lost when it has to grow. SFGP_ERROR_MEMORY past 2^31 - 1 entries. */
sfgp_status sfgp_sparse_reserve(sfgp_context *context, int64_t entries, sfgp_sparse *matrix);

/* Entries that fit. */
static inline int64_t sfgp_sparse_capacity(const sfgp_sparse *matrix)
{
    return (int64_t)matrix->form.nzmax;
}
static inline int32_t *sfgp_sparse_start(const sfgp_sparse *matrix)
{
    return matrix->form.p;
}
static inline int32_t *sfgp_sparse_index(const sfgp_sparse *matrix)
{
    return matrix->form.i;
}
static inline double *sfgp_sparse_value(const sfgp_sparse *matrix)
{
    return matrix->form.x;
}

#endif
