/* Lights samples: ambient light that hollows get less of, a lamp with soft shadows, a weak second one, and a little gloss. */
#include "page/light.h"

#include <stdlib.h>

#define LAMP 0.30 /* radius of the lamp at distance 1: how soft shadows are */
/* Lengths as shares of canvas.extent. */
#define SHADOW 0.4   /* longest shadow */
#define FIRST 0.0067 /* first step along a ray */
#define BIAS 0.002   /* what stands out by less throws no shadow */

/* Number of a sample among those of its pixel. */
static int number_in_pixel(const canvas *c, int x, int y)
{
    return x % c->samples + c->samples * (y % c->samples);
}

/* How far the highest horizon in one direction, within reach, stands above the tangent plane of the sample,
 * fading with distance. */
static double horizon(const canvas *c, int x, int y, double turn, double reach)
{
    enum { STEPS = 8 };
    const canvas_sample *here = canvas_at(c, x, y), *there;
    double ux = cos(turn), uy = sin(turn), most = 0;
    double slope = -((double)here->nx * ux - (double)here->ny * uy) / fmax((double)here->nz, 0.15);
    for (int step = 1; step <= STEPS; step++) {
        double away = reach * step * step / (STEPS * STEPS);
        there = canvas_at(c, (int)(x + ux * away * c->scale), (int)(y + uy * away * c->scale));
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
static double hidden(const canvas *c, int x, int y, double reach)
{
    enum { DIRECTIONS = 8 };
    double start = number_in_pixel(c, x, y) / (double)(c->samples * c->samples), sum = 0;
    for (int k = 0; k < DIRECTIONS; k++)
        sum += horizon(c, x, y, 2 * PI * (k + start) / DIRECTIONS, reach);
    return sum / DIRECTIONS;
}

/* Whether the surface is in the way from a sample in the direction to. */
static int blocked(const canvas *c, int x, int y, vec3 to)
{
    enum { STEPS = 28 };
    const canvas_sample *here = canvas_at(c, x, y), *there;
    for (int step = 1; step <= STEPS; step++) {
        double away = FIRST * c->extent + SHADOW * c->extent * step * step / (STEPS * STEPS);
        there = canvas_at(c, (int)(x + to.x * away * c->scale), (int)(y - to.y * away * c->scale));
        if (!there)
            return 0;
        if ((double)(there->depth - here->depth) > to.z * away + BIAS * c->extent)
            return 1;
    }
    return 0;
}

/* Share of four rays to a lamp of some size that reach it; the lamp is in the direction key. */
static double lamp_seen(const canvas *c, int x, int y, vec3 key)
{
    enum { RAYS = 4 };
    int seen = 0;
    for (int ray = 0; ray < RAYS; ray++) {
        double turn = 2.4 * (ray + RAYS * number_in_pixel(c, x, y)), spread = LAMP * sqrt((ray + 0.5) / RAYS);
        vec3 to = unit((vec3){key.x + spread * cos(turn), key.y + spread * sin(turn), key.z});
        seen += !blocked(c, x, y, to);
    }
    return seen / (double)RAYS;
}

/* Lamp from the upper left, weak light from the right, sky, a little gloss. */
static light_sample measure(const canvas *c, int x, int y, double reach)
{
    const canvas_sample *sample = canvas_at(c, x, y);
    const vec3 n = {(double)sample->nx, (double)sample->ny, (double)sample->nz};
    const vec3 key = unit((vec3){-0.62, 0.66, 0.62}), fill = unit((vec3){0.8, -0.15, 0.55});
    const vec3 half = unit((vec3){key.x, key.y, key.z + 1});
    const double open = 1 - fmin(1.35 * hidden(c, x, y, reach), 0.92),
                 lamp = 0.3 + 0.7 * lamp_seen(c, x, y, key);
    const double diffuse = lamp * fmax(0.1 + 0.9 * dot(n, key), 0);
    const double strength =
        open * (0.27 + 0.13 * n.y + 0.16 * fmax(dot(n, fill), 0)) + (0.4 + 0.6 * open) * 0.80 * diffuse;
    const double shine = 0.06 * open * lamp * pow(fmax(dot(n, half), 0), 24);
    return (light_sample){(float)strength, (float)(0.10 * (1 - open)), (float)shine};
}

light_sample *light_measure(const canvas *c, double reach)
{
    light_sample *lights = calloc((size_t)c->width * (size_t)c->height, sizeof *lights);
    for (int y = 0; lights && y < c->height; y++)
        for (int x = 0; x < c->width; x++)
            if (isfinite(canvas_at(c, x, y)->depth))
                lights[(int64_t)y * c->width + x] = measure(c, x, y, reach * c->extent);
    return lights;
}

static double shade(double colour, const light_sample *light)
{
    return colour * ((double)light->strength + (double)light->warm * colour) + (double)light->shine;
}

light_pixel light_develop(const canvas *c, const light_sample *lights, int x, int y,
                          const palette_table *colours)
{
    const int n = c->samples;
    light_pixel pixel = {{0, 0, 0}, 0};
    for (int sy = y * n; sy < (y + 1) * n; sy++)
        for (int sx = x * n; sx < (x + 1) * n; sx++) {
            const canvas_sample *sample = canvas_at(c, sx, sy);
            const light_sample *light = &lights[(int64_t)sy * c->width + sx];
            if (!isfinite(sample->depth))
                continue;
            const vec3 colour = palette_find(colours, (double)sample->value);
            pixel.colour = add(
                pixel.colour, (vec3){shade(colour.x, light), shade(colour.y, light), shade(colour.z, light)});
            pixel.cover++;
        }
    if (pixel.cover > 0)
        pixel.colour = scale(1 / pixel.cover, pixel.colour);
    pixel.cover /= n * n;
    return pixel;
}
