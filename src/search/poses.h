/* Poses: where the shape lies in the scan as a rigid whole, by a search over all turns and shifts (geom/rigid_search.h) and refinement
 * (geom/rigid_refine.h). It asks nothing of the parts of the shape that are not in the scan, and bends nothing, so that a quarter of a shape
 * is found at any turn (ADR 0060), and so is a shape in a scan that shows other things around it (ADR 0112). */
#ifndef SFGP_SEARCH_POSES_H
#define SFGP_SEARCH_POSES_H

#include "em/em.h"
#include "search/shortlist.h"

/* Whether there is such a search: for a surface in space. */
bool sfgp_poses_apply(const sfgp_em_problem *problem);
/* Of the shape with these points (N x 3, of the reference or of what a fit has made of it): the standard start at the best pose, and at a second one if its score is nearly as large. The two poses without a turn, in place and at the
 * middle of the scan, stand for a pose that is nearly in place. If the best pose hardly turns, the pose in place is added. *sure: the best
 * score is large, and no pose with another turn comes near it;
 * `sure_in_place` and `sure_alone` of the effort are weaker conditions. Scores
 * are those of rigid_refine.h. O(N log N), and the search. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_poses_find(sfgp_context *context, const sfgp_em_problem *problem, const double *points,
                            sfgp_shortlist *list, bool *sure);

/* *size: how many times as large as the reference the shape in the scan is: 1, or one of 14 sizes from 0.41 to 2.46 at which the reference, as a
 * rigid whole, lies much better in the scan. A smaller shape lies more easily on a part of the scan, so that scores are multiplied by size^-0.4
 * (`size_power`). ADR 0131, 0132. Up to 15 searches. SFGP_ERROR_MEMORY; SFGP_CANCELLED. */
sfgp_status sfgp_poses_find_size(sfgp_context *context, const sfgp_em_problem *problem, double *size);

#endif
