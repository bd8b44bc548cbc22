/* Canvas: a camera and a z-buffer, which keeps depth, normal and one value for each sample.
 *
 * Surfaces (surface.h) and points are drawn into it. A second pass lights the samples (light.h): hollows are darkened
 * by their horizon in eight directions, and lamps throw soft shadows. picture.h makes an image of it. */
#ifndef SFGP_PAGE_CANVAS_H
#define SFGP_PAGE_CANVAS_H

#include "page/vector.h"
#include "sfgp/sfgp.h"

#include <stdbool.h>

/* The axes of the view: unit vectors in the space of the shapes. */
typedef struct canvas_camera {
    vec3 right, up;
    vec3 eye; /* from the shape towards the eye */
} canvas_camera;

typedef struct canvas_sample {
    float depth; /* towards the eye, unit of the points; -INFINITY where there is nothing */
    float nx, ny, nz, value;
} canvas_sample;

typedef struct canvas {
    int width, height;    /* samples */
    int samples;          /* for a pixel, along each axis */
    canvas_camera camera; /* parallel projection */
    double scale;         /* samples for a unit of length */
    double extent;        /* height of what is seen, unit of the points */
    vec3 centre;          /* in the middle of the canvas, view axes */
    canvas_sample *cells;
} canvas;

/* A canvas with nothing on it. False: out of memory. Clear in any case. */
bool canvas_open(canvas *c, int pixels_wide, int pixels_high, int samples, const canvas_camera *camera);
void canvas_close(canvas *c);
/* Puts the shapes into the middle. NULL among them is left out. */
void canvas_frame(canvas *c, const sfgp_mesh *const *shapes, int count);
/* Takes everything off; the frame stays. */
void canvas_wipe(canvas *c);

/* Along the mean normal of an open surface, across the thinnest side of anything else, from a little above. In the
 * plane: x to the right, y up. The views in 3D (viewer/scene.js) begin with the same one. */
canvas_camera canvas_find_camera(const sfgp_mesh *mesh);

/* Point of a shape in view axes: x right, y up, z towards the eye. */
vec3 canvas_look(const canvas *c, const sfgp_mesh *mesh, int64_t index);
/* From view axes to samples right and down, and depth. */
vec3 canvas_project(const canvas *c, vec3 p);

/* One triangle: p on the canvas, normals n and values v at its corners. */
void canvas_draw_triangle(canvas *c, const vec3 p[3], const vec3 n[3], const double v[3]);
/* Every point as a ball. */
void canvas_draw_balls(canvas *c, const sfgp_mesh *mesh, const double *values, double radius);

/* The sample at (x, y), NULL off the canvas. */
static inline canvas_sample *canvas_at(const canvas *c, int x, int y)
{
    const bool inside = x >= 0 && y >= 0 && x < c->width && y < c->height;
    return inside ? &c->cells[(int64_t)y * c->width + x] : NULL;
}

#endif
