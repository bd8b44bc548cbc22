/* The columns of a field along the surface, and what they leave out. The equations stand in surface_factor.h. */
#include "lowrank/surface_factor.h"
#include "base/memory.h"
#include "kernel/surface.h"
#include "lowrank/harmonics.h"
#include "lowrank/surface_field.h"

#include <float.h>
#include <math.h>

/* ---- what is left out -------------------------------------------------------------------------------- */

/* What is compared with the accuracy: the largest variance left, or the mean over the area. */
static double measure_left(const sfgp_surface_field *f)
{
    double most = 0, sum = 0, area = 0;
    for (int64_t i = 0; i < f->laplacian.count; i++) {
        most = fmax(most, f->left[i]);
        sum += f->laplacian.mass[i] * f->left[i];
        area += f->laplacian.mass[i];
    }
    return f->request->mean ? sum / area : most;
}

/* left = total less the constants. A constant that has no column leaves its variance. */
static void subtract_constants(const sfgp_surface_field *f, int64_t used)
{
    const double constant = sfgp_surface_field_bound(f, 0);
    for (int64_t i = 0; i < f->laplacian.count; i++) {
        const int32_t piece = f->laplacian.piece[i];
        f->left[i] = f->total[i] - constant / f->laplacian.weight[piece];
        if (piece >= used)
            f->left[i] += sfgp_kernel_variance(f->kernel);
    }
}

/* Subtracts pair after pair until the accuracy is reached; returns how many. */
static int64_t subtract_pairs(const sfgp_surface_field *f, const sfgp_harmonics *h, int64_t limit)
{
    int64_t used = 0;
    for (; used < h->count && used < limit && measure_left(f) > f->request->accuracy; used++) {
        const double *phi = h->vectors + used * h->points,
                     strength = sfgp_surface_field_bound(f, h->values[used]);
        for (int64_t i = 0; i < h->points; i++)
            f->left[i] -= strength * phi[i] * phi[i];
    }
    return used;
}

static double largest_of(int64_t n, const double *x)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    return most;
}

/* ---- columns ----------------------------------------------------------------------------------------- */

/* Variance of the constant of a piece: that of each term at most. */
static double constant_variance(const sfgp_surface_field *f, int64_t piece)
{
    const double area = f->laplacian.area[piece];
    double sum = 0;
    for (int t = 0; t < f->kernel->count; t++) {
        const struct sfgp_kernel_term *term = &f->kernel->terms[t];
        const double own = sfgp_surface_density(term, f->laplacian.dimension, 0);
        sum += own < term->variance * area ? own / area : term->variance;
    }
    return sum;
}

/* The constants of the first pieces, then the pairs. */
static sfgp_status fill_factor(sfgp_context *context, const sfgp_surface_field *f, const sfgp_harmonics *h,
                               int64_t constants, int64_t pairs, sfgp_factor *factor)
{
    const int64_t n = h->points, rank = constants + pairs;
    sfgp_status status =
        sfgp_allocate_bytes(context, n, rank * (int64_t)sizeof(double), (void **)&factor->values);
    if (status != SFGP_OK)
        return status;
    factor->rows = n;
    factor->rank = factor->surface = rank;
    for (int64_t i = 0; i < n; i++)
        if (f->laplacian.piece[i] < constants)
            factor->values[i * rank + f->laplacian.piece[i]] =
                sqrt(constant_variance(f, f->laplacian.piece[i]));
    for (int64_t k = 0; k < pairs; k++) {
        const double scale = sqrt(sfgp_surface_field_density(f, h->values[k]));
        for (int64_t i = 0; i < n; i++)
            factor->values[i * rank + constants + k] = scale * h->vectors[k * n + i];
    }
    return SFGP_OK;
}

/* More and more pairs, until the accuracy or the limit is reached. */
static sfgp_status find_pairs(sfgp_context *context, sfgp_surface_field *f, int64_t limit, int64_t constants,
                              sfgp_harmonics *h, int64_t *used)
{
    const int64_t all = f->laplacian.count - f->laplacian.piece_count;
    const double shift = sfgp_surface_kappa2(&f->kernel->terms[0], f->laplacian.dimension);
    int64_t count = sfgp_surface_field_guess(f);
    *used = 0;
    for (;;) {
        const sfgp_harmonics_request request = {count < limit ? count : limit, shift, f->request->seed};
        subtract_constants(f, constants);
        if (measure_left(f) <= f->request->accuracy || limit == 0)
            return SFGP_OK;
        sfgp_harmonics_clear(h);
        const sfgp_status status = sfgp_harmonics_new(context, &f->laplacian, &request, f->ldl, h);
        if (status != SFGP_OK)
            return status;
        *used = subtract_pairs(f, h, limit);
        if (measure_left(f) <= f->request->accuracy || *used == limit || h->count == all)
            return SFGP_OK;
        count = h->count + h->count / 3 + 1;
    }
}

static sfgp_status make_factor(sfgp_context *context, sfgp_surface_field *f, sfgp_factor *factor)
{
    const int64_t pieces = f->laplacian.piece_count, all = f->laplacian.count - pieces,
                  constants = pieces < f->request->rank ? pieces : f->request->rank,
                  room = f->request->rank - constants, limit = room < all ? room : all;
    sfgp_harmonics h = {.points = f->laplacian.count};
    int64_t used = 0;
    sfgp_status status = sfgp_surface_field_bound_variance(context, f);
    if (status == SFGP_OK)
        status = find_pairs(context, f, limit, constants, &h, &used);
    if (status == SFGP_OK)
        status = fill_factor(context, f, &h, constants, used, factor);
    if (status == SFGP_OK) /* S changes by at most alpha <= 3 times the relative error of s + lambda */
        factor->residual = largest_of(h.points, f->left) +
                           (f->rounding + 3 * h.error + 16 * DBL_EPSILON) * largest_of(h.points, f->total);
    sfgp_harmonics_clear(&h);
    return status;
}

sfgp_status sfgp_surface_factor_guess(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                      const sfgp_factor_request *request, int64_t *rank)
{
    sfgp_surface_field f = {.kernel = kernel, .request = request};
    sfgp_status status = sfgp_laplacian_new(context, mesh, &f.laplacian);
    if (status == SFGP_OK) {
        const int64_t most = request->rank < mesh->count ? request->rank : mesh->count;
        *rank = f.laplacian.piece_count + sfgp_surface_field_guess(&f);
        *rank = *rank < most ? *rank : most;
    }
    sfgp_surface_field_clear(&f);
    return status;
}

sfgp_status sfgp_surface_factor_new(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                    const sfgp_factor_request *request, sfgp_factor *factor)
{
    const sfgp_mark mark = sfgp_profile_enter(context, SFGP_STAGE_FACTOR);
    sfgp_surface_field f = {0};
    *factor = (sfgp_factor){0};
    sfgp_status status = sfgp_surface_field_new(context, mesh, kernel, request, &f);
    if (status == SFGP_OK)
        status = make_factor(context, &f, factor);
    if (status != SFGP_OK)
        sfgp_factor_clear(factor);
    sfgp_surface_field_clear(&f);
    sfgp_profile_leave(context, mark);
    return status;
}
