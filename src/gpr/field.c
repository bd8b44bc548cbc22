/* Posterior mean of a Gaussian Markov field. Equations in field.h. */
#include "gpr/field.h"
#include "base/memory.h"
#include "kernel/surface.h"
#include "linalg/conjugate.h"
#include "linalg/symmetric.h"
#include "lowrank/harmonics.h"

#define TOLERANCE 1e-11 /* of the residual: 1e-9 of the dense mean holds (tests/test_detail.c) */
#define MOST 2000       /* iterations; elements of very different sizes take more (ADR 0052) */

typedef struct field {
    int64_t count;
    int axes;
    const double *weights;
    sfgp_sparse k;    /* both triangles */
    double *scale;    /* N: tau^2 / C_i */
    double *diagonal; /* N x axes: of Q + W */
    double *between;  /* N x axes: tau^2 C^-1 K x */
} field;

static void field_clear(field *f)
{
    sfgp_sparse_clear(&f->k);
    sfgp_free(f->scale);
    sfgp_free(f->diagonal);
    sfgp_free(f->between);
}

static sfgp_status make_k(sfgp_context *context, const sfgp_laplacian *laplacian, double kappa2,
                          sfgp_sparse *k)
{
    sfgp_sparse lower = {0};
    sfgp_status status = sfgp_laplacian_shift(context, laplacian, kappa2, &lower);
    if (status == SFGP_OK)
        status = sfgp_symmetric_expand(context, &lower, k);
    sfgp_sparse_clear(&lower);
    return status;
}

/* Q_ii = tau^2 sum_k K_ik^2 / C_k */
static void set_diagonal(const field *f)
{
    const int32_t *start = sfgp_sparse_start(&f->k), *index = sfgp_sparse_index(&f->k);
    const double *value = sfgp_sparse_value(&f->k);
    for (int64_t i = 0; i < f->count; i++) {
        double sum = 0;
        for (int32_t p = start[i]; p < start[i + 1]; p++)
            sum += value[p] * value[p] * f->scale[index[p]];
        for (int a = 0; a < f->axes; a++)
            f->diagonal[i * f->axes + a] = sum + f->weights[i];
    }
}

/* y = (Q + W) x */
static void apply(const void *data, const double *x, double *y)
{
    const field *f = data;
    sfgp_symmetric_multiply(&f->k, f->axes, x, f->between);
    for (int64_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->axes; a++)
            f->between[i * f->axes + a] *= f->scale[i];
    sfgp_symmetric_multiply(&f->k, f->axes, f->between, y);
    for (int64_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->axes; a++)
            y[i * f->axes + a] += f->weights[i] * x[i * f->axes + a];
}

static sfgp_status solve(sfgp_context *context, const field *f, double *values)
{
    const sfgp_conjugate system = {.size = f->count * f->axes,
                                   .apply = apply,
                                   .data = f,
                                   .diagonal = f->diagonal,
                                   .tolerance = TOLERANCE,
                                   .most = MOST};
    set_diagonal(f);
    for (int64_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->axes; a++)
            values[i * f->axes + a] *= f->weights[i];
    return sfgp_conjugate_solve(context, &system, values);
}

sfgp_status sfgp_field_mean(sfgp_context *context, const sfgp_laplacian *laplacian,
                            const struct sfgp_kernel_term *term, const double *weights, int axes,
                            double *values)
{
    const int64_t n = laplacian->count;
    const double strength = sfgp_surface_strength(term, laplacian->dimension); /* 1 / tau^2 */
    field f = {.count = n, .axes = axes, .weights = weights};
    sfgp_status status = make_k(context, laplacian, sfgp_surface_kappa2(term, laplacian->dimension), &f.k);
    if (status == SFGP_OK && (status = sfgp_allocate(context, n, &f.scale)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * axes, &f.diagonal)) == SFGP_OK)
        status = sfgp_allocate(context, n * axes, &f.between);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        f.scale[i] = 1 / (strength * laplacian->mass[i]);
    if (status == SFGP_OK)
        status = solve(context, &f, values);
    field_clear(&f);
    return status;
}
