/* Soft labels: what both ways to make them share. Either P is held as a whole (estep_whole.c), or there is
 * none (estep_tiles.c). */
#ifndef SFGP_CORRESPOND_ESTEP_H
#define SFGP_CORRESPOND_ESTEP_H

#include "correspond/correspond.h"

#include <stdbool.h>

typedef struct sfgp_estep {
    const sfgp_estep_rule *rule;
    const sfgp_kdtree *tree;
    sfgp_estep_state state;
    sfgp_responsibilities *r;
    double outlier; /* c = w N_R p_out / (1 - w): the outlier's part of every denominator */
    double least;   /* ln of the phi_ij that are not looked for */
    double scale;   /* ln(2 pi v) of point 0: most methods have one v */
    int64_t room;   /* pairs that a lane may keep (estep_whole.c), 0: none */
} sfgp_estep;

/* peak and radius2 of point i. */
void sfgp_estep_set_radius(const sfgp_estep *s, int64_t i);
/* Squared distances of what point i has found to phi_ij; phi may be distance2. */
void sfgp_estep_weigh(const sfgp_estep *s, int64_t i, int64_t found, const double *distance2, double *phi);
/* A lane's sum over its reference points (targets), zeroed, and a column added to it. */
double *sfgp_estep_empty_sum(const sfgp_responsibilities *r, int lane);
void sfgp_estep_add(int64_t found, const int32_t *index, const double *phi, double *sum);
/* From the sums of the lanes: 1 / (c + sum_i phi_ij) in the first of them, sum_i P_ij in explained, and the
 * log_likelihood. */
void sfgp_estep_invert(const sfgp_estep *s);
/* Sum of what the points have found, start[i + 1] each. */
int64_t sfgp_estep_pairs(const sfgp_responsibilities *r);

/* Counts what each point finds, start[i + 1], and pairs. */
void sfgp_estep_count(sfgp_estep *s);
/* P and its sums, once counted. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_estep_whole(sfgp_context *context, const sfgp_estep *s, const double *target);

#endif
