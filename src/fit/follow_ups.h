/* Follow-ups: what is asked after the first fit of a scan, in this order.
 *
 *     CLUTTER    is what was taken for clutter the rest of the shape?         clutter.h     ADR 0047
 *     WALLS      does a part of the scan lie under another layer of it?       walls.h       ADR 0128
 *     FUZZY      is a part of it a fuzzy layer, as hair?                      fuzzy.h       ADR 0122
 *     ASYMMETRY  do the labels speak against the symmetry of the prior?       asymmetry.h   ADR 0136
 *     ADAPT      is its surface smoother, rougher, thicker or thinner?        adapt.h       ADR 0130, 0134
 *     CLOSURES   is an end of the shape squeezed onto what closes the scan?   closures.h    ADR 0124
 *     SIDES      is the mirror image of the scan better?                      sides.h       ADR 0085
 *     BESIDE     if the fit is doubtful: are there other surfaces beside it?  beside.h      ADR 0101, 0103
 *     SIZE       if it is, or leaves a part: is the shape of another size?    size.h        ADR 0131, 0132
 *
 * Most of them search the scan again. Then the other fit is kept, or the first one comes back (first.h). When each is asked
 * stands in the table of follow_ups.c; what only one of them needs, in its own file. Planes are left out before the first fit (planes.h),
 * and the field along the surface is added after the last follow-up (detail.h). */
#ifndef SFGP_FIT_FOLLOW_UPS_H
#define SFGP_FIT_FOLLOW_UPS_H

#include "fit/solver.h"

typedef enum sfgp_follow_up {
    SFGP_FOLLOW_UP_CLUTTER,
    SFGP_FOLLOW_UP_WALLS,
    SFGP_FOLLOW_UP_FUZZY,
    SFGP_FOLLOW_UP_ASYMMETRY,
    SFGP_FOLLOW_UP_ADAPT,
    SFGP_FOLLOW_UP_CLOSURES,
    SFGP_FOLLOW_UP_SIDES,
    SFGP_FOLLOW_UP_BESIDE,
    SFGP_FOLLOW_UP_SIZE,
    SFGP_FOLLOW_UPS
} sfgp_follow_up;

/* Whether the setting and the conditions of a row are met by the fit. */
bool sfgp_follow_up_applies(sfgp_follow_up row, const sfgp_solver *solver, sfgp_outcome outcome);
/* Asks one, if it applies. Errors: those of a search. */
sfgp_status sfgp_follow_up_ask(sfgp_follow_up row, sfgp_solver *solver, sfgp_outcome *outcome);
/* All of them, after the first fit by a search (one_search.h). */
sfgp_status sfgp_follow_ups_ask(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
