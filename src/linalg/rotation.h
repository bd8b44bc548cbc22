/* Rotation that maps one set of directions onto another best, in 2 or 3 dimensions. */
#ifndef SFGP_LINALG_ROTATION_H
#define SFGP_LINALG_ROTATION_H

/* The rotation R (d x d, determinant +1) that maximises trace(R'S), that is the nearest to S among them; the
 * identity for S = 0. Returns the trace, which is never negative. In 3D R comes from the unit quaternion that
 * belongs to the largest eigenvalue of Horn's 4 x 4 matrix (Horn, J. Opt. Soc. Am. A 4(4), 1987), so that a
 * flat or mirrored S needs no special case. Accurate to about 1e-15 |S| / gap, where gap is how much better
 * R is than a half turn away from it. Allocates nothing. */
double sfgp_rotation_nearest(int d, const double *s, double *rotation);

#endif
