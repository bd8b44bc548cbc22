/* The frame of a point set and the conversion into it and back; defined in frame.h. */
#include "geom/frame.h"
#include "base/extremes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/principal.h"

#include <math.h>
#include <string.h>

/* RMS radii. Rounding errors of some 1e-16 lead to another multiple for a few coordinates in a million. */
#define STEP 0x1p-32

#define GRAIN 4096 /* points that a thread takes at a time */

static double largest_offset(const sfgp_mesh *mesh, const double *centre)
{
    const int d = mesh->dimension;
    double largest = 0;
    for (int64_t i = 0; i < mesh->count; i++)
        for (int k = 0; k < d; k++)
            largest = sfgp_larger(fabs(mesh->points[i * d + k] - centre[k]), largest);
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
    *frame = sfgp_frame_plain(d);
    centroid(mesh, frame->centre);
    double largest = largest_offset(mesh, frame->centre);
    if (largest == 0)
        return sfgp_fail(context, SFGP_ERROR_DATA, "%s: zero extent: all %lld points lie at one place", role,
                         (long long)mesh->count);
    if (!(largest > 0) || !isfinite(largest))
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "%s: out of range: its coordinates are too large to compute with", role);
    for (int64_t i = 0; i < mesh->count; i++)
        for (int k = 0; k < d; k++) {
            const double x = (mesh->points[i * d + k] - frame->centre[k]) / largest;
            sum += x * x;
        }
    frame->scale = largest * sqrt(sum / (double)mesh->count);
    return SFGP_OK;
}

/* ---- axes -------------------------------------------------------------------------------------------- */

sfgp_frame sfgp_frame_plain(int dimension)
{
    sfgp_frame frame = {.dimension = dimension, .scale = 1};
    for (int a = 0; a < dimension; a++)
        frame.axes[a * (dimension + 1)] = 1;
    return frame;
}

sfgp_frame sfgp_frame_resized(const sfgp_frame *frame, double size)
{
    sfgp_frame resized = *frame;
    resized.scale *= size;
    return resized;
}

/* Third moments would tell the two directions of an axis apart, but are 0 for symmetric shapes. */
static void orient(int64_t count, const double *points, double *axis)
{
    double side = 0;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            side += (double)i / (double)count * points[3 * i + k] * axis[k];
    for (int k = 0; k < 3; k++)
        axis[k] = side < 0 ? -axis[k] : axis[k];
}

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

void sfgp_frame_set_axes(const double *axes, sfgp_frame *frame)
{
    memcpy(frame->axes, axes, sizeof frame->axes);
    frame->step = STEP;
}

sfgp_status sfgp_frame_turn(sfgp_context *context, const sfgp_mesh *mesh, sfgp_frame *frame)
{
    double *points = NULL;
    sfgp_principal principal;
    if (mesh->dimension != 3)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(context, 3 * mesh->count, &points);
    if (status != SFGP_OK)
        return status;
    sfgp_frame_enter(frame, mesh->count, mesh->points, points);
    status = sfgp_principal_of(context, mesh->count, 3, points, &principal);
    if (status == SFGP_OK) {
        orient(mesh->count, points, principal.axes);
        orient(mesh->count, points, principal.axes + 3);
        cross(principal.axes, principal.axes + 3, principal.axes + 6);
        sfgp_frame_set_axes(principal.axes, frame);
    }
    sfgp_free(points);
    return status;
}

/* ---- into the frame and back --------------------------------------------------------------------------- */

/* A x with the strides d, 1 of A, and A' x with 1, d. */
static void turn(const sfgp_frame *frame, int row, int column, const double *x, double *turned)
{
    for (int a = 0; a < frame->dimension; a++) {
        turned[a] = 0;
        for (int b = 0; b < frame->dimension; b++)
            turned[a] += frame->axes[a * row + b * column] * x[b];
    }
}

typedef struct conversion {
    const sfgp_frame *frame;
    double step; /* 0: exactly */
    const double *in;
    double *out; /* may be in */
} conversion;

static void enter_some(const void *data, int64_t first, int64_t end)
{
    const conversion *c = data;
    const sfgp_frame *frame = c->frame;
    const int d = frame->dimension;
    for (int64_t i = first; i < end; i++) {
        double x[3], *out = c->out + i * d;
        for (int k = 0; k < d; k++)
            x[k] = (c->in[i * d + k] - frame->centre[k]) / frame->scale;
        turn(frame, d, 1, x, out);
        for (int k = 0; c->step > 0 && k < d; k++)
            out[k] = nearbyint(out[k] / c->step) * c->step;
    }
}

static void leave_some(const void *data, int64_t first, int64_t end)
{
    const conversion *c = data;
    const sfgp_frame *frame = c->frame;
    const int d = frame->dimension;
    for (int64_t i = first; i < end; i++) {
        double x[3];
        turn(frame, 1, d, c->in + i * d, x);
        for (int k = 0; k < d; k++)
            c->out[i * d + k] = frame->centre[k] + frame->scale * x[k];
    }
}

void sfgp_frame_enter_exactly(const sfgp_frame *frame, int64_t count, const double *in, double *out)
{
    const conversion exactly = {frame, 0, in, out};
    sfgp_parallel_for(count, GRAIN, enter_some, &exactly);
}

void sfgp_frame_enter(const sfgp_frame *frame, int64_t count, const double *in, double *out)
{
    const conversion rounded = {frame, frame->step, in, out};
    sfgp_parallel_for(count, GRAIN, enter_some, &rounded);
}

void sfgp_frame_leave(const sfgp_frame *frame, int64_t count, const double *in, double *out)
{
    const conversion back = {frame, 0, in, out};
    sfgp_parallel_for(count, GRAIN, leave_some, &back);
}

static void turn_columns(const sfgp_frame *frame, int row, int column, int64_t count, int64_t columns,
                         double *values)
{
    const int d = frame->dimension;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < columns; k++) {
            double *const first = values + i * d * columns + k, x[3], turned[3];
            for (int a = 0; a < d; a++)
                x[a] = first[a * columns];
            turn(frame, row, column, x, turned);
            for (int a = 0; a < d; a++)
                first[a * columns] = turned[a];
        }
}

bool sfgp_frame_reaches(const sfgp_frame *frame, const double *point)
{
    bool near = true;
    for (int a = 0; a < frame->dimension; a++)
        near = near && fabs((point[a] - frame->centre[a]) / frame->scale) < SFGP_FRAME_FARTHEST;
    return near;
}

void sfgp_frame_enter_columns(const sfgp_frame *frame, int64_t count, int64_t columns, double *values)
{
    turn_columns(frame, frame->dimension, 1, count, columns, values);
}

void sfgp_frame_leave_columns(const sfgp_frame *frame, int64_t count, int64_t columns, double *values)
{
    turn_columns(frame, 1, frame->dimension, count, columns, values);
}
