/* Finds the side from which a shape shows most. */
#include "page/canvas.h"

static vec3 point_of(const sfgp_mesh *mesh, int64_t index)
{
    const double *x = mesh->points + 3 * index;
    return (vec3){x[0], x[1], x[2]};
}

/* The mean normal of an open surface. False: the normals cancel each other, or there are no faces. */
static bool find_normal(const sfgp_mesh *mesh, vec3 *normal)
{
    double area = 0;
    *normal = (vec3){0, 0, 0};
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *corner = mesh->face_points + mesh->face_start[f];
        for (int64_t k = 2; k < mesh->face_start[f + 1] - mesh->face_start[f]; k++) {
            const vec3 a = point_of(mesh, corner[0]), b = subtract(point_of(mesh, corner[k - 1]), a);
            const vec3 n = cross(b, subtract(point_of(mesh, corner[k]), a));
            *normal = add(*normal, n);
            area += sqrt(dot(n, n));
        }
    }
    return area > 0 && sqrt(dot(*normal, *normal)) > 0.1 * area;
}

static vec3 find_thin_side(const sfgp_mesh *mesh)
{
    vec3 least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < mesh->count; i++) {
        const vec3 p = point_of(mesh, i);
        least = (vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    const vec3 size = subtract(most, least);
    if (size.x <= size.y && size.x <= size.z)
        return (vec3){1, 0, 0};
    return size.y < size.z ? (vec3){0, -1, 0} : (vec3){0, 0, 1};
}

canvas_camera canvas_find_camera(const sfgp_mesh *mesh)
{
    const canvas_camera front = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vec3 eye;
    if (mesh->dimension == 2)
        return front;
    if (!find_normal(mesh, &eye))
        eye = find_thin_side(mesh);
    eye = unit(eye);
    const vec3 up = fabs(eye.y) > 0.8 ? (vec3){0, 0, 1} : (vec3){0, 1, 0};
    eye = unit(add(eye, scale(0.15, up)));
    const vec3 right = unit(cross(up, eye));
    return (canvas_camera){right, cross(eye, right), eye};
}
