/* Reads pairs of landmarks. */
#include "batch/pairs.h"

#include <stdio.h>

sfgp_status batch_pairs_read(sfgp_context *context, const char *of_reference, const char *of_target,
                             double target_scale, char error[BATCH_ERROR], sfgp_landmark_pairs **pairs)
{
    sfgp_landmarks *first = NULL, *second = NULL;
    sfgp_status status = sfgp_landmarks_read(context, of_reference, &first);
    if (status == SFGP_OK)
        status = sfgp_landmarks_read(context, of_target, &second);
    if (status == SFGP_OK && (status = sfgp_landmarks_pair(context, first, second, pairs)) != SFGP_OK)
        snprintf(error, BATCH_ERROR, "%s and %s: %s", of_reference, of_target, sfgp_context_error(context));
    for (int64_t k = 0; status == SFGP_OK && k < (*pairs)->count * (*pairs)->dimension; k++)
        (*pairs)->second[k] *= target_scale;
    sfgp_landmarks_free(first);
    sfgp_landmarks_free(second);
    return status;
}
