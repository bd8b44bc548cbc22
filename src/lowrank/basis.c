/* Rows of the prior and products with them. Equation in basis.h. */
#include "lowrank/basis.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "linalg/dense.h"
#include "linalg/thin.h"

#include <string.h>

#define GRAIN 512 /* rows that a thread copies at a time */

sfgp_status sfgp_basis_new(sfgp_context *context, int64_t count, int dimension, int64_t rank, int64_t modes,
                           sfgp_basis *basis)
{
    sfgp_status status = SFGP_OK;
    *basis = (sfgp_basis){.count = count, .dimension = dimension};
    basis->scalar.rows = count;
    basis->scalar.rank = rank;
    basis->pca.modes = modes;
    if ((status = sfgp_allocate(context, count * dimension, &basis->mean)) == SFGP_OK &&
        (status = sfgp_allocate(context, count * rank, &basis->scalar.values)) == SFGP_OK)
        status = sfgp_allocate(context, count * dimension * modes, &basis->pca.factor);
    return status;
}

void sfgp_basis_clear(sfgp_basis *basis)
{
    sfgp_free(basis->mean);
    sfgp_factor_clear(&basis->scalar);
    sfgp_pca_clear(&basis->pca);
    *basis = (sfgp_basis){0};
}

typedef struct selection {
    const int64_t *index;
    int64_t size; /* of a row */
    const double *from;
    double *to;
} selection;

static void select_some(const void *data, int64_t first, int64_t end)
{
    const selection *s = data;
    for (int64_t r = first; r < end; r++)
        memcpy(s->to + r * s->size, s->from + s->index[r] * s->size, (size_t)s->size * sizeof *s->to);
}

/* Rows of `size` numbers that index names. */
static void select_rows(int64_t rows, const int64_t *index, int64_t size, const double *from, double *to)
{
    const selection all = {index, size, from, to};
    if (size > 0)
        sfgp_parallel_for(rows, GRAIN, select_some, &all);
}

sfgp_status sfgp_basis_select(sfgp_context *context, const sfgp_basis *basis, int64_t count,
                              const int64_t *index, sfgp_basis *part)
{
    const int64_t d = basis->dimension, s = basis->scalar.rank, p = basis->pca.modes;
    sfgp_status status = sfgp_basis_new(context, count, (int)d, s, p, part);
    if (status != SFGP_OK)
        return status;
    part->across = basis->across;
    part->scalar.residual = basis->scalar.residual;
    part->pca.unspanned = basis->pca.unspanned;
    select_rows(count, index, d, basis->mean, part->mean);
    select_rows(count, index, s, basis->scalar.values, part->scalar.values);
    select_rows(count, index, d * p, basis->pca.factor, part->pca.factor);
    return SFGP_OK;
}

void sfgp_basis_copy_rows(const sfgp_basis *from, int64_t first, sfgp_basis *to)
{
    const size_t n = (size_t)from->count, d = (size_t)from->dimension, at = (size_t)first,
                 s = (size_t)from->scalar.rank, p = (size_t)from->pca.modes;
    memcpy(to->mean + at * d, from->mean, n * d * sizeof(double));
    memcpy(to->scalar.values + at * s, from->scalar.values, n * s * sizeof(double));
    if (p > 0)
        memcpy(to->pca.factor + at * d * p, from->pca.factor, n * d * p * sizeof(double));
}

sfgp_status sfgp_basis_narrow(sfgp_context *context, const sfgp_basis *from, double accuracy, sfgp_basis *to)
{
    const int64_t n = from->count, d = from->dimension, p = from->pca.modes, s = from->scalar.rank;
    double loss;
    const int64_t rank = sfgp_factor_needs(&from->scalar, accuracy, &loss);
    const sfgp_status status = sfgp_basis_new(context, n, (int)d, rank, p, to);
    if (status != SFGP_OK)
        return status;
    to->across = from->across;
    to->scalar.residual = from->scalar.residual + loss;
    to->pca.unspanned = from->pca.unspanned;
    memcpy(to->mean, from->mean, (size_t)(n * d) * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        memcpy(to->scalar.values + i * rank, from->scalar.values + i * s, (size_t)rank * sizeof(double));
    if (p > 0)
        memcpy(to->pca.factor, from->pca.factor, (size_t)(n * d * p) * sizeof(double));
    return SFGP_OK;
}

int64_t sfgp_basis_size(const sfgp_basis *basis)
{
    return basis->scalar.rank * basis->dimension + basis->pca.modes;
}

double sfgp_basis_variance(const sfgp_basis *basis, int64_t i)
{
    const int64_t s = basis->scalar.rank, size = basis->dimension * basis->pca.modes;
    const double *features = basis->scalar.values + i * s, *modes = basis->pca.factor + i * size;
    return sfgp_dense_dot(s, features, features) + sfgp_dense_dot(size, modes, modes) / basis->dimension +
           (basis->field ? basis->field->variance[i] : 0);
}

void sfgp_basis_multiply(const sfgp_basis *basis, const double *c, int64_t first, int64_t end, double *points)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, n = end - first;
    double *rows = points + first * d;
    memcpy(rows, basis->mean + first * d, (size_t)(n * d) * sizeof *rows);
    sfgp_thin_multiply(n, s, d, basis->scalar.values + first * s, c, rows);
    if (p > 0)
        sfgp_thin_multiply(n * d, p, 1, basis->pca.factor + first * d * p, c + s * d, rows);
}

void sfgp_basis_multiply_transposed(const sfgp_basis *basis, const double *r, int64_t first, int64_t end,
                                    double *g)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, n = end - first;
    sfgp_thin_cross(n, s, d, basis->scalar.values + first * s, r + first * d, g);
    if (p > 0)
        sfgp_thin_cross(n * d, p, 1, basis->pca.factor + first * d * p, r + first * d, g + s * d);
}
