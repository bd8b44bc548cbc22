/* A fish for the plane, by formula: the outline is two edges from the snout to the tips of the tail and the
 * notch between these; inside lie an eye, a gill, a fin and the lateral line. s runs from the snout (0) to
 * the tail (1). The size is that of the Fish benchmark, RMS radius 0.235, so that lengths in its unit mean
 * the same here. */
#include "base/context.h"

#include <math.h>

#define PI 3.14159265358979323846
#define POINTS 98
#define EDGE 32 /* points of an edge behind the snout */
#define NOTCH 5
#define EYE 6
#define GILL 5
#define FIN 7
#define LINE 10
_Static_assert(1 + 2 * EDGE + NOTCH + EYE + GILL + FIN + LINE == POINTS, "the parts make the fish");

#define LENGTH 0.69
#define SNOUT 0.16
#define AXIS 0.5 /* y of the lateral line */
#define TAIL 0.17

/* Each add_ function writes points to `next` and returns where the following ones go. */
static double *add_point(double *next, double x, double y)
{
    next[0] = x, next[1] = y;
    return next + 2;
}

static double bump(double s, double middle, double width)
{
    return exp(-(s - middle) * (s - middle) / (width * width));
}

/* Body and tail; side is 1 for the back with its fin, -1 for the belly with a smaller one further behind. */
static double edge_height(double s, int side)
{
    double body = 0.68 * pow(s, 0.7) * pow(1 - s, 1.4), tail = TAIL * pow(s, 10);
    return side > 0 ? 1.05 * body + tail + 0.05 * bump(s, 0.45, 0.12)
                    : body + tail + 0.035 * bump(s, 0.64, 0.07);
}

/* Points lie closer in s at the snout, where the edge is steep. */
static double *add_edge(double *next, int side)
{
    for (int k = 1; k <= EDGE; k++) {
        double s = pow((double)k / EDGE, 1.2);
        next = add_point(next, SNOUT + LENGTH * s, AXIS + side * edge_height(s, side));
    }
    return next;
}

static double *add_notch(double *next)
{
    for (int k = 1; k <= NOTCH; k++) {
        double v = 1 - 2.0 * k / (NOTCH + 1);
        next = add_point(next, SNOUT + LENGTH - 0.06 * (1 - v * v), AXIS + TAIL * v);
    }
    return next;
}

static double *add_inside(double *next)
{
    for (int k = 0; k < EYE; k++)
        next = add_point(next, SNOUT + 0.1 + 0.018 * cos(2 * PI * k / EYE),
                         AXIS + 0.035 + 0.018 * sin(2 * PI * k / EYE));
    for (int k = 0; k < GILL; k++) {
        double v = 2.0 * k / (GILL - 1) - 1;
        next = add_point(next, SNOUT + 0.185 - 0.03 * v * v, AXIS + 0.07 * v);
    }
    for (int k = 0; k < FIN; k++) {
        double turn = PI * k / (FIN - 1);
        next = add_point(next, SNOUT + 0.27 - 0.06 * cos(turn), AXIS - 0.04 - 0.045 * sin(turn));
    }
    for (int k = 0; k < LINE; k++)
        next = add_point(next, SNOUT + 0.24 + 0.035 * k, AXIS + 0.025 * sin(PI * k / (LINE - 1)));
    return next;
}

sfgp_status sfgp_simulate_fish(sfgp_context *context, sfgp_mesh **fish)
{
    if (!context || !fish)
        return SFGP_ERROR_PARAMETER;
    *fish = NULL;
    sfgp_status status = sfgp_mesh_new(context, POINTS, 2, 0, 0, fish);
    if (status == SFGP_OK) {
        double *next = add_point((*fish)->points, SNOUT, AXIS);
        add_inside(add_edge(add_notch(add_edge(next, 1)), -1));
    }
    return status;
}
