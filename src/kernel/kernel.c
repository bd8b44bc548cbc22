/* Values of a sum of kernels between points: rows of the kernel matrix, never the matrix itself. */
#include "kernel/kernel.h"
#include "base/simd.h"

#include <stdbool.h>
#include <string.h>

#define CHUNK SFGP_KERNEL_CHUNK

double sfgp_kernel_variance(const sfgp_kernel *kernel)
{
    double sum = 0;
    for (int k = 0; k < kernel->count; k++)
        sum += kernel->terms[k].variance;
    return sum;
}

static sfgp_kernel select_terms(const sfgp_kernel *kernel, bool in_space)
{
    sfgp_kernel part = {0};
    for (int k = 0; k < kernel->count; k++)
        if ((kernel->terms[k].type->add != NULL) == in_space && !kernel->terms[k].sparse)
            part.terms[part.count++] = kernel->terms[k];
    return part;
}

sfgp_kernel sfgp_kernel_in_space(const sfgp_kernel *kernel)
{
    return select_terms(kernel, true);
}

sfgp_kernel sfgp_kernel_along_surface(const sfgp_kernel *kernel)
{
    return select_terms(kernel, false);
}

const struct sfgp_kernel_term *sfgp_kernel_sparse(const sfgp_kernel *kernel)
{
    for (int k = 0; k < kernel->count; k++)
        if (kernel->terms[k].sparse)
            return &kernel->terms[k];
    return NULL;
}

SFGP_SIMD static void squared_distances(const sfgp_covariance *covariance, const double *x, int64_t first,
                                        int64_t n, double *distance2)
{
    memset(distance2, 0, (size_t)n * sizeof *distance2);
    for (int axis = 0; axis < covariance->dimension; axis++) {
        const double *points = covariance->axes + axis * covariance->count + first;
        for (int64_t k = 0; k < n; k++)
            distance2[k] += (points[k] - x[axis]) * (points[k] - x[axis]);
    }
}

/* The values for n <= CHUNK points from `first` on. */
static void evaluate(const sfgp_covariance *covariance, const double *x, int64_t first, int64_t n,
                     double *values)
{
    double distance2[CHUNK];
    squared_distances(covariance, x, first, n, distance2);
    memset(values, 0, (size_t)n * sizeof *values);
    for (int k = 0; k < covariance->kernel->count; k++) {
        const struct sfgp_kernel_term *term = &covariance->kernel->terms[k];
        term->type->add(n, term->length, term->variance, distance2, values);
    }
}

static void evaluate_all(const sfgp_covariance *covariance, const double *x, int64_t first, int64_t n,
                         double *values)
{
    for (int64_t done = 0; done < n; done += CHUNK)
        evaluate(covariance, x, first + done, n - done < CHUNK ? n - done : CHUNK, values + done);
}

static void gather_point(const sfgp_covariance *covariance, int64_t i, double x[3])
{
    for (int axis = 0; axis < covariance->dimension; axis++)
        x[axis] = covariance->axes[axis * covariance->count + i];
}

void sfgp_covariance_row(const sfgp_covariance *covariance, int64_t i, int64_t first, int64_t n,
                         double *values)
{
    double x[3];
    gather_point(covariance, i, x);
    evaluate_all(covariance, x, first, n, values);
}

void sfgp_covariance_cross(const sfgp_covariance *covariance, const double *x, double *values)
{
    evaluate_all(covariance, x, 0, covariance->count, values);
}
