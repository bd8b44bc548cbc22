/* Sums over the columns of P, one column for each reference point. */
#ifndef SFGP_CORRESPOND_SUMMARY_H
#define SFGP_CORRESPOND_SUMMARY_H

#include "correspond/correspond.h"

#define SFGP_SUMMARY_COLUMNS 4

/* Columns of P that are summed at the same time: those of points at .. at + count - 1. The others have length 0. */
typedef struct sfgp_columns {
    int64_t at;
    int count;
    const int32_t *index[SFGP_SUMMARY_COLUMNS];
    double *p[SFGP_SUMMARY_COLUMNS];
    int32_t length[SFGP_SUMMARY_COLUMNS];
} sfgp_columns;

/* Replaces phi_ij by P_ij, and sets mass, weight, shift, first, second, best and best_target of the points. Sums are
 * in the order of the column. The first entries of r->lane_sums must be 1 / (c + sum_i phi_ij) for every target point.
 * O(entries of the columns). */
void sfgp_responsibilities_summarise(double pmin, const double *target, const double *fitted,
                                     const sfgp_columns *columns, sfgp_responsibilities *r);

#endif
