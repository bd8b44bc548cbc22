/* Pivoted Cholesky of many points in two stages. First 4000 evenly spread points are factorised, to three
 * quarters of the accuracy. The rows of a factor are smooth in the points (extension.h), so these pivots
 * reach the accuracy at the points between as well. Second, the rows of all points are L \ k(P, x): one
 * product instead of a pass over all points for each column. The residual is computed at every point, so the
 * certificate holds as in one stage. docs/adr/0015-levels.md
 *
 * A surface with a border ends half a cell beyond the last spread point, and there the residual may be larger. One block of points in
 * sixteen is tried first, and where that fails both stages are run again with its worst points beside the spread ones. ADR 0081 */
#ifndef SFGP_LOWRANK_TWO_STAGE_H
#define SFGP_LOWRANK_TWO_STAGE_H

#include "lowrank/lowrank.h"

#include <stdbool.h>

#define SFGP_TWO_STAGE_POINTS 6000 /* two stages are faster above this number of points */
#define SFGP_TWO_STAGE_SPREAD 4000 /* points of the first stage */
#define SFGP_TWO_STAGE_WORST 1024  /* most points that join them after a trial */
#define SFGP_TWO_STAGE_MARGIN 0.75 /* of the accuracy, demanded in the first stage */
#define SFGP_TWO_STAGE_RANK (SFGP_TWO_STAGE_SPREAD / 8) /* largest rank that the spread points determine */

/* *done: whether the accuracy or the requested rank was reached. It is false, and factor is empty, when the
 * kernel is as fine as the spacing of the spread points. O(N m^2). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_factor_two_stages(sfgp_context *context, const sfgp_covariance *covariance,
                                   const sfgp_factor_request *request, sfgp_factor *factor, bool *done);

#endif
