/* Stiffness and size of one element from its sides. Equations in laplacian.h. */
#include "geom/elements.h"

#include <math.h>

/* Area of a triangle from its sides (Kahan, Miscalculating Area and Angles of a Needle-like Triangle, 2014). */
static double area_of(const double sides[3])
{
    const double c = fmin(sides[0], fmin(sides[1], sides[2])), a = fmax(sides[0], fmax(sides[1], sides[2])),
                 b = sides[0] + sides[1] + sides[2] - a - c;
    return 0.25 * sqrt(fmax((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c)), 0));
}

/* -G_ij = cot(angle k) / 2 = (|jk|^2 + |ki|^2 - |ij|^2) / (8 area) */
sfgp_element sfgp_element_triangle(double sides[3], double least)
{
    const double sum = sides[0] + sides[1] + sides[2],
                 slack = sum - 2 * fmax(sides[0], fmax(sides[1], sides[2]));
    sfgp_element e;
    for (int k = 0; k < 3 && slack < least; k++)
        sides[k] += least - slack;
    e.size = area_of(sides);
    const double squares = sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2];
    for (int k = 0; k < 3; k++)
        e.edge[k] = (squares - 2 * sides[k] * sides[k]) / (8 * e.size);
    return e;
}

sfgp_element sfgp_element_segment(double length, double least)
{
    const double own = fmax(length, least);
    return (sfgp_element){{1 / own, 0, 0}, own};
}
