/* Light: the samples of a canvas become the colours of pixels. */
#ifndef SFGP_PAGE_LIGHT_H
#define SFGP_PAGE_LIGHT_H

#include "page/canvas.h"
#include "page/palette.h"

/* A pixel: the mean colour of its samples that show something, linear light, and their share. */
typedef struct light_pixel {
    vec3 colour;
    double cover;
} light_pixel;

/* The light on a sample, whatever its colour: that of the lamps, the light that comes back out of hollows and is tinted by
 * them, and the gloss. */
typedef struct light_sample {
    float strength, warm, shine;
} light_sample;

/* The light on every sample of the canvas. What is within reach of a sample darkens it; reach is a share of
 * canvas.extent. The caller frees it. NULL: out of memory. */
light_sample *light_measure(const canvas *c, double reach);
/* Averages the lit samples of pixel (x, y). */
light_pixel light_develop(const canvas *c, const light_sample *lights, int x, int y,
                          const palette_table *colours);

#endif
