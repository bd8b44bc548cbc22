/* Rotations: checks, and the table that a search over poses starts from; the tables are derived in rotations.h. */
#include "geom/rotations.h"

#include <math.h>

#define STEPS 9                    /* of the circle */
#define LONG 0.809016994374947424  /* phi / 2 */
#define SHORT 0.309016994374947424 /* 1 / (2 phi) */
/* Turns of the two angles of the spiral: sqrt 2 and a root of x^4 = x + 4, the best of Alexa's pairs. */
#define SPIRAL_FIRST 1.414213562373095049
#define SPIRAL_SECOND 1.533751168755204288

static double determinant(int d, const double *r)
{
    if (d == 2)
        return r[0] * r[3] - r[1] * r[2];
    return r[0] * (r[4] * r[8] - r[5] * r[7]) + r[1] * (r[5] * r[6] - r[3] * r[8]) +
           r[2] * (r[3] * r[7] - r[4] * r[6]);
}

bool sfgp_rotation_is_orthogonal(const double *rotation, int d, double tolerance)
{
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) {
            double product = 0;
            for (int k = 0; k < d; k++)
                product += rotation[a * d + k] * rotation[b * d + k];
            if (!(fabs(product - (a == b)) <= tolerance))
                return false;
        }
    return true;
}

bool sfgp_rotation_mirrors(const double *rotation, int d)
{
    return determinant(d, rotation) < 0;
}

/* trace(R) = d - 2 + 2 cos */
static double cosine_of_trace(double trace, int d)
{
    return fmax(-1, fmin((trace - d + 2) / 2, 1));
}

double sfgp_rotation_cosine(const double *rotation, int d)
{
    double trace = 0;
    for (int a = 0; a < d; a++)
        trace += rotation[a * d + a];
    return cosine_of_trace(trace, d);
}

/* That of A'B, whose trace is the sum of the products of the entries. */
double sfgp_rotation_cosine_between(const double *a, const double *b, int d)
{
    double trace = 0;
    for (int k = 0; k < d * d; k++)
        trace += a[k] * b[k];
    return cosine_of_trace(trace, d);
}

/* R = (w^2 - v'v) I + 2 v v' + 2 w [v]x of the unit quaternion (w, v) */
static void rotation_of_quaternion(double w, const double v[3], double rotation[9])
{
    const double cross[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    const double diagonal = w * w - v[0] * v[0] - v[1] * v[1] - v[2] * v[2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            rotation[a * 3 + b] = (a == b) * diagonal + 2 * v[a] * v[b] + 2 * w * cross[a * 3 + b];
}

/* Quaternions of one angle: v in `shifts` cyclic orders, each with all signs of its first `signs` entries.
 * The other signs are those of -q, the same rotation, or of a zero. */
typedef struct orbit {
    double w, v[3];
    int shifts, signs;
} orbit;

static const orbit icosahedron[] = {
    {1, {0, 0, 0}, 1, 0},                                         /* 0 degrees: 1 */
    {LONG, {0.5, SHORT, 0}, 3, 2},                                /* 72: 12 */
    {0.5, {0.5, 0.5, 0.5}, 1, 3},                                 /* 120: 20, with the next */
    {0.5, {SHORT, LONG, 0}, 3, 2}, {SHORT, {LONG, 0.5, 0}, 3, 2}, /* 144: 12 */
    {0, {1, 0, 0}, 3, 0},                                         /* 180: 15, with the next */
    {0, {0.5, LONG, SHORT}, 3, 2},
};
enum { ORBITS = sizeof icosahedron / sizeof *icosahedron };

static void member_of(const orbit *from, int index, double rotation[9])
{
    double v[3];
    for (int a = 0; a < 3; a++) {
        const double sign = a < from->signs && (index >> a & 1) ? -1 : 1;
        v[(a + (index >> from->signs)) % 3] = sign * from->v[a];
    }
    rotation_of_quaternion(from->w, v, rotation);
}

static int rotations_in_space(int index, double rotation[9])
{
    int count = 0;
    for (int k = 0; k < ORBITS; k++) {
        const int size = icosahedron[k].shifts << icosahedron[k].signs;
        if (index >= count && index < count + size)
            member_of(&icosahedron[k], index - count, rotation);
        count += size;
    }
    return count;
}

/* Of nine: 0, 40, -40, 80, -80, ... degrees */
int sfgp_rotation_circle(int steps, int index, double rotation[9])
{
    if (index < 0 || index >= steps)
        return steps;
    const int step = (index + 1) / 2;
    const double pi = acos(-1), angle = (index % 2 ? 2 : -2) * pi * step / steps;
    rotation[0] = rotation[3] = cos(angle);
    rotation[2] = sin(angle);
    rotation[1] = -rotation[2];
    return steps;
}

int sfgp_rotation_table(int d, int index, double rotation[9])
{
    return d == 2 ? sfgp_rotation_circle(STEPS, index, rotation) : rotations_in_space(index, rotation);
}

void sfgp_rotation_spiral(int count, int index, double rotation[9])
{
    const double place = index + 0.5, share = place / count, turns = 2 * acos(-1) * place;
    const double a = turns / SPIRAL_FIRST, b = turns / SPIRAL_SECOND, inner = sqrt(share),
                 outer = sqrt(1 - share);
    const double v[3] = {inner * cos(a), outer * sin(b), outer * cos(b)};
    rotation_of_quaternion(inner * sin(a), v, rotation);
}

void sfgp_rotation_about(const double v[3], double rotation[9])
{
    const double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
                 scale = angle > 0 ? sin(0.5 * angle) / angle : 0;
    rotation_of_quaternion(cos(0.5 * angle), (const double[3]){scale * v[0], scale * v[1], scale * v[2]},
                           rotation);
}

void sfgp_rotation_apply(const double *rotation, const double *x, double turned[3])
{
    for (int a = 0; a < 3; a++)
        turned[a] = rotation[3 * a] * x[0] + rotation[3 * a + 1] * x[1] + rotation[3 * a + 2] * x[2];
}
