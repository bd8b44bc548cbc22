/* Landmarks of a reference and of a target that belong together, as a fit takes them. */
#ifndef SFGP_BATCH_PAIRS_H
#define SFGP_BATCH_PAIRS_H

#include "sfgp/sfgp.h"

/* Reads two files of landmarks and pairs them; those of the target are multiplied by its scale. Errors: those of sfgp_landmarks_read and
 * sfgp_landmarks_pair. Free with sfgp_landmark_pairs_free. */
sfgp_status batch_pairs_read(sfgp_context *context, const char *of_reference, const char *of_target,
                             double target_scale, sfgp_landmark_pairs **pairs);

#endif
