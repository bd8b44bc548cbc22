/* Whether the squeezed part of a fit has the normals of the scan. */
#ifndef SFGP_OUTCOME_SQUEEZED_NORMALS_H
#define SFGP_OUTCOME_SQUEEZED_NORMALS_H

#include "outcome/squeezed.h"

/* The mean of |n_i'm_i| over the part (squeezed.h): n_i of the fit, m_i of the nearest point of the scan, where that is within 3 spacings. 1 where
 * there is no such pair, or where the scan has fewer than 12 points. O(cells + points of the scan). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_squeezed_compare_normals(const sfgp_em *em, const sfgp_squeezed *squeezed, double *same);

#endif
