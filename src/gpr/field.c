/* Posterior mean of a Gaussian Markov field. Equations in field.h. */
#include "gpr/field.h"
#include "base/memory.h"
#include "kernel/surface.h"
#include "linalg/conjugate.h"
#include "linalg/ldl.h"
#include "linalg/symmetric.h"
#include "lowrank/harmonics.h"

#include <math.h>
#include <string.h>

#define MOST 100 /* iterations; 14 to 30 were seen (ADR 0053) */

typedef struct field {
    int64_t count;
    int axes;
    const double *weights;
    sfgp_sparse k;   /* both triangles */
    sfgp_ldl *ldl;   /* of K + S */
    double *mass;    /* N: C_i / tau^2 */
    double *between; /* N x axes: tau^2 C^-1 K x */
} field;

static void field_clear(field *f)
{
    sfgp_sparse_clear(&f->k);
    sfgp_ldl_free(f->ldl);
    sfgp_free(f->mass);
    sfgp_free(f->between);
}

/* ---- set-up ------------------------------------------------------------------------------------------ */

/* K + S; lower: K, the entry of the diagonal first in its column. */
static void add_s(const field *f, sfgp_sparse *lower)
{
    for (int64_t i = 0; i < f->count; i++)
        sfgp_sparse_value(lower)[sfgp_sparse_start(lower)[i]] += sqrt(f->weights[i] * f->mass[i]);
}

static sfgp_status make_matrices(sfgp_context *context, const sfgp_laplacian *laplacian, double kappa2,
                                 field *f)
{
    sfgp_sparse lower = {0};
    sfgp_status status = sfgp_laplacian_shift(context, laplacian, kappa2, &lower);
    if (status == SFGP_OK)
        status = sfgp_symmetric_expand(context, &lower, &f->k);
    if (status == SFGP_OK)
        status = sfgp_ldl_new(context, &lower, &f->ldl);
    if (status == SFGP_OK) {
        add_s(f, &lower);
        status = sfgp_ldl_factorise(context, &lower, f->ldl);
    }
    sfgp_sparse_clear(&lower);
    return status;
}

static sfgp_status field_new(sfgp_context *context, const sfgp_laplacian *laplacian,
                             const struct sfgp_kernel_term *term, field *f)
{
    const double strength = sfgp_surface_strength(term, laplacian->dimension); /* 1 / tau^2 */
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, f->count, &f->mass)) != SFGP_OK ||
        (status = sfgp_allocate(context, f->count * f->axes, &f->between)) != SFGP_OK)
        return status;
    for (int64_t i = 0; i < f->count; i++)
        f->mass[i] = strength * laplacian->mass[i];
    return make_matrices(context, laplacian, sfgp_surface_kappa2(term, laplacian->dimension), f);
}

/* ---- the equations ----------------------------------------------------------------------------------- */

/* y = (Q + W) x */
static void apply(const void *data, const double *x, double *y)
{
    const field *f = data;
    sfgp_symmetric_multiply(&f->k, f->axes, x, f->between);
    for (int64_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->axes; a++)
            f->between[i * f->axes + a] /= f->mass[i];
    sfgp_symmetric_multiply(&f->k, f->axes, f->between, y);
    for (int64_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->axes; a++)
            y[i * f->axes + a] += f->weights[i] * x[i * f->axes + a];
}

/* z = M^-1 r = (K + S)^-1 (C / tau^2) (K + S)^-1 r */
static void precondition(const void *data, const double *r, double *z)
{
    const field *f = data;
    memcpy(z, r, (size_t)(f->count * f->axes) * sizeof *z);
    sfgp_ldl_solve_twice(f->ldl, f->axes, f->mass, z);
}

static sfgp_status solve(sfgp_context *context, const field *f, double tolerance, double *values)
{
    const sfgp_conjugate system = {.size = f->count * f->axes,
                                   .apply = apply,
                                   .precondition = precondition,
                                   .data = f,
                                   .tolerance = tolerance,
                                   .most = MOST};
    for (int64_t i = 0; i < f->count; i++)
        for (int a = 0; a < f->axes; a++)
            values[i * f->axes + a] *= f->weights[i];
    return sfgp_conjugate_solve(context, &system, values);
}

sfgp_status sfgp_field_mean(sfgp_context *context, const sfgp_laplacian *laplacian,
                            const struct sfgp_kernel_term *term, const double *weights, int axes,
                            double tolerance, double *values)
{
    field f = {.count = laplacian->count, .axes = axes, .weights = weights};
    sfgp_status status = field_new(context, laplacian, term, &f);
    if (status == SFGP_OK)
        status = solve(context, &f, tolerance, values);
    field_clear(&f);
    return status;
}
