/* Elements of points without faces: triangles or segments around each of them. The sources stand in elements.h. */
#include "base/memory.h"
#include "base/random.h"
#include "geom/elements.h"
#include "geom/measure.h"
#include "geom/normals.h"

#include <math.h>

enum { SURFACE_SIZE = 24, CURVE_SIZE = 9 }; /* points of a neighbourhood, the point itself included */

/* Of the spacing: it decides between triangulations that are equally good, as of a grid, for all points in the same way. */
#define JITTER 1e-4

/* Largest radius of the circle of a triangle, of that of the neighbourhood. Of points at random 2 in 1000 triangles are
 * larger. */
#define LARGEST_CIRCLE 0.6

typedef struct cloud {
    const double *points;
    double *moved;   /* N x d: with the jitter */
    double *normals; /* N x d */
    sfgp_neighbours neighbours;
} cloud;

static sfgp_status cloud_new(sfgp_context *context, const sfgp_mesh *mesh, cloud *c)
{
    const int64_t size = mesh->count * mesh->dimension;
    const double jitter = JITTER * sfgp_points_spacing(mesh->count, mesh->dimension, mesh->points);
    sfgp_random random = sfgp_random_of(1);
    *c = (cloud){.points = mesh->points};
    sfgp_status status = sfgp_allocate(context, size, &c->moved);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, size, &c->normals);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, mesh->count, mesh->dimension, mesh->points,
                                     mesh->dimension == 3 ? SURFACE_SIZE : CURVE_SIZE, &c->neighbours);
    if (status == SFGP_OK)
        sfgp_normals_estimate(&c->neighbours, mesh->points, c->normals);
    for (int64_t k = 0; status == SFGP_OK && k < size; k++)
        c->moved[k] = mesh->points[k] + jitter * (sfgp_random_uniform(&random) - 0.5);
    return status;
}

static void cloud_clear(cloud *c)
{
    sfgp_free(c->moved);
    sfgp_free(c->normals);
    sfgp_neighbours_clear(&c->neighbours);
}

/* ---- surfaces ---------------------------------------------------------------------------------------- */

/* Two unit vectors across the normal. */
static void find_tangents(const double normal[3], double u[3], double v[3])
{
    int least = 0;
    for (int a = 1; a < 3; a++)
        least = fabs(normal[a]) < fabs(normal[least]) ? a : least;
    double axis[3] = {0, 0, 0}, length = 0;
    axis[least] = 1;
    for (int a = 0; a < 3; a++)
        u[a] = axis[a] - normal[least] * normal[a];
    for (int a = 0; a < 3; a++)
        length += u[a] * u[a];
    for (int a = 0; a < 3; a++)
        u[a] /= sqrt(length);
    for (int a = 0; a < 3; a++)
        v[a] = normal[(a + 1) % 3] * u[(a + 2) % 3] - normal[(a + 2) % 3] * u[(a + 1) % 3];
}

/* Neighbours of point i in its tangent plane; those that are farther from the plane than along it become the origin, which is
 * left out: they belong to another sheet. */
static void project(const cloud *c, int64_t i, double plane[2 * SURFACE_SIZE])
{
    const double *normal = c->normals + 3 * i, *x = c->moved + 3 * i;
    double u[3], v[3];
    find_tangents(normal, u, v);
    for (int k = 0; k < c->neighbours.size; k++) {
        const double *y = c->moved + 3 * (int64_t)c->neighbours.index[i * c->neighbours.size + k];
        double height = 0, *at = plane + 2 * k;
        at[0] = at[1] = 0;
        for (int a = 0; a < 3; a++) {
            at[0] += u[a] * (y[a] - x[a]);
            at[1] += v[a] * (y[a] - x[a]);
            height += normal[a] * (y[a] - x[a]);
        }
        if (height * height > at[0] * at[0] + at[1] * at[1])
            at[0] = at[1] = 0;
    }
}

/* Radius of the circle through the origin, a and b: |a| |b| |a - b| / (4 area). */
static double circle_radius(const double a[2], const double b[2])
{
    const double product = hypot(a[0], a[1]) * hypot(b[0], b[1]) * hypot(a[0] - b[0], a[1] - b[1]);
    return product / (2 * fabs(a[0] * b[1] - a[1] * b[0]));
}

/* Leaves out triangles whose circle does not lie in the neighbourhood: they span a gap, or are slivers at a border. */
static void add_star(const cloud *c, int64_t i, sfgp_elements *elements)
{
    const int size = c->neighbours.size;
    const int32_t *near = c->neighbours.index + i * size;
    double plane[2 * SURFACE_SIZE];
    int order[SURFACE_SIZE], pairs[2 * SURFACE_SIZE][2];
    project(c, i, plane);
    const int count = sfgp_delaunay_star(size, plane, order, pairs);
    const double reach = sfgp_points_distance(3, c->points + 3 * i, c->points + 3 * (int64_t)near[size - 1]);
    for (int k = 0; k < count; k++) {
        if (circle_radius(plane + 2 * pairs[k][0], plane + 2 * pairs[k][1]) > LARGEST_CIRCLE * reach)
            continue;
        int32_t *points = elements->points + 3 * elements->count++;
        points[0] = (int32_t)i;
        points[1] = near[pairs[k][0]];
        points[2] = near[pairs[k][1]];
    }
}

/* ---- curves ------------------------------------------------------------------------------------------ */

/* The nearest neighbour on either side: along the tangent, and not farther from it than along it. */
static void add_sides(const cloud *c, int64_t i, sfgp_elements *elements)
{
    const int size = c->neighbours.size;
    const double *x = c->points + 2 * i, *normal = c->normals + 2 * i;
    double nearest[2] = {HUGE_VAL, HUGE_VAL};
    int32_t side[2] = {-1, -1};
    for (int k = 0; k < size; k++) {
        const int32_t other = c->neighbours.index[i * size + k];
        const double dx = c->points[2 * (int64_t)other] - x[0], dy = c->points[2 * (int64_t)other + 1] - x[1];
        const double along = normal[0] * dy - normal[1] * dx, height = normal[0] * dx + normal[1] * dy;
        const int right = along > 0;
        if (fabs(height) < fabs(along) && fabs(along) < nearest[right]) {
            nearest[right] = fabs(along);
            side[right] = other;
        }
    }
    for (int k = 0; k < 2; k++)
        if (side[k] >= 0) {
            elements->points[2 * elements->count] = (int32_t)i;
            elements->points[2 * elements->count++ + 1] = side[k];
        }
}

/* ---- both -------------------------------------------------------------------------------------------- */

sfgp_status sfgp_elements_of_cloud(sfgp_context *context, const sfgp_mesh *mesh, sfgp_elements *elements)
{
    const bool surface = mesh->dimension == 3;
    const int64_t most = surface ? SURFACE_SIZE : 2;
    cloud c = {0};
    *elements = (sfgp_elements){.corners = mesh->dimension, .weight = surface ? 1.0 / 3 : 0.5};
    sfgp_status status = cloud_new(context, mesh, &c);
    if (status == SFGP_OK) /* pages that no element needs are never touched */
        status = sfgp_allocate_raw(context, mesh->count * most * elements->corners, (int64_t)sizeof(int32_t),
                                   (void **)&elements->points);
    for (int64_t i = 0; status == SFGP_OK && i < mesh->count; i++)
        if (surface)
            add_star(&c, i, elements);
        else
            add_sides(&c, i, elements);
    cloud_clear(&c);
    return status;
}
