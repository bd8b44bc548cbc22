/* Canvas: the camera and a z-buffer that keeps depth, normal and one value a sample. */
#ifndef SFGP_BENCH_PICTURE_CANVAS_H
#define SFGP_BENCH_PICTURE_CANVAS_H

#include "vector.h"
#include "sfgp/sfgp.h"

#define PANEL_WIDTH 780 /* pixels */
#define PANEL_HEIGHT 800
#define SAMPLES 3 /* a pixel and axis */

struct sample {
    float depth; /* mm towards the eye, -INFINITY where there is nothing */
    float nx, ny, nz, value;
};

struct canvas {
    int width, height; /* samples */
    double scale;      /* samples a mm */
    vec3 centre;       /* of the world, mm, in view axes */
    struct sample *samples;
};

/* The canvas of one panel, with the mesh in its middle; it is not cleared yet. */
struct canvas canvas_new(const sfgp_mesh *mesh);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);

/* Point of a mesh, from world to view axes: x right, y up, z towards the eye. */
vec3 look(const sfgp_mesh *mesh, int64_t index);
/* From view axes to samples right and down, and mm towards the eye. */
vec3 project(const struct canvas *canvas, vec3 p);

/* One triangle: p on the canvas, normals n and values v at its corners. */
void draw_triangle(struct canvas *canvas, const vec3 p[3], const vec3 n[3], const double v[3]);
/* Every point of the mesh as a ball. */
void draw_balls(struct canvas *canvas, const sfgp_mesh *mesh, const double *values);

/* The sample at (x, y), NULL off the canvas. */
static inline struct sample *canvas_at(const struct canvas *canvas, int x, int y)
{
    int inside = x >= 0 && y >= 0 && x < canvas->width && y < canvas->height;
    return inside ? &canvas->samples[(int64_t)y * canvas->width + x] : NULL;
}

#endif
