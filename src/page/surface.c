/* Draws meshes. Polygons are fans of triangles; the pieces of a triangle follow Phong tessellation. */
#include "page/surface.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES = 4 }; /* an edge of a large triangle is cut into */

typedef struct corner {
    vec3 point, normal; /* view axes */
    double value;
} corner;

/* Sum of the normals of the triangles around every point, weighted by area, in view axes. NULL: out of memory. */
static vec3 *find_normals(const canvas *c, const sfgp_mesh *mesh)
{
    vec3 *normals = calloc((size_t)mesh->count + 1, sizeof *normals);
    for (int64_t f = 0; normals && f < mesh->face_count; f++) {
        const int64_t *index = mesh->face_points + mesh->face_start[f];
        const vec3 a = canvas_look(c, mesh, index[0]);
        for (int64_t k = 2; k < mesh->face_start[f + 1] - mesh->face_start[f]; k++) {
            const vec3 n = cross(subtract(canvas_look(c, mesh, index[k - 1]), a),
                                 subtract(canvas_look(c, mesh, index[k]), a));
            normals[index[0]] = add(normals[index[0]], n);
            normals[index[k - 1]] = add(normals[index[k - 1]], n);
            normals[index[k]] = add(normals[index[k]], n);
        }
    }
    for (int64_t k = 0; normals && k < mesh->count; k++)
        normals[k] = unit(normals[k]);
    return normals;
}

static void smooth_once(const sfgp_mesh *mesh, double *values, double *sum, double *weight)
{
    memset(sum, 0, (size_t)mesh->count * sizeof *sum);
    memset(weight, 0, (size_t)mesh->count * sizeof *weight);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        double all = 0;
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            all += values[mesh->face_points[k]];
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++) {
            sum[mesh->face_points[k]] += all;
            weight[mesh->face_points[k]] += (double)(mesh->face_start[f + 1] - mesh->face_start[f]);
        }
    }
    for (int64_t k = 0; k < mesh->count; k++)
        values[k] = weight[k] > 0 ? sum[k] / weight[k] : values[k];
}

bool surface_smooth(const sfgp_mesh *mesh, double *values, int passes)
{
    double *sum = malloc(((size_t)mesh->count + 1) * sizeof *sum),
           *weight = malloc(((size_t)mesh->count + 1) * sizeof *weight);
    const bool good = sum && weight;
    for (int pass = 0; good && pass < passes; pass++)
        smooth_once(mesh, values, sum, weight);
    free(sum);
    free(weight);
    return good;
}

/* The point with the weights w of a triangle that is bent to its normals: Phong tessellation (Boubekeur, Alexa 2008),
 * three quarters of the way from the flat point to the mean of its feet on the corners' tangent planes. */
static corner bend(const corner t[3], const double w[3])
{
    const vec3 flat = blend(t[0].point, t[1].point, t[2].point, w);
    vec3 foot[3];
    for (int k = 0; k < 3; k++)
        foot[k] = subtract(flat, scale(dot(subtract(flat, t[k].point), t[k].normal), t[k].normal));
    const vec3 round = blend(foot[0], foot[1], foot[2], w);
    return (corner){mix(flat, round, 0.75), unit(blend(t[0].normal, t[1].normal, t[2].normal, w)),
                    blend_values((const double[3]){t[0].value, t[1].value, t[2].value}, w)};
}

/* The small triangle whose corners have the given steps (i, j) of pieces along the edges of t. */
static void draw_piece(canvas *c, const corner t[3], const int steps[3][2], int pieces)
{
    vec3 p[3], n[3];
    double v[3];
    for (int k = 0; k < 3; k++) {
        const double s = steps[k][0] / (double)pieces, r = steps[k][1] / (double)pieces;
        const corner bent = bend(t, (const double[3]){1 - s - r, s, r});
        p[k] = canvas_project(c, bent.point);
        n[k] = bent.normal;
        v[k] = bent.value;
    }
    canvas_draw_triangle(c, p, n, v);
}

/* Triangles of a few samples need no pieces. */
static int count_pieces(const canvas *c, const corner t[3])
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const vec3 edge = subtract(t[k].point, t[(k + 1) % 3].point);
        longest = fmax(longest, c->scale * sqrt(dot(edge, edge)));
    }
    return longest < 4 ? 1 : longest < 10 ? 2 : PIECES;
}

static void draw_bent(canvas *c, const corner t[3])
{
    const int pieces = count_pieces(c, t);
    for (int i = 0; i < pieces; i++)
        for (int j = 0; i + j < pieces; j++) {
            draw_piece(c, t, (const int[3][2]){{i, j}, {i + 1, j}, {i, j + 1}}, pieces);
            if (i + j < pieces - 1)
                draw_piece(c, t, (const int[3][2]){{i + 1, j}, {i + 1, j + 1}, {i, j + 1}}, pieces);
        }
}

bool surface_draw(canvas *c, const sfgp_mesh *mesh, const double *values)
{
    vec3 *normals = find_normals(c, mesh);
    for (int64_t f = 0; normals && f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f] + 2; k < mesh->face_start[f + 1]; k++) {
            const int64_t index[3] = {mesh->face_points[mesh->face_start[f]], mesh->face_points[k - 1],
                                      mesh->face_points[k]};
            corner t[3];
            for (int a = 0; a < 3; a++)
                t[a] = (corner){canvas_look(c, mesh, index[a]), normals[index[a]],
                                values ? values[index[a]] : 0};
            draw_bent(c, t);
        }
    free(normals);
    return normals != NULL;
}
