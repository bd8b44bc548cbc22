#include "surface.h"

#include "scene.h"

#include <stdlib.h>
#include <string.h>

#define PIECES 4 /* an edge of a triangle is cut into */

struct corner {
    vec3 point, normal; /* view axes */
    double value;
};

static const int64_t *face(const sfgp_mesh *mesh, int64_t index)
{
    return mesh->face_points + mesh->face_start[index];
}

/* Sum of the normals of the faces around every point, weighted by area, in view axes. */
static vec3 *point_normals(const sfgp_mesh *mesh)
{
    vec3 *normals = grab((size_t)mesh->count, sizeof *normals);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *corner = face(mesh, f);
        vec3 a = look(mesh, corner[0]);
        vec3 n = cross(subtract(look(mesh, corner[1]), a), subtract(look(mesh, corner[2]), a));
        for (int k = 0; k < 3; k++)
            normals[corner[k]] = add(normals[corner[k]], n);
    }
    for (int64_t k = 0; k < mesh->count; k++)
        normals[k] = unit(normals[k]);
    return normals;
}

void smooth_values(const sfgp_mesh *mesh, double *values, int passes)
{
    double *sum = grab((size_t)mesh->count, sizeof *sum), *weight = grab((size_t)mesh->count, sizeof *weight);
    for (int pass = 0; pass < passes; pass++) {
        memset(sum, 0, (size_t)mesh->count * sizeof *sum);
        memset(weight, 0, (size_t)mesh->count * sizeof *weight);
        for (int64_t f = 0; f < mesh->face_count; f++) {
            const int64_t *corner = face(mesh, f);
            double all = values[corner[0]] + values[corner[1]] + values[corner[2]];
            for (int k = 0; k < 3; k++)
                sum[corner[k]] += all, weight[corner[k]] += 3;
        }
        for (int64_t k = 0; k < mesh->count; k++)
            values[k] = weight[k] > 0 ? sum[k] / weight[k] : values[k];
    }
    free(sum), free(weight);
}

/* The point with the weights w of a triangle that is bent to its normals: Phong tessellation (Boubekeur,
 * Alexa 2008), three quarters of the way from the flat point to the mean of its feet on the corners' tangent
 * planes. */
static struct corner bent_point(const struct corner t[3], const double w[3])
{
    vec3 flat = blend(t[0].point, t[1].point, t[2].point, w), foot[3];
    for (int k = 0; k < 3; k++)
        foot[k] = subtract(flat, scale(dot(subtract(flat, t[k].point), t[k].normal), t[k].normal));
    vec3 round = blend(foot[0], foot[1], foot[2], w);
    return (struct corner){mix(flat, round, 0.75), unit(blend(t[0].normal, t[1].normal, t[2].normal, w)),
                           blend_values((const double[3]){t[0].value, t[1].value, t[2].value}, w)};
}

/* The small triangle whose corners have the given steps (i, j) of PIECES along the edges of t. */
static void draw_piece(struct canvas *canvas, const struct corner t[3], const int steps[3][2])
{
    vec3 p[3], n[3];
    double v[3];
    for (int k = 0; k < 3; k++) {
        double b = steps[k][0] / (double)PIECES, c = steps[k][1] / (double)PIECES;
        struct corner corner = bent_point(t, (const double[3]){1 - b - c, b, c});
        p[k] = project(canvas, corner.point);
        n[k] = corner.normal;
        v[k] = corner.value;
    }
    draw_triangle(canvas, p, n, v);
}

static void draw_bent(struct canvas *canvas, const struct corner t[3])
{
    for (int i = 0; i < PIECES; i++)
        for (int j = 0; i + j < PIECES; j++) {
            draw_piece(canvas, t, (const int[3][2]){{i, j}, {i + 1, j}, {i, j + 1}});
            if (i + j < PIECES - 1)
                draw_piece(canvas, t, (const int[3][2]){{i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
        }
}

void draw_surface(struct canvas *canvas, const sfgp_mesh *mesh, const double *values)
{
    vec3 *normals = point_normals(mesh);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *index = face(mesh, f);
        struct corner t[3];
        for (int k = 0; k < 3; k++)
            t[k] = (struct corner){look(mesh, index[k]), normals[index[k]], values[index[k]]};
        draw_bent(canvas, t);
    }
    free(normals);
}
