/* The surface of an ear from its parameters. The four steps stand in ear_surface.h, the formulas in
 * data/README.md. */
#include "simulate/ear_surface.h"

#include <math.h>

#define DEGREE 0.01745329251994329577
#define RIM 2.6          /* mm of plane that are bent around at the outline */
#define CONCHA_DEPTH 9.5 /* mm */
#define HELIX_LEAN 0.30  /* mm inwards a mm of height */
#define TRAGUS_LEAN 0.35 /* mm backwards a mm of height */

/* Control radii of the outline every 15 degrees, from the back over the top and the face to the lobule. */
static const double outline[24] = {17.5, 18.6, 20.6, 23.8, 27.6, 30.8, 32.0, 31.3, 28.4, 23.4, 19.2, 17.0,
                                   16.4, 16.8, 18.0, 20.0, 23.8, 29.6, 33.4, 29.6, 23.4, 19.6, 18.0, 17.3};

/* Periodic uniform cubic B-spline. */
double sfgp_ear_outline(double turn)
{
    double at = turn / (15 * DEGREE), t = at - floor(at), s = 1 - t;
    int k = (int)floor(at) % 24 + 24;
    return (s * s * s * outline[(k - 1) % 24] + (3 * t * t * (t - 2) + 4) * outline[k % 24] +
            (3 * s * s * (s - 2) + 4) * outline[(k + 1) % 24] + t * t * t * outline[(k + 2) % 24]) /
           6;
}

static double smooth_step(double from, double to, double x)
{
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * t * (t * (6 * t - 15) + 10);
}

/* 0.3 where the outline is the cheek, 1 where it is a free rim. */
static double freedom(double x, double y)
{
    double face = smooth_step(-15, -10, x), top = smooth_step(3, 20, y), low = smooth_step(-15, -29, y);
    return 1 - 0.7 * (1 - face) * (1 - top) * (1 - low);
}

/* Plane position and drop below the plane: straight up to RIM before the outline, then around a circle. */
static void bend_rim(double radius, double turn, double *x, double *y, double *drop)
{
    double edge = sfgp_ear_outline(turn), straight = edge - RIM, reach = radius * (edge + RIM);
    double free = freedom(edge * cos(turn), edge * sin(turn));
    *drop = 0;
    if (reach > straight) {
        double angle = (reach - straight) / (2 * RIM) * (90 + 45 * free) * DEGREE;
        reach = straight + RIM * sin(angle);
        *drop = 1.5 * RIM * free * (1 - cos(angle));
    }
    *x = reach * cos(turn);
    *y = reach * sin(turn);
}

/* Height of the undeformed ear at (x, y), which is then pulled aside where crests hang over. */
static double raise(const sfgp_ear_surface *surface, double *x, double *y)
{
    double h[SFGP_EAR_STROKES], z = 0;
    sfgp_ear_relief_at(&surface->relief, *x, *y, h);
    for (int k = 0; k < SFGP_EAR_STROKES; k++)
        z += k == SFGP_EAR_CONCHA ? 0 : h[k];
    z -= surface->family.concha_depth * CONCHA_DEPTH * tanh(h[SFGP_EAR_CONCHA]);
    double inwards =
        HELIX_LEAN * surface->family.helix_roll * h[SFGP_EAR_HELIX] * smooth_step(2, 12, hypot(*x, *y));
    double far = hypot(*x - 1, *y - 2) + 1e-9;
    *x -= inwards * (*x - 1) / far - TRAGUS_LEAN * h[SFGP_EAR_TRAGUS];
    *y -= inwards * (*y - 2) / far;
    return z;
}

static void warp(const sfgp_ear_family *family, double point[3])
{
    double x = point[0], y = point[1], z = point[2], lobule = smooth_step(-12, -32, y);
    z += family->cup * ((x * x) / (17 * 17) + (y * y) / (32 * 32) - 0.5);
    x *= 1 + family->taper * y / 20;
    x -= family->lobule_attachment * lobule;
    y -= family->lobule_length * lobule;
    x = family->width * (x + tan(family->slant * DEGREE) * y);
    y *= family->height;
    z += tan(family->protrusion * DEGREE) * (sqrt((x + 10) * (x + 10) + 36) + x + 10) / 2;
    point[0] = x, point[1] = y, point[2] = z;
    for (int k = 0; k < SFGP_EAR_WAVES; k++) {
        const sfgp_ear_wave *wave = &family->waves[k];
        double height = cos(wave->direction[0] * x + wave->direction[1] * y + wave->phase);
        for (int axis = 0; axis < 3; axis++)
            point[axis] += wave->amplitude[axis] * height;
    }
}

void sfgp_ear_surface_prepare(uint64_t seed, sfgp_ear_surface *surface)
{
    surface->family = sfgp_ear_draw(seed);
    sfgp_ear_relief_prepare(&surface->family, &surface->relief);
}

void sfgp_ear_surface_at(const sfgp_ear_surface *surface, double radius, double turn, double point[3])
{
    double drop;
    bend_rim(radius, turn, &point[0], &point[1], &drop);
    point[2] = raise(surface, &point[0], &point[1]) - drop;
    warp(&surface->family, point);
}
