/* The factor of a field along the surface, and its certificate. The equations stand in surface_factor.h. */
#include "lowrank/surface_factor.h"
#include "base/memory.h"
#include "kernel/surface.h"
#include "lowrank/harmonics.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

/* Of the pairs by Weyl's law: borders and corners of ears ask for 1.2 times as many. */
#define MARGIN 1.3

typedef struct field {
    const sfgp_kernel *kernel;
    const sfgp_factor_request *request;
    sfgp_laplacian laplacian;
    sfgp_ldl *ldl;
    double *total;   /* N: bound of the variance of each point, before any pair is subtracted */
    double *left;    /* N: of what the factor leaves out */
    double rounding; /* of total, relative to its largest value: what the solver was measured to err */
} field;

static sfgp_status field_new(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                             const sfgp_factor_request *request, field *f)
{
    sfgp_status status = SFGP_OK;
    *f = (field){.kernel = kernel, .request = request};
    if ((status = sfgp_laplacian_new(context, mesh, &f->laplacian)) == SFGP_OK &&
        (status = sfgp_ldl_new(context, &f->laplacian.stiffness, &f->ldl)) == SFGP_OK &&
        (status = sfgp_allocate(context, mesh->count, &f->total)) == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &f->left);
    return status;
}

static void field_clear(field *f)
{
    sfgp_laplacian_clear(&f->laplacian);
    sfgp_ldl_free(f->ldl);
    sfgp_free(f->total);
    sfgp_free(f->left);
}

/* ---- variance of the exact field --------------------------------------------------------------------- */

/* s_j: kappa^2 and steps below. Smaller steps make the bound closer, and its rounding errors larger. */
static double shift_of(const struct sfgp_kernel_term *term, int dimension, int j)
{
    return sfgp_surface_kappa2(term, dimension) * (1 - 0.125 * j);
}

/* 1 / prod_(i != j) (s_i - s_j): the weight of f(s_j) in the divided difference, but for its sign */
static double weight_of(const struct sfgp_kernel_term *term, int dimension, int j)
{
    double product = 1;
    for (int i = 0; i <= term->smoothness; i++)
        if (i != j)
            product *= shift_of(term, dimension, i) - shift_of(term, dimension, j);
    return 1 / product;
}

/* What the pair of lambda adds to the bound, for phi(i)^2 = 1: at least its spectral density. */
static double bound_density(const field *f, double lambda)
{
    double sum = 0;
    for (int t = 0; t < f->kernel->count; t++) {
        const struct sfgp_kernel_term *term = &f->kernel->terms[t];
        double product = sfgp_surface_strength(term, f->laplacian.dimension);
        for (int j = 0; j <= term->smoothness; j++)
            product /= shift_of(term, f->laplacian.dimension, j) + lambda;
        sum += product;
    }
    return sum;
}

static double density(const field *f, double lambda)
{
    double sum = 0;
    for (int t = 0; t < f->kernel->count; t++)
        sum += sfgp_surface_density(&f->kernel->terms[t], f->laplacian.dimension, lambda);
    return sum;
}

/* (G + s C) 1 = s C 1, so that the solution for s C 1 is 1: its error is that of the smoothest part, the worst. */
static sfgp_status measure_rounding(sfgp_context *context, double shift, field *f)
{
    const int64_t n = f->laplacian.count;
    double *x = NULL;
    sfgp_status status = sfgp_allocate(context, n, &x);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < n; i++)
        x[i] = shift * f->laplacian.mass[i];
    sfgp_ldl_solve(f->ldl, x);
    for (int64_t i = 0; i < n; i++)
        f->rounding = fmax(f->rounding, fabs(x[i] - 1));
    sfgp_free(x);
    return SFGP_OK;
}

/* total += weight diag((G + s C)^-1) */
static sfgp_status add_inverse(sfgp_context *context, double shift, double weight, field *f)
{
    sfgp_sparse matrix = {0};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_laplacian_shift(context, &f->laplacian, shift, &matrix)) == SFGP_OK &&
        (status = sfgp_ldl_factorise(context, &matrix, f->ldl)) == SFGP_OK &&
        (status = measure_rounding(context, shift, f)) == SFGP_OK)
        status = sfgp_ldl_inverse_diagonal(context, f->ldl, f->left);
    for (int64_t i = 0; status == SFGP_OK && i < f->laplacian.count; i++)
        f->total[i] += weight * f->left[i];
    sfgp_sparse_clear(&matrix);
    return status;
}

static sfgp_status bound_variance(sfgp_context *context, field *f)
{
    const int dimension = f->laplacian.dimension;
    sfgp_status status = SFGP_OK;
    for (int t = 0; t < f->kernel->count; t++) {
        const struct sfgp_kernel_term *term = &f->kernel->terms[t];
        for (int j = 0; j <= term->smoothness && status == SFGP_OK; j++)
            status = add_inverse(context, shift_of(term, dimension, j),
                                 sfgp_surface_strength(term, dimension) * weight_of(term, dimension, j), f);
    }
    return status;
}

/* ---- how many pairs ---------------------------------------------------------------------------------- */

/* Weyl's law: area lambda / (4 pi) eigenvalues are below lambda, or length sqrt(lambda) / pi of a curve. Those above leave about
 * V (1 + lambda / kappa^2)^-nu in the middle and twice that at a border. */
static double count_below(const field *f, double lambda)
{
    double area = 0;
    for (int64_t c = 0; c < f->laplacian.piece_count; c++)
        area += f->laplacian.area[c];
    return f->laplacian.dimension == 2 ? area * lambda / (4 * PI) : area * sqrt(lambda) / PI;
}

static double left_above(const field *f, double lambda)
{
    double sum = 0;
    for (int t = 0; t < f->kernel->count; t++) {
        const struct sfgp_kernel_term *term = &f->kernel->terms[t];
        const double nu = term->smoothness + 1 - 0.5 * f->laplacian.dimension;
        sum += (f->request->mean ? 1 : 2) * term->variance *
               pow(1 + lambda / sfgp_surface_kappa2(term, f->laplacian.dimension), -nu);
    }
    return sum;
}

static int64_t guess_count(const field *f)
{
    const double most = (double)f->laplacian.count;
    double low = 0, high = 1;
    while (left_above(f, high) > f->request->accuracy && count_below(f, high) < most)
        high *= 2;
    for (int k = 0; k < 40; k++) {
        const double middle = 0.5 * (low + high);
        *(left_above(f, middle) > f->request->accuracy ? &low : &high) = middle;
    }
    return 1 + (int64_t)fmin(MARGIN * count_below(f, high), most);
}

/* ---- what is left out -------------------------------------------------------------------------------- */

/* What is compared with the accuracy: the largest variance left, or the mean over the area. */
static double measure_left(const field *f)
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
static void subtract_constants(const field *f, int64_t used)
{
    const double constant = bound_density(f, 0);
    for (int64_t i = 0; i < f->laplacian.count; i++) {
        const int32_t piece = f->laplacian.piece[i];
        f->left[i] = f->total[i] - constant / f->laplacian.weight[piece];
        if (piece >= used)
            f->left[i] += sfgp_kernel_variance(f->kernel);
    }
}

/* Subtracts pair after pair until the accuracy is reached; returns how many. */
static int64_t subtract_pairs(const field *f, const sfgp_harmonics *h, int64_t limit)
{
    int64_t used = 0;
    for (; used < h->count && used < limit && measure_left(f) > f->request->accuracy; used++) {
        const double *phi = h->vectors + used * h->points, strength = bound_density(f, h->values[used]);
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
static double constant_variance(const field *f, int64_t piece)
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
static sfgp_status fill_factor(sfgp_context *context, const field *f, const sfgp_harmonics *h,
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
        const double scale = sqrt(density(f, h->values[k]));
        for (int64_t i = 0; i < n; i++)
            factor->values[i * rank + constants + k] = scale * h->vectors[k * n + i];
    }
    return SFGP_OK;
}

/* More and more pairs, until the accuracy or the limit is reached. */
static sfgp_status find_pairs(sfgp_context *context, field *f, int64_t limit, int64_t constants,
                              sfgp_harmonics *h, int64_t *used)
{
    const int64_t all = f->laplacian.count - f->laplacian.piece_count;
    const double shift = sfgp_surface_kappa2(&f->kernel->terms[0], f->laplacian.dimension);
    int64_t count = guess_count(f);
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

static sfgp_status make_factor(sfgp_context *context, field *f, sfgp_factor *factor)
{
    const int64_t pieces = f->laplacian.piece_count, all = f->laplacian.count - pieces,
                  constants = pieces < f->request->rank ? pieces : f->request->rank,
                  room = f->request->rank - constants, limit = room < all ? room : all;
    sfgp_harmonics h = {.points = f->laplacian.count};
    int64_t used = 0;
    sfgp_status status = bound_variance(context, f);
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
    field f = {.kernel = kernel, .request = request};
    sfgp_status status = sfgp_laplacian_new(context, mesh, &f.laplacian);
    if (status == SFGP_OK) {
        const int64_t most = request->rank < mesh->count ? request->rank : mesh->count;
        *rank = f.laplacian.piece_count + guess_count(&f);
        *rank = *rank < most ? *rank : most;
    }
    field_clear(&f);
    return status;
}

sfgp_status sfgp_surface_factor_new(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                    const sfgp_factor_request *request, sfgp_factor *factor)
{
    const sfgp_mark mark = sfgp_profile_enter(context, SFGP_STAGE_FACTOR);
    field f = {0};
    *factor = (sfgp_factor){0};
    sfgp_status status = field_new(context, mesh, kernel, request, &f);
    if (status == SFGP_OK)
        status = make_factor(context, &f, factor);
    if (status != SFGP_OK)
        sfgp_factor_clear(factor);
    field_clear(&f);
    sfgp_profile_leave(context, mark);
    return status;
}
