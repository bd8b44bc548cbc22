/* Pose: a rigid motion T(y) = R y + t of a fit, and the table of rotations that a search over poses tries.
 *
 * Table. In 2D the 9 multiples of 40 degrees: no rotation is farther than 20 degrees from one of them. In 3D
 * the 60 rotations of an icosahedron, none farther than 44.5 degrees: the unit quaternions
 *
 *     (1, 0, 0, 0),   (1, 1, 1, 1) / 2,   (phi, 1, 1/phi, 0) / 2,   phi the golden ratio,
 *
 * with all signs and even permutations, q and -q being one rotation. Sorted by growing angle: the identity is
 * first. */
#ifndef SFGP_GEOM_POSE_H
#define SFGP_GEOM_POSE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sfgp_pose {
    double rotation[9]; /* R: d x d in the first d d entries, rows one after another */
    double shift[3];    /* t, in the unit of the points: those of the frame in a fit */
} sfgp_pose;

/* d is 2 or 3 in all of them. A pose of zeros is not the identity. */
sfgp_pose sfgp_pose_identity(int d);
bool sfgp_pose_is_identity(const sfgp_pose *pose, int d);
/* out = R in + t, and back: out = R'(in - t). count x d; in may be out. The identity changes no bit. */
void sfgp_pose_apply(const sfgp_pose *pose, int d, int64_t count, const double *in, double *out);
void sfgp_pose_undo(const sfgp_pose *pose, int d, int64_t count, const double *in, double *out);

/* R R' is I to the tolerance in every entry, and R is no reflection. */
bool sfgp_pose_is_rotation(const double *rotation, int d, double tolerance);
/* Cosine of the angle that a rotation (d x d) turns by. */
double sfgp_pose_angle_cosine(const double *rotation, int d);
/* How many rotations the table has. Sets the first d d entries of rotation to that of index, to nothing when
 * index is not 0 .. count - 1. */
int sfgp_pose_rotations(int d, int index, double rotation[9]);

#endif
