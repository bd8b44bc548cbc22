/* A factor from eigenpairs: more and more of them are computed until the residual is below the accuracy. Its
 * certificate stands in docs/adr/0002-accuracy-is-absolute.md. */
#include "base/memory.h"
#include "linalg/dense.h"
#include "lowrank/spectral.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DENSE_SMALL 256  /* up to this size all eigenpairs at once are cheaper than Lanczos */
#define DENSE_LARGE 6000 /* larger dense matrices are refused */

typedef struct pairs {
    int64_t n;       /* size of a vector */
    int64_t count;   /* pairs */
    double *values;  /* count */
    double *vectors; /* count x n */
} pairs;

static void pairs_clear(pairs *p)
{
    sfgp_free(p->values);
    sfgp_free(p->vectors);
    *p = (pairs){0};
}

/* All pairs. The columns of the matrix are its products with the unit vectors. */
static sfgp_status dense_pairs(sfgp_context *context, const sfgp_operator *matrix, pairs *p)
{
    const int64_t n = matrix->n;
    double *dense = NULL, *unit = NULL;
    sfgp_status status = SFGP_OK;
    *p = (pairs){.n = n, .count = n};
    if ((status = sfgp_allocate(context, n, &p->values)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * n, &p->vectors)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * n, &dense)) == SFGP_OK)
        status = sfgp_allocate(context, n, &unit);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++) {
        unit[i] = 1;
        matrix->apply(matrix->user, unit, dense + i * n);
        unit[i] = 0;
    }
    if (status == SFGP_OK)
        status = sfgp_dense_eigen(context, n, dense, p->values, p->vectors);
    sfgp_free(dense);
    sfgp_free(unit);
    return status;
}

/* At least the count largest pairs. */
static sfgp_status largest_pairs(sfgp_context *context, const sfgp_operator *matrix, int64_t count,
                                 uint64_t seed, pairs *p)
{
    const int64_t n = matrix->n;
    if (n <= DENSE_SMALL || (count > n / 2 && n <= DENSE_LARGE))
        return dense_pairs(context, matrix, p);
    if (count > n / 2)
        return sfgp_fail(
            context, SFGP_ERROR_PARAMETER,
            "accuracy: needs more than half of the %lld eigenpairs; use --lowrank cholesky, a longer "
            "length or a larger --accuracy",
            (long long)n);
    const sfgp_eig_request request = {.count = count, .seed = seed};
    *p = (pairs){.n = n, .count = count};
    const sfgp_status status = sfgp_allocate(context, count, &p->values);
    return status != SFGP_OK ? status : sfgp_eig_largest(context, matrix, &request, p->values, &p->vectors);
}

/* What the accuracy of the request is about: the largest residual variance, or the mean. */
static double judge(const sfgp_factor_request *request, int64_t n, const double *left)
{
    double most = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, left[i]);
        sum += left[i];
    }
    return request->mean ? sum / (double)n : most;
}

/* Subtracts lambda_k v_k(i)^2 pair by pair from the diagonal until the accuracy is reached. Returns the
 * number of pairs; left (n) is the residual variance. */
static int64_t truncate(const pairs *p, const sfgp_factor_request *request, const double *diagonal,
                        double *left)
{
    int64_t used = 0;
    memcpy(left, diagonal, (size_t)p->n * sizeof *left);
    while (judge(request, p->n, left) > request->accuracy && used < p->count && used < request->rank &&
           p->values[used] > 0) {
        for (int64_t i = 0; i < p->n; i++) {
            double v = p->vectors[used * p->n + i];
            left[i] = fmax(left[i] - p->values[used] * v * v, 0.0);
        }
        used++;
    }
    return used;
}

/* b_i = (sqrt(lambda_1) v_1(i), sqrt(lambda_2) v_2(i), ...) */
static sfgp_status scale_pairs(sfgp_context *context, const pairs *p, int64_t rank, sfgp_factor *factor)
{
    sfgp_status status =
        sfgp_allocate_bytes(context, p->n, rank * (int64_t)sizeof(double), (void **)&factor->values);
    if (status != SFGP_OK)
        return status;
    factor->rows = p->n;
    factor->rank = rank;
    for (int64_t k = 0; k < rank; k++)
        for (int64_t i = 0; i < p->n; i++)
            factor->values[i * rank + k] = sqrt(p->values[k]) * p->vectors[k * p->n + i];
    return SFGP_OK;
}

sfgp_status sfgp_factor_spectral(sfgp_context *context, const sfgp_operator *matrix, const double *diagonal,
                                 int64_t guess, const sfgp_factor_request *request, sfgp_factor *factor)
{
    const int64_t n = matrix->n;
    pairs p = {0};
    double *left = NULL;
    int64_t rank = 0, count = guess < request->rank ? guess : request->rank;
    const sfgp_mark mark = sfgp_profile_enter(context, SFGP_STAGE_FACTOR);
    sfgp_status status = sfgp_allocate(context, n, &left);
    *factor = (sfgp_factor){0};
    while (status == SFGP_OK) {
        pairs_clear(&p);
        if ((status = largest_pairs(context, matrix, count, request->seed, &p)) != SFGP_OK)
            break;
        rank = truncate(&p, request, diagonal, left);
        if (judge(request, n, left) <= request->accuracy || p.count == n || p.count >= request->rank ||
            rank < p.count)
            break;
        count = p.count + p.count / 3 + 1 < request->rank ? p.count + p.count / 3 + 1 : request->rank;
    }
    if (status == SFGP_OK)
        status = scale_pairs(context, &p, rank, factor);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        factor->residual = fmax(factor->residual, left[i]);
    if (status == SFGP_OK) /* Ritz pairs are eigenpairs up to the rounding of the largest one */
        factor->residual += 16 * DBL_EPSILON * (rank > 0 ? p.values[0] : 0);
    pairs_clear(&p);
    sfgp_free(left);
    sfgp_profile_leave(context, mark);
    return status;
}
