#include "canvas.h"

#include "scene.h"

#include <stdlib.h>

#define YAW 0.24 /* radians the camera walks towards the face, */
#define PITCH 0.06
#define ROLL -0.06
#define BALL 0.45 /* mm, radius of a point of the scan */

vec3 look(const sfgp_mesh *mesh, int64_t index)
{
    const double *p = mesh->points + 3 * index;
    double x = cos(YAW) * p[0] + sin(YAW) * p[2], z = cos(YAW) * p[2] - sin(YAW) * p[0];
    double y = cos(PITCH) * p[1] - sin(PITCH) * z, depth = cos(PITCH) * z + sin(PITCH) * p[1];
    return (vec3){cos(ROLL) * x - sin(ROLL) * y, cos(ROLL) * y + sin(ROLL) * x, depth};
}

vec3 project(const struct canvas *canvas, vec3 p)
{
    return (vec3){canvas->width / 2.0 + canvas->scale * (p.x - canvas->centre.x),
                  canvas->height / 2.0 - canvas->scale * (p.y - canvas->centre.y), p.z - canvas->centre.z};
}

struct canvas canvas_new(const sfgp_mesh *mesh)
{
    struct canvas canvas = {.width = PANEL_WIDTH * SAMPLES, .height = PANEL_HEIGHT * SAMPLES};
    vec3 least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < mesh->count; k++) {
        vec3 p = look(mesh, k);
        least = (vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    canvas.centre = (vec3){(least.x + most.x) / 2, (least.y + most.y) / 2, (least.z + most.z) / 2};
    canvas.scale = fmin(0.88 * canvas.height / (most.y - least.y), 0.8 * canvas.width / (most.x - least.x));
    canvas.samples = grab((size_t)canvas.width * (size_t)canvas.height, sizeof *canvas.samples);
    return canvas;
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->samples);
}

void canvas_clear(struct canvas *canvas)
{
    for (int64_t k = 0; k < (int64_t)canvas->width * canvas->height; k++)
        canvas->samples[k].depth = -INFINITY;
}

static void put(struct canvas *canvas, int x, int y, double depth, vec3 normal, double value)
{
    struct sample *sample = canvas_at(canvas, x, y);
    if (sample && depth > (double)sample->depth)
        *sample =
            (struct sample){(float)depth, (float)normal.x, (float)normal.y, (float)normal.z, (float)value};
}

/* Cross product of b - a and c - a on the canvas: twice the area of the triangle, with its sign. */
static double area(vec3 a, vec3 b, vec3 c)
{
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

/* The sample at (x, y), if the triangle covers it. */
static void fill_sample(struct canvas *canvas, int x, int y, const vec3 p[3], const vec3 n[3],
                        const double v[3])
{
    vec3 at = {x, y, 0};
    double whole = area(p[0], p[1], p[2]), b = area(p[0], at, p[2]) / whole, c = area(p[0], p[1], at) / whole;
    const double w[3] = {1 - b - c, b, c};
    if (w[0] < 0 || b < 0 || c < 0)
        return;
    vec3 normal = unit(blend(n[0], n[1], n[2], w));
    if (normal.z < 0) /* the back of the sheet is lit like its front */
        normal = scale(-1, normal);
    put(canvas, x, y, blend(p[0], p[1], p[2], w).z, normal, blend_values(v, w));
}

void draw_triangle(struct canvas *canvas, const vec3 p[3], const vec3 n[3], const double v[3])
{
    int left = (int)floor(fmin(p[0].x, fmin(p[1].x, p[2].x)));
    int right = (int)ceil(fmax(p[0].x, fmax(p[1].x, p[2].x)));
    int top = (int)floor(fmin(p[0].y, fmin(p[1].y, p[2].y)));
    int low = (int)ceil(fmax(p[0].y, fmax(p[1].y, p[2].y)));
    if (fabs(area(p[0], p[1], p[2])) < 1e-9)
        return;
    for (int y = top; y <= low; y++)
        for (int x = left; x <= right; x++)
            fill_sample(canvas, x, y, p, n, v);
}

void draw_balls(struct canvas *canvas, const sfgp_mesh *mesh, const double *values)
{
    double radius = BALL * canvas->scale;
    for (int64_t i = 0; i < mesh->count; i++) {
        vec3 p = project(canvas, look(mesh, i));
        for (int y = (int)floor(p.y - radius); y <= p.y + radius; y++)
            for (int x = (int)floor(p.x - radius); x <= p.x + radius; x++) {
                double u = (x - p.x) / radius, v = (p.y - y) / radius, height = 1 - u * u - v * v;
                if (height > 0)
                    put(canvas, x, y, p.z + BALL * sqrt(height), (vec3){u, v, sqrt(height)}, values[i]);
            }
    }
}
