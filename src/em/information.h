/* The posterior variance by the observed information (gpr/information.h), instead of that of the M-step,
 * which treats its labels as known. The labels of a scan do not err independently: neighbours sample one
 * surface, and err together. So the information is that of labels with the variance `temper` sigma2. In a fit that has not settled
 * sigma2 is still large, and its labels are taken as they are. ADR 0013. The variance between two fits of a curve (em->between) is added. */
#ifndef SFGP_EM_INFORMATION_H
#define SFGP_EM_INFORMATION_H

#include "em/em.h"

/* After the last step of a cold fit: sets the variance of the state. Two E-steps, the second at the points
 * and sigma2 as they are, and one sfgp_information_variance. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_em_information_variance(sfgp_em *em, double temper);

#endif
