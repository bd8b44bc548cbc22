/* Poses of a shape that has the proportions of a fit.
 *
 * The rigid search (poses.h) lays the reference as it is on the scan. A subject that is longer or thicker than the reference may then lie better
 * at a wrong turn, for example about the axis of a leg. A fit finds the proportions at a wrong turn as well. With x and y the points of the
 * reference and of the fit,
 *
 *     min over A, b of sum_i |y_i - A x_i - b|^2,   A = R S, R a rotation and S symmetric,
 *
 * the search is made again with the points S x_i, unless the proportions are nearly the same: |S - s I| / s, in the Frobenius norm and with
 * s = trace(S) / 3, is at most `proportions_least`. ADR 0138. */
#ifndef SFGP_SEARCH_PROPORTIONS_H
#define SFGP_SEARCH_PROPORTIONS_H

#include "em/em.h"
#include "search/shortlist.h"

/* The poses that are found and turn otherwise than the fit, best first; none if the best one turns as the fit does. Overwrites em->deltas.
 * Cost and errors of sfgp_poses_find, if there is such a search. */
sfgp_status sfgp_proportions_find(sfgp_em *em, sfgp_shortlist *list);

#endif
