/* Distance from a point to a triangle: to its plane where the foot lies inside, else to the nearest edge; and where the nearest point
 * lies in it. */
#include "geom/surface.h"
#include "base/extremes.h"
#include "geom/vector.h"

#include <math.h>
#include <stdbool.h>

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* To the segment from a to b, which may be one point. */
static double segment_distance2(const double p[3], const double a[3], const double b[3])
{
    double along[3], to[3];
    subtract(b, a, along);
    subtract(p, a, to);
    const double length2 = sfgp_dot3(along, along), share = length2 > 0 ? sfgp_dot3(to, along) / length2 : 0;
    const double t = sfgp_smaller(sfgp_larger(share, 0), 1);
    for (int k = 0; k < 3; k++)
        to[k] -= t * along[k];
    return sfgp_dot3(to, to);
}

/* ---- slivers ------------------------------------------------------------------------------------------ */

/* Squared sine of the angle at the first corner: below it, the area has lost too many digits. */
#define FLAT 1e-4

/* The corner whose edge to the next one is the longest. */
static int longest_edge(const double *const x[3])
{
    double most = -1, edge[3];
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        subtract(x[(k + 1) % 3], x[k], edge);
        if (sfgp_dot3(edge, edge) > most)
            most = sfgp_dot3(edge, edge), longest = k;
    }
    return longest;
}

/* a -= share of b; returns the share that makes them orthogonal. */
static double reduce(const double b[3], double a[3])
{
    const double share = sfgp_dot3(a, b) / sfgp_dot3(b, b);
    for (int k = 0; k < 3; k++)
        a[k] -= share * b[k];
    return share;
}

/* Whether the foot of p lies inside; its weights. By the longest edge and the height on it: a height that is nearly all rounding moves
 * the foot by no more than itself. */
static bool sliver_weights(const double p[3], const double *const x[3], double weights[3])
{
    const int i = longest_edge(x), j = (i + 1) % 3, k = (i + 2) % 3;
    double along[3], height[3], to[3];
    subtract(x[j], x[i], along);
    subtract(x[k], x[i], height);
    subtract(p, x[i], to);
    const double apex = reduce(along, height), foot = reduce(along, to);
    weights[k] = sfgp_dot3(to, height) / sfgp_dot3(height, height);
    weights[j] = foot - weights[k] * apex;
    weights[i] = 1 - weights[j] - weights[k];
    return weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0;
}

/* As inside_distance2. */
static double sliver_distance2(const double p[3], const double a[3], const double b[3], const double c[3])
{
    const double *const x[3] = {a, b, c};
    double weights[3], to[3];
    if (!sliver_weights(p, x, weights))
        return -1;
    for (int k = 0; k < 3; k++)
        to[k] = p[k] - a[k] - weights[1] * (b[k] - a[k]) - weights[2] * (c[k] - a[k]);
    return sfgp_dot3(to, to);
}

/* ---- distance ----------------------------------------------------------------------------------------- */

/* Squared distance to the plane when the foot of p lies inside the triangle, else -1. The foot is a + v ab + w ac. */
static double inside_distance2(const double p[3], const double a[3], const double b[3], const double c[3])
{
    double ab[3], ac[3], ap[3];
    subtract(b, a, ab);
    subtract(c, a, ac);
    subtract(p, a, ap);
    const double bb = sfgp_dot3(ab, ab), bc = sfgp_dot3(ab, ac), cc = sfgp_dot3(ac, ac),
                 pb = sfgp_dot3(ap, ab), pc = sfgp_dot3(ap, ac);
    const double area2 = bb * cc - bc * bc, v = (cc * pb - bc * pc) / area2, w = (bb * pc - bc * pb) / area2;
    if (!(area2 > FLAT * bb * cc))
        return sliver_distance2(p, a, b, c);
    if (!(v >= 0 && w >= 0 && v + w <= 1))
        return -1;
    for (int k = 0; k < 3; k++)
        ap[k] -= v * ab[k] + w * ac[k];
    return sfgp_dot3(ap, ap);
}

double sfgp_triangle_distance2(const double p[3], const double a[3], const double b[3], const double c[3])
{
    const double inside = inside_distance2(p, a, b, c);
    if (inside >= 0)
        return inside;
    return sfgp_smaller(segment_distance2(p, a, b),
                        sfgp_smaller(segment_distance2(p, b, c), segment_distance2(p, c, a)));
}

/* ---- weights ------------------------------------------------------------------------------------------ */

/* Weights of the nearest point on the edge from corner i to corner j, at corners x; returns its squared distance. */
static double edge_weights(const double p[3], const double *const x[3], int i, int j, double weights[3])
{
    double along[3], to[3];
    subtract(x[j], x[i], along);
    subtract(p, x[i], to);
    const double length2 = sfgp_dot3(along, along), share = length2 > 0 ? sfgp_dot3(to, along) / length2 : 0;
    weights[3 - i - j] = 0;
    weights[j] = sfgp_smaller(sfgp_larger(share, 0), 1);
    weights[i] = 1 - weights[j];
    return segment_distance2(p, x[i], x[j]);
}

/* Whether the foot of p lies inside; its weights. */
static bool inside_weights(const double p[3], const double *const x[3], double weights[3])
{
    double ab[3], ac[3], ap[3];
    subtract(x[1], x[0], ab);
    subtract(x[2], x[0], ac);
    subtract(p, x[0], ap);
    const double bb = sfgp_dot3(ab, ab), bc = sfgp_dot3(ab, ac), cc = sfgp_dot3(ac, ac),
                 pb = sfgp_dot3(ap, ab), pc = sfgp_dot3(ap, ac);
    const double area2 = bb * cc - bc * bc;
    if (!(area2 > FLAT * bb * cc))
        return sliver_weights(p, x, weights);
    weights[1] = (cc * pb - bc * pc) / area2;
    weights[2] = (bb * pc - bc * pb) / area2;
    weights[0] = 1 - weights[1] - weights[2];
    return weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0;
}

void sfgp_triangle_weights(const double p[3], const double a[3], const double b[3], const double c[3],
                           double weights[3])
{
    const double *const x[3] = {a, b, c};
    double nearest = HUGE_VAL, own[3];
    if (inside_weights(p, x, weights))
        return;
    for (int k = 0; k < 3; k++) {
        const double distance2 = edge_weights(p, x, k, (k + 1) % 3, own);
        for (int w = 0; w < 3 && distance2 < nearest; w++)
            weights[w] = own[w];
        nearest = fmin(nearest, distance2);
    }
}
