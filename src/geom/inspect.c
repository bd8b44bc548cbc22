/* Checks a point set before it is used. The messages say what is wrong and what to do. */
#include "geom/inspect.h"
#include "base/extremes.h"
#include "geom/copies.h"
#include "geom/measure.h"
#include "geom/pieces.h"
#include "geom/strays.h"

#include <float.h>
#include <math.h>

#define FLAT 1e-9      /* below this share of the total variance the points are flat in a direction */
#define OUTLIER 1000.0 /* distance of a point from the middle, in extents, that causes a warning */
#define MOST 1e30      /* and that is refused: with 1e60 the squares of a fit overflow */
#define OBJECT 0.1     /* least share of the points that is an object */
#define INFLATED 1.25 /* ratio of the radius of all pieces to that of the largest one that causes a warning */
#define DIGITS 1e-6   /* largest rounding of the coordinates, relative to the size */

/* Second moments of the points about their centroid, divided by their trace. */
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

/* Collinear when the second eigenvalue of the moments is 0, coplanar when the third one is. The trace is 1. */
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

/* The point that is farthest from the middle. */
typedef struct farthest {
    int64_t where;
    double distance; /* the largest along an axis */
    double extent;   /* most points are within */
} farthest;

static farthest find_farthest(const sfgp_mesh *mesh)
{
    const int d = mesh->dimension;
    double middle[3];
    farthest far = {.extent = sfgp_points_extent(mesh->count, d, mesh->points, middle)};
    for (int64_t i = 0; i < mesh->count; i++) {
        double distance = 0;
        for (int a = 0; a < d; a++)
            distance = sfgp_larger(fabs(mesh->points[i * d + a] - middle[a]), distance);
        if (distance > far.distance)
            far.distance = distance, far.where = i;
    }
    return far;
}

/* Warns of a point that is far outside. Returns whether there is one. */
static bool warn_outlier(sfgp_context *context, const char *role, const sfgp_mesh *mesh)
{
    const farthest far = find_farthest(mesh);
    if (!(far.extent > 0 && far.distance > OUTLIER * far.extent))
        return false;
    sfgp_warn(context, "%s: point %lld is an outlier: %.3g from the middle, most points are within %.3g",
              role, (long long)far.where, far.distance, far.extent);
    return true;
}

static sfgp_status check_range(sfgp_context *context, const char *role, const sfgp_mesh *mesh)
{
    const farthest far = find_farthest(mesh);
    if (!(far.extent > 0 && far.distance > MOST * far.extent))
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_DATA,
                     "%s: point %lld is %.3g from the middle, most points are within %.3g; remove it", role,
                     (long long)far.where, far.distance, far.extent);
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

static sfgp_status check(sfgp_context *context, const char *role, const sfgp_mesh *mesh)
{
    if (mesh->count < mesh->dimension + 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "%s: %lld points; at least %d are needed in %dD", role,
                         (long long)mesh->count, mesh->dimension + 1, mesh->dimension);
    const sfgp_status status = sfgp_mesh_check_finite(context, role, mesh);
    return status == SFGP_OK ? check_range(context, role, mesh) : status;
}

static sfgp_status inspect(sfgp_context *context, const char *role, const sfgp_mesh *mesh, sfgp_frame *frame)
{
    const sfgp_status status = sfgp_frame_of(context, role, mesh, frame);
    if (status != SFGP_OK)
        return status;
    if (!warn_outlier(context, role, mesh)) /* compared with such a distance, all other points coincide */
        warn_flat(context, role, mesh, frame);
    warn_digits(context, role, frame);
    return SFGP_OK;
}

sfgp_status sfgp_inspect_points(sfgp_context *context, const char *role, const sfgp_mesh *mesh,
                                sfgp_frame *frame)
{
    const sfgp_status status = check(context, role, mesh);
    return status == SFGP_OK ? inspect(context, role, mesh, frame) : status;
}

/* ---- the reference ------------------------------------------------------------------------------------ */

static void warn_strays(sfgp_context *context, const sfgp_strays *strays)
{
    if (strays->loose > 0)
        sfgp_warn(context,
                  "reference: points in no face: %lld; they do not count for its centre and radius; remove "
                  "them if they do not belong to the shape",
                  (long long)strays->loose);
    if (strays->far > 0)
        sfgp_warn(
            context,
            "reference: points far from the others: %lld, up to %.4g from the middle, the first is "
            "point %lld; they do not count for its centre and radius; remove stray points and objects that "
            "the target does not show",
            (long long)strays->far, strays->distance, (long long)strays->first);
}

/* Several objects side by side have a radius that none of them has; a small one may lie apart without changing it.
 * Triangles without common corners are no objects. */
static sfgp_status warn_pieces(sfgp_context *context, const sfgp_mesh *mesh)
{
    sfgp_pieces pieces;
    const sfgp_status status = sfgp_pieces_find(context, mesh, &pieces);
    const bool objects = (double)pieces.largest > OBJECT * (double)mesh->count;
    if (status == SFGP_OK && objects && pieces.radius > INFLATED * pieces.largest_radius)
        sfgp_warn(
            context,
            "reference: %lld pieces that no face connects; the largest has %lld of the points and an RMS "
            "radius of %.4g, all together %.4g; if the target does not show all of them, keep only what it shows",
            (long long)pieces.count, (long long)pieces.largest, pieces.largest_radius, pieces.radius);
    else if (status == SFGP_OK && objects && pieces.apart > 0)
        sfgp_warn(
            context,
            "reference: %lld pieces that no face connects; %lld of the points lie apart from the largest "
            "one; keep only what the target shows",
            (long long)pieces.count, (long long)pieces.apart);
    return status;
}

/* Triangles that do not share their corners are no surface: nothing holds the copies of a corner together. */
static sfgp_status warn_copies(sfgp_context *context, const sfgp_mesh *mesh)
{
    sfgp_copies copies;
    const sfgp_status status = sfgp_copies_find(context, mesh, &copies);
    if (status == SFGP_OK && copies.rest)
        sfgp_warn(
            context,
            "reference: %lld of its points lie where another one does, as in a mesh of separate triangles or "
            "with texture seams; the fit may tear it there; join them (merge close vertices, or save it as STL, which joins them)",
            (long long)(mesh->count - copies.rest->count));
    sfgp_copies_clear(&copies);
    return status;
}

sfgp_status sfgp_inspect_reference(sfgp_context *context, const sfgp_mesh *mesh, sfgp_frame *frame)
{
    sfgp_strays strays = {0};
    sfgp_status status = check(context, "reference", mesh);
    if (status == SFGP_OK)
        status = sfgp_mesh_check_faces(context, mesh);
    if (status == SFGP_OK)
        status = sfgp_strays_find(context, mesh, &strays);
    if (status == SFGP_OK)
        status = inspect(context, "reference", strays.rest ? strays.rest : mesh, frame);
    if (status == SFGP_OK)
        warn_strays(context, &strays);
    if (status == SFGP_OK && strays.far == 0)
        status = warn_pieces(context, mesh);
    if (status == SFGP_OK && mesh->face_count > 0)
        status = warn_copies(context, mesh);
    sfgp_strays_clear(&strays);
    return status;
}
