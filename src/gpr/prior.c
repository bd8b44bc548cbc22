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

/* C = RR', C^-1 and C^-1 = QQ'; C in axis->lower. */
static sfgp_status factorise(sfgp_context *context, int64_t m, double *inverse, sfgp_prior_axis *axis)
{
    sfgp_status status = sfgp_dense_cholesky(context, "prior of the coefficients", m, axis->lower);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < m; k++)
        axis->log_determinant += 2 * log(axis->lower[k * m + k]);
    invert(m, axis->lower, inverse, axis->precision);
    memcpy(axis->lower, axis->precision, (size_t)(m * m) * sizeof(double));
    return sfgp_dense_cholesky(context, "prior of the coefficients", m, axis->lower);
}

static sfgp_status set_axis(sfgp_context *context, int64_t m, const double *c, int64_t stride,
                            sfgp_prior_axis *axis)
{
    double *inverse = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, m * m, &axis->precision)) == SFGP_OK &&
        (status = sfgp_allocate(context, m * m, &axis->lower)) == SFGP_OK &&
        (status = sfgp_allocate(context, m * m, &inverse)) == SFGP_OK) {
        for (int64_t k = 0; k < m; k++)
            memcpy(axis->lower + k * m, c + k * stride, (size_t)m * sizeof *c);
        status = factorise(context, m, inverse, axis);
    }
    sfgp_free(inverse);
    return status;
}

sfgp_status sfgp_prior_new(sfgp_context *context, int64_t m, const double *c, int64_t stride,
                           sfgp_prior *prior)
{
    *prior = (sfgp_prior){.size = m};
    return set_axis(context, m, c, stride, &prior->axes[0]);
}

sfgp_status sfgp_prior_set_axis(sfgp_context *context, int axis, const double *c, int64_t stride,
                                sfgp_prior *prior)
{
    prior->across = axis + 1;
    return set_axis(context, prior->size, c, stride, &prior->axes[1]);
}

void sfgp_prior_clear(sfgp_prior *prior)
{
    for (int k = 0; k < 2; k++) {
        sfgp_free(prior->axes[k].precision);
        sfgp_free(prior->axes[k].lower);
    }
    *prior = (sfgp_prior){0};
}

void sfgp_prior_add_precision(const sfgp_prior *prior, int64_t axis, int64_t m, double *a)
{
    const double *precision = prior ? sfgp_prior_of(prior, axis)->precision : NULL;
    for (int64_t k = 0; k < m * m && prior; k++)
        a[k] += precision[k];
    for (int64_t k = 0; k < m && !prior; k++)
        a[k * m + k] += 1;
}

/* The column of one axis: g -= C^-1 c */
static void subtract_axis(const double *precision, int64_t m, int64_t d, const double *c, double *g)
{
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++)
            g[k * d] -= precision[k * m + l] * c[l * d];
}

void sfgp_prior_subtract_gradient(const sfgp_prior *prior, int64_t m, int64_t d, const double *c, double *g)
{
    if (prior && !prior->across)
        sfgp_dense_multiply(m, m, d, -1.0, prior->axes[0].precision, m, c, g, d);
    for (int64_t axis = 0; axis < d && prior && prior->across; axis++)
        subtract_axis(sfgp_prior_of(prior, axis)->precision, m, d, c + axis, g + axis);
    for (int64_t k = 0; k < m * d && !prior; k++)
        g[k] -= c[k];
}

/* By a loop of its own: a call of BLAS for three products takes longer than they do. */
static double product_of(int64_t d, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < d; k++)
        sum += a[k] * b[k];
    return sum;
}

/* c' C^-1 c of the axes first .. end - 1, which share C */
static double square_of(const double *precision, int64_t m, int64_t d, int64_t first, int64_t end,
                        const double *c)
{
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < m; l++)
            sum += precision[k * m + l] * product_of(end - first, c + k * d + first, c + l * d + first);
    return sum;
}

double sfgp_prior_square(const sfgp_prior *prior, int64_t m, int64_t d, const double *c)
{
    double sum = 0;
    if (!prior)
        return sfgp_dense_dot(m * d, c, c);
    if (!prior->across)
        return square_of(prior->axes[0].precision, m, d, 0, d, c);
    for (int64_t axis = 0; axis < d; axis++)
        sum += square_of(sfgp_prior_of(prior, axis)->precision, m, d, axis, axis + 1, c);
    return sum;
}

double sfgp_prior_log_determinant(const sfgp_prior *prior, int64_t d)
{
    if (!prior)
        return 0;
    return prior->across ? (double)(d - 1) * prior->axes[0].log_determinant + prior->axes[1].log_determinant
                         : (double)d * prior->axes[0].log_determinant;
}
