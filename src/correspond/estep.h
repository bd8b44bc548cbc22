/* Helpers of the two E-steps with soft responsibilities: estep_whole.c stores P, estep_tiles.c computes its sums
 * only. */
#ifndef SFGP_CORRESPOND_ESTEP_H
#define SFGP_CORRESPOND_ESTEP_H

#include "correspond/correspond.h"

#include <stdbool.h>

typedef struct sfgp_estep {
    const sfgp_estep_rule *rule;
    const sfgp_kdtree *tree;
    const double *target; /* N_S x d */
    sfgp_estep_state state;
    sfgp_responsibilities *r;
    double outlier; /* c = omega N_R p_out / (1 - omega): the term of outliers in every denominator */
    double least;   /* ln of the smallest phi_ij that is searched for */
    double share;   /* ln of the share of the largest phi_ij of a point that is searched for; 0: none */
    double scale;   /* ln(2 pi sigma2) of point 0, for the case that all points have one sigma2 */
    int64_t room;   /* pairs that a lane may cache (estep_whole.c); 0: none */
} sfgp_estep;

/* c of target j. */
static inline double sfgp_estep_outlier(const sfgp_estep *s, int64_t j)
{
    return s->rule->clutter ? s->outlier * s->rule->clutter[j * s->rule->stride] : s->outlier;
}

/* Sets log_phi0 and radius2 of point i. */
void sfgp_estep_set_radius(const sfgp_estep *s, int64_t i);
/* phi_ij from the squared distances of point i. phi may be distance2. */
void sfgp_estep_densities(const sfgp_estep *s, int64_t i, int64_t found, const double *distance2,
                          double *phi);
/* |u|^2 + t (n_i'u)^2 from the squared distances |u|^2 of point i. stretched may be distance2. */
void sfgp_estep_stretch(const sfgp_estep *s, int64_t i, int64_t found, const int32_t *index,
                        const double *distance2, double *stretched);
/* The sum of a lane over its reference points (one entry for each target): set to zero, and a column added to it. */
double *sfgp_estep_empty_sum(const sfgp_responsibilities *r, int lane);
void sfgp_estep_add(int64_t found, const int32_t *index, const double *phi, double *sum);
/* From the sums of the lanes: sets the first of them to 1 / (c + sum_i phi_ij), explained to sum_i P_ij, and
 * log_likelihood. */
void sfgp_estep_invert(const sfgp_estep *s);
/* The number of all pairs, by start[i + 1] of P, which has the number of pairs of point i until P is filled. */
int64_t sfgp_estep_pairs(const sfgp_responsibilities *r);

/* Counts the pairs of each point. */
void sfgp_estep_count(sfgp_estep *s);
/* Computes P and its sums, after sfgp_estep_count. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_estep_whole(sfgp_context *context, const sfgp_estep *s);

#endif
