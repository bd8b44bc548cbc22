/* What a rotation is, to a tolerance in every entry. */
#ifndef SFGP_TESTS_ROTATION_H
#define SFGP_TESTS_ROTATION_H

#include "geom/rotations.h"

static inline bool test_is_rotation(const double *r, int d, double tolerance)
{
    return sfgp_rotation_is_orthogonal(r, d, tolerance) && !sfgp_rotation_mirrors(r, d);
}

#endif
