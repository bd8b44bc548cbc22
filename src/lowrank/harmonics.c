/* Eigenpairs of the Laplacian by ARPACK and CHOLMOD. The equations stand in harmonics.h. */
#include "lowrank/harmonics.h"
#include "base/memory.h"
#include "linalg/dense.h"
#include "linalg/eig.h"

#include <math.h>
#include <string.h>

enum {
    DENSE_SMALL = 256,  /* up to this size all pairs at once are cheaper */
    DENSE_LARGE = 2000, /* larger ones are not computed densely */
    SPARE = 4,          /* pairs beyond those wanted, so that there is a gap among them */
    ROUNDS = 8          /* of searches for what is missing */
};

sfgp_status sfgp_laplacian_shift(sfgp_context *context, const sfgp_laplacian *laplacian, double shift,
                                 sfgp_sparse *matrix)
{
    const sfgp_sparse *g = &laplacian->stiffness;
    const int64_t n = laplacian->count, entries = sfgp_sparse_start(g)[n];
    sfgp_status status = sfgp_sparse_new(context, n, n, matrix);
    if (status == SFGP_OK)
        status = sfgp_sparse_reserve(context, entries, matrix);
    if (status != SFGP_OK)
        return status;
    memcpy(sfgp_sparse_start(matrix), sfgp_sparse_start(g), (size_t)(n + 1) * sizeof(int32_t));
    memcpy(sfgp_sparse_index(matrix), sfgp_sparse_index(g), (size_t)entries * sizeof(int32_t));
    memcpy(sfgp_sparse_value(matrix), sfgp_sparse_value(g), (size_t)entries * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        sfgp_sparse_value(matrix)[sfgp_sparse_start(g)[i]] += shift * laplacian->mass[i];
    return SFGP_OK;
}

static sfgp_status factorise_shifted(sfgp_context *context, const sfgp_laplacian *laplacian, double shift,
                                     sfgp_ldl *ldl)
{
    sfgp_sparse matrix = {0};
    sfgp_status status = sfgp_laplacian_shift(context, laplacian, shift, &matrix);
    if (status == SFGP_OK)
        status = sfgp_ldl_factorise(context, &matrix, ldl);
    sfgp_sparse_clear(&matrix);
    return status;
}

/* ---- the operator ------------------------------------------------------------------------------------ */

typedef struct inverse {
    const sfgp_laplacian *laplacian;
    sfgp_ldl *ldl;
    const sfgp_harmonics *found; /* psi as rows: their complement is searched */
    double *sums;                /* piece_count */
} inverse;

/* y -= its part along the constants, psi_c = C^(1/2) 1_c / sqrt(weight_c) */
static void remove_constants(const inverse *op, double *y)
{
    const sfgp_laplacian *l = op->laplacian;
    memset(op->sums, 0, (size_t)l->piece_count * sizeof *op->sums);
    for (int64_t i = 0; i < l->count; i++)
        op->sums[l->piece[i]] += sqrt(l->mass[i]) * y[i];
    for (int64_t i = 0; i < l->count; i++)
        y[i] -= sqrt(l->mass[i]) * op->sums[l->piece[i]] / l->weight[l->piece[i]];
}

static void remove_known(const inverse *op, double *y)
{
    const int64_t n = op->laplacian->count;
    remove_constants(op, y);
    for (int64_t k = 0; k < op->found->count; k++) {
        const double *psi = op->found->vectors + k * n, share = sfgp_dense_dot(n, psi, y);
        for (int64_t i = 0; i < n; i++)
            y[i] -= share * psi[i];
    }
}

static void apply(const void *user, const double *x, double *y)
{
    const inverse *op = user;
    const sfgp_laplacian *l = op->laplacian;
    memcpy(y, x, (size_t)l->count * sizeof *y);
    remove_known(op, y);
    for (int64_t i = 0; i < l->count; i++)
        y[i] *= sqrt(l->mass[i]);
    sfgp_ldl_solve(op->ldl, 1, y);
    for (int64_t i = 0; i < l->count; i++)
        y[i] *= sqrt(l->mass[i]);
    remove_known(op, y);
}

/* ---- lists of pairs ---------------------------------------------------------------------------------- */

/* h = h and more, ascending. */
static sfgp_status merge_pairs(sfgp_context *context, const sfgp_harmonics *more, sfgp_harmonics *h)
{
    const size_t size = (size_t)h->points * sizeof(double);
    sfgp_harmonics all = {0};
    int64_t a = 0, b = 0;
    sfgp_status status = sfgp_harmonics_allocate(context, h->points, h->count + more->count, &all);
    for (int64_t k = 0; status == SFGP_OK && k < all.count; k++) {
        const bool first = b == more->count || (a < h->count && h->values[a] <= more->values[b]);
        const int64_t from = first ? a++ : b++;
        all.values[k] = (first ? h : more)->values[from];
        memcpy(all.vectors + k * h->points, (first ? h : more)->vectors + from * h->points, size);
    }
    sfgp_harmonics left = status == SFGP_OK ? *h : all;
    if (status == SFGP_OK) {
        all.error = h->error;
        *h = all;
    }
    sfgp_harmonics_clear(&left);
    return status;
}

/* From psi to phi, with the entry of largest size positive. */
static void scale_vectors(const sfgp_laplacian *laplacian, sfgp_harmonics *h)
{
    for (int64_t k = 0; k < h->count; k++) {
        double *phi = h->vectors + k * h->points, most = 0;
        for (int64_t i = 0; i < h->points; i++) {
            phi[i] /= sqrt(laplacian->mass[i]);
            most = fabs(phi[i]) > fabs(most) ? phi[i] : most;
        }
        for (int64_t i = 0; most < 0 && i < h->points; i++)
            phi[i] = -phi[i];
    }
}

/* ---- many points: the smallest pairs ----------------------------------------------------------------- */

/* Lanczos vectors for so many pairs. With count / 2 instead of count / 5 it takes 0.8 to 1.3 times as long, and 300 pairs of a million points
 * take more than 4 GiB (ADR 0087). */
static int64_t basis_for(int64_t count)
{
    return count + count / 5 + 20;
}

/* count pairs on the complement of op->found; psi. */
static sfgp_status search_pairs(sfgp_context *context, const inverse *op, double shift, int64_t count,
                                uint64_t seed, sfgp_harmonics *h)
{
    const sfgp_operator matrix = {op->laplacian->count, apply, op};
    const sfgp_eig_request request = {count, basis_for(count), SFGP_HARMONICS_TOLERANCE, seed};
    *h = (sfgp_harmonics){.points = matrix.n, .count = count, .error = SFGP_HARMONICS_TOLERANCE};
    sfgp_status status = sfgp_allocate(context, count, &h->values);
    if (status == SFGP_OK)
        status = sfgp_eig_largest(context, &matrix, &request, h->values, &h->vectors);
    for (int64_t k = 0; status == SFGP_OK && k < count; k++)
        h->values[k] = fmax(1 / h->values[k] - shift, 0);
    return status;
}

/* The pairs of h below the widest gap among the last ones, and in *bound the middle of the gap. */
static int64_t find_gap(const sfgp_harmonics *h, double *bound)
{
    int64_t best = h->count - 1;
    for (int64_t k = h->count - 1; k >= 1 && k >= h->count - SPARE; k--)
        if (h->values[k] - h->values[k - 1] > h->values[best] - h->values[best - 1])
            best = k;
    *bound = 0.5 * (h->values[best] + h->values[best - 1]);
    return best;
}

/* How many eigenvalues below the gap were missed. */
static sfgp_status count_missing(sfgp_context *context, const sfgp_laplacian *laplacian,
                                 const sfgp_harmonics *h, sfgp_ldl *ldl, int64_t *missing)
{
    double bound = 0;
    const int64_t found = find_gap(h, &bound) + laplacian->piece_count;
    sfgp_status status = factorise_shifted(context, laplacian, -bound, ldl);
    *missing = status == SFGP_OK ? sfgp_ldl_negative(ldl) - found : 0;
    return status;
}

/* Searches for copies that Lanczos missed until the number of eigenvalues is right. */
static sfgp_status complete_pairs(sfgp_context *context, const sfgp_harmonics_request *request,
                                  const inverse *op, sfgp_harmonics *h)
{
    sfgp_status status = SFGP_OK;
    for (int round = 0; status == SFGP_OK && round < ROUNDS; round++) {
        sfgp_harmonics more = {0};
        int64_t missing = 0;
        if ((status = count_missing(context, op->laplacian, h, op->ldl, &missing)) != SFGP_OK || missing <= 0)
            return status;
        if ((status = factorise_shifted(context, op->laplacian, request->shift, op->ldl)) == SFGP_OK &&
            (status = search_pairs(context, op, request->shift, missing, request->seed + 1, &more)) ==
                SFGP_OK)
            status = merge_pairs(context, &more, h);
        sfgp_harmonics_clear(&more);
    }
    return status;
}

sfgp_status sfgp_harmonics_complete(sfgp_context *context, const sfgp_laplacian *laplacian,
                                    const sfgp_harmonics_request *request, sfgp_ldl *ldl, sfgp_harmonics *h)
{
    inverse op = {laplacian, ldl, h, NULL};
    sfgp_status status = sfgp_allocate(context, laplacian->piece_count, &op.sums);
    if (status == SFGP_OK)
        status = complete_pairs(context, request, &op, h);
    sfgp_free(op.sums);
    return status;
}

static sfgp_status sparse_pairs(sfgp_context *context, const sfgp_laplacian *laplacian,
                                const sfgp_harmonics_request *request, sfgp_ldl *ldl, sfgp_harmonics *h)
{
    const sfgp_harmonics none = {0};
    inverse op = {laplacian, ldl, &none, NULL};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, laplacian->piece_count, &op.sums)) == SFGP_OK &&
        (status = factorise_shifted(context, laplacian, request->shift, ldl)) == SFGP_OK &&
        (status = search_pairs(context, &op, request->shift, request->count + SPARE, request->seed, h)) ==
            SFGP_OK)
        status = sfgp_harmonics_complete(context, laplacian, request, ldl, h);
    sfgp_free(op.sums);
    return status;
}

sfgp_status sfgp_harmonics_new(sfgp_context *context, const sfgp_laplacian *laplacian,
                               const sfgp_harmonics_request *request, sfgp_ldl *ldl,
                               sfgp_harmonics *harmonics)
{
    const int64_t n = laplacian->count;
    const bool half = request->count + SPARE > (n - laplacian->piece_count) / 2;
    sfgp_status status = SFGP_OK;
    *harmonics = (sfgp_harmonics){0};
    if (half && n > DENSE_LARGE)
        return sfgp_fail(
            context, SFGP_ERROR_PARAMETER,
            "accuracy: the kernel 'surface' needs more than half of the %lld eigenpairs; use a longer "
            "length, smoothness=2, a larger --accuracy or a --rank",
            (long long)n);
    status = half || n <= DENSE_SMALL ? sfgp_harmonics_dense(context, laplacian, harmonics)
                                      : sparse_pairs(context, laplacian, request, ldl, harmonics);
    if (status == SFGP_OK)
        scale_vectors(laplacian, harmonics);
    return status;
}
