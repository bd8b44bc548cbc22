/* The strokes of the relief: their knots, and the sum of the Gaussians along them. The formula stands in
 * ear_relief.h and data/README.md. */
#include "simulate/ear_relief.h"

#include <math.h>

#define SQRT_TWO_PI 2.50662827463100050242
#define MOST_KNOTS 15
#define FAR 40.0 /* exponent from which a Gaussian adds less than 1e-16 mm */

/* A knot of a stroke, in mm; the face is at negative x, the top at positive y. */
typedef struct knot {
    double x, y; /* position */
    double height;
    double width;
} knot;

static const struct {
    int count;
    knot knots[MOST_KNOTS];
} strokes[SFGP_EAR_STROKES] = {
    [SFGP_EAR_HELIX] = {14,
                        {{1, -2, 2.5, 1.6},
                         {-5, -0.3, 4.5, 1.6},
                         {-10.7, 4.5, 5.2, 1.6},
                         {-13.9, 12, 5.5, 1.7},
                         {-13, 20, 5.8, 1.75},
                         {-7.5, 27, 6, 1.8},
                         {1, 29.3, 6.4, 1.9},
                         {9.3, 26.9, 6.6, 1.9},
                         {14.9, 19.9, 6.6, 1.9},
                         {16.3, 11, 6.3, 1.8},
                         {15.3, 2, 5.8, 1.8},
                         {13.6, -7, 5, 1.8},
                         {10.8, -15, 3.6, 2.0},
                         {7.0, -21.5, 1.2, 2.6}}},
    [SFGP_EAR_ANTIHELIX] = {8,
                            {{2, -15.2, 3.2, 1.9},
                             {5.8, -11.2, 5, 1.9},
                             {8.0, -5.5, 6, 2.0},
                             {8.2, 1, 6.3, 2.1},
                             {6.6, 7.5, 6.0, 2.2},
                             {5.0, 13, 5.4, 2.2},
                             {4.0, 18, 4.2, 2.3},
                             {3.4, 24, 1.6, 2.4}}},
    [SFGP_EAR_CRUS] = {4,
                       {{5.0, 9, 0.3, 1.8}, {1, 10.8, 4.2, 1.5}, {-4, 12.0, 5, 1.5}, {-9, 12.6, 3.2, 1.6}}},
    [SFGP_EAR_SCAPHA] = {5,
                         {{7.5, 22, -1.5, 2},
                          {10.6, 15, -2.2, 1.8},
                          {11.7, 6, -2.4, 1.6},
                          {11.2, -3, -2, 1.5},
                          {9, -11, -1, 1.5}}},
    [SFGP_EAR_FOSSA] = {3, {{-7, 18, -2.4, 2.4}, {-3, 18.3, -3, 2.4}, {0.5, 17, -2, 2.0}}},
    [SFGP_EAR_CONCHA] = {5,
                         {{-6, 6.5, 1.0, 2.0},
                          {-1, 6, 1.7, 2.4},
                          {2.8, 1, 2.0, 2.8},
                          {0.5, -6, 2.4, 3.4},
                          {-5, -7, 2.2, 3.0}}},
    [SFGP_EAR_CANAL] = {3, {{-3.5, -4.5, -3, 2.2}, {-6, -5, -5, 2.0}, {-8, -5.5, -4, 1.8}}},
    [SFGP_EAR_TRAGUS] =
        {4, {{-13, 0.5, 2.5, 2.2}, {-11.8, -3, 6.5, 2.1}, {-11.2, -6.5, 7, 2.0}, {-11.6, -10, 3.5, 2.0}}},
    [SFGP_EAR_ANTITRAGUS] = {3, {{-4.5, -14.5, 3.5, 1.7}, {-1.5, -14.6, 5, 1.8}, {1.8, -14.5, 4, 1.9}}},
    [SFGP_EAR_LOBULE] = {3, {{-6, -23, 2.2, 3}, {-2, -25, 3.5, 3.2}, {2, -23.5, 2.4, 3}}},
};

static double catmull_rom(double a, double b, double c, double d, double t)
{
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/* The knots as a curve, t from 0 to 1; ends are mirrored. */
static knot curve_at(int stroke, double t)
{
    int last = strokes[stroke].count - 1, segment = (int)(t * last);
    segment = segment < last ? segment : last - 1;
    const knot *k = strokes[stroke].knots, *b = &k[segment], *c = b + 1;
    const knot *a = segment > 0 ? b - 1 : b, *d = segment + 1 < last ? c + 1 : c;
    double u = t * last - segment;
    return (knot){catmull_rom(a->x, b->x, c->x, d->x, u), catmull_rom(a->y, b->y, c->y, d->y, u),
                  catmull_rom(a->height, b->height, c->height, d->height, u),
                  catmull_rom(a->width, b->width, c->width, d->width, u)};
}

static void lay_stroke(int stroke, double height, double width, sfgp_ear_dab *dabs)
{
    for (int k = 0; k < SFGP_EAR_DABS; k++) {
        knot before = curve_at(stroke, k / (double)SFGP_EAR_DABS);
        knot here = curve_at(stroke, (k + 0.5) / SFGP_EAR_DABS);
        knot after = curve_at(stroke, (k + 1) / (double)SFGP_EAR_DABS);
        double length = hypot(after.x - before.x, after.y - before.y), w = width * here.width;
        dabs[k] = (sfgp_ear_dab){here.x, here.y, height * here.height * length / (w * SQRT_TWO_PI),
                                 1 / (2 * w * w)};
    }
}

void sfgp_ear_relief_prepare(const sfgp_ear_family *family, sfgp_ear_relief *relief)
{
    const double heights[SFGP_EAR_STROKES] = {
        [SFGP_EAR_HELIX] = family->helix_height,
        [SFGP_EAR_ANTIHELIX] = family->antihelix_height,
        [SFGP_EAR_CRUS] = family->antihelix_height,
        [SFGP_EAR_SCAPHA] = 1,
        [SFGP_EAR_FOSSA] = 1,
        [SFGP_EAR_CONCHA] = 1,
        [SFGP_EAR_CANAL] = family->concha_depth,
        [SFGP_EAR_TRAGUS] = family->tragus_height,
        [SFGP_EAR_ANTITRAGUS] = family->tragus_height,
        [SFGP_EAR_LOBULE] = 1,
    };
    for (int k = 0; k < SFGP_EAR_STROKES; k++)
        lay_stroke(k, heights[k], k == SFGP_EAR_HELIX ? family->helix_width : 1, relief->dabs[k]);
}

void sfgp_ear_relief_at(const sfgp_ear_relief *relief, double x, double y, double heights[SFGP_EAR_STROKES])
{
    for (int stroke = 0; stroke < SFGP_EAR_STROKES; stroke++) {
        heights[stroke] = 0;
        for (int k = 0; k < SFGP_EAR_DABS; k++) {
            const sfgp_ear_dab *dab = &relief->dabs[stroke][k];
            double dx = x - dab->x, dy = y - dab->y, exponent = dab->sharpness * (dx * dx + dy * dy);
            if (exponent < FAR)
                heights[stroke] += dab->amount * exp(-exponent);
        }
    }
}
