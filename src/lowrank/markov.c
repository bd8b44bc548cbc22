/* The precision of a field along the surface. Equations in markov.h. */
#include "lowrank/markov.h"
#include "base/memory.h"
#include "base/random.h"
#include "kernel/surface.h"
#include "linalg/symmetric.h"
#include "lowrank/harmonics.h"

#include <math.h>

/* Q 1 is known, as K 1 = kappa^2 C 1. The constant has the smallest eigenvalue, so that rounding of Q changes it the most; by more than
 * this part of itself the field is not that of its kernel any more. */
#define MOST_ROUNDING 0.01

void sfgp_markov_clear(sfgp_markov *field)
{
    sfgp_sparse_clear(&field->precision);
    sfgp_free(field->order);
    sfgp_free(field->variance);
    *field = (sfgp_markov){0};
}

sfgp_variances_request sfgp_markov_variances(int64_t count)
{
    return (sfgp_variances_request){count > SFGP_MARKOV_EXACT ? SFGP_MARKOV_SAMPLES : 0, 1};
}

/* ---- Q ----------------------------------------------------------------------------------------------- */

/* tau^2 of the piece of a point. */
static double strength_of(const sfgp_laplacian *laplacian, const struct sfgp_kernel_term *term, int64_t i)
{
    const double constant =
        sfgp_surface_density(term, laplacian->dimension, 0) / laplacian->weight[laplacian->piece[i]];
    return fmax(1, constant / term->variance) / sfgp_surface_strength(term, laplacian->dimension);
}

/* Q <- tau^2 Q, a column belongs to one piece. */
static void scale_pieces(const sfgp_laplacian *laplacian, const struct sfgp_kernel_term *term, sfgp_sparse *q)
{
    const int32_t *start = sfgp_sparse_start(q);
    for (int64_t j = 0; j < laplacian->count; j++) {
        const double strength = strength_of(laplacian, term, j);
        for (int32_t p = start[j]; p < start[j + 1]; p++)
            sfgp_sparse_value(q)[p] *= strength;
    }
}

/* q = K C^-1 K, or K C^-1 K C^-1 K. inverse: C^-1. */
static sfgp_status multiply(sfgp_context *context, const sfgp_sparse *k, const double *inverse,
                            int smoothness, sfgp_sparse *q)
{
    sfgp_sparse square = {0}, full = {0};
    if (smoothness == 1)
        return sfgp_symmetric_product(context, k, inverse, k, q);
    sfgp_status status = sfgp_symmetric_product(context, k, inverse, k, &square);
    if (status == SFGP_OK)
        status = sfgp_symmetric_expand(context, &square, &full);
    sfgp_sparse_clear(&square);
    if (status == SFGP_OK)
        status = sfgp_symmetric_product(context, k, inverse, &full, q);
    sfgp_sparse_clear(&full);
    return status;
}

static sfgp_status make_precision(sfgp_context *context, const sfgp_laplacian *laplacian,
                                  const struct sfgp_kernel_term *term, sfgp_sparse *q)
{
    sfgp_sparse lower = {0}, full = {0};
    double *inverse = NULL;
    sfgp_status status =
        sfgp_laplacian_shift(context, laplacian, sfgp_surface_kappa2(term, laplacian->dimension), &lower);
    if (status == SFGP_OK)
        status = sfgp_symmetric_expand(context, &lower, &full);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, laplacian->count, &inverse);
    for (int64_t i = 0; status == SFGP_OK && i < laplacian->count; i++)
        inverse[i] = 1 / laplacian->mass[i];
    if (status == SFGP_OK)
        status = multiply(context, &full, inverse, term->smoothness, q);
    if (status == SFGP_OK)
        scale_pieces(laplacian, term, q);
    sfgp_sparse_clear(&lower);
    sfgp_sparse_clear(&full);
    sfgp_free(inverse);
    return status;
}

/* ---- its factor -------------------------------------------------------------------------------------- */

/* What Q \ Q 1 is off 1. x: room for N. */
static double rounding_of(const sfgp_laplacian *laplacian, const struct sfgp_kernel_term *term, sfgp_ldl *ldl,
                          double *x)
{
    const double kappa2 = sfgp_surface_kappa2(term, laplacian->dimension);
    double most = 0;
    for (int64_t i = 0; i < laplacian->count; i++)
        x[i] = strength_of(laplacian, term, i) * pow(kappa2, term->smoothness + 1) * laplacian->mass[i];
    sfgp_ldl_solve(ldl, 1, x);
    for (int64_t i = 0; i < laplacian->count; i++)
        most = fmax(most, fabs(x[i] - 1));
    return most;
}

static sfgp_status check(sfgp_context *context, const sfgp_laplacian *laplacian,
                         const struct sfgp_kernel_term *term, sfgp_ldl *ldl, double *x)
{
    if (sfgp_ldl_negative(ldl) == 0 && rounding_of(laplacian, term, ldl, x) < MOST_ROUNDING)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_NUMERIC,
                     "kernel: surface:length=%g,form=sparse: rounding errors exceed the field, as the length "
                     "is too large against the spacing of the points; use form=eigen, or a shorter length",
                     term->length);
}

static int64_t work_of(const sfgp_ldl *ldl, int64_t count)
{
    const int64_t making = sfgp_ldl_factorise_bytes(ldl),
                  variances = sfgp_markov_variances(count).samples > 0 ? 4 * count * (int64_t)sizeof(double)
                                                                       : sfgp_ldl_inverse_bytes(ldl);
    return making > variances ? making : variances;
}

static void set_sizes(const sfgp_ldl *ldl, sfgp_markov *field)
{
    field->factor_bytes = sfgp_ldl_bytes(ldl);
    field->work_bytes = work_of(ldl, field->count);
}

/* Order, ln det Q and variances. */
static sfgp_status factorise(sfgp_context *context, const sfgp_laplacian *laplacian,
                             const struct sfgp_kernel_term *term, sfgp_markov *field)
{
    const sfgp_variances_request request = sfgp_markov_variances(field->count);
    sfgp_ldl *ldl = NULL;
    double error;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_ldl_new_power(context, &field->precision, &laplacian->stiffness, term->smoothness + 1,
                                     &ldl)) == SFGP_OK &&
        (status = sfgp_ldl_factorise(context, &field->precision, ldl)) == SFGP_OK &&
        (status = sfgp_allocate(context, field->count, &field->order)) == SFGP_OK &&
        (status = sfgp_allocate(context, field->count, &field->variance)) == SFGP_OK &&
        (status = check(context, laplacian, term, ldl, field->variance)) == SFGP_OK)
        status = sfgp_variances(context, &request, &field->precision, ldl, field->variance, &error);
    for (int64_t i = 0; status == SFGP_OK && i < field->count; i++)
        field->order[i] = sfgp_ldl_order(ldl)[i];
    if (status == SFGP_OK) {
        field->log_determinant = sfgp_ldl_log_determinant(ldl);
        set_sizes(ldl, field);
    }
    sfgp_ldl_free(ldl);
    return status;
}

sfgp_status sfgp_markov_new(sfgp_context *context, const sfgp_mesh *mesh, const struct sfgp_kernel_term *term,
                            sfgp_markov *field)
{
    sfgp_laplacian laplacian;
    *field = (sfgp_markov){.count = mesh->count};
    const sfgp_mark mark = sfgp_profile_enter(context, SFGP_STAGE_FACTOR);
    sfgp_status status = sfgp_laplacian_new(context, mesh, &laplacian);
    if (status == SFGP_OK)
        status = make_precision(context, &laplacian, term, &field->precision);
    if (status == SFGP_OK)
        status = factorise(context, &laplacian, term, field);
    sfgp_laplacian_clear(&laplacian);
    sfgp_profile_leave(context, mark);
    return status;
}

sfgp_status sfgp_markov_restore(sfgp_context *context, const sfgp_mesh *mesh,
                                const struct sfgp_kernel_term *term, sfgp_markov *field)
{
    sfgp_laplacian laplacian;
    sfgp_ldl *ldl = NULL;
    field->count = mesh->count;
    sfgp_status status = sfgp_laplacian_new(context, mesh, &laplacian);
    if (status == SFGP_OK)
        status = make_precision(context, &laplacian, term, &field->precision);
    if (status == SFGP_OK)
        status = sfgp_ldl_new_ordered(context, &field->precision, field->order, &ldl);
    if (status == SFGP_OK)
        set_sizes(ldl, field);
    sfgp_ldl_free(ldl);
    sfgp_laplacian_clear(&laplacian);
    return status;
}

sfgp_status sfgp_markov_count(sfgp_context *context, const sfgp_mesh *mesh,
                              const struct sfgp_kernel_term *term, int64_t *precision, int64_t *factor,
                              int64_t *work)
{
    sfgp_laplacian laplacian;
    sfgp_sparse q = {0};
    sfgp_ldl *ldl = NULL;
    sfgp_status status = sfgp_laplacian_new(context, mesh, &laplacian);
    if (status == SFGP_OK && (status = make_precision(context, &laplacian, term, &q)) == SFGP_OK &&
        (status = sfgp_ldl_new_power(context, &q, &laplacian.stiffness, term->smoothness + 1, &ldl)) ==
            SFGP_OK) {
        *precision = sfgp_sparse_start(&q)[mesh->count];
        *factor = sfgp_ldl_bytes(ldl);
        *work = work_of(ldl, mesh->count);
    }
    sfgp_ldl_free(ldl);
    sfgp_sparse_clear(&q);
    sfgp_laplacian_clear(&laplacian);
    return status;
}

/* ---- samples ----------------------------------------------------------------------------------------- */

/* columns: dimension x N */
static sfgp_status sample_columns(sfgp_context *context, const sfgp_markov *field, int dimension,
                                  uint64_t seed, double *columns)
{
    sfgp_ldl *ldl = NULL;
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t k = 0; k < dimension * field->count; k++)
        columns[k] = sfgp_random_normal(&random);
    sfgp_status status = sfgp_ldl_new_ordered(context, &field->precision, field->order, &ldl);
    if (status == SFGP_OK)
        status = sfgp_ldl_factorise(context, &field->precision, ldl);
    if (status == SFGP_OK)
        sfgp_ldl_sample(ldl, dimension, columns);
    sfgp_ldl_free(ldl);
    return status;
}

sfgp_status sfgp_markov_sample(sfgp_context *context, const sfgp_markov *field, int dimension, uint64_t seed,
                               double *values)
{
    double *columns = NULL;
    sfgp_status status = sfgp_allocate(context, dimension * field->count, &columns);
    if (status == SFGP_OK)
        status = sample_columns(context, field, dimension, seed, columns);
    for (int64_t i = 0; status == SFGP_OK && i < field->count; i++)
        for (int a = 0; a < dimension; a++)
            values[i * dimension + a] = columns[a * field->count + i];
    sfgp_free(columns);
    return status;
}
