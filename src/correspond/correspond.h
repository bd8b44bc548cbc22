/* E-step: the probability P_ij that target point j labels reference point i (paper, eq. 12). With N_R reference points rbar_i and N_S target
 * points s_j,
 *
 *     phi_ij = N(s_j; rbar_i, sigma2_i I) exp(-d p_i / (2 sigma2_i))
 *     P_ij   = (1 - omega) phi_ij / (omega N_R p_out + (1 - omega) sum_i phi_ij)
 *
 * The density p_out of outliers may differ between targets (clutter).
 *
 * With mixing weights phi_ij has the factor pi_i N_R, which is 1 when every point is as likely to be seen.
 *
 * With normals n_i and a stretch t a label has the variance sigma2_i across n_i and sigma2_i / (1 + t) along it:
 * |u|^2 + t (n_i'u)^2 stands for |u|^2, u = s_j - rbar_i, and phi_ij has the factor sqrt(1 + t).
 *
 * Pruning. With c = omega N_R p_out / (1 - omega), phi_ij < e c makes P_ij < e, whatever the other points do.
 * So the labels of reference point i lie within
 *
 *     radius_i^2 = 2 sigma2_i (ln phi_i(0) - ln(e c)),
 *
 * and a kd-tree over the target finds them: each P_ij that is left out is certified to be below e. A point far from the target
 * loses all its labels. But the ratios of its sums may matter, as those of nu_i and sum_j P_ij s_j do. So with a share a > 0 the radius
 * of each point is at least
 *
 *     |rbar_i - s_nearest|^2 - 2 sigma2_i ln a,
 *
 * so that what is left out is below a times the largest phi_ij of the point, too. P is held by
 * its columns: column i of the N_S x N_R matrix has the labels of reference point i. A fit that needs only
 * sums of P makes them by tiles, faster and in single precision (tiles.h). */
#ifndef SFGP_CORRESPOND_CORRESPOND_H
#define SFGP_CORRESPOND_CORRESPOND_H

#include "geom/kdtree.h"
#include "linalg/sparse.h"

/* Reference and target in blocks of sixteen points, for sums by tiles (tiles.h). Free also after an error of new. */
typedef struct sfgp_tiles sfgp_tiles;

/* points (count x dimension): the reference at the start. It may move; the sums are fast as long as points that are
 * near each other here stay near each other. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_tiles_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                           sfgp_tiles **tiles);
void sfgp_tiles_free(sfgp_tiles *tiles); /* NULL is allowed */
/* Sets the target of the next sums, in the order of sfgp_points_order. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_tiles_set_target(sfgp_context *context, int64_t count, const double *target,
                                  sfgp_tiles *tiles);

/* What the E-step needs of the settings, in the frame of the reference. */
typedef struct sfgp_estep_rule {
    double omega;          /* outlier weight */
    double density;        /* p_out: density of an outlier */
    double pmin;           /* labels up to this value do not count; 0: all count */
    double prune;          /* e: smaller labels are not searched for */
    double share;          /* a: but those above this share of the largest of a point are; 0: no */
    double reach;          /* labels are searched within so many sigma_i; 0: the limit is prune */
    double reach_least;    /* but at least within this distance */
    double max_distance;   /* of a label; closest point only */
    const double *mixing;  /* pi_i N_R > 0; NULL: all 1 */
    sfgp_tiles *tiles;     /* of this reference and target: sums by tiles without P; NULL: P is stored */
    const double *clutter; /* p_out is density clutter[j stride] for target j; NULL: density for all */
    int64_t stride;        /* of clutter */
    double least_clutter;  /* the least of clutter */
    const double *normals; /* N x d: n, unit; P is stored then; NULL: labels err as much in all directions */
    double stretch;        /* t >= 0, with normals */
} sfgp_estep_rule;

/* Responsibilities: P and its sums. Arrays have one entry or one row for each reference point, or as noted. */
typedef struct sfgp_responsibilities {
    int64_t count;           /* reference points */
    int64_t targets;         /* target points */
    int dimension;           /* d */
    sfgp_sparse matrix;      /* P, N_S x N_R; empty after sums by tiles */
    int64_t pairs;           /* entries of P, also when it is not stored */
    double *log_phi0;        /* ln phi_i at distance 0 */
    double *radius2;         /* squared search radius */
    double *mass;            /* nu_i = sum_j P_ij */
    double *weight;          /* n_i = sum of the P_ij above pmin; 0: missing */
    double *shift;           /* N x d: sum of P_ij (s_j - rbar_i) over the P_ij above pmin */
    double *first;           /* N x d: sum_j P_ij (s_j - rbar_i) */
    double *second;          /* sum_j P_ij |s_j - rbar_i|^2 */
    double *best;            /* largest P_ij above pmin; 0: missing */
    int32_t *best_target;    /* its j; -1: missing */
    int64_t missing;         /* points without weight */
    double *explained;       /* targets: sum_i P_ij, the probability that j is not an outlier */
    double log_likelihood;   /* sum_j ln(omega p_out + (1 - omega) / N_R sum_i phi_ij) */
    double *lane_sums;       /* SFGP_LANES x targets: partial sums over i */
    int64_t target_capacity; /* entries of explained */
    int64_t lane_capacity;   /* entries of lane_sums */
} sfgp_responsibilities;

/* threshold: labels up to a pmin > 0 are left out of shift; else it is first itself. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_responsibilities_new(sfgp_context *context, int64_t count, int dimension, bool threshold,
                                      sfgp_responsibilities *r);
void sfgp_responsibilities_clear(sfgp_responsibilities *r);
/* Allocates memory for a target of so many points, and for at most most_pairs entries of P (0: for sums by tiles).
 * Memory pages that are never used cost nothing. Existing memory is kept when it is large enough. The part of it that
 * P does not need caches queries of the kd-tree (estep_whole.c). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_responsibilities_reserve(sfgp_context *context, int64_t targets, int64_t most_pairs,
                                          sfgp_responsibilities *r);

/* Share of the target points that are labels rather than outliers, by an E-step. O(N_S). */
double sfgp_responsibilities_explained(const sfgp_responsibilities *r);
/* sum_j P_ij |s_j - new_i|^2; old, new: all points (N x d), as they were in the E-step and as they are. */
double sfgp_responsibilities_spread(const sfgp_responsibilities *r, int64_t i, const double *old,
                                    const double *new_points);

/* The present state of the reference. */
typedef struct sfgp_estep_state {
    const double *points;   /* N x d: rbar */
    const double *variance; /* N: p, posterior variance */
    const double *sigma2;   /* N: registration variance */
} sfgp_estep_state;

/* An E-step. tree is over target (N_S x d). Allocates only when P needs more memory than before.
 * SFGP_ERROR_MEMORY. */
typedef sfgp_status sfgp_estep_function(sfgp_context *context, const sfgp_estep_rule *rule,
                                        const sfgp_kdtree *tree, const double *target, sfgp_estep_state state,
                                        sfgp_responsibilities *r);

/* The P above. O(N_R log N_S + entries of P). */
sfgp_estep_function sfgp_estep_soft;
/* Hard labels: P_ij = 1 for the nearest target point, if it is within max_distance. O(N_R log N_S). */
sfgp_estep_function sfgp_estep_closest;

#endif
