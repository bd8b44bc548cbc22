/* Inner walls: the inner side of what a scan shows, as computed tomography shows both sides of a bone.
 *
 * The reference has the outer side. The labels of its points come from both, so that the fit lies between them, and is doubtful.
 *
 * After the fit up to 6000 points of the scan are asked, each with the outward normal of the nearest point of the fit
 * (geom/outward.h), whether another layer of the scan lies over them, 0.05 to 0.48 radii away (`walls_least`, `walls_most`;
 * geom/covered.h). If 15 % of them are covered (`walls_share`), these are left out with what of the scan is nearest to them, and
 * the rest is fitted again; once more if 5 % of what is left are covered (`walls_again`).
 *
 * A reference that has both sides has its own points there, whose normals point the other way, so that nothing is covered. ADR
 * 0128. */
#ifndef SFGP_FIT_WALLS_H
#define SFGP_FIT_WALLS_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Leaves inner walls out of solver->scan, warns, and searches again; problem.area is that of what is left.
 * Nothing is left out where the outside of the reference is not known, as without faces. O(N) and the searches. Errors: those of the search. */
sfgp_status sfgp_walls_leave_out(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
