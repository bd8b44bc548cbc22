/* Surface: a mesh drawn smooth. */
#ifndef SFGP_PAGE_SURFACE_H
#define SFGP_PAGE_SURFACE_H

#include "page/canvas.h"

/* Draws the mesh with its triangles bent to the normals of their corners. values: one for each point; NULL: all 0.
 * False: out of memory. */
bool surface_draw(canvas *c, const sfgp_mesh *mesh, const double *values);
/* Averages values over neighbours, so that the border of a mask is a line and not a staircase of triangles. False: out of
 * memory. */
bool surface_smooth(const sfgp_mesh *mesh, double *values, int passes);

#endif
