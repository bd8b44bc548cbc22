/* PCA_ANISO: a point distribution model fitted by a mixture whose components are flat along the surface
 * (Bernard et al., Medical Image Analysis 38, 2017), with a uniform component for outliers.
 *
 *     s_j ~ w p_out + (1 - w) 1/N sum_i N(rbar_i, v C_i),   rbar = prior mean + B c,   c ~ N(0, I)
 *     C_i = k (I - (1 - a) n_i n_i'),   k = d / (d - 1 + a): the trace is d whatever a is,
 *     C_i^-1 = (I + h n_i n_i') / k,    h = 1/a - 1,    det C_i = k^d a,
 *
 * a = settings.anisotropy is the ratio of the variance across the surface to that along it, n_i the normal. So a target
 * point may be displaced from rbar_i along the surface at little cost, but not across it. The steps are conditional
 * maximisations, in turn:
 *
 *     P_ij = (1 - w) phi_ij / (w N p_out + (1 - w) sum_i phi_ij),   nu_i = sum_j P_ij          (E-step)
 *     (I + sum_i B_i' W_i B_i) c = sum_i B_i' W_i (label_i - mean_i),  W_i = nu_i (v C_i)^-1   (shape)
 *     v = sum_ij P_ij (s_j - rbar_i)' C_i^-1 (s_j - rbar_i) / (d sum_i nu_i)                   (variance)
 *     n_i from the moved points (geom/normals.h)                                               (normals)
 *
 * The last step is no maximisation: the normals are constants in the other three, as in the paper.
 *
 * P is never stored. For every reference point the kd-tree finds the target points in the ball around the ellipsoid
 * outside of which P_ij < prune. The E-step visits them twice: for the sums over i, and for the sums over j. Memory
 * O(SFGP_LANES (N_S + m^2)), time O(nnz + N d m^2) an iteration. */
#ifndef SFGP_BASELINE_PCA_ANISO_H
#define SFGP_BASELINE_PCA_ANISO_H

#include "geom/kdtree.h"
#include "geom/normals.h"
#include "model/model.h"

typedef struct sfgp_aniso {
    const sfgp_model *model;
    sfgp_settings settings; /* resolved */
    double density;         /* p_out */
    int64_t size;           /* m: coefficients */
    int64_t targets;        /* N_S */
    double *target;         /* N_S x d in the frame */
    sfgp_kdtree *tree;
    sfgp_neighbours neighbours; /* in the reference */
    double variance;            /* v */
    double *points;             /* N x d: rbar */
    double *normals;            /* N x d: n */
    double *moved;              /* N x d: the next rbar */
    double *c;                  /* m */
    /* E-step: */
    double *mass;         /* N: nu */
    double *first;        /* N x d: sum_j P_ij (s_j - rbar_i) */
    double *second;       /* N: sum_j P_ij (s_j - rbar_i)' C_i^-1 (s_j - rbar_i) */
    double *best;         /* N: largest P_ij, 0: none */
    int32_t *best_target; /* N: its j, -1: none */
    double *explained;    /* N_S: sum_i P_ij */
    double *inverse;      /* N_S: 1 / (w N p_out / (1 - w) + sum_i phi_ij) */
    double *lane_sums;    /* SFGP_LANES x N_S */
    double *lane_values;  /* SFGP_LANES x N_S */
    int32_t *lane_index;  /* SFGP_LANES x N_S */
    /* M-step: */
    double *lane_normal; /* SFGP_LANES x (m^2 + m): sum B'WB, sum B'W delta */
    double *lane_rows;   /* SFGP_LANES x SFGP_ANISO_BLOCK d (m + 1) */
} sfgp_aniso;

#define SFGP_ANISO_BLOCK 64 /* points whose rows are multiplied at a time */

/* The state at the prior mean, with settings resolved (variance0: mean squared distance of reference and target / d).
 * The model must outlive it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_aniso_new(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                           const sfgp_settings *settings, sfgp_aniso *fit);
void sfgp_aniso_clear(sfgp_aniso *fit);

/* P and its sums; returns sum_i nu_i. */
double sfgp_aniso_label(sfgp_aniso *fit);
/* c, and moved = prior mean + B c. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_aniso_move(sfgp_context *context, sfgp_aniso *fit);
/* Updates v for the moved points, accepts them, and computes their normals. Returns the mean motion. */
double sfgp_aniso_accept(sfgp_aniso *fit, double mass);

#endif
