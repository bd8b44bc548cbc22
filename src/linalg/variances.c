/* The diagonal of the inverse of a sparse matrix, exactly or by samples. Equations in variances.h. */
#include "linalg/variances.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = SFGP_LDL_COLUMNS };

typedef struct workspace {
    const sfgp_sparse *matrix;
    int64_t count;
    double *samples; /* COLUMNS x n */
    double *others;  /* n: sum_(k != i) A_ik x_k */
} workspace;

static double diagonal_of(const workspace *s, int64_t i)
{
    return sfgp_sparse_value(s->matrix)[sfgp_sparse_start(s->matrix)[i]];
}

/* others = A x without the diagonal. */
static void multiply_others(const workspace *s, const double *x)
{
    const int32_t *start = sfgp_sparse_start(s->matrix), *row = sfgp_sparse_index(s->matrix);
    const double *value = sfgp_sparse_value(s->matrix);
    memset(s->others, 0, (size_t)s->count * sizeof *s->others);
    for (int64_t j = 0; j < s->count; j++)
        for (int32_t p = start[j] + 1; p < start[j + 1]; p++) {
            s->others[row[p]] += value[p] * x[j];
            s->others[j] += value[p] * x[row[p]];
        }
}

static void add_squares(const workspace *s, int columns, double *sums)
{
    for (int k = 0; k < columns; k++) {
        multiply_others(s, s->samples + k * s->count);
        for (int64_t i = 0; i < s->count; i++) {
            const double mean = s->others[i] / diagonal_of(s, i);
            sums[i] += mean * mean;
        }
    }
}

static void sum_samples(const sfgp_variances_request *request, const workspace *s, sfgp_ldl *ldl,
                        double *sums)
{
    sfgp_random random = sfgp_random_of(request->seed);
    memset(sums, 0, (size_t)s->count * sizeof *sums);
    for (int done = 0; done < request->samples; done += COLUMNS) {
        const int columns = request->samples - done < COLUMNS ? request->samples - done : COLUMNS;
        for (int64_t k = 0; k < columns * s->count; k++)
            s->samples[k] = sfgp_random_normal(&random);
        sfgp_ldl_sample(ldl, columns, s->samples);
        add_squares(s, columns, sums);
    }
}

static double finish(const workspace *s, int samples, double *variances)
{
    double error = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const double second = variances[i] / samples;
        variances[i] = 1 / diagonal_of(s, i) + second;
        error = fmax(error, sqrt(2.0 / samples) * second / variances[i]);
    }
    return error;
}

static sfgp_status by_samples(sfgp_context *context, const sfgp_variances_request *request, workspace *s,
                              sfgp_ldl *ldl, double *variances, double *error)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, COLUMNS * s->count, &s->samples)) == SFGP_OK &&
        (status = sfgp_allocate(context, s->count, &s->others)) == SFGP_OK) {
        sum_samples(request, s, ldl, variances);
        *error = finish(s, request->samples, variances);
    }
    return status;
}

sfgp_status sfgp_variances(sfgp_context *context, const sfgp_variances_request *request,
                           const sfgp_sparse *matrix, sfgp_ldl *ldl, double *variances, double *error)
{
    workspace s = {.matrix = matrix, .count = (int64_t)matrix->form.ncol};
    *error = 0;
    if (request->samples == 0)
        return sfgp_ldl_inverse_diagonal(context, ldl, variances);
    const sfgp_status status = by_samples(context, request, &s, ldl, variances, error);
    sfgp_free(s.samples);
    sfgp_free(s.others);
    return status;
}
