/* M-step: Gaussian process regression in Woodbury form (paper, eq. 6 and Proposition 1).
 *
 *     A = I + B'WB,   mean = B A^-1 B'W delta,   p_i = |L^-1 b_i|^2 / d  with A = LL'
 *
 * W = diag(n_i / v_i) is 0 for missing points, so they drop out and are predicted. With B = [B_s (x) I_d, B_pca] the
 * factor of A keeps the blocks: the d axes share L_s, and only the complement, of size
 * m_p x m_p, couples the axes,
 *
 *     L = [ L_s (x) I_d        ]    A_s = I + B_s'W B_s = L_s L_s',   X_a = L_s \ B_s'W B_p,a   for axis a,
 *         [ X'           L_p   ]    L_p L_p' = I + B_p'W B_p - sum_a X_a'X_a.
 *
 * With another prior of the scalar coefficients, c ~ N(0, C) for each axis, A_s = C^-1 + B_s'W B_s (prior.h). An axis with a C of its own has an
 * L_s of its own; there are no modes then.
 *
 * With a field along the surface beside the columns the update is that of markov.h, and A the Schur complement there. Steps, landmarks
 * and predictions from older factors do not know it.
 *
 * Cost O(N (m_s^2 + d m_s m_p + d m_p^2)); nothing N x N exists and nothing is allocated after _new. */
#ifndef SFGP_GPR_POSTERIOR_H
#define SFGP_GPR_POSTERIOR_H

#include "gpr/markov.h"
#include "gpr/prior.h"
#include "lowrank/basis.h"

#include <stdbool.h>

/* Sums over the observed points: the sizes of one lane's block, in this order. */
typedef struct sfgp_normal {
    double *scalar;       /* m_s x m_s: B_s'W B_s, then L_s */
    double *across;       /* m_s x m_s: L_s of the axis with a prior of its own; scalar where there is none */
    double *pca;          /* m_p x m_p: B_p'W B_p, then L_p */
    double *cross;        /* d times m_s x m_p: B_s'W B_p,a, then X_a */
    double *right_scalar; /* m_s x d: B_s'W delta, then the coefficients */
    double *right_pca;    /* m_p */
} sfgp_normal;

typedef struct sfgp_posterior {
    const sfgp_basis *basis;
    const sfgp_prior *prior; /* of the scalar coefficients; NULL: N(0, I) */
    int64_t normal_size;     /* numbers in one block of sums (sfgp_normal) */
    int64_t buffer_size;     /* numbers in the buffer of a lane */
    double *lane_normals; /* SFGP_LANES x normal_size; lane 0 gets the total, then factors and coefficients */
    double *buffers;      /* SFGP_LANES x buffer_size */
    sfgp_markov_posterior *field; /* NULL: the prior has none */
    double *landmarks;            /* normal_size: sums that every update adds; NULL: none */
    bool solved;                  /* lane 0 holds the factors and coefficients of the last update */
    double *gram;                 /* normal_size: B'W'B of older weights W' */
    double *gram_weights;         /* N: W' */
    double gram_total;            /* sum_i W'_i */
    bool has_gram;                /* gram, gram_weights and gram_total are set */
    float *narrow;                /* normal_size: factors in single precision */
    bool freeze_variance;         /* updates keep the variance, and its part of the divergence */
    double covariance; /* ln det A - sum_i W_i d p_i: twice the part of the divergence by the variance */
    double *mean;      /* N x d: prior mean + B c */
    double *variance;  /* N: posterior variance per axis */
} sfgp_posterior;

/* The basis must outlive it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_posterior_new(sfgp_context *context, const sfgp_basis *basis, sfgp_posterior *posterior);
void sfgp_posterior_clear(sfgp_posterior *posterior);
/* Add memory for the sums of landmarks, set to zero, and remove it. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_posterior_add_landmarks(sfgp_context *context, sfgp_posterior *posterior);
void sfgp_posterior_drop_landmarks(sfgp_posterior *posterior);

/* Mean and variance given weights W (N, 0 = missing) and labels delta (N x d, less the prior mean).
 * O(N (m_s^2 + d m_s m_p + d m_p^2) + m^3). SFGP_ERROR_NUMERIC when A is not positive definite. */
sfgp_status sfgp_posterior_update(sfgp_context *context, const double *weights, const double *labels,
                                  sfgp_posterior *posterior);

/* Iterative refinement of an update with the coefficients c (m): their gradient is solved for once more. With small
 * sigma2, B'WB is large beside I and rounded; the residuals, W_i (label_i - (prior mean + B c)_i), N x d, hardly are.
 * Not with a field. O(N m d + m^2). */
void sfgp_posterior_refine(const double *residuals, const double *coefficients, sfgp_posterior *posterior);

/* Quasi-Newton steps. The gradient at c is exact and costs N m products. The Hessian A would cost N m^2 / 2
 * products; the one of older weights W' is used instead, in single precision:
 *
 *     c + A'^-1 (B'W (label - (prior mean + B c)) - c),    A' = I + ratio B'W'B.
 *
 * For W = ratio W' the step is equal to the update. Both have the same fixed points. Not with landmarks. */

/* Makes B'WB of weights (N) the Hessian. O(N m^2). */
void sfgp_posterior_accumulate_gram(const double *weights, sfgp_posterior *posterior);
/* The same in double precision. labels (N x d) have to be finite; nothing comes of them. */
void sfgp_posterior_accumulate_gram_exactly(const double *weights, const double *labels,
                                            sfgp_posterior *posterior);
/* sum_i |W_i - ratio W'_i| / sum_i W_i with ratio = sum_i W_i / sum_i W'_i; infinite without W'. O(N). */
double sfgp_posterior_gram_drift(const sfgp_posterior *posterior, const double *weights, double *ratio);
/* A step from coefficients c (m). residuals: W_i (label_i - (prior mean + B c)_i), N x d. The variance,
 * unless frozen, and the divergence are those of A', to some 1e-6. O(N m d + m^3), with the variance as an
 * update. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_posterior_newton_step(sfgp_context *context, double ratio, const double *residuals,
                                       const double *coefficients, sfgp_posterior *posterior);

/* The gradient of the log posterior at coefficients c (m) into lane 0's right-hand side, which is returned:
 *     B'residuals - C^-1 c + the share of the landmarks.   O(N m + m^2) */
double *sfgp_posterior_gradient(const double *residuals, const double *coefficients,
                                sfgp_posterior *posterior);
/* Sets the coefficients (m) beside the factor that is there, and the mean that belongs to them. O(N m d). */
void sfgp_posterior_set_coefficients(const double *coefficients, sfgp_posterior *posterior);

/* The coefficients c of the mean (lowrank/basis.h), valid until the next update. */
const double *sfgp_posterior_coefficients(const sfgp_posterior *posterior);
/* A block that holds nothing between two calls: that of lane 1. Every update sets it anew. */
static inline double *sfgp_posterior_spare(const sfgp_posterior *posterior)
{
    return posterior->lane_normals + posterior->normal_size;
}
/* The buffer of a lane, as room for sums in single precision. */
static inline float *sfgp_posterior_single_buffer(const sfgp_posterior *posterior, int lane)
{
    return (float *)(posterior->buffers + lane * posterior->buffer_size);
}
/* Copies the factors and coefficients of a posterior of the same prior at other points, and whether it has them. Mean and
 * variance are not computed. O(m^2). */
void sfgp_posterior_copy_factor(const sfgp_posterior *from, sfgp_posterior *to);
/* The mean that belongs to the coefficients. O(N m d). */
void sfgp_posterior_predict_mean(sfgp_posterior *posterior);
/* The variance that belongs to the factors, after updates with a frozen variance. The divergence does not change. It
 * costs as much as an update. */
void sfgp_posterior_predict_variance(sfgp_posterior *posterior);

/* Kullback-Leibler divergence of the last posterior from the prior. With tr A^-1 = m - tr A^-1 B'WB,
 *     2 KL = tr A^-1 + |c|^2 - m + ln det A = |c|^2 + ln det A - sum_i W_i d p_i.
 * With c ~ N(0, C), |c|^2 becomes c'C^-1 c, and ln det C is added.
 * With a frozen variance, c is new and A that of the variance: any covariance gives a bound. The landmarks'
 * share of the last sum is left out. O(m). */
double sfgp_posterior_divergence(const sfgp_posterior *posterior);

#endif
