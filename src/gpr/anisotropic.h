/* M-step for labels that err less along one direction than across it. Point i has the unit vector n_i, and a label of it
 * the covariance v (I + t n_i n_i')^-1: v across n_i, v / (1 + t) along it. With W_i = nu_i / v,
 *
 *     A = C^-1 + B'WB + t sum_i W_i z_i z_i',   z_i = B_i'n_i   (m; B_i: the d rows of point i),
 *     step = A^-1 (sum_i W_i B_i'(I + t n_i n_i')(label_i - rbar_i) - C^-1 c),   c <- c + step.
 *
 * The axes are coupled, so A is dense, m = d m_s + m_p. The gradient is exact. A is that of older weights while they have
 * hardly moved, in single precision but for its factor: the fixed points are the same. Where single precision makes a
 * negative eigenvalue, A is made in double precision, and a step of a new A is as exact as conditioning lets it be. */
#ifndef SFGP_GPR_ANISOTROPIC_H
#define SFGP_GPR_ANISOTROPIC_H

#include "gpr/posterior.h"

/* Weights and directions of the labels. */
typedef struct sfgp_anisotropic_weights {
    const double *across;  /* N: W */
    const double *normals; /* N x d: n, unit */
    double stretch;        /* t */
} sfgp_anisotropic_weights;

typedef struct sfgp_anisotropic {
    sfgp_posterior *posterior; /* its sums, prior and landmarks */
    int64_t size;              /* m */
    double *factor;            /* m x m: L of A = LL' */
    double *weights;           /* N: W of the factor */
    double stretch;            /* t of the factor; negative: there is none */
    double *row;               /* SFGP_LANES x m: a row in double precision */
    float *rows;               /* N x m: sqrt(t W_i) z_i' of points with labels */
    float *sums;               /* SFGP_LANES x m x m */
} sfgp_anisotropic;

/* The posterior must outlive it; its factor and coefficients are overwritten. SFGP_ERROR_MEMORY. Clear also after an
 * error. */
sfgp_status sfgp_anisotropic_new(sfgp_context *context, sfgp_posterior *posterior, sfgp_anisotropic *made);
void sfgp_anisotropic_clear(sfgp_anisotropic *made);
/* The step above (m) from the coefficients (m), until the posterior is used again; residuals: W_i (I + t n_i n_i')(label_i - rbar_i), N x d.
 * O(N m) with an older A, else O(N m^2 + m^3). SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_anisotropic_step(sfgp_context *context, const sfgp_anisotropic_weights *weights,
                                  const double *residuals, const double *coefficients, sfgp_anisotropic *made,
                                  const double **step);

#endif
