/* Steps of the M-step with older factors: the gradient, refinement, quasi-Newton. Equations in posterior.h. */
#include "base/lanes.h"
#include "gpr/normal.h"
#include "gpr/posterior.h"
#include "linalg/dense.h"

#include <string.h>

typedef struct gradient {
    const sfgp_basis *basis;
    const double *residuals;
    double *right; /* of lane 0; those of the other lanes stand `size` apart */
    int64_t size;
} gradient;

static void add_gradient_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const gradient *g = data;
    double *right = g->right + lane * g->size;
    memset(right, 0, (size_t)sfgp_basis_size(g->basis) * sizeof *right);
    sfgp_basis_multiply_transposed(g->basis, g->residuals, first, end, right);
}

/* B' residuals, into the right-hand side of lane 0. */
static void add_gradient(const double *residuals, sfgp_posterior *posterior)
{
    const sfgp_basis *basis = posterior->basis;
    const int64_t m = sfgp_basis_size(basis), size = posterior->normal_size;
    double *right = sfgp_normal_parts(basis, posterior->lane_normals).right_scalar;
    const gradient all = {basis, residuals, right, size};
    sfgp_lanes_run(basis->count, add_gradient_lane, &all);
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < m; k++)
            right[k] += right[lane * size + k];
}

static void predict_single_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const sfgp_posterior *posterior = data;
    sfgp_normal_predict_single(posterior->basis, posterior->narrow, first, end,
                               sfgp_posterior_single_buffer(posterior, lane), posterior->variance);
}

/* The variance of A' with its part of the divergence. */
static void set_variance(double ratio, sfgp_posterior *posterior)
{
    const sfgp_basis *basis = posterior->basis;
    sfgp_normal_narrow(basis, posterior->lane_normals, posterior->narrow);
    sfgp_lanes_run(basis->count, predict_single_lane, posterior);
    posterior->covariance =
        sfgp_normal_log_determinant(basis, posterior->lane_normals) -
        basis->dimension * ratio * sfgp_dense_dot(basis->count, posterior->gram_weights, posterior->variance);
}

/* The gradient of the prior: g -= C^-1 c, and c itself of the modes. */
static void subtract_prior(const sfgp_posterior *posterior, const double *c, double *g)
{
    const int64_t s = posterior->basis->scalar.rank, d = posterior->basis->dimension;
    sfgp_prior_subtract_gradient(posterior->prior, s, d, c, g);
    sfgp_prior_subtract_gradient(NULL, posterior->basis->pca.modes, 1, c + s * d, g + s * d);
}

/* g += B_l'W_l (label - (prior mean + B_l c)) of the landmarks, by their sums; the modes, then the axes. */
static void add_landmarks(const sfgp_posterior *posterior, const double *c, double *g)
{
    const int64_t s = posterior->basis->scalar.rank, p = posterior->basis->pca.modes,
                  d = posterior->basis->dimension;
    const sfgp_normal known = sfgp_normal_parts(posterior->basis, posterior->landmarks);
    for (int64_t k = 0; k < s * d + p; k++)
        g[k] += known.right_scalar[k];
    for (int64_t k = 0; k < s; k++)
        for (int64_t l = 0; l < s; l++)
            for (int64_t a = 0; a < d; a++)
                g[k * d + a] -= known.scalar[k > l ? k * s + l : l * s + k] * c[l * d + a];
    for (int64_t k = 0; k < d * s; k++)
        for (int64_t q = 0; q < p; q++) {
            const double both = known.cross[k * p + q]; /* of axis k / s, column k % s */
            g[k % s * d + k / s] -= both * c[s * d + q];
            g[s * d + q] -= both * c[k % s * d + k / s];
        }
    for (int64_t q = 0; q < p; q++)
        for (int64_t l = 0; l < p; l++)
            g[s * d + q] -= known.pca[q > l ? q * p + l : l * p + q] * c[s * d + l];
}

double *sfgp_posterior_gradient(const double *residuals, const double *coefficients,
                                sfgp_posterior *posterior)
{
    double *right = sfgp_normal_parts(posterior->basis, posterior->lane_normals).right_scalar;
    add_gradient(residuals, posterior);
    subtract_prior(posterior, coefficients, right);
    if (posterior->landmarks)
        add_landmarks(posterior, coefficients, right);
    return right;
}

/* The mean at these coefficients and the step of lane 0. */
static void move_from(const double *coefficients, sfgp_posterior *posterior)
{
    double *step = sfgp_normal_parts(posterior->basis, posterior->lane_normals).right_scalar;
    const int64_t m = sfgp_basis_size(posterior->basis);
    for (int64_t k = 0; k < m; k++)
        step[k] += coefficients[k];
    sfgp_posterior_predict_mean(posterior);
}

void sfgp_posterior_refine(const double *residuals, const double *coefficients, sfgp_posterior *posterior)
{
    sfgp_posterior_gradient(residuals, coefficients, posterior);
    sfgp_normal_solve_again(posterior->basis, posterior->lane_normals);
    move_from(coefficients, posterior);
}

sfgp_status sfgp_posterior_newton_step(sfgp_context *context, double ratio, const double *residuals,
                                       const double *coefficients, sfgp_posterior *posterior)
{
    double *right = sfgp_posterior_gradient(residuals, coefficients, posterior);
    for (double *a = posterior->lane_normals, *sum = posterior->gram; a < right; a++, sum++)
        *a = ratio * *sum;
    sfgp_status status =
        sfgp_normal_solve(context, posterior->basis, posterior->prior, posterior->lane_normals);
    posterior->solved = status == SFGP_OK;
    if (status != SFGP_OK)
        return status;
    move_from(coefficients, posterior);
    if (!posterior->freeze_variance)
        set_variance(ratio, posterior);
    return SFGP_OK;
}
