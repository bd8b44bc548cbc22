/* A part of the scan that is a fuzzy layer, as hair, and not the surface of the shape.
 *
 * Its points lie above the surface that they hide, at any height, and are as many as others. So the fit is pulled into the layer, and
 * says that the surface is seen there.
 *
 * After the fit up to 4000 points of the scan, with the 16 nearest others of each, are asked how rough they are: by themselves, and
 * beside the fit (geom/roughness.h). 30 % of them have the usual roughness or less (`fuzzy_usual`), as hair may be half of the points.
 * How rough a point is is the smaller ratio of both kinds, each a median over its neighbourhood: noise that all of the scan has makes
 * nothing rough. Points far from the fit and scattered ones are not asked.
 *
 * Points that are 2.5 times as rough as usual (`fuzzy_edge`), each a neighbour of the next, are a layer if those among them that are
 * five times as rough (`fuzzy_ratio`) are 10 % of the scan or more (`fuzzy_share`). What of the scan is nearest to points of a layer is
 * left out, and the rest is fitted again. ADR 0122. */
#ifndef SFGP_FIT_FUZZY_H
#define SFGP_FIT_FUZZY_H

#include "fit/solver.h"

/* After sfgp_attempt. Leaves fuzzy layers out of solver->scan, warns, and searches again; problem.area is that of what is left.
 * Nothing is left out without the setting fuzzy, and where leave_out.h says so.
 * O(N) and the search. Errors: those of the search. */
sfgp_status sfgp_fuzzy_leave_out(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
