/* The Delaunay triangles around one point. Inversion p / |p|^2 maps a circle through the origin to a line, so that a circle
 * through the origin and two points is empty where their line has all other points on one side (Brown, Voronoi Diagrams
 * from Convex Hulls, Inf. Process. Lett. 9, 1979). */
#include "geom/elements.h"

/* Points that are inverted on the fly. */
typedef struct inverted {
    double x, y;
} inverted;

static inverted invert(const double *point)
{
    const double square = point[0] * point[0] + point[1] * point[1];
    return (inverted){point[0] / square, point[1] / square};
}

/* Twice the area of the triangle abc: positive counterclockwise. */
static double turn(inverted a, inverted b, inverted c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int comes_before(const double *points, int a, int b)
{
    const inverted left = invert(points + 2 * a), right = invert(points + 2 * b);
    return left.x != right.x ? left.x < right.x : left.y != right.y ? left.y < right.y : a < b;
}

/* Indices of the points off the origin by their inverted x. Insertion: n is some 20. */
static int sort_points(int n, const double *points, int *order)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        int at = count;
        if (points[2 * k] == 0 && points[2 * k + 1] == 0)
            continue;
        for (; at > 0 && comes_before(points, k, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = k;
        count++;
    }
    return count;
}

/* Adds the edges of half of the hull, over the points in this order (step 1) or backwards (step -1), that the origin lies left
 * of. The chain takes the place of points that were passed (Andrew, Inf. Process. Lett. 9, 1979). */
static int add_chain(int count, const double *points, int step, int *order, int (*pairs)[2], int found)
{
    const int begin = step > 0 ? 0 : count - 1, end = step > 0 ? count : -1;
    const inverted origin = {0, 0};
    int first = found; /* of the edges of this chain, which are pairs of its points */
    int last = order[begin];
    for (int k = begin + step; k != end; k += step) {
        while (found > first && turn(invert(points + 2 * pairs[found - 1][0]), invert(points + 2 * last),
                                     invert(points + 2 * order[k])) <= 0)
            last = pairs[--found][0];
        pairs[found][0] = last;
        pairs[found++][1] = last = order[k];
    }
    const int edges = found;
    found = first;
    for (int k = first; k < edges; k++)
        if (turn(origin, invert(points + 2 * pairs[k][0]), invert(points + 2 * pairs[k][1])) > 0) {
            pairs[found][0] = pairs[k][0];
            pairs[found++][1] = pairs[k][1];
        }
    return found;
}

int sfgp_delaunay_star(int n, const double *points, int *order, int (*pairs)[2])
{
    const int count = sort_points(n, points, order);
    if (count < 2)
        return 0;
    const int lower = add_chain(count, points, 1, order, pairs, 0);
    return add_chain(count, points, -1, order, pairs, lower);
}
