/* What the reference points need of P: sums over its columns. */
#ifndef SFGP_CORRESPOND_SUMMARY_H
#define SFGP_CORRESPOND_SUMMARY_H

#include "correspond/correspond.h"

#define SFGP_SUMMARY_COLUMNS 4

/* Columns of P side by side: those of the points at .. at + count - 1; the others have length 0. */
typedef struct sfgp_columns {
    int64_t at;
    int count;
    const int32_t *index[SFGP_SUMMARY_COLUMNS];
    double *p[SFGP_SUMMARY_COLUMNS];
    int32_t length[SFGP_SUMMARY_COLUMNS];
} sfgp_columns;

/* They go from phi_ij to P_ij, and mass, weight, shift, first, second, best and best_target of their points
 * are set; sums in the order of the column. r->lane_sums starts with 1 / (c + sum_i phi_ij) of every
 * target point. O(entries of the columns). */
void sfgp_responsibilities_summarise(double pmin, const double *target, const double *fitted,
                                     const sfgp_columns *columns, sfgp_responsibilities *r);

#endif
