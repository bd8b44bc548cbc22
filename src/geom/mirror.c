/* Mirror images of targets, and of poses. */
#include "geom/mirror.h"
#include "geom/mesh.h"

void sfgp_mirror_points(int dimension, int64_t count, double *points)
{
    for (int64_t i = 0; i < count; i++)
        points[i * dimension] = -points[i * dimension];
}

sfgp_status sfgp_mirror_target(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                               sfgp_mesh **image)
{
    const int d = target->dimension;
    const sfgp_status status = sfgp_mesh_from_points(context, target->count, d, target->points, image);
    for (int64_t i = 0; status == SFGP_OK && i < target->count; i++)
        (*image)->points[i * d] = 2 * frame->centre[0] - (*image)->points[i * d];
    return status;
}

void sfgp_mirror_pose(sfgp_similarity *pose)
{
    sfgp_mirror_points(1, 1, pose->shift);
    for (int a = 0; a < pose->dimension; a++)
        pose->rotation[a] = -pose->rotation[a];
}
