/* Spectral densities of a field along the surface, and a bound of its variance at every point. Equations in surface_factor.h. */
#include "lowrank/surface_field.h"
#include "base/memory.h"
#include "kernel/surface.h"
#include "lowrank/harmonics.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Of the pairs by Weyl's law: borders and corners of ears ask for 1.2 times as many. */
#define MARGIN 1.3

sfgp_status sfgp_surface_field_new(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                   const sfgp_factor_request *request, sfgp_surface_field *f)
{
    sfgp_status status = SFGP_OK;
    *f = (sfgp_surface_field){.kernel = kernel, .request = request};
    if ((status = sfgp_laplacian_new(context, mesh, &f->laplacian)) == SFGP_OK &&
        (status = sfgp_ldl_new(context, &f->laplacian.stiffness, &f->ldl)) == SFGP_OK &&
        (status = sfgp_allocate(context, mesh->count, &f->total)) == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &f->left);
    return status;
}

void sfgp_surface_field_clear(sfgp_surface_field *f)
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
double sfgp_surface_field_bound(const sfgp_surface_field *f, double lambda)
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

double sfgp_surface_field_density(const sfgp_surface_field *f, double lambda)
{
    double sum = 0;
    for (int t = 0; t < f->kernel->count; t++)
        sum += sfgp_surface_density(&f->kernel->terms[t], f->laplacian.dimension, lambda);
    return sum;
}

/* (G + s C) 1 = s C 1, so that the solution for s C 1 is 1: its error is that of the smoothest part, the worst. */
static sfgp_status measure_rounding(sfgp_context *context, double shift, sfgp_surface_field *f)
{
    const int64_t n = f->laplacian.count;
    double *x = NULL;
    sfgp_status status = sfgp_allocate(context, n, &x);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < n; i++)
        x[i] = shift * f->laplacian.mass[i];
    sfgp_ldl_solve(f->ldl, 1, x);
    for (int64_t i = 0; i < n; i++)
        f->rounding = fmax(f->rounding, fabs(x[i] - 1));
    sfgp_free(x);
    return SFGP_OK;
}

/* total += weight diag((G + s C)^-1) */
static sfgp_status add_inverse(sfgp_context *context, double shift, double weight, sfgp_surface_field *f)
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

sfgp_status sfgp_surface_field_bound_variance(sfgp_context *context, sfgp_surface_field *f)
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
static double count_below(const sfgp_surface_field *f, double lambda)
{
    double area = 0;
    for (int64_t c = 0; c < f->laplacian.piece_count; c++)
        area += f->laplacian.area[c];
    return f->laplacian.dimension == 2 ? area * lambda / (4 * PI) : area * sqrt(lambda) / PI;
}

static double left_above(const sfgp_surface_field *f, double lambda)
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

int64_t sfgp_surface_field_guess(const sfgp_surface_field *f)
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
