/* Mirror images (setting mirror). The mirror image of the reference is fitted to a target as the reference is to the mirror
 * image of the target: with S the reflection of the first coordinate of the file at the centre of the frame, the fit is S T(shape) for the T of that fit. So the model
 * is used as it is, with its training shapes and its order of points. */
#ifndef SFGP_GEOM_MIRROR_H
#define SFGP_GEOM_MIRROR_H

#include "geom/frame.h"
#include "geom/similarity.h"

/* The mirror image of a target's points; free it with sfgp_mesh_free. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_mirror_target(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                               sfgp_mesh **image);
/* S on points of the frame; in place. */
void sfgp_mirror_points(const sfgp_frame *frame, int64_t count, double *points);
/* pose becomes S pose. */
void sfgp_mirror_pose(const sfgp_frame *frame, sfgp_similarity *pose);

#endif
