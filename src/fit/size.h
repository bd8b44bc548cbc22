/* A hint at another size of the shape in a scan.
 *
 * The rigid search and the prior know the size of the reference. A shape that is a third smaller or larger is mostly found, but not always at
 * another turn, and not a long bone. Such fits are doubtful, leave a part of the scan unreached, or take most of it for other things. Then the
 * rigid search is asked at some sizes (search/poses.h). If the shape lies much better in the scan at another one, a warning names it. The fit stays as
 * it is. ADR 0131. */
#ifndef SFGP_FIT_SIZE_H
#define SFGP_FIT_SIZE_H

#include "fit/solver.h"

/* At the end of a fit by a search; it changes nothing of the fit. Not asked with landmarks, with training shapes, with --effort quick, and
 * where the mirror image is better. Costs up to nine searches for a pose. SFGP_ERROR_MEMORY; SFGP_CANCELLED. */
sfgp_status sfgp_size_hint(const sfgp_solver *solver, sfgp_outcome outcome);

#endif
