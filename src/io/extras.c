/* Normals and colours behind x y z: see extras.h. */
#include "io/extras.h"
#include "io/scalar.h"

#include <math.h>

/* Of the squared length of a normal: files have as few as two decimals. */
#define LENGTH_TOLERANCE 0.02

static const int FIRST[3] = {3, 4, 6};

/* Points of no surface have the normal 0 0 0. */
static bool is_normal(const double *values)
{
    const double square = values[0] * values[0] + values[1] * values[1] + values[2] * values[2];
    return square == 0 || fabs(square - 1) <= LENGTH_TOLERANCE;
}

static bool is_readable(const sfgp_extras *extras, bool colours)
{
    bool good[3];
    for (int k = 0; k < 3; k++)
        good[k] = extras->normals[k] || (extras->colours[k] && colours);
    return extras->columns == 6 ? good[0] : extras->columns == 7 ? good[0] || good[1] : good[0] && good[2];
}

sfgp_extras sfgp_extras_start(int64_t columns)
{
    if (columns != 6 && columns != 7 && columns != 9)
        columns = 0;
    return (sfgp_extras){columns, {true, true, true}, {true, true, true}, true};
}

bool sfgp_extras_add(sfgp_extras *extras, const double *values)
{
    for (int k = 0; k < 3 && FIRST[k] + 3 <= extras->columns; k++) {
        extras->normals[k] = extras->normals[k] && is_normal(values + FIRST[k]);
        extras->colours[k] = extras->colours[k] && sfgp_scalar_are_bytes(values + FIRST[k], 3);
    }
    for (int k = 0; k < 3; k++)
        extras->whole = extras->whole && values[k] == floor(values[k]);
    return is_readable(extras, true);
}

bool sfgp_extras_told(const sfgp_extras *extras)
{
    return is_readable(extras, !extras->whole);
}
