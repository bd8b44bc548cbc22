/* Values of a sum of kernels between points: rows of the kernel matrix and its product with a vector, never
 * the matrix itself. */
#include "kernel/kernel.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "linalg/dense.h"

#include <stdbool.h>
#include <string.h>

#define CHUNK SFGP_KERNEL_CHUNK
#define GRAIN 64 /* rows that a thread takes at a time */

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

static double row_times(const sfgp_covariance *covariance, int64_t i, const double *x)
{
    double values[CHUNK], point[3], sum = 0;
    gather_point(covariance, i, point);
    for (int64_t first = 0; first < covariance->count; first += CHUNK) {
        int64_t n = covariance->count - first < CHUNK ? covariance->count - first : CHUNK;
        evaluate(covariance, point, first, n, values);
        sum += sfgp_dense_dot(n, values, x + first);
    }
    return sum;
}

typedef struct product {
    const sfgp_covariance *covariance;
    const double *x;
    double *y;
} product;

static void multiply_rows(const void *data, int64_t first, int64_t end)
{
    const product *p = data;
    for (int64_t i = first; i < end; i++)
        p->y[i] = row_times(p->covariance, i, p->x);
}

void sfgp_covariance_apply(const void *covariance, const double *x, double *y)
{
    const product all = {covariance, x, y};
    sfgp_parallel_for(all.covariance->count, GRAIN, multiply_rows, &all);
}
