/* From the frame of a fit to the coordinates of the files: its pose, and the similarity of a shape of another size. */
#include "outcome/result_pose.h"

#include <string.h>

static void set_identity(double matrix[16])
{
    for (int k = 0; k < 16; k++)
        matrix[k] = k % 5 == 0;
}

/* A' R A: a rotation of the frame in the coordinates of the file. Columns leave the frame, then rows. */
static void turn_pose(const sfgp_frame *frame, const double *rotation, double *turned)
{
    const int d = frame->dimension;
    memcpy(turned, rotation, (size_t)(d * d) * sizeof *turned);
    sfgp_frame_leave_columns(frame, 1, d, turned);
    sfgp_frame_leave_columns(frame, d, 1, turned);
}

void sfgp_result_set_pose(const sfgp_frame *frame, const sfgp_similarity *pose, sfgp_result *result)
{
    double *matrix = result->pose;
    const int d = frame->dimension;
    double rotation[9], shift[3];
    set_identity(matrix);
    sfgp_frame_leave(frame, 1, pose->shift, shift);
    turn_pose(frame, pose->rotation, rotation);
    for (int a = 0; a < d; a++) {
        matrix[4 * a + 3] = shift[a];
        for (int b = 0; b < d; b++) {
            matrix[4 * a + b] = rotation[a * d + b];
            matrix[4 * a + 3] -= rotation[a * d + b] * frame->centre[b];
        }
    }
}

void sfgp_result_set_similarity(const sfgp_frame *frame, sfgp_result *result)
{
    const int d = result->dimension;
    memcpy(result->similarity, result->pose, sizeof result->pose);
    for (int a = 0; a < d && result->size != 1; a++)
        for (int b = 0; b < d; b++) {
            result->similarity[4 * a + b] *= result->size;
            result->similarity[4 * a + 3] += (1 - result->size) * result->pose[4 * a + b] * frame->centre[b];
        }
}

void sfgp_result_set_in_place(sfgp_result *result)
{
    set_identity(result->pose);
    set_identity(result->similarity);
}
