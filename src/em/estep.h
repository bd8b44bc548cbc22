/* E-step of a fit: the responsibilities of the target points in use, at the points, variances and sigma2 of
 * the state (correspond/correspond.h has the equations). */
#ifndef SFGP_EM_ESTEP_H
#define SFGP_EM_ESTEP_H

#include "em/em.h"

/* By tiles where they are exact enough, else with P. Also sets the bound of the state, unless no point has a
 * label. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_estep(sfgp_em *em);
/* With P, for readers of its entries. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_estep_whole(sfgp_em *em);

#endif
