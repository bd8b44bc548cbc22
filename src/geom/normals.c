/* Normals as the direction of least scatter (Hoppe et al., SIGGRAPH 1992, section 3.2), of several points side by side: the
 * inverse of the scatter is squared until one eigenvalue is left. No set of instructions is used that rounds otherwise. */
#include "geom/normals.h"
#include "base/parallel.h"
#include "base/simd.h"

#include <math.h>

enum {
    SIDES = 8,   /* points side by side */
    GRAIN = 8,   /* times as many that a thread takes at a time */
    SQUARES = 10 /* at most, 4 as a rule: 0.98^1024 is 1e-9 */
};
#define FEW 1e-9    /* its square, which is left, turns no vector in double precision */
#define LEAST 1e-12 /* of the scatter, added in every direction: for points on a line */

#define INLINE static inline __attribute__((always_inline)) /* inlined into the clones */

typedef double lanes[SIDES];

/* A symmetric 3 x 3 matrix of each point: its lower triangle, row by row. */
typedef struct symmetric {
    lanes part[6];
} symmetric;

static const int PART[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
#define AT(m, a, b) (m)->part[PART[a][b]]

/* ---- the scatter ---------------------------------------------------------------------------------------- */

/* Coordinate a of neighbour k of each point. */
INLINE void coordinates(const sfgp_neighbours *neighbours, const double *points, const int64_t *point, int k,
                        int a, double *x)
{
    for (int s = 0; s < SIDES; s++)
        x[s] =
            points[(int64_t)neighbours->index[point[s] * neighbours->size + k] * neighbours->dimension + a];
}

/* Sums of products of the coordinates of the neighbours about their mean. Unused axes stay 0. */
INLINE void find_scatter(const sfgp_neighbours *neighbours, const double *points, const int64_t *point, int d,
                         symmetric *sum)
{
    const int size = neighbours->size;
    lanes mean[3] = {{0}}, x[3];
    *sum = (symmetric){{{0}}};
    for (int k = 0; k < size; k++)
        for (int a = 0; a < d; a++) {
            coordinates(neighbours, points, point, k, a, x[a]);
            for (int s = 0; s < SIDES; s++)
                mean[a][s] += x[a][s] / size;
        }
    for (int k = 0; k < size; k++) {
        for (int a = 0; a < d; a++)
            coordinates(neighbours, points, point, k, a, x[a]);
        for (int a = 0; a < d; a++)
            for (int b = 0; b <= a; b++)
                for (int s = 0; s < SIDES; s++)
                    AT(sum, a, b)[s] += (x[a][s] - mean[a][s]) * (x[b][s] - mean[b][s]);
    }
}

/* ---- its smallest eigenvalue ---------------------------------------------------------------------------- */

/* Divides each matrix by its trace. One of coincident points stays 0. */
INLINE void normalise(symmetric *m)
{
    lanes factor;
    for (int s = 0; s < SIDES; s++) {
        const double trace = AT(m, 0, 0)[s] + AT(m, 1, 1)[s] + AT(m, 2, 2)[s];
        factor[s] = 1 / (trace > 0 ? trace : 1);
    }
    for (int k = 0; k < 6; k++)
        for (int s = 0; s < SIDES; s++)
            m->part[k][s] *= factor[s];
}

/* The adjugate, det(c) / c, whose largest eigenvalue has the eigenvector of the smallest one of c. */
INLINE void invert(const symmetric *c, symmetric *m)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            for (int s = 0; s < SIDES; s++) {
                const int i = (a + 1) % 3, j = (a + 2) % 3, k = (b + 1) % 3, l = (b + 2) % 3;
                AT(m, a, b)[s] = AT(c, i, k)[s] * AT(c, j, l)[s] - AT(c, i, l)[s] * AT(c, j, k)[s];
            }
}

/* m = m m. Returns whether the largest eigenvalue of each had all of its trace, which is 1, up to FEW of it. */
INLINE bool square(symmetric *m)
{
    const symmetric of = *m;
    int64_t all = 1;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            for (int s = 0; s < SIDES; s++)
                m->part[PART[a][b]][s] = AT(&of, a, 0)[s] * AT(&of, 0, b)[s] +
                                         AT(&of, a, 1)[s] * AT(&of, 1, b)[s] +
                                         AT(&of, a, 2)[s] * AT(&of, 2, b)[s];
    for (int s = 0; s < SIDES; s++)
        all &= AT(m, 0, 0)[s] + AT(m, 1, 1)[s] + AT(m, 2, 2)[s] > 1 - FEW;
    return all;
}

/* m becomes nn' of the direction n in which the points scatter least. Where the eigenvalue is double, as on a line, it becomes
 * the mean of nn' over all of them. */
INLINE void project(int d, symmetric *m)
{
    symmetric c = *m;
    normalise(&c);
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < SIDES; s++)
            AT(&c, a, a)[s] += a < d ? LEAST : 1; /* in the plane the third axis has the most */
    invert(&c, m);
    for (int k = 0; k < SQUARES; k++) {
        normalise(m);
        if (square(m))
            break;
    }
}

/* The longest column of nn', whose largest part is positive, as a unit vector. */
INLINE void direction(int d, const symmetric *m, int s, double *normal)
{
    const int axes = d == 2 ? 2 : 3; /* what the analyzer of clang has to know */
    int longest = 0;
    double sum = 0;
    for (int a = 1; a < axes; a++)
        longest = AT(m, a, a)[s] > AT(m, longest, longest)[s] ? a : longest;
    for (int a = 0; a < axes; a++)
        sum += AT(m, a, longest)[s] * AT(m, a, longest)[s];
    for (int a = 0; a < axes; a++)
        normal[a] = AT(m, a, longest)[s] / sqrt(sum);
}

/* ---- all points ----------------------------------------------------------------------------------------- */

typedef struct estimate {
    const sfgp_neighbours *neighbours;
    const double *points;
    double *normals;
} estimate;

/* Groups of SIDES points; in the last one its last point may be there several times. */
SFGP_SIMD_EXACT static void estimate_group(const estimate *e, int64_t group, int d)
{
    int64_t point[SIDES];
    symmetric sum;
    for (int s = 0; s < SIDES; s++) {
        const int64_t i = group * SIDES + s;
        point[s] = i < e->neighbours->count ? i : e->neighbours->count - 1;
    }
    find_scatter(e->neighbours, e->points, point, d, &sum);
    project(d, &sum);
    for (int s = 0; s < SIDES; s++)
        direction(d, &sum, s, e->normals + point[s] * d);
}

static void estimate_some(const void *data, int64_t first, int64_t end)
{
    const estimate *e = data;
    for (int64_t group = first; group < end; group++)
        estimate_group(e, group, e->neighbours->dimension == 2 ? 2 : 3);
}

void sfgp_normals_estimate(const sfgp_neighbours *neighbours, const double *points, double *normals)
{
    const estimate all = {neighbours, points, normals};
    sfgp_parallel_for((neighbours->count + SIDES - 1) / SIDES, GRAIN, estimate_some, &all);
}
