/* Chooses an adapted reference by short fits of 1400 points (some_points.h), each from the pose of the fit and under its prior.
 *
 * The reference as it is is compared with ones that are smoothed and sharpened over `adapt_smooth`, and with ones that are moved out and in
 * by `adapt_offset`. The best of these is made twice as strong, up to twice, as long as its score grows, and then stronger or weaker by the root of 2.
 * Then as much of the other kind as at first is added, if that gains `adapt_margin` nats more. ADR 0130, 0134. */
#ifndef SFGP_FIT_ADAPT_CHOOSE_H
#define SFGP_FIT_ADAPT_CHOOSE_H

#include "fit/solver.h"

/* After a fit, with solver->shape. *best: what gains more than `adapt_margin` nats over the reference as it is; else 0. moves
 * (shape.surface.count x 3): those of *best, if there is one. Some eight short fits. SFGP_ERROR_MEMORY; SFGP_ERROR_NUMERIC of the flow;
 * SFGP_CANCELLED. */
sfgp_status sfgp_adapt_choose(const sfgp_solver *solver, sfgp_adaptation *best, double *moves);

#endif
