/* Thinning: how a dense scan starts from a wide variance.
 *
 * While the registration variance is wide, every target point is a candidate label of nearly every reference
 * point: N_R x N_S pairs, 1e10 for a hundred thousand points each, to say what a few hundred labels a point
 * say as well. So the fit starts with one target point in k, each counting k times, where k (a power of two)
 * keeps the pairs within a budget. As the variance shrinks, the radius finds fewer points, and k is halved as
 * soon as twice the pairs fit. A fit has converged only when k is 1: the last iterations see every point.
 * Scans of up to 2^25 pairs (5800 points against 5800) are never thinned.
 *
 * A fit that goes on from that of a part of its points (level.h) starts with as many target points as give a
 * reference point some eight labels, and sees all of them once those rest, or where each of them is a label
 * of very many points, as in a noisy scan of a million points, one in k that leaves a point 128 to 256. */
#ifndef SFGP_FIT_THINNING_H
#define SFGP_FIT_THINNING_H

#include "fit/solver.h"

/* Pairs that P may hold. */
int64_t sfgp_thinning_budget(int64_t reference_count);
/* Brings the target into the frame (solver->scan), in a spatial order if k will be above 1 or labels are made
 * by tiles. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_load(sfgp_solver *solver, const sfgp_mesh *target);
/* Chooses k, and builds the tiles or the tree over what is in use, solver->target. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_begin(sfgp_solver *solver);
/* Chooses k after the fit of a part, likewise. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_resume(sfgp_solver *solver, const sfgp_solver *part);
/* To a k that the fit has had. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_return(sfgp_solver *solver, int64_t thinning);
/* After a step: halves k when that fits the budget, or when the points rest and more of the target must be
 * seen. */
sfgp_status sfgp_thinning_refine(sfgp_solver *solver);
/* The tree over what is in use, unless there is one. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_tree(sfgp_solver *solver);
/* Whether the target is thinned no more than the fit will end with. */
bool sfgp_thinning_has_ended(const sfgp_solver *solver);
/* Index of a point in use in the caller's target. */
int64_t sfgp_thinning_original(const sfgp_solver *solver, int64_t j);

#endif
