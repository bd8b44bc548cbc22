/* The prior of the coefficients: C^-1 and its factor. */
#include "gpr/prior.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* precision = (R^-1)'(R^-1) with C = RR', R in `root`; both triangles. `inverse`: scratch. */
static void invert(int64_t m, const double *root, double *inverse, double *precision)
{
    for (int64_t k = 0; k < m; k++)
        inverse[k * m + k] = 1;
    sfgp_dense_solve_lower(m, m, root, inverse);
    sfgp_dense_gram(m, m, 1.0, inverse, precision);
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < k; l++)
            precision[l * m + k] = precision[k * m + l];
}

/* C = RR', C^-1 and C^-1 = QQ'; C in prior->lower. */
static sfgp_status factorise(sfgp_context *context, double *inverse, sfgp_prior *prior)
{
    const int64_t m = prior->size;
    sfgp_status status = sfgp_dense_cholesky(context, "prior of the coefficients", m, prior->lower);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < m; k++)
        prior->log_determinant += 2 * log(prior->lower[k * m + k]);
    invert(m, prior->lower, inverse, prior->precision);
    memcpy(prior->lower, prior->precision, (size_t)(m * m) * sizeof(double));
    return sfgp_dense_cholesky(context, "prior of the coefficients", m, prior->lower);
}

sfgp_status sfgp_prior_new(sfgp_context *context, int64_t m, const double *c, int64_t stride,
                           sfgp_prior *prior)
{
    double *inverse = NULL;
    sfgp_status status = SFGP_OK;
    *prior = (sfgp_prior){.size = m};
    if ((status = sfgp_allocate(context, m * m, &prior->precision)) == SFGP_OK &&
        (status = sfgp_allocate(context, m * m, &prior->lower)) == SFGP_OK &&
        (status = sfgp_allocate(context, m * m, &inverse)) == SFGP_OK) {
        for (int64_t k = 0; k < m; k++)
            memcpy(prior->lower + k * m, c + k * stride, (size_t)m * sizeof *c);
        status = factorise(context, inverse, prior);
    }
    sfgp_free(inverse);
    return status;
}

void sfgp_prior_clear(sfgp_prior *prior)
{
    sfgp_free(prior->precision);
    sfgp_free(prior->lower);
    *prior = (sfgp_prior){0};
}

void sfgp_prior_add_precision(const sfgp_prior *prior, int64_t m, double *a)
{
    for (int64_t k = 0; k < m * m && prior; k++)
        a[k] += prior->precision[k];
    for (int64_t k = 0; k < m && !prior; k++)
        a[k * m + k] += 1;
}

void sfgp_prior_subtract_gradient(const sfgp_prior *prior, int64_t m, int64_t d, const double *c, double *g)
{
    if (prior)
        sfgp_dense_multiply(m, m, d, -1.0, prior->precision, m, c, g, d);
    for (int64_t k = 0; k < m * d && !prior; k++)
        g[k] -= c[k];
}

double sfgp_prior_square(const sfgp_prior *prior, int64_t m, int64_t d, const double *c)
{
    double sum = 0;
    if (!prior)
        return sfgp_dense_dot(m * d, c, c);
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++)
            sum += prior->precision[k * m + l] * sfgp_dense_dot(d, c + k * d, c + l * d);
    return sum;
}

double sfgp_prior_log_determinant(const sfgp_prior *prior)
{
    return prior ? prior->log_determinant : 0;
}
