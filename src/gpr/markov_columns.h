/* Columns for what the posterior of a field along the surface leaves open: the largest eigenpairs of P^-1, P = Q + W (markov.h). */
#ifndef SFGP_GPR_MARKOV_COLUMNS_H
#define SFGP_GPR_MARKOV_COLUMNS_H

#include "gpr/markov.h"

/* As many as the field of this term on this mesh has in its eigen form for such a variance that is left, and so many that they leave no more of P^-1, in the
 * mean over the points; `most` at most. The posterior is factorised. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_markov_posterior_columns(sfgp_context *context, const sfgp_mesh *mesh,
                                          const struct sfgp_kernel_term *term, double left, int64_t most,
                                          const sfgp_markov_posterior *posterior, sfgp_factor *columns);

#endif
