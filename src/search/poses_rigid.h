/* Poses from inside: the rigid search that both the poses and the size are found by.
 *
 *     search    all turns and shifts, with few points of the scan    geom/rigid_search.h    the 30 best that differ go on
 *     refine    some iterations, with the same points                geom/rigid_refine.h    the 12 best of them do, as they were before
 *     refine    to the end, with more points, and two poses without a turn                  their scores
 *     refine    the best pose after half a turn about each principal axis of the shape      their scores
 *
 * Many shapes, as a kidney or a kneecap, lie nearly on themselves after such a turn. If the subject differs from the reference, the search may find
 * one of these poses alone, and not the right one (ADR 0139). */
#ifndef SFGP_SEARCH_POSES_RIGID_H
#define SFGP_SEARCH_POSES_RIGID_H

#include "em/em.h"
#include "geom/rigid_search.h"
#include "search/tuning.h"

enum { SFGP_RIGID_KEPT = 30 }; /* most poses that are refined */

/* What a search compares. */
typedef struct sfgp_rigid_shapes {
    const sfgp_tuning *tuning;
    double middle[3];                     /* of the scan */
    sfgp_oriented whole, scan, part, few; /* the shape; the scan; some points of it, and fewer */
    sfgp_kdtree *tree;                    /* over the shape */
    sfgp_rigid_pose *poses;               /* of all turns */
} sfgp_rigid_shapes;

/* What is found: poses that are turned; the two without a turn, in place and at the middle of the scan; the best one after half turns. */
typedef struct sfgp_rigid_found {
    int count;
    double unturned; /* the larger score of these two */
    sfgp_rigid_pose each[SFGP_RIGID_KEPT + 5];
} sfgp_rigid_found;

/* Of the shape with these points (N x 3). O(N log N). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_rigid_shapes_new(sfgp_context *context, const sfgp_em_problem *problem, const double *points,
                                  sfgp_rigid_shapes *shapes);
void sfgp_rigid_shapes_clear(sfgp_rigid_shapes *shapes);
/* Runs it. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_rigid_find(sfgp_context *context, sfgp_rigid_shapes *shapes, sfgp_rigid_found *found);
/* Both turn alike, and have the middle of the scan at one place of the shape. */
bool sfgp_rigid_is_same(const sfgp_rigid_shapes *shapes, const sfgp_similarity *a, const sfgp_similarity *b);
/* Of count poses the best ones that differ, best first; how many, at most `most`. Overwrites their scores, of which minus infinity is none. */
int sfgp_rigid_keep_best(const sfgp_rigid_shapes *shapes, int count, sfgp_rigid_pose *poses, int most,
                         sfgp_rigid_pose *kept);

#endif
