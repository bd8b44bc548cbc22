/* Training shapes: what a prior learns from registered shapes. */
#ifndef SFGP_MODEL_TRAINING_H
#define SFGP_MODEL_TRAINING_H

#include "model/model.h"

/* Warns of shapes with the same points. SFGP_ERROR_DATA: a single shape, or one whose points do not match the reference or are not finite. */
sfgp_status sfgp_training_check(sfgp_context *context, const sfgp_mesh *reference,
                                const sfgp_mesh *const *training, int64_t training_count);
/* Aligns copies of the shapes (setting align_training) and sets PCA and mean of the placed model. Warns of
 * poses that are left in the shapes. Nothing without shapes. O(count^2 N d). Errors: SFGP_ERROR_PARAMETER, _DATA, _MEMORY, _NUMERIC. */
sfgp_status sfgp_training_learn(sfgp_context *context, const sfgp_mesh *const *training,
                                int64_t training_count, const char *alignment, sfgp_model *model);

#endif
