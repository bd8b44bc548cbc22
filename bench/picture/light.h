/* Light: the samples of a canvas become the colours of pixels. */
#ifndef SFGP_BENCH_PICTURE_LIGHT_H
#define SFGP_BENCH_PICTURE_LIGHT_H

#include "canvas.h"

/* Colours of a value from 0 to 1, linear light. */
typedef vec3 (*palette_function)(double value);
vec3 palette_missing(double value);
vec3 palette_points(double value);
vec3 palette_uncertainty(double value);

/* Linear light to a byte of sRGB. */
unsigned char encode(double linear);
/* Averages the lit samples of pixel (x, y) over white paper into blue, green, red; what is within reach (mm)
 * of a sample darkens it. */
void develop(const struct canvas *canvas, int x, int y, palette_function palette, double reach,
             unsigned char *pixel);

#endif
