/* Columns for what the posterior of a field along the surface leaves open: the largest eigenpairs of P^-1, P = Q + W (gpr/markov.h). */
#ifndef SFGP_DEFORMATION_FIELD_COLUMNS_H
#define SFGP_DEFORMATION_FIELD_COLUMNS_H

#include "gpr/markov.h"
#include "model/model.h"

/* As many as the prior has in its eigen form, and so many that they leave SFGP_MODEL_SURFACE_LEFT of its variance in the mean over the points; of the posterior of that model, which is factorised.
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_field_columns(sfgp_context *context, const sfgp_model *model,
                               const sfgp_markov_posterior *posterior, sfgp_factor *columns);

#endif
