/* The pose of a result, in the coordinates of the files. */
#ifndef SFGP_OUTCOME_RESULT_POSE_H
#define SFGP_OUTCOME_RESULT_POSE_H

#include "geom/frame.h"
#include "geom/similarity.h"

/* The reference has not moved: pose and similarity are the identity. */
void sfgp_result_set_in_place(sfgp_result *result);
/* result->pose: x -> R (x - centre) + centre + scale t, for a pose of the frame, turned. In 2D the third axis stays. */
void sfgp_result_set_pose(const sfgp_frame *frame, const sfgp_similarity *pose, sfgp_result *result);
/* result->similarity: the same of a shape that was made result->size times as large about the centre. */
void sfgp_result_set_similarity(const sfgp_frame *frame, sfgp_result *result);

#endif
