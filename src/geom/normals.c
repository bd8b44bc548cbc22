/* Normals as the direction of least scatter (Hoppe et al., SIGGRAPH 1992, section 3.2), of several points side by side. No
 * set of instructions is used that rounds otherwise. */
#include "geom/normals.h"
#include "base/parallel.h"
#include "base/simd.h"

#include <math.h>

enum {
    SIDES = 8, /* points side by side */
    GRAIN = 8  /* times as many that a thread takes at a time */
};

#define INLINE static inline __attribute__((always_inline)) /* inlined into the clones */

typedef double lanes[SIDES];

/* Sums of products of the coordinates of the neighbours about their mean. Their eigenvectors become the columns of v. Unused axes
 * stay 0. */
typedef struct scatter {
    lanes c[3][3], v[3][3];
} scatter;

/* Coordinate a of neighbour k of each point. */
INLINE void coordinates(const sfgp_neighbours *neighbours, const double *points, const int64_t *point, int k,
                        int a, double *x)
{
    for (int s = 0; s < SIDES; s++)
        x[s] =
            points[(int64_t)neighbours->index[point[s] * neighbours->size + k] * neighbours->dimension + a];
}

INLINE void find_scatter(const sfgp_neighbours *neighbours, const double *points, const int64_t *point, int d,
                         scatter *sum)
{
    const int size = neighbours->size;
    lanes mean[3] = {{0}}, x[3];
    *sum = (scatter){.c = {{{0}}}};
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
            for (int b = 0; b < d; b++)
                for (int s = 0; s < SIDES; s++)
                    sum->c[a][b][s] += (x[a][s] - mean[a][s]) * (x[b][s] - mean[b][s]);
    }
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < SIDES; s++)
            sum->v[a][a][s] = 1;
}

/* left, right = cosine left - sine right, sine left + cosine right, where `turns`. */
INLINE void turn(const int64_t *turns, const double *cosine, const double *sine, double *left, double *right)
{
    for (int s = 0; s < SIDES; s++) {
        const double l = left[s], r = right[s];
        left[s] = turns[s] ? cosine[s] * l - sine[s] * r : l;
        right[s] = turns[s] ? sine[s] * l + cosine[s] * r : r;
    }
}

/* One Jacobi rotation of each that is not done, which makes c[p][q] zero; applied to the columns of v too. */
INLINE void rotate(int p, int q, const int64_t *done, scatter *of)
{
    int64_t turns[SIDES];
    lanes cosine, sine;
    for (int s = 0; s < SIDES; s++) {
        const double beside = of->c[p][q][s], ratio = (of->c[q][q][s] - of->c[p][p][s]) / (2 * beside),
                     tangent = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
        turns[s] = !done[s] & (beside != 0);
        cosine[s] = 1 / sqrt(1 + tangent * tangent);
        sine[s] = tangent * cosine[s];
    }
    for (int k = 0; k < 3; k++)
        turn(turns, cosine, sine, of->c[k][p], of->c[k][q]);
    for (int k = 0; k < 3; k++) {
        turn(turns, cosine, sine, of->c[p][k], of->c[q][k]);
        turn(turns, cosine, sine, of->v[k][p], of->v[k][q]);
    }
}

/* Of what is left beside the diagonal: a rotation by less turns no unit vector in double precision, unless two eigenvalues
 * agree to 14 digits. */
#define NEGLIGIBLE 1e-30

/* Whether all are diagonal, and which are. */
INLINE bool is_diagonal(int d, const scatter *of, int64_t *done)
{
    int64_t all = 1;
    for (int s = 0; s < SIDES; s++) {
        const double beside =
                         fabs(of->c[0][1][s]) + (d == 3 ? fabs(of->c[0][2][s]) + fabs(of->c[1][2][s]) : 0),
                     trace = of->c[0][0][s] + of->c[1][1][s] + (d == 3 ? of->c[2][2][s] : 0);
        done[s] = beside <= NEGLIGIBLE * trace;
        all &= done[s];
    }
    return all;
}

/* By cyclic Jacobi, which converges quadratically: 8 sweeps are enough, and 5 the rule. */
INLINE void diagonalise(int d, scatter *of)
{
    int64_t done[SIDES];
    for (int sweep = 0; sweep < 8 && !is_diagonal(d, of, done); sweep++)
        for (int p = 0; p < d - 1; p++)
            for (int q = p + 1; q < d; q++)
                rotate(p, q, done, of);
}

/* Eigenvector of the smallest eigenvalue; its largest part is positive. */
static void least_direction(int d, const scatter *of, int s, double *normal)
{
    int least = 0, largest = 0;
    for (int k = 1; k < d; k++)
        least = of->c[k][k][s] < of->c[least][least][s] ? k : least;
    for (int a = 1; a < d; a++)
        largest = fabs(of->v[a][least][s]) > fabs(of->v[largest][least][s]) ? a : largest;
    for (int a = 0; a < d; a++)
        normal[a] = of->v[largest][least][s] < 0 ? -of->v[a][least][s] : of->v[a][least][s];
}

typedef struct estimate {
    const sfgp_neighbours *neighbours;
    const double *points;
    double *normals;
} estimate;

/* Groups of SIDES points; in the last one its last point may be there several times. */
SFGP_SIMD_EXACT static void estimate_group(const estimate *e, int64_t group, int d)
{
    int64_t point[SIDES];
    scatter sum;
    for (int s = 0; s < SIDES; s++) {
        const int64_t i = group * SIDES + s;
        point[s] = i < e->neighbours->count ? i : e->neighbours->count - 1;
    }
    find_scatter(e->neighbours, e->points, point, d, &sum);
    diagonalise(d, &sum);
    for (int s = 0; s < SIDES; s++)
        least_direction(d, &sum, s, e->normals + point[s] * d);
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
