/* The rim of the scan: how much the labels of a point tell of where it lies along the surface.
 *
 * Where the scan ends, points of the reference beyond its rim have labels as well, all of them on the side of the scan. These
 * labels tell how high the surface is there. But along the surface they pull the points inwards, so that a bone that is cut off is
 * shortened. With the mass nu_k and the area a_k of the points k around point i of the prior mean r (neighbourhoods of em/mixing.h),
 *
 *     o_i = |sum nu_k r_k / sum nu_k - c_i|,   c_i = sum a_k r_k / sum a_k,   s_i^2 = sum a_k |r_k - c_i|^2 / sum a_k,
 *     pull_i = 1 / (1 + (o_i / (limit s_i))^8).
 *
 * Inside the scan o is nearly 0. At a straight rim it is 0.6 s: half of a disc of radius R has its centre at
 * 4 R / (3 pi), and s = R / sqrt(2).
 * ADR 0123. */
#ifndef SFGP_EM_RIM_H
#define SFGP_EM_RIM_H

#include "em/em.h"

typedef struct sfgp_rim {
    const sfgp_em *em;
    double limit;
    sfgp_neighbours around; /* of each point */
    double *centre;         /* N x d: c */
    double *spread;         /* N: s */
    double *pull;           /* N: 1, or less beyond the rim */
} sfgp_rim;

/* near: the nearest points of each point, which give its area, the mean square distance from them. pull is 1. limit 0: there is no rim,
 * and no room is needed. O(N size of a neighbourhood). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_rim_new(const sfgp_em *em, const sfgp_neighbours *near, double limit, sfgp_rim *rim);
void sfgp_rim_clear(sfgp_rim *rim);
/* By the masses of the last E-step. The same cost. */
void sfgp_rim_find(sfgp_rim *rim);
/* pull_i */
static inline double sfgp_rim_pull(const sfgp_rim *rim, int64_t i)
{
    return rim->pull ? rim->pull[i] : 1;
}

#endif
