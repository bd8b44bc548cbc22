/* The z-buffer: opens and frames it, draws triangles and balls. */
#include "page/canvas.h"

#include <stdlib.h>

/* ---- frame ------------------------------------------------------------------------------------------- */

bool canvas_open(canvas *c, int pixels_wide, int pixels_high, int samples, const canvas_camera *camera)
{
    *c = (canvas){.width = pixels_wide * samples,
                  .height = pixels_high * samples,
                  .samples = samples,
                  .camera = *camera,
                  .scale = 1};
    c->cells = malloc((size_t)c->width * (size_t)c->height * sizeof *c->cells);
    if (c->cells)
        canvas_wipe(c);
    return c->cells != NULL;
}

void canvas_close(canvas *c)
{
    free(c->cells);
}

void canvas_wipe(canvas *c)
{
    for (int64_t k = 0; k < (int64_t)c->width * c->height; k++)
        c->cells[k] = (canvas_sample){.depth = -INFINITY};
}

vec3 canvas_look(const canvas *c, const sfgp_mesh *mesh, int64_t index)
{
    const double *x = mesh->points + index * mesh->dimension;
    const vec3 p = {x[0], x[1], mesh->dimension == 3 ? x[2] : 0};
    return (vec3){dot(p, c->camera.right), dot(p, c->camera.up), dot(p, c->camera.eye)};
}

vec3 canvas_project(const canvas *c, vec3 p)
{
    return (vec3){c->width / 2.0 + c->scale * (p.x - c->centre.x),
                  c->height / 2.0 - c->scale * (p.y - c->centre.y), p.z - c->centre.z};
}

void canvas_frame(canvas *c, const sfgp_mesh *const *shapes, int count)
{
    vec3 least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int s = 0; s < count; s++)
        for (int64_t k = 0; shapes[s] && k < shapes[s]->count; k++) {
            const vec3 p = canvas_look(c, shapes[s], k);
            least = (vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
            most = (vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
        }
    const double wide = most.x - least.x, high = most.y - least.y;
    if (!(wide >= 0 && high >= 0)) /* there is no point */
        return;
    c->centre = mix(least, most, 0.5);
    c->scale = wide > 0 || high > 0 ? fmin(0.9 * c->height / high, 0.9 * c->width / wide) : 1;
    c->extent = c->height / c->scale;
}

/* ---- draw -------------------------------------------------------------------------------------------- */

/* Keeps the sample that is nearest to the eye. */
static void draw_sample(canvas *c, int x, int y, const canvas_sample *sample)
{
    canvas_sample *cell = canvas_at(c, x, y);
    if (cell && sample->depth > cell->depth)
        *cell = *sample;
}

static canvas_sample make_sample(double depth, vec3 normal, double value)
{
    return (canvas_sample){(float)depth, (float)normal.x, (float)normal.y, (float)normal.z, (float)value};
}

/* Cross product of b - a and c - a on the canvas: twice the area of the triangle, with its sign. */
static double area(vec3 a, vec3 b, vec3 c)
{
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

/* The sample at (x, y), if the triangle covers it. */
static void fill_sample(canvas *c, int x, int y, const vec3 p[3], const vec3 n[3], const double v[3])
{
    const vec3 at = {x, y, 0};
    const double whole = area(p[0], p[1], p[2]), s = area(p[0], at, p[2]) / whole,
                 t = area(p[0], p[1], at) / whole;
    const double w[3] = {1 - s - t, s, t};
    if (w[0] < 0 || s < 0 || t < 0)
        return;
    vec3 normal = unit(blend(n[0], n[1], n[2], w));
    if (normal.z < 0) /* the back of the sheet is lit like its front */
        normal = scale(-1, normal);
    const canvas_sample made = make_sample(blend(p[0], p[1], p[2], w).z, normal, blend_values(v, w));
    draw_sample(c, x, y, &made);
}

static int clamp(double x, int most)
{
    return x < 0 ? 0 : x > most ? most : (int)x;
}

void canvas_draw_triangle(canvas *c, const vec3 p[3], const vec3 n[3], const double v[3])
{
    const int left = clamp(floor(fmin(p[0].x, fmin(p[1].x, p[2].x))), c->width);
    const int right = clamp(ceil(fmax(p[0].x, fmax(p[1].x, p[2].x))), c->width);
    const int top = clamp(floor(fmin(p[0].y, fmin(p[1].y, p[2].y))), c->height);
    const int low = clamp(ceil(fmax(p[0].y, fmax(p[1].y, p[2].y))), c->height);
    if (fabs(area(p[0], p[1], p[2])) < 1e-9)
        return;
    for (int y = top; y <= low; y++)
        for (int x = left; x <= right; x++)
            fill_sample(c, x, y, p, n, v);
}

static void draw_ball(canvas *c, vec3 p, double radius, double value)
{
    const double size = radius * c->scale;
    const int low = clamp(p.y + size, c->height), right = clamp(p.x + size, c->width);
    for (int y = clamp(p.y - size, c->height); y <= low; y++)
        for (int x = clamp(p.x - size, c->width); x <= right; x++) {
            const double u = (x - p.x) / size, v = (p.y - y) / size, height = 1 - u * u - v * v;
            if (height > 0) {
                const canvas_sample made =
                    make_sample(p.z + radius * sqrt(height), (vec3){u, v, sqrt(height)}, value);
                draw_sample(c, x, y, &made);
            }
        }
}

void canvas_draw_balls(canvas *c, const sfgp_mesh *mesh, const double *values, double radius)
{
    for (int64_t i = 0; i < mesh->count; i++)
        draw_ball(c, canvas_project(c, canvas_look(c, mesh, i)), radius, values ? values[i] : 0);
}
