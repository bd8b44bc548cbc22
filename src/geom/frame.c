/* The frame of a point set and the conversion into it and back; defined in frame.h. */
#include "geom/frame.h"

#include <math.h>

static double largest_offset(const sfgp_mesh *mesh, const double *centre)
{
    double largest = 0;
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        largest = fmax(largest, fabs(mesh->points[k] - centre[k % mesh->dimension]));
    return largest;
}

/* The mean relative to the first point, so that no digits are lost for a far origin or a huge unit. */
static void centroid(const sfgp_mesh *mesh, double *centre)
{
    const int d = mesh->dimension;
    for (int k = 0; k < d; k++) {
        double sum = 0, base = mesh->points[k];
        for (int64_t i = 0; i < mesh->count; i++)
            sum += (mesh->points[i * d + k] - base) / (double)mesh->count;
        centre[k] = base + sum;
    }
}

sfgp_status sfgp_frame_of(sfgp_context *context, const char *role, const sfgp_mesh *mesh, sfgp_frame *frame)
{
    const int d = mesh->dimension;
    double sum = 0;
    *frame = (sfgp_frame){.dimension = d, .scale = 1};
    centroid(mesh, frame->centre);
    double largest = largest_offset(mesh, frame->centre);
    if (!(largest > 0) || !isfinite(largest))
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "%s: zero extent or out of range: all %lld points lie within %g of %g", role,
                         (long long)mesh->count, largest, frame->centre[0]);
    for (int64_t k = 0; k < mesh->count * d; k++) {
        double x = (mesh->points[k] - frame->centre[k % d]) / largest;
        sum += x * x;
    }
    frame->scale = largest * sqrt(sum / (double)mesh->count);
    return SFGP_OK;
}

void sfgp_frame_enter(const sfgp_frame *frame, int64_t count, const double *in, double *out)
{
    for (int64_t k = 0; k < count * frame->dimension; k++)
        out[k] = (in[k] - frame->centre[k % frame->dimension]) / frame->scale;
}

void sfgp_frame_leave(const sfgp_frame *frame, int64_t count, const double *in, double *out)
{
    for (int64_t k = 0; k < count * frame->dimension; k++)
        out[k] = frame->centre[k % frame->dimension] + frame->scale * in[k];
}
