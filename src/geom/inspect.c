#include "geom/inspect.h"

#include <float.h>
#include <math.h>

#define FLAT 1e-9        /* share of the spread below which a direction counts as none */
#define STRAY 1000.0     /* times the typical distance */
#define DIGITS 1e-6      /* of the size, what rounding of the coordinates may cost */
#define UNIT_RATIO 100.0 /* of the extents */

/* Unit-scaled second moments of the points about their centroid. */
static void second_moments(const sfgp_mesh *mesh, const sfgp_frame *frame, double m[3][3])
{
    const int d = mesh->dimension;
    for (int64_t i = 0; i < mesh->count; i++) {
        double x[3] = {0, 0, 0};
        sfgp_frame_enter(frame, 1, mesh->points + i * d, x);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                m[a][b] += x[a] * x[b] / (double)mesh->count;
    }
}

/* Area and volume of the moment ellipsoid vanish with the second and third eigenvalue; the trace is 1. */
static void warn_flat(sfgp_context *context, const char *role, const sfgp_mesh *mesh, const sfgp_frame *frame)
{
    double m[3][3] = {{0}};
    second_moments(mesh, frame, m);
    double minors = m[0][0] * m[1][1] - m[0][1] * m[1][0] + m[0][0] * m[2][2] - m[0][2] * m[2][0] +
                    m[1][1] * m[2][2] - m[1][2] * m[2][1];
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (minors < FLAT)
        sfgp_warn(context, "%s: all points lie on one line", role);
    else if (mesh->dimension == 3 && determinant < FLAT * minors)
        sfgp_warn(context, "%s: all points lie in one plane; two columns of text would make it 2D", role);
}

/* Longest step from point to point against the mean of the others: one stray point makes two long steps. */
static void warn_stray(sfgp_context *context, const char *role, const sfgp_mesh *mesh)
{
    const int d = mesh->dimension;
    double sum = 0, largest = 0, step;
    int64_t where = 0;
    for (int64_t i = 1; i < mesh->count; i++) {
        step = 0;
        for (int k = 0; k < d; k++)
            step = hypot(step, mesh->points[i * d + k] - mesh->points[(i - 1) * d + k]);
        sum += step;
        if (step > largest)
            largest = step, where = i;
    }
    double others = (sum - 2 * largest) / (double)(mesh->count > 3 ? mesh->count - 3 : 1);
    if (mesh->count > 8 && others > 0 && largest > STRAY * others)
        sfgp_warn(context, "%s: a stray point near index %lld lies %.3g away; the rest is %.3g apart", role,
                  (long long)where, largest, others);
}

static void warn_digits(sfgp_context *context, const char *role, const sfgp_frame *frame)
{
    double offset = 0;
    for (int k = 0; k < frame->dimension; k++)
        offset = fmax(offset, fabs(frame->centre[k]));
    if (offset * DBL_EPSILON > DIGITS * frame->scale)
        sfgp_warn(context,
                  "%s: coordinates near %.3g leave only %.1g of the size %.3g; move it to the origin", role,
                  offset, offset * DBL_EPSILON / frame->scale, frame->scale);
}

sfgp_status sfgp_inspect_points(sfgp_context *context, const char *role, const sfgp_mesh *mesh,
                                sfgp_frame *frame)
{
    sfgp_status status = SFGP_OK;
    if (mesh->count < mesh->dimension + 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "%s: %lld points; at least %d are needed in %dD", role,
                         (long long)mesh->count, mesh->dimension + 1, mesh->dimension);
    if ((status = sfgp_mesh_check_finite(context, role, mesh)) != SFGP_OK ||
        (status = sfgp_frame_of(context, role, mesh, frame)) != SFGP_OK)
        return status;
    warn_flat(context, role, mesh, frame);
    warn_stray(context, role, mesh);
    warn_digits(context, role, frame);
    return SFGP_OK;
}

void sfgp_inspect_extents(sfgp_context *context, const sfgp_frame *reference, const sfgp_frame *target)
{
    double ratio = fmax(reference->scale / target->scale, target->scale / reference->scale);
    if (ratio >= UNIT_RATIO)
        sfgp_warn(context, "target: extent ratio %.0f to the reference; are the units the same (mm, m)?",
                  ratio);
}
