/* The nearest rotation in closed form: in the plane by an angle, in space by the quaternion of Horn's 4 x 4
 * matrix (Horn, J. Opt. Soc. Am. A 4(4), 1987, section 4), whose eigenvectors a Jacobi iteration finds. */
#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

#define SWEEPS 32 /* each sweep about squares the size of the elements off the diagonal; 6 sweeps are usual */

/* One Jacobi rotation: makes a[p][q] zero and turns the columns of vectors along. */
static void rotate(double a[4][4], double vectors[4][4], int p, int q)
{
    const double half = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = copysign(1, half) / (fabs(half) + hypot(half, 1)), c = 1 / hypot(t, 1), s = t * c;
    for (int k = 0; k < 4; k++) {
        const double akp = a[k][p], akq = a[k][q], vkp = vectors[k][p], vkq = vectors[k][q];
        a[k][p] = c * akp - s * akq, a[k][q] = s * akp + c * akq;
        vectors[k][p] = c * vkp - s * vkq, vectors[k][q] = s * vkp + c * vkq;
    }
    for (int k = 0; k < 4; k++) {
        const double apk = a[p][k], aqk = a[q][k];
        a[p][k] = c * apk - s * aqk, a[q][k] = s * apk + c * aqk;
    }
    a[p][q] = a[q][p] = 0;
}

/* Eigenvector of the largest eigenvalue of the symmetric a, which is destroyed. */
static void largest_eigenvector(double a[4][4], double vector[4])
{
    double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, off = 1;
    int best = 0;
    for (int sweep = 0; sweep < SWEEPS && off > 0; sweep++) {
        off = 0;
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                const double small = 1e-17 * (fabs(a[p][p]) + fabs(a[q][q]));
                if (!(fabs(a[p][q]) > small))
                    continue;
                off = fmax(off, fabs(a[p][q]));
                rotate(a, vectors, p, q);
            }
    }
    for (int k = 1; k < 4; k++)
        if (a[k][k] > a[best][best])
            best = k;
    for (int k = 0; k < 4; k++)
        vector[k] = vectors[k][best];
}

static void rotation_of_quaternion(const double q[4], double *r)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[9] = {
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
        2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z,
    };
    memcpy(r, rows, sizeof rows);
}

/* trace(R'S) = q'Hq for the quaternion q of R. */
static void nearest_in_space(const double *s, double *rotation)
{
    const double xx = s[0], xy = s[1], xz = s[2], yx = s[3], yy = s[4], yz = s[5], zx = s[6], zy = s[7],
                 zz = s[8];
    double q[4], horn[4][4] = {{xx + yy + zz, zy - yz, xz - zx, yx - xy},
                               {zy - yz, xx - yy - zz, xy + yx, xz + zx},
                               {xz - zx, xy + yx, yy - xx - zz, yz + zy},
                               {yx - xy, xz + zx, yz + zy, zz - xx - yy}};
    largest_eigenvector(horn, q);
    rotation_of_quaternion(q, rotation);
}

static void nearest_in_plane(const double *s, double *rotation)
{
    const double cosine = s[0] + s[3], sine = s[2] - s[1], length = hypot(cosine, sine);
    const double c = length > 0 ? cosine / length : 1, t = length > 0 ? sine / length : 0;
    rotation[0] = rotation[3] = c;
    rotation[1] = -t;
    rotation[2] = t;
}

double sfgp_rotation_nearest(int d, const double *s, double *rotation)
{
    double trace = 0;
    if (d == 2)
        nearest_in_plane(s, rotation);
    else
        nearest_in_space(s, rotation);
    for (int k = 0; k < d * d; k++)
        trace += rotation[k] * s[k];
    return fmax(trace, 0);
}
