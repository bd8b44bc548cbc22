/* The standard prior: that of a model without training shapes whose kernel nobody named. The default is fitted under it, and under the same with
 * other variances; where the reference is symmetric, it is as well (lowrank/rescale.h). */
#ifndef SFGP_MODEL_STANDARD_H
#define SFGP_MODEL_STANDARD_H

#include "lowrank/rescale.h"
#include "model/model.h"

/* The kernel that "auto" means, with training shapes or without. */
const char *sfgp_model_kernel_for(int dimension, bool trained);
/* Whether the prior is the one that is used without training shapes when none is named, and its factor can be rescaled: it has
 * pivots, all above rounding errors. */
bool sfgp_model_is_standard(const sfgp_model *model);
/* Whether fits ask for a plane of symmetry: of a surface with the standard prior. */
bool sfgp_model_asks_symmetry(const sfgp_model *model);
/* Sets `across` of a model that is complete but for that. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_model_find_symmetry(sfgp_context *context, sfgp_model *model);
/* The kernel of the model with the variance of its first term times affine and those of the others times smooth: a stiffer prior
 * for factors below 1. */
sfgp_kernel sfgp_model_rescaled_kernel(const sfgp_model *model, double affine, double smooth);
/* Covariance of the coefficients (m_s x m_s) under that kernel and with this reflection (lowrank/rescale.h), of a standard model. O(m_s^3).
 * SFGP_ERROR_MEMORY. sfgp_free. */
sfgp_status sfgp_model_rescale(sfgp_context *context, const sfgp_model *model, double affine, double smooth,
                               const sfgp_reflection *reflection, double **c);

#endif
