/* The surfaces of a scan that a fit leaves over.
 *
 * Outliers are scattered. Where many of them lie as densely as a surface, the scan shows something that the fit does not explain. With a the
 * spacing of the shape or of the scan, whichever is larger (sfgp_em_spacing), a target point is left over if
 *
 *     sum_i P_ij <= 0.5                                          no point of the fit explains it,
 *     no point of the fit is nearer than far a,
 *     `unreached_count` other such target points are nearer than `unreached_near` a.
 *
 * ADR 0100. */
#ifndef SFGP_SEARCH_LEFT_OVER_H
#define SFGP_SEARCH_LEFT_OVER_H

#include "em/em.h"

typedef struct sfgp_left_over {
    int64_t count;
    int32_t *nearest; /* count: the point of the fit that is nearest to each */
} sfgp_left_over;

/* far: as above, in spacings. By the last E-step. O(M log N) for M target points in use. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_left_over_find(const sfgp_em *em, double far, sfgp_left_over *left);
void sfgp_left_over_clear(sfgp_left_over *left);

#endif
