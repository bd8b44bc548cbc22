/* Scalar kernels k(x, y), and their sums. Each is one row of the table in parse.c. On d axes a scalar kernel is
 * k (x) I_d: the axes share one factor, and no d N x d N matrix is formed.
 *
 * Kernels in space are functions of |x - y|^2, positive definite in any dimension. The kernel "surface" is a field along the
 * surface of the reference, which knows its faces (kernel/surface.h); it has no function of |x - y|. Its form is eigen, columns of
 * the factor (lowrank/surface_factor.h), or sparse, a precision matrix (lowrank/markov.h), or open until the shape is known. */
#ifndef SFGP_KERNEL_KERNEL_H
#define SFGP_KERNEL_KERNEL_H

#include "base/context.h"

#include <stdbool.h>

#define SFGP_KERNEL_CHUNK 512 /* largest n that sfgp_kernel_type.add is called with */

typedef struct sfgp_kernel_type {
    const char *name;
    /* values[k] += variance * profile(distance2[k]), profile(0) = 1, k < n <= SFGP_KERNEL_CHUNK; NULL: a field along
     * the surface */
    void (*add)(int64_t n, double length, double variance, const double *distance2, double *values);
} sfgp_kernel_type;

extern const sfgp_kernel_type sfgp_kernel_se, sfgp_kernel_matern32, sfgp_kernel_matern52, sfgp_kernel_rq,
    sfgp_kernel_imq, sfgp_kernel_laplace, sfgp_kernel_surface;

#define SFGP_KERNEL_TERMS 8 /* largest number of terms of a sum */

typedef struct sfgp_kernel {
    int count; /* terms; 0: no scalar kernel */
    struct sfgp_kernel_term {
        const sfgp_kernel_type *type;
        double length, variance;
        int smoothness; /* of a field along the surface: 1 or 2; 0 for kernels in space */
        bool sparse;    /* a field along the surface in its sparse form; at most one term */
        bool
            automatic; /* its form is open: model/form.c chooses; at most one term, which is not sparse yet */
    } terms[SFGP_KERNEL_TERMS];
} sfgp_kernel;

/* "se:length=4,variance=1+surface:length=1,variance=0.1,smoothness=2" or "none"; length and variance default to 1.
 * SFGP_ERROR_PARAMETER naming the word. */
sfgp_status sfgp_kernel_parse(sfgp_context *context, const char *text, sfgp_kernel *kernel);
/* The text from which sfgp_kernel_parse makes the same kernel, to the last bit. */
#define SFGP_KERNEL_SIZE (SFGP_KERNEL_TERMS * 112)
void sfgp_kernel_format(const sfgp_kernel *kernel, char text[SFGP_KERNEL_SIZE]);
double sfgp_kernel_variance(const sfgp_kernel *kernel); /* k(x, x) */
/* Its terms in space, or those along the surface that become columns. */
sfgp_kernel sfgp_kernel_in_space(const sfgp_kernel *kernel);
sfgp_kernel sfgp_kernel_along_surface(const sfgp_kernel *kernel);
/* Its term in the sparse form; NULL: none. */
const struct sfgp_kernel_term *sfgp_kernel_sparse(const sfgp_kernel *kernel);

/* A kernel in space on a set of points. Neither is owned. */
typedef struct sfgp_covariance {
    const sfgp_kernel *kernel;
    int64_t count; /* points */
    int dimension;
    const double *axes; /* dimension x count: the points, axis by axis */
} sfgp_covariance;

/* values[k] = k(x_i, x_(first + k)), k < n. */
void sfgp_covariance_row(const sfgp_covariance *covariance, int64_t i, int64_t first, int64_t n,
                         double *values);
/* values[k] = k(x, x_k) for all points, x (dimension) anywhere. */
void sfgp_covariance_cross(const sfgp_covariance *covariance, const double *x, double *values);

#endif
