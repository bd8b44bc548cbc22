/* Outward normals by faces. Definitions in outward.h. */
#include "geom/outward.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

/* Of what the lengths of the normals could add up to: spheres have 1, sharp edges and noise less; with faces that turn at random it is 0.4. */
#define AGREEING 0.6
/* Of what x'N could add up to: a half of a sphere has 0.4, a plane 0. */
#define HOLLOW 0.1

/* Twice the area of a triangle, along its normal. */
static void cross_at(const double *a, const double *b, const double *c, double normal[3])
{
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
}

/* Adds the triangle to its corners; returns twice its area. */
static double add_triangle(const double *points, const int64_t corner[3], double *normals)
{
    double normal[3];
    cross_at(points + 3 * corner[0], points + 3 * corner[1], points + 3 * corner[2], normal);
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            normals[3 * corner[k] + a] += normal[a];
    return sqrt(sfgp_dot3(normal, normal));
}

/* Faces are fans of triangles. Returns twice the area of the mesh. */
static double add_faces(const sfgp_mesh *mesh, const double *points, double *normals)
{
    double area = 0;
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *face = mesh->face_points + mesh->face_start[f];
        for (int64_t k = 2; k < mesh->face_start[f + 1] - mesh->face_start[f]; k++)
            area += add_triangle(points, (int64_t[]){face[0], face[k - 1], face[k]}, normals);
    }
    return area;
}

static void find_centroid(int64_t count, const double *points, double centre[3])
{
    memset(centre, 0, 3 * sizeof *centre);
    for (int64_t i = 0; i < count; i++)
        for (int a = 0; a < 3; a++)
            centre[a] += points[3 * i + a] / (double)count;
}

/* Sums over all points, N of each before it has unit length. */
typedef struct sums {
    double length;  /* |N| */
    double inside;  /* x'N */
    double largest; /* |x| |N| */
} sums;

static sums sum_normals(int64_t count, const double *points, const double *normals)
{
    double centre[3];
    sums s = {0, 0, 0};
    find_centroid(count, points, centre);
    for (int64_t i = 0; i < count; i++) {
        const double *p = points + 3 * i, *normal = normals + 3 * i,
                     x[3] = {p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]},
                     length = sqrt(sfgp_dot3(normal, normal));
        s.length += length;
        s.inside += sfgp_dot3(x, normal);
        s.largest += length * sqrt(sfgp_dot3(x, x));
    }
    return s;
}

static void normalise(int64_t count, double sign, double *normals)
{
    for (int64_t i = 0; i < count; i++) {
        double *normal = normals + 3 * i;
        const double length = sqrt(sfgp_dot3(normal, normal)), factor = length > 0 ? sign / length : 0;
        for (int a = 0; a < 3; a++)
            normal[a] *= factor;
    }
}

bool sfgp_outward_normals(const sfgp_mesh *mesh, const double *points, double *normals)
{
    memset(normals, 0, (size_t)(3 * mesh->count) * sizeof *normals);
    const double most = 3 * add_faces(mesh, points, normals); /* each triangle is added to three points */
    const sums s = sum_normals(mesh->count, points, normals);
    if (!(s.length > AGREEING * most) || !(fabs(s.inside) > HOLLOW * s.largest))
        return false;
    normalise(mesh->count, s.inside > 0 ? 1 : -1, normals);
    return true;
}
