/* The colours of points in pictures. */
#include "page/palette.h"

static vec3 srgb(unsigned hex)
{
    return (vec3){pow((hex >> 16) / 255.0, 2.2), pow((hex >> 8 & 255) / 255.0, 2.2),
                  pow((hex & 255) / 255.0, 2.2)};
}

static double smooth(double from, double to, double x)
{
    const double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

enum { STOPS = 5 };

/* Interpolates between five colours. */
static vec3 find_between(const unsigned stops[STOPS], double value)
{
    if (isnan(value))
        return srgb(0x9a9a9a);
    const double at = (STOPS - 1) * fmin(fmax(value, 0), 1);
    const int k = at < STOPS - 2 ? (int)at : STOPS - 2;
    return mix(srgb(stops[k]), srgb(stops[k + 1]), at - k);
}

vec3 palette_missing(double value)
{
    return mix(srgb(0xe8c9b1), srgb(0x5fa8b5), smooth(0.44, 0.56, value));
}

vec3 palette_points(double value)
{
    return value > 0.5 ? srgb(0xe07a4f) : srgb(0x8f9fb3);
}

vec3 palette_uncertainty(double value)
{
    static const unsigned stops[STOPS] = {0xefdfd0, 0xb4d0c9, 0x5fa3b5, 0x2f6b9a, 0x30387a};
    return find_between(stops, value);
}

vec3 palette_distance(double value)
{
    static const unsigned stops[STOPS] = {0xf4efe4, 0xf8c77c, 0xec7a3c, 0xb52a2a, 0x6d0f35};
    return find_between(stops, value);
}

vec3 palette_deviation(double value)
{
    static const unsigned stops[STOPS] = {0xf3ece2, 0xd9c3d6, 0xb088bd, 0x7f4f9e, 0x472063};
    return find_between(stops, value);
}

palette_table palette_tabulate(palette colours)
{
    palette_table table;
    for (int k = 0; k < PALETTE_SIZE - 1; k++)
        table.colours[k] = colours(k / (double)(PALETTE_SIZE - 2));
    table.colours[PALETTE_SIZE - 1] = colours((double)NAN);
    return table;
}

unsigned char palette_encode(double linear)
{
    return (unsigned char)lround(255 * pow(fmin(fmax(linear, 0), 1), 1 / 2.2));
}
