/* Sides: is a poor fit that of the other side of a body? The search begins again on its small subsets (search/halving.h), with
 * the target and with its mirror image, and the scores of both are compared (ADR 0029). */
#ifndef SFGP_FIT_SIDES_H
#define SFGP_FIT_SIDES_H

#include "fit/solver.h"

/* Share of the target's points that the fit explains. */
double sfgp_sides_explained(const sfgp_em *em);
/* Whether a fit has no overlap, or its labels scatter, or it misses or leaves much. After it has classified its missing points. */
bool sfgp_sides_is_poor(sfgp_em *em, sfgp_outcome outcome);
/* Warns when the fit is poor and the mirror image of the target explains more. After a fit that
 * learns has classified its missing points; leaves it as it is. Costs as much as another search for a start; nothing where the fit is good,
 * and with landmarks. Errors: those of halving. */
sfgp_status sfgp_sides_check(const sfgp_solver *solver, sfgp_outcome outcome);

#endif
