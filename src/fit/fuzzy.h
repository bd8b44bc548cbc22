/* A part of the scan that is a fuzzy layer, as hair, and not the surface of the shape.
 *
 * Its points lie above the surface that they hide, at any height, and are as many as others. So the fit is pulled into the layer, and
 * says that the surface is seen there.
 *
 * After the fit the roughness of up to 4000 points of the scan is measured, each with its 16 nearest others, in two ways: by themselves, and
 * beside the fit (geom/roughness.h). The usual roughness is the quantile 0.3 of these points (`fuzzy_usual`), as hair may be half of them. With
 * the medians a and b of the two kinds over the neighbourhood of a point,
 *
 *     rough = min(a / usual a, b / usual b).
 *
 * Noise that all of the scan has makes nothing rough. Points that are scattered or far from the fit do not count.
 *
 * Points with rough > 2.5 (`fuzzy_edge`), each a neighbour of the next, are a layer if those among them with
 * rough > 5 (`fuzzy_ratio`) are 10 % of the scan or more (`fuzzy_share`). What of the scan is nearest to points of a layer is
 * left out, and the rest is fitted again. ADR 0122. */
#ifndef SFGP_FIT_FUZZY_H
#define SFGP_FIT_FUZZY_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Leaves fuzzy layers out of solver->scan, warns, and searches again; problem.area is that of what is left.
 * O(N) and the search. Errors: those of the search. */
sfgp_status sfgp_fuzzy_leave_out(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
