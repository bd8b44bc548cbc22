/* Pivoted Cholesky of many points in two stages. The factor's rows are smooth in the points (extension.h), so
 * pivots that settle some thousand of them, evenly spread, to three quarters of the accuracy settle those
 * between as well: their rows are L \ k(P, x), one product instead of a pass over all points for every
 * column. What is left is computed at every point, and bounds every entry as ever. */
#ifndef SFGP_LOWRANK_TWO_STAGE_H
#define SFGP_LOWRANK_TWO_STAGE_H

#include "lowrank/lowrank.h"

#include <stdbool.h>

#define SFGP_TWO_STAGE_POINTS 6000 /* from which on it pays */
#define SFGP_TWO_STAGE_SPREAD 4000
#define SFGP_TWO_STAGE_MARGIN 0.75                      /* of the accuracy, at those points */
#define SFGP_TWO_STAGE_RANK (SFGP_TWO_STAGE_SPREAD / 8) /* most that so many points settle */

/* factorise: the one of one stage. *done: whether the accuracy was met, or the rank that was asked for taken;
 * false for kernels as fine as the spread points, and factor is empty. O(N m^2). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_factor_two_stages(sfgp_context *context, const sfgp_covariance *covariance,
                                   const sfgp_factor_request *request, const sfgp_lowrank_method *one_stage,
                                   sfgp_factor *factor, bool *done);

#endif
