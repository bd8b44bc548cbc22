/* Some points of a fit: short fits of a part of both shapes, whose scores tell which of some other shapes or poses explains the target
 * better. */
#ifndef SFGP_FIT_SOME_POINTS_H
#define SFGP_FIT_SOME_POINTS_H

#include "fit/solver.h"

#define SFGP_SOME_POINTS 1400  /* of the reference, as rough fits have (ADR 0074) */
#define SFGP_SOME_CHOSEN 24000 /* of a larger shape; the points above are chosen from these (ADR 0109) */

/* Some points of the reference, and of a target. */
typedef struct sfgp_some_points {
    const sfgp_solver *solver;
    sfgp_subset some;               /* of a shape of many points; else empty */
    const sfgp_em_problem *problem; /* of them, or of the whole */
    sfgp_subset_request request;
    sfgp_subset subset;
    sfgp_em *em;
} sfgp_some_points;

/* With the target of the solver, which must outlive it; do not move it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_some_points_new(const sfgp_solver *solver, sfgp_some_points *points);
void sfgp_some_points_clear(sfgp_some_points *points);
/* Points of the target of another problem with the same reference. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_some_points_take_target(sfgp_some_points *points, const sfgp_em_problem *problem);
/* The place of point k in the reference. */
int64_t sfgp_some_points_index(const sfgp_some_points *points, int64_t k);
/* That of the solver's fit. */
sfgp_similarity sfgp_some_points_pose(const sfgp_some_points *points);
/* A fit of 30 iterations that begins at a pose. *best: its score if that is larger; a fit that explains nothing has none.
 * SFGP_ERROR_MEMORY; SFGP_CANCELLED. */
sfgp_status sfgp_some_points_fit(const sfgp_some_points *points, const sfgp_similarity *pose,
                                 sfgp_em_prior prior, double *best);

#endif
