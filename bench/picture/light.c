#include "light.h"

#define LAMP 0.30   /* radius of the lamp at distance 1: how soft shadows are */
#define SHADOW 30.0 /* mm, longest shadow */

static vec3 srgb(unsigned hex)
{
    return (vec3){pow((hex >> 16) / 255.0, 2.2), pow((hex >> 8 & 255) / 255.0, 2.2),
                  pow((hex & 255) / 255.0, 2.2)};
}

static double smooth(double from, double to, double x)
{
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
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
    static const unsigned stops[] = {0xefdfd0, 0xb4d0c9, 0x5fa3b5, 0x2f6b9a, 0x30387a};
    double at = 4 * fmin(fmax(value, 0), 1);
    int k = at < 3 ? (int)at : 3;
    return mix(srgb(stops[k]), srgb(stops[k + 1]), at - k);
}

unsigned char encode(double linear)
{
    return (unsigned char)lround(255 * pow(fmin(fmax(linear, 0), 1), 1 / 2.2));
}

/* Number of a sample among those of its pixel. */
static int number_in_pixel(int x, int y)
{
    return x % SAMPLES + SAMPLES * (y % SAMPLES);
}

/* How far the highest horizon in one direction, within reach, stands above the tangent plane of the sample,
 * fading with distance. */
static double horizon(const struct canvas *canvas, int x, int y, double turn, double reach)
{
    enum { STEPS = 8 };
    const struct sample *here = canvas_at(canvas, x, y), *there;
    double ux = cos(turn), uy = sin(turn), most = 0;
    double slope = -((double)here->nx * ux - (double)here->ny * uy) / fmax((double)here->nz, 0.15);
    for (int step = 1; step <= STEPS; step++) {
        double away = reach * step * step / (STEPS * STEPS);
        there = canvas_at(canvas, (int)(x + ux * away * canvas->scale), (int)(y + uy * away * canvas->scale));
        if (!there)
            break;
        double rise = (double)(there->depth - here->depth);
        double above = rise / sqrt(rise * rise + away * away) - slope / sqrt(1 + slope * slope);
        if (isfinite(rise))
            most = fmax(most, above * (1 - away * away / (reach * reach)));
    }
    return fmin(most, 1);
}

/* Share of the sky that the surroundings of a sample hide. The first direction differs from sample to sample;
 * the average over a pixel is smooth. */
static double hidden(const struct canvas *canvas, int x, int y, double reach)
{
    enum { DIRECTIONS = 8 };
    double start = number_in_pixel(x, y) / (double)(SAMPLES * SAMPLES), sum = 0;
    for (int k = 0; k < DIRECTIONS; k++)
        sum += horizon(canvas, x, y, 2 * PI * (k + start) / DIRECTIONS, reach);
    return sum / DIRECTIONS;
}

/* Whether the surface is in the way from a sample in the direction to. */
static int blocked(const struct canvas *canvas, int x, int y, vec3 to)
{
    enum { STEPS = 28 };
    const struct sample *here = canvas_at(canvas, x, y), *there;
    for (int step = 1; step <= STEPS; step++) {
        double away = 0.5 + SHADOW * step * step / (STEPS * STEPS);
        there =
            canvas_at(canvas, (int)(x + to.x * away * canvas->scale), (int)(y - to.y * away * canvas->scale));
        if (!there)
            return 0;
        if ((double)(there->depth - here->depth) > to.z * away + 0.15)
            return 1;
    }
    return 0;
}

/* Share of four rays to a lamp of some size that reach it; the lamp is in the direction key. */
static double lamp_seen(const struct canvas *canvas, int x, int y, vec3 key)
{
    enum { RAYS = 4 };
    int seen = 0;
    for (int ray = 0; ray < RAYS; ray++) {
        double turn = 2.4 * (ray + RAYS * number_in_pixel(x, y)), spread = LAMP * sqrt((ray + 0.5) / RAYS);
        vec3 to = unit((vec3){key.x + spread * cos(turn), key.y + spread * sin(turn), key.z});
        seen += !blocked(canvas, x, y, to);
    }
    return seen / (double)RAYS;
}

/* Colour of a sample: lamp from the upper left, weak light from the right, sky, a little gloss. */
static vec3 light(const struct canvas *canvas, int x, int y, palette_function palette, double reach)
{
    const struct sample *sample = canvas_at(canvas, x, y);
    vec3 n = {(double)sample->nx, (double)sample->ny, (double)sample->nz};
    vec3 key = unit((vec3){-0.62, 0.66, 0.62}), fill = unit((vec3){0.8, -0.15, 0.55});
    vec3 half = unit((vec3){key.x, key.y, key.z + 1}), colour = palette((double)sample->value);
    double open = 1 - fmin(1.35 * hidden(canvas, x, y, reach), 0.92),
           lamp = 0.3 + 0.7 * lamp_seen(canvas, x, y, key);
    double diffuse = lamp * fmax(0.1 + 0.9 * dot(n, key), 0);
    double strength =
        open * (0.27 + 0.13 * n.y + 0.16 * fmax(dot(n, fill), 0)) + (0.4 + 0.6 * open) * 0.80 * diffuse;
    double shine = 0.06 * open * lamp * pow(fmax(dot(n, half), 0), 24);
    double warm = 0.10 * (1 - open); /* light that comes back out of hollows is tinted by them */
    return (vec3){colour.x * (strength + warm * colour.x) + shine,
                  colour.y * (strength + warm * colour.y) + shine,
                  colour.z * (strength + warm * colour.z) + shine};
}

void develop(const struct canvas *canvas, int x, int y, palette_function palette, double reach,
             unsigned char *pixel)
{
    vec3 sum = {0, 0, 0};
    for (int sy = y * SAMPLES; sy < (y + 1) * SAMPLES; sy++)
        for (int sx = x * SAMPLES; sx < (x + 1) * SAMPLES; sx++) {
            const struct sample *sample = canvas_at(canvas, sx, sy);
            vec3 colour = {1, 1, 1};
            if (isfinite(sample->depth))
                colour = light(canvas, sx, sy, palette, reach);
            sum = add(sum, colour);
        }
    pixel[0] = encode(sum.z / (SAMPLES * SAMPLES));
    pixel[1] = encode(sum.y / (SAMPLES * SAMPLES));
    pixel[2] = encode(sum.x / (SAMPLES * SAMPLES));
}
