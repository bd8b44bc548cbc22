/* E-step: which target point labels which reference point, and with what probability.
 *
 *     phi_ij = N(s_j; rbar_i, v_i I) exp(-d p_i / (2 v_i))
 *     P_ij   = (1 - w) phi_ij / (w N_R p_out + (1 - w) sum_i phi_ij)                 (paper, eq. 12)
 *
 * With mixing weights, phi_ij carries the factor pi_i N_R, which is 1 when every point is as likely to be
 * seen.
 *
 * phi_ij < e c, with c = w N_R p_out / (1 - w), makes P_ij < e, whatever the other points do. So the labels
 * of reference point i lie within radius_i^2 = 2 v_i (ln N(0; 0, v_i) - d p_i / (2 v_i) - ln(e c)), and a
 * kd-tree over the target finds them; what is left out is certified to be below e each. P is held by its
 * columns: column i of the N_S x N_R matrix has the labels of reference point i. A fit that needs its sums
 * only makes them by tiles, faster and in single precision (tiles.h). */
#ifndef SFGP_CORRESPOND_CORRESPOND_H
#define SFGP_CORRESPOND_CORRESPOND_H

#include "geom/kdtree.h"
#include "linalg/sparse.h"

/* Reference and target in blocks, for labels by tiles (tiles.h). Free also after an error of new. */
typedef struct sfgp_tiles sfgp_tiles;

/* For a reference that stays near points (count x dimension). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_tiles_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                           sfgp_tiles **tiles);
void sfgp_tiles_free(sfgp_tiles *tiles); /* NULL is allowed */
/* The target that the next labels are of, in the order of sfgp_points_order. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_tiles_take(sfgp_context *context, int64_t count, const double *target, sfgp_tiles *tiles);

/* Settings of a fit that the E-step needs, in the frame of the reference. */
typedef struct sfgp_label_rule {
    double omega;
    double density;       /* p_out: density of a stray target point */
    double pmin;          /* labels at or below do not count; 0: all count */
    double prune;         /* e: labels below are not looked for */
    double reach;         /* deviations sqrt(v_i) within which labels are looked for; 0: as prune says */
    double max_distance;  /* closest point only */
    const double *mixing; /* pi_i N_R > 0, NULL: all 1 */
    sfgp_tiles *tiles; /* of this reference and target: labels without P, in single precision; NULL: with */
} sfgp_label_rule;

/* What a reference point sees; all arrays have one entry or one row a reference point. */
typedef struct sfgp_labels {
    int64_t count, targets;
    int dimension;
    sfgp_sparse matrix;   /* P, N_S x N_R; without entries when there are too many */
    int64_t pairs;        /* entries that P has or would have */
    double *peak;         /* ln of phi_ij at distance 0 */
    double *radius2;      /* within which the labels of each point are looked for */
    double *mass;         /* nu_i = sum_j P_ij */
    double *weight;       /* n_i = sum of the P_ij above pmin; 0 = missing */
    double *shift;        /* N x d: sum over those of P_ij (s_j - rbar_i) */
    double *first;        /* N x d: sum_j P_ij (s_j - rbar_i) */
    double *second;       /* sum_j P_ij |s_j - rbar_i|^2 */
    double *best;         /* largest P_ij above pmin, 0 = missing */
    int32_t *best_target; /* its j, -1 = missing */
    int64_t missing;      /* points without weight */
    double *explained;    /* targets: sum_i P_ij, what is not put down to a stray */
    double evidence;      /* sum_j ln(w p_out + (1 - w) / N_R sum_i phi_ij): the bound, but for the prior */
    double *lane_sums;    /* SFGP_LANES x targets */
    int64_t target_capacity, lane_capacity;
} sfgp_labels;

sfgp_status sfgp_labels_new(sfgp_context *context, int64_t count, int dimension, sfgp_labels *labels);
void sfgp_labels_clear(sfgp_labels *labels);
/* Room for a target of so many points and for all pairs, but for no more than so many pairs: pages that stay
 * unused cost nothing, and an iteration that needs no more does not allocate. Keeps what is there when it is
 * enough. Room that is left over spares the soft labels half of their walks over the tree (soft_whole.c). No
 * pairs: for labels by tiles, of which nothing is kept but sums. */
sfgp_status sfgp_labels_reserve(sfgp_context *context, int64_t targets, int64_t most_pairs,
                                sfgp_labels *labels);

/* State of the reference: rbar (N x d), posterior variance p (N), registration variance v (N). */
typedef struct sfgp_state {
    const double *fitted, *variance, *noise;
} sfgp_state;

/* Soft labels as above. tree holds target (N_S x d). O(N_R log N_S + entries of P).
 * Allocates only when P needs more room than ever before and may have it. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_correspond_soft(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                                 const double *target, sfgp_state state, sfgp_labels *labels);
/* One hard label each: the nearest target point, if within max_distance. O(N_R log N_S). */
sfgp_status sfgp_correspond_closest(sfgp_context *context, const sfgp_label_rule *rule,
                                    const sfgp_kdtree *tree, const double *target, sfgp_state state,
                                    sfgp_labels *labels);

#endif
