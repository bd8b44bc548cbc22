/* Surface: a triangle mesh drawn smooth. */
#ifndef SFGP_BENCH_PICTURE_SURFACE_H
#define SFGP_BENCH_PICTURE_SURFACE_H

#include "canvas.h"

/* Draws the mesh, its triangles bent to the normals of their corners; a value a point. */
void draw_surface(struct canvas *canvas, const sfgp_mesh *mesh, const double *values);
/* Averages values over neighbours, so that the border of a mask is a line and not a staircase of triangles.
 */
void smooth_values(const sfgp_mesh *mesh, double *values, int passes);

#endif
