/* SQUAREM: extrapolation of a fit that creeps (Varadhan and Roland, Scand. J. Statist. 35, 2008, scheme S3).
 *
 * EM steps x0 -> x1 -> x2 of a creeping fit lie on a line, nearly, and go on along it,
 *
 *     x = x0 + 2 a r + a^2 w,    r = x1 - x0,  w = (x2 - x1) - r,  a = |r| / |w|,
 *
 * x being the points, their coefficients and ln v, |.| over the points. a = 1 is x2 itself. The step after a
 * leap is an EM step from x, so that a fit ends at points that have a posterior. x has the covariance of x2,
 * hence a bound; where that is far below the one of x1 (a tenth of a nat a target point), or nothing is left
 * of the labels, the leap is taken back. A little below is allowed: such leaps pass small maxima, and fits
 * end higher for it (docs/adr/0014-squarem.md). A fit that goes on from that of a part (level.h) creeps from
 * its first step on. */
#ifndef SFGP_FIT_SQUAREM_H
#define SFGP_FIT_SQUAREM_H

#include "fit/solver.h"

/* Room for x0, x1, x2 of a method that searches; SFGP_ERROR_MEMORY. */
sfgp_status sfgp_squarem_new(sfgp_solver *solver);
void sfgp_squarem_clear(sfgp_squarem *squarem);
/* Forgets the steps so far: what comes next starts elsewhere. */
void sfgp_squarem_begin(sfgp_solver *solver);
/* After a step: keeps it, and leaps after the third while the fit creeps. last_noise: v before the step.
 * O(N d). */
void sfgp_squarem_advance(sfgp_solver *solver, double last_noise);
/* After an E-step, solver->evidence being its bound: whether it follows a leap that is to be taken back,
 * which is done; the E-step has to be made again. */
bool sfgp_squarem_retreat(sfgp_solver *solver);

#endif
