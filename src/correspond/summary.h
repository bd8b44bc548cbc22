/* What the reference points need of P: sums over its columns. */
#ifndef SFGP_CORRESPOND_SUMMARY_H
#define SFGP_CORRESPOND_SUMMARY_H

#include "correspond/correspond.h"

#define SFGP_SUMMARY_COLUMNS 4

/* Columns at .. at + SFGP_SUMMARY_COLUMNS - 1, or as many as there are, go from phi_ij to P_ij, and mass,
 * weight, shift, first, second, best and best_target of their points are set; sums in the order of the
 * column. labels->lane_sums starts with 1 / (c + sum_i phi_ij) of every target point. O(entries of the
 * columns). */
void sfgp_labels_summarise(double pmin, const double *target, const double *fitted, int64_t at,
                           sfgp_labels *labels);

#endif
