/* Landmarks of a reference and of a target that belong together, as a fit takes them. */
#ifndef SFGP_BATCH_PAIRS_H
#define SFGP_BATCH_PAIRS_H

#include "batch/batch.h"

/* Reads two files of landmarks and pairs them; those of the target are multiplied by its scale. Free with sfgp_landmark_pairs_free. Errors:
 * those of sfgp_landmarks_read, and of sfgp_landmarks_pair. Of the latter `error` has the text, with the names of both files; it is not
 * written otherwise. */
sfgp_status batch_pairs_read(sfgp_context *context, const char *of_reference, const char *of_target,
                             double target_scale, char error[BATCH_ERROR], sfgp_landmark_pairs **pairs);

#endif
