/* Palettes: the colours of a value from 0 to 1, in linear light; NaN is grey. The views in 3D (viewer/colours.js) have
 * the same colours. */
#ifndef SFGP_PAGE_PALETTE_H
#define SFGP_PAGE_PALETTE_H

#include "page/vector.h"

typedef vec3 (*palette)(double value);

vec3 palette_missing(double value);     /* above 0.5: missing */
vec3 palette_points(double value);      /* above 0.5: an outlier */
vec3 palette_uncertainty(double value); /* light to dark blue */
vec3 palette_distance(double value);    /* light to dark red */
vec3 palette_deviation(double value);   /* light to dark violet */

/* The colours of 256 values from 0 to 1, and at the end that of NaN. */
enum { PALETTE_SIZE = 257 };
typedef struct palette_table {
    vec3 colours[PALETTE_SIZE];
} palette_table;
palette_table palette_tabulate(palette colours);

static inline vec3 palette_find(const palette_table *table, double value)
{
    if (isnan(value))
        return table->colours[PALETTE_SIZE - 1];
    return table->colours[(int)(0.5 + (PALETTE_SIZE - 2) * fmin(fmax(value, 0), 1))];
}

/* Linear light to a byte of sRGB. */
unsigned char palette_encode(double linear);

#endif
