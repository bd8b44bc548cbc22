/* Principal components of a prior by the small matrix B'B. The derivation stands in modes.h. */
#include "model/modes.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-10 /* of the largest variance: the squared rounding of B'B, with room */

void sfgp_modes_clear(sfgp_modes *modes)
{
    sfgp_free(modes->variance);
    sfgp_free(modes->vectors);
    *modes = (sfgp_modes){0};
}

/* Rows a, a + d, ... of values (n d x columns), one after the other. */
static void gather_axis(int64_t n, int d, int axis, int64_t columns, const double *values, double *gathered)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(gathered + i * columns, values + (i * d + axis) * columns, (size_t)columns * sizeof *values);
}

/* ---- B'B, lower triangle ----------------------------------------------------------------------------- */

/* Rows and columns (k, a) of the scalar part: (B_s'B_s)_kl where the axes agree. */
static void spread_scalar(const sfgp_model *model, int64_t size, const double *scalar, double *gram)
{
    const int64_t s = model->basis.scalar.rank, d = model->dimension;
    for (int64_t k = 0; k < s; k++)
        for (int64_t l = 0; l <= k; l++)
            for (int64_t a = 0; a < d; a++)
                gram[(k * d + a) * size + l * d + a] = scalar[k * s + l];
}

/* Rows of the PCA part, columns of one axis of the scalar part. */
static void spread_cross(const sfgp_model *model, int axis, int64_t size, const double *cross, double *gram)
{
    const int64_t s = model->basis.scalar.rank, p = model->basis.pca.modes, d = model->dimension;
    for (int64_t mode = 0; mode < p; mode++)
        for (int64_t k = 0; k < s; k++)
            gram[(s * d + mode) * size + k * d + axis] = cross[mode * s + k];
}

static sfgp_status add_scalar(sfgp_context *context, const sfgp_model *model, int64_t size, double *gram)
{
    const int64_t s = model->basis.scalar.rank;
    double *scalar = NULL;
    sfgp_status status = sfgp_allocate_bytes(context, s, s * (int64_t)sizeof *scalar, (void **)&scalar);
    if (status == SFGP_OK) {
        sfgp_dense_gram(model->count, s, 1.0, model->basis.scalar.values, scalar);
        spread_scalar(model, size, scalar, gram);
    }
    sfgp_free(scalar);
    return status;
}

static sfgp_status add_cross(sfgp_context *context, const sfgp_model *model, int64_t size, double *gram)
{
    const int64_t n = model->count, s = model->basis.scalar.rank, p = model->basis.pca.modes;
    double *rows = NULL, *cross = NULL;
    sfgp_status status = sfgp_allocate_bytes(context, n, p * (int64_t)sizeof *rows, (void **)&rows);
    if (status == SFGP_OK)
        status = sfgp_allocate_bytes(context, p, s * (int64_t)sizeof *cross, (void **)&cross);
    for (int axis = 0; status == SFGP_OK && axis < model->dimension; axis++) {
        gather_axis(n, model->dimension, axis, p, model->basis.pca.factor, rows);
        memset(cross, 0, (size_t)(p * s) * sizeof *cross);
        sfgp_dense_cross(n, p, s, 1.0, rows, model->basis.scalar.values, cross);
        spread_cross(model, axis, size, cross, gram);
    }
    sfgp_free(rows);
    sfgp_free(cross);
    return status;
}

static sfgp_status add_pca(sfgp_context *context, const sfgp_model *model, int64_t size, double *gram)
{
    const int64_t p = model->basis.pca.modes, first = size - p;
    double *own = NULL;
    sfgp_status status = sfgp_allocate_bytes(context, p, p * (int64_t)sizeof *own, (void **)&own);
    if (status == SFGP_OK) {
        sfgp_dense_gram(model->count * model->dimension, p, 1.0, model->basis.pca.factor, own);
        for (int64_t k = 0; k < p; k++)
            memcpy(gram + (first + k) * size + first, own + k * p, (size_t)(k + 1) * sizeof *own);
    }
    sfgp_free(own);
    return status;
}

/* ---- eigenvectors ------------------------------------------------------------------------------------ */

static sfgp_status modes_room(sfgp_context *context, int64_t count, int64_t size, sfgp_modes *modes)
{
    *modes = (sfgp_modes){.count = count, .size = size};
    sfgp_status status = sfgp_allocate(context, count, &modes->variance);
    return status != SFGP_OK ? status
                             : sfgp_allocate_bytes(context, count, size * (int64_t)sizeof(double),
                                                   (void **)&modes->vectors);
}

static sfgp_status find_coupled(sfgp_context *context, const sfgp_model *model, sfgp_modes *modes)
{
    const int64_t size = sfgp_basis_size(&model->basis);
    double *gram = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = modes_room(context, size, size, modes)) == SFGP_OK &&
        (status = sfgp_allocate_bytes(context, size, size * (int64_t)sizeof *gram, (void **)&gram)) ==
            SFGP_OK &&
        (status = add_scalar(context, model, size, gram)) == SFGP_OK &&
        (status = add_cross(context, model, size, gram)) == SFGP_OK &&
        (status = add_pca(context, model, size, gram)) == SFGP_OK)
        status = sfgp_dense_eigen(context, size, gram, modes->variance, modes->vectors);
    sfgp_free(gram);
    return status;
}

/* Mode (k, a): eigenvector k of B_s'B_s on axis a. */
static void spread_modes(int64_t s, int64_t d, const double *values, const double *vectors, sfgp_modes *modes)
{
    for (int64_t mode = 0; mode < s * d; mode++) {
        modes->variance[mode] = values[mode / d];
        for (int64_t k = 0; k < s; k++)
            modes->vectors[mode * s * d + k * d + mode % d] = vectors[mode / d * s + k];
    }
}

static sfgp_status find_by_axis(sfgp_context *context, const sfgp_model *model, sfgp_modes *modes)
{
    const int64_t s = model->basis.scalar.rank, d = model->dimension;
    double *gram = NULL, *values = NULL, *vectors = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = modes_room(context, s * d, s * d, modes)) == SFGP_OK &&
        (status = sfgp_allocate(context, s, &values)) == SFGP_OK &&
        (status = sfgp_allocate_bytes(context, s, s * (int64_t)sizeof *gram, (void **)&gram)) == SFGP_OK &&
        (status = sfgp_allocate_bytes(context, s, s * (int64_t)sizeof *gram, (void **)&vectors)) == SFGP_OK) {
        sfgp_dense_gram(model->count, s, 1.0, model->basis.scalar.values, gram);
        if ((status = sfgp_dense_eigen(context, s, gram, values, vectors)) == SFGP_OK)
            spread_modes(s, d, values, vectors, modes);
    }
    sfgp_free(gram);
    sfgp_free(values);
    sfgp_free(vectors);
    return status;
}

sfgp_status sfgp_modes_new(sfgp_context *context, const sfgp_model *model, sfgp_modes *modes)
{
    *modes = (sfgp_modes){0};
    sfgp_status status = (model->basis.pca.modes > 0 ? find_coupled : find_by_axis)(context, model, modes);
    if (status != SFGP_OK) {
        sfgp_modes_clear(modes);
        return status;
    }
    int64_t kept = 0;
    while (kept < modes->count && modes->variance[kept] > LEAST * modes->variance[0])
        kept++;
    modes->count = kept;
    return SFGP_OK;
}

/* ---- U = B V diag(lambda)^-1/2 ------------------------------------------------------------------------ */

/* C (size x count): column k is v_k / sqrt(lambda_k). */
static sfgp_status scale_vectors(sfgp_context *context, const sfgp_modes *modes, double **columns)
{
    const int64_t size = modes->size, count = modes->count;
    sfgp_status status =
        sfgp_allocate_bytes(context, size, count * (int64_t)sizeof **columns, (void **)columns);
    for (int64_t k = 0; status == SFGP_OK && k < count; k++)
        for (int64_t row = 0; row < size; row++)
            (*columns)[row * count + k] = modes->vectors[k * size + row] / sqrt(modes->variance[k]);
    return status;
}

static sfgp_status multiply(sfgp_context *context, const sfgp_model *model, int64_t count,
                            const double *columns, double *basis)
{
    const int64_t n = model->count, s = model->basis.scalar.rank, p = model->basis.pca.modes,
                  d = model->dimension;
    double *part = NULL;
    sfgp_status status = sfgp_allocate_bytes(context, s, count * (int64_t)sizeof *part, (void **)&part);
    for (int axis = 0; status == SFGP_OK && axis < d; axis++) {
        gather_axis(s, (int)d, axis, count, columns, part);
        sfgp_dense_multiply(n, s, count, 1.0, model->basis.scalar.values, s, part, basis + axis * count,
                            d * count);
    }
    if (status == SFGP_OK)
        sfgp_dense_multiply(n * d, p, count, 1.0, model->basis.pca.factor, p, columns + s * d * count, basis,
                            count);
    sfgp_free(part);
    return status;
}

sfgp_status sfgp_modes_basis(sfgp_context *context, const sfgp_model *model, const sfgp_modes *modes,
                             double **basis)
{
    double *columns = NULL;
    sfgp_status status = scale_vectors(context, modes, &columns);
    *basis = NULL;
    if (status == SFGP_OK)
        status = sfgp_allocate_bytes(context, model->count * model->dimension,
                                     modes->count * (int64_t)sizeof **basis, (void **)basis);
    if (status == SFGP_OK)
        status = multiply(context, model, modes->count, columns, *basis);
    sfgp_free(columns);
    if (status != SFGP_OK) {
        sfgp_free(*basis);
        *basis = NULL;
    }
    return status;
}
