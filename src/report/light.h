/* Light: the samples of a canvas become the colours of pixels. */
#ifndef SFGP_REPORT_LIGHT_H
#define SFGP_REPORT_LIGHT_H

#include "report/canvas.h"
#include "report/palette.h"

/* A pixel: the mean colour of its samples that show something, linear light, and their share. */
typedef struct light_pixel {
    vec3 colour;
    double cover;
} light_pixel;

/* Averages the lit samples of pixel (x, y). What is within reach of a sample darkens it; reach is a share of
 * canvas.extent. */
light_pixel light_develop(const canvas *c, int x, int y, palette colours, double reach);

#endif
