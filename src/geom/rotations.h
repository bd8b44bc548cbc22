/* Rotations (d x d, rows one after another; d is 2 or 3), and the table of those that a search over poses starts
 * from.
 *
 * In 2D the 9 multiples of 40 degrees: no rotation is farther than 20 degrees from one of them. In 3D
 * the 60 rotations of an icosahedron, none farther than 44.5 degrees: the unit quaternions
 *
 *     (1, 0, 0, 0),   (1, 1, 1, 1) / 2,   (phi, 1, 1/phi, 0) / 2,   phi the golden ratio,
 *
 * with all signs and even permutations, q and -q being one rotation. Sorted by growing angle: the identity is
 * first.
 *
 * And an even sample of any number of rotations in space: points of a spiral on the unit quaternions (super-Fibonacci
 * spiral, Alexa, CVPR 2022). Of 500 the nearest is 15 degrees away on average and 27 at most, measured at 2000 random ones. */
#ifndef SFGP_GEOM_ROTATIONS_H
#define SFGP_GEOM_ROTATIONS_H

#include <stdbool.h>

/* R R' is I to the tolerance in every entry. */
bool sfgp_rotation_is_orthogonal(const double *rotation, int d, double tolerance);
/* R is a reflection: its determinant is negative. */
bool sfgp_rotation_mirrors(const double *rotation, int d);
/* Cosine of the angle that a rotation (d x d) turns by. */
double sfgp_rotation_cosine(const double *rotation, int d);
/* Cosine of the angle between two rotations. */
double sfgp_rotation_cosine_between(const double *a, const double *b, int d);
/* How many rotations the table has. Sets the first d d entries of rotation to that of index, to nothing when
 * index is not 0 .. count - 1. */
int sfgp_rotation_table(int d, int index, double rotation[9]);
/* The same of so many even steps of a circle, in the plane. */
int sfgp_rotation_circle(int steps, int index, double rotation[9]);
/* The rotation in space about the direction of v by its length in radians. */
void sfgp_rotation_about(const double v[3], double rotation[9]);
/* turned = R x, in space; turned must not be x. */
void sfgp_rotation_apply(const double *rotation, const double *x, double turned[3]);
/* Rotation index (0 .. count - 1) of the spiral of count. */
void sfgp_rotation_spiral(int count, int index, double rotation[9]);

#endif
