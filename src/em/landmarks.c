/* Landmarks as observations of a fit: their rows of the prior, their normal equations, and what they say of a
 * pose. Equations in landmarks.h. */
#include "em/landmarks.h"
#include "base/memory.h"
#include "geom/similarity.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "model/prior_at.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_PRIOR_AT_BLOCK

/* ---- the prior at the landmarks ---------------------------------------------------------------------- */

void sfgp_landmarks_clear(sfgp_em_landmarks *landmarks)
{
    sfgp_basis_clear(&landmarks->basis);
    sfgp_free(landmarks->target);
    sfgp_free(landmarks->weights);
    *landmarks = (sfgp_em_landmarks){0};
}

static sfgp_status make_room(sfgp_context *context, const sfgp_basis *basis, int64_t count,
                             sfgp_em_landmarks *landmarks)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_basis_new(context, count, basis->dimension, basis->scalar.rank, basis->pca.modes,
                                 &landmarks->basis)) != SFGP_OK ||
        (status = sfgp_allocate(context, count * basis->dimension, &landmarks->target)) != SFGP_OK)
        return status;
    return sfgp_allocate(context, count, &landmarks->weights);
}

/* Rows of a block become those from `first` on; their weights are 1 / (variance + left). */
static void copy_block(const sfgp_prior_rows *block, int64_t first, double variance,
                       sfgp_em_landmarks *landmarks)
{
    sfgp_basis_copy_rows(&block->basis, first, &landmarks->basis);
    for (int64_t k = 0; k < block->basis.count; k++)
        landmarks->weights[first + k] = 1 / (variance + block->left[k]);
}

/* The prior at the landmarks of the reference, block after block. */
static void fill(const sfgp_prior_at *prior, const double *reference, double variance, sfgp_prior_rows *block,
                 sfgp_em_landmarks *landmarks)
{
    const int64_t count = landmarks->basis.count, d = landmarks->basis.dimension;
    double x[BLOCK * 3];
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t n = count - first < BLOCK ? count - first : BLOCK;
        sfgp_frame_enter(&prior->model->frame, n, reference + first * d, x);
        sfgp_prior_at_fill(prior, n, x, block);
        copy_block(block, first, variance, landmarks);
    }
}

sfgp_status sfgp_landmarks_new(sfgp_context *context, const sfgp_model *model, const sfgp_pairs *pairs,
                               double sd, sfgp_em_landmarks *landmarks)
{
    sfgp_prior_at prior = {0};
    sfgp_prior_rows block = {0};
    sfgp_status status = SFGP_OK;
    *landmarks = (sfgp_em_landmarks){0};
    if ((status = sfgp_prior_at_new(context, model, &prior)) == SFGP_OK &&
        (status = sfgp_prior_rows_new(context, &prior, &block)) == SFGP_OK &&
        (status = make_room(context, &model->basis, pairs->count, landmarks)) == SFGP_OK) {
        fill(&prior, pairs->from, sd * sd, &block, landmarks);
        sfgp_frame_enter(&model->frame, pairs->count, pairs->to, landmarks->target);
    }
    sfgp_prior_rows_clear(&block);
    sfgp_prior_at_clear(&prior);
    return status;
}

/* ---- seen from a pose -------------------------------------------------------------------------------- */

/* delta_k = y_k seen from the pose - mean at x_k */
static void set_labels(sfgp_em *em, const sfgp_similarity *pose)
{
    const sfgp_em_landmarks *landmarks = em->problem->landmarks;
    const int64_t count = landmarks->basis.count, d = landmarks->basis.dimension;
    sfgp_similarity_undo(pose, count, landmarks->target, em->landmark_labels);
    for (int64_t k = 0; k < count * d; k++)
        em->landmark_labels[k] -= landmarks->basis.mean[k];
}

void sfgp_landmarks_observe(sfgp_em *em, const sfgp_similarity *pose)
{
    const sfgp_em_landmarks *landmarks = em->problem->landmarks;
    const sfgp_posterior *posterior = &em->posterior;
    double *block = sfgp_posterior_spare(posterior), *sums = posterior->landmarks;
    if (!landmarks)
        return;
    set_labels(em, pose);
    memset(sums, 0, (size_t)posterior->normal_size * sizeof *sums);
    for (int64_t first = 0; first < landmarks->basis.count; first += BLOCK) {
        const int64_t rest = landmarks->basis.count - first, end = first + (rest < BLOCK ? rest : BLOCK);
        sfgp_normal_accumulate(&landmarks->basis, landmarks->weights, em->landmark_labels, first, end, block,
                               posterior->buffers);
        for (int64_t k = 0; k < posterior->normal_size; k++)
            sums[k] += block[k];
    }
}

/* sum_k w_k |delta_k|^2 */
static double weighted_square(const sfgp_em *em)
{
    const sfgp_em_landmarks *landmarks = em->problem->landmarks;
    const int64_t d = landmarks->basis.dimension;
    double sum = 0;
    for (int64_t k = 0; k < landmarks->basis.count; k++)
        sum += landmarks->weights[k] *
               sfgp_dense_dot(d, em->landmark_labels + k * d, em->landmark_labels + k * d);
    return sum;
}

/* delta'(BB' + W^-1)^-1 delta = delta'W delta - (B'W delta)'c */
sfgp_status sfgp_landmarks_misfit(sfgp_em *em, const sfgp_similarity *pose, double *misfit)
{
    const sfgp_posterior *posterior = &em->posterior;
    const sfgp_basis *basis = em->problem->basis;
    double *block = sfgp_posterior_spare(posterior);
    *misfit = 0;
    if (!em->problem->landmarks)
        return SFGP_OK;
    sfgp_landmarks_observe(em, pose);
    memcpy(block, posterior->landmarks, (size_t)posterior->normal_size * sizeof *block);
    sfgp_status status = sfgp_normal_solve(em->context, basis, posterior->prior, block);
    const sfgp_normal right = sfgp_normal_parts(basis, posterior->landmarks);
    const sfgp_normal solved = sfgp_normal_parts(basis, block);
    if (status == SFGP_OK)
        *misfit =
            weighted_square(em) -
            sfgp_dense_dot(basis->scalar.rank * basis->dimension, right.right_scalar, solved.right_scalar) -
            sfgp_dense_dot(basis->pca.modes, right.right_pca, solved.right_pca);
    return status;
}

bool sfgp_landmarks_pose(const sfgp_em_landmarks *landmarks, sfgp_similarity *pose)
{
    const sfgp_basis *basis = &landmarks->basis;
    const sfgp_pairs pairs = {.count = basis->count,
                              .dimension = basis->dimension,
                              .weight = landmarks->weights,
                              .from = basis->mean,
                              .to = landmarks->target};
    return basis->count >= basis->dimension && sfgp_similarity_fit(SFGP_ALIGN_RIGID, &pairs, pose);
}

/* ---- where a fit starts ------------------------------------------------------------------------------ */

/* Variance of point i per axis under the prior of the fit. Without modes under another prior: the mean over the axes of |Q \ b_i|^2. */
static double prior_variance(const sfgp_em *em, int64_t i)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_prior *prior = em->posterior.prior;
    const int64_t s = basis->scalar.rank;
    double *row = em->posterior.buffers;
    if (!prior)
        return sfgp_basis_variance(basis, i);
    double sum = 0;
    for (int axis = 0; axis < basis->dimension; axis++) {
        memcpy(row, basis->scalar.values + i * s, (size_t)s * sizeof *row);
        sfgp_dense_solve_lower(s, 1, sfgp_prior_of(prior, axis)->lower, row);
        sum += sfgp_dense_dot(s, row, row);
    }
    return sum / basis->dimension;
}

/* The prior's deviation that the landmarks leave, mean square over the points: 1 when they say nothing. */
static double deviation_left(const sfgp_em *em)
{
    double left = 0, prior = 0;
    for (int64_t i = 0; i < em->problem->basis->count; i++) {
        left += em->posterior.variance[i];
        prior += prior_variance(em, i);
    }
    return left < (1 - 1e-9) * prior ? sqrt(left / prior) : 1; /* 1e-9: no weight changes no bit */
}

sfgp_status sfgp_landmarks_start(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const size_t n = (size_t)basis->count, d = (size_t)basis->dimension;
    if (!em->problem->landmarks)
        return SFGP_OK;
    sfgp_landmarks_observe(em, &em->state.pose);
    memset(em->weights, 0, n * sizeof(double));
    sfgp_status status = sfgp_posterior_update(em->context, em->weights, em->deltas, &em->posterior);
    if (status != SFGP_OK)
        return status;
    memcpy(em->state.points, em->posterior.mean, n * d * sizeof(double));
    const double share = em->problem->variant->fixed_sigma2 ? 1 : deviation_left(em);
    for (size_t i = 0; i < n; i++)
        em->state.sigma2[i] *= share;
    return SFGP_OK;
}
