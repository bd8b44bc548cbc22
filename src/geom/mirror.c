/* Mirror images of targets, and of poses. */
#include "geom/mirror.h"

/* x - 2 (a'x) a for the first axis a of the file, seen from the frame. The coordinates of x lie `stride` apart. */
static void reflect(const sfgp_frame *frame, int stride, double *x)
{
    const int d = frame->dimension;
    double along = 0;
    for (int k = 0; k < d; k++)
        along += frame->axes[k * d] * x[k * stride];
    for (int k = 0; k < d; k++)
        x[k * stride] -= 2 * along * frame->axes[k * d];
}

void sfgp_mirror_points(const sfgp_frame *frame, int64_t count, double *points)
{
    for (int64_t i = 0; i < count; i++)
        reflect(frame, 1, points + i * frame->dimension);
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

void sfgp_mirror_pose(const sfgp_frame *frame, sfgp_similarity *pose)
{
    reflect(frame, 1, pose->shift);
    for (int column = 0; column < pose->dimension; column++)
        reflect(frame, pose->dimension, pose->rotation + column);
}
