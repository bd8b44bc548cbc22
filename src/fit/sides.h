/* Sides: is the scan of the other side of the body? The mirror image of the target is searched for in the reference
 * (search/poses.h, or search/halving.h where that does not apply), and some points of the reference are fitted to it at the poses that are found.
 * The scores are compared with those of such fits to the target itself at the pose of the fit. The image has to be better under both priors.
 * The stiff prior cannot bend a shape as far as the other side of the body asks. The prior as it is can bend a shape that is nearly its own
 * mirror image to both (ADR 0085). */
#ifndef SFGP_FIT_SIDES_H
#define SFGP_FIT_SIDES_H

#include "fit/solver.h"

#define SFGP_SIDES_MOST 1e6 /* nats: the largest gain; it is also that where the target has no score */

/* Whether a fit has no overlap, or its labels scatter, or it misses or leaves much. After it has classified its missing points. */
bool sfgp_sides_is_poor(sfgp_em *em, sfgp_outcome outcome);
/* Sets em->facts.mirror_gain, and warns when the mirror image of the target is better by more than `mirror_margin`. A gain that is no more than
 * that is the one under the stiff prior, where this says so: under the prior as it is nothing is fitted then. A follow-up (follow_ups.h), and asked of the other fits of beside.h and size.h;
 * leaves the fit as it is. Where the search for poses does not apply, only poor fits are compared; with landmarks
 * none. Costs a search for poses and some two fits of 1400 points and 30 iterations under each prior that is asked. SFGP_ERROR_MEMORY;
 * SFGP_CANCELLED. */
sfgp_status sfgp_sides_check(const sfgp_solver *solver, sfgp_outcome outcome);

/* The warning that the image is better by gain nats. The number stands in it only if it is one. */
void sfgp_sides_warn(sfgp_context *context, bool mirror, double gain);

#endif
