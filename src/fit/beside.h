/* A second search of a doubtful scan: what the shape does not explain may be other surfaces beside it.
 *
 * A scan may show some of what lies around the shape: the cheek beside an ear, more of the arm than the reference has. Where this
 * is less than half of the scan, the areas do not tell it (ADR 0035). Uniform outliers explain a surface badly. So the shape
 * is stretched over all of it, and the fit is doubtful. Then the scan is searched again with outliers as dense as its own surface. That fit
 * is taken if nothing else speaks against it, and the first one is stretched in comparison with it (search/stretch.h). Otherwise the first
 * one stays, with its bits (first.h).
 *
 * Outliers as dense as a surface explain also what a shape that bends should reach. But such a shape is not stretched. The fit that is taken is
 * doubtful (SFGP_DOUBT_BESIDE) only if it expects a large error, or what it leaves lies over the inside of the shape (search/inside.h): the
 * fit may have missed a part of its own shape. ADR 0101, 0103, 0125. */
#ifndef SFGP_FIT_BESIDE_H
#define SFGP_FIT_BESIDE_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h), after sfgp_sides_check. Does nothing to a fit without doubts, and to one whose mirror image is better. Costs a search, of a
 * dense shape up to two. Errors: those of the search. */
sfgp_status sfgp_beside_try(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
