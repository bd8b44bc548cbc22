/* Picture: a shape as a shaded image, for pages without 3D and for tables. */
#ifndef SFGP_PAGE_PICTURE_H
#define SFGP_PAGE_PICTURE_H

#include "page/canvas.h"
#include "page/palette.h"

/* What pictures of the same things share, so that they can be compared. */
typedef struct picture_frame {
    int width, height; /* pixels */
    int bits;          /* that a colour keeps, 1 to 8: fewer make a smaller file */
    canvas_camera camera;
    const sfgp_mesh *shapes[3]; /* they fit into the picture; NULL: none */
} picture_frame;

/* A shape in its light, of which several images with other colours can be made. */
typedef struct picture {
    const picture_frame *frame;
    const sfgp_mesh *mesh;
    canvas canvas;
    struct light_sample *lights;
} picture;

/* Draws the shape, as a surface, or as balls where it has no faces, and lights it. The frame and the mesh must outlive the
 * picture. False: out of memory. Close in any case. */
bool picture_open(picture *p, const picture_frame *frame, const sfgp_mesh *mesh);
/* An image as PNG in base64, with a transparent ground. values: one for each point, 0 to 1; NULL: all 0. The caller frees
 * it. NULL: out of memory. */
char *picture_make(picture *p, const double *values, palette colours);
void picture_close(picture *p);

#endif
