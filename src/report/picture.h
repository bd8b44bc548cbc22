/* Picture: a shape as a shaded image, for pages without 3D and for tables. */
#ifndef SFGP_REPORT_PICTURE_H
#define SFGP_REPORT_PICTURE_H

#include "report/canvas.h"
#include "report/palette.h"

/* What pictures of the same things share, so that they can be compared. */
typedef struct picture_frame {
    int width, height; /* pixels */
    int bits;          /* that a colour keeps, 1 to 8: fewer make a smaller file */
    canvas_camera camera;
    const sfgp_mesh *shapes[3]; /* they fit into the picture; NULL: none */
} picture_frame;

typedef struct picture {
    const sfgp_mesh *mesh; /* a surface, or balls where it has no faces */
    const double *values;  /* one for each point, 0 to 1; NULL: all 0 */
    palette colours;
} picture;

/* The image as PNG in base64, with a transparent ground. The caller frees it. NULL: out of memory. */
char *picture_make(const picture_frame *frame, const picture *shown);

#endif
