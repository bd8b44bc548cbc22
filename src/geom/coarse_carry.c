/* Carries a field from coarse points to all by its values and slopes. Equations in coarse_surface.h. */
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/coarse_surface.h"
#include "linalg/symmetric.h"

#define GRAIN 1024  /* points that a thread takes at a time */
#define RIDGE 1e-4  /* of the squared differences: across a flat surface they have no extent */
#define LEAST 1e-12 /* of the squared distance to a neighbour: a point may be a coarse one */

typedef struct carry {
    const sfgp_coarse_surface *coarse;
    const double *points, *values;
    sfgp_sparse edges; /* both triangles of the stiffness: the neighbours */
    double *slopes;    /* count x 9: G, a row an axis of the field */
    double *to;
} carry;

/* Sums of w d d' and w d (difference of the values)', w = |d|^-2, to each neighbour. */
static void sum_differences(const carry *c, int64_t k, double square[9], double cross[9])
{
    const double *centres = c->coarse->centres, *values = c->values;
    const int32_t *start = sfgp_sparse_start(&c->edges), *index = sfgp_sparse_index(&c->edges);
    for (int32_t at = start[k]; at < start[k + 1]; at++) {
        const int64_t j = index[at];
        double d[3], length2 = 0;
        for (int a = 0; a < 3; a++) {
            d[a] = centres[3 * j + a] - centres[3 * k + a];
            length2 += d[a] * d[a];
        }
        for (int a = 0; a < 3 && length2 > 0; a++)
            for (int b = 0; b < 3; b++) {
                square[3 * a + b] += d[a] * d[b] / length2;
                cross[3 * a + b] += d[a] * (values[3 * j + b] - values[3 * k + b]) / length2;
            }
    }
}

/* slope = cross' inverse(square + ridge), square symmetric. */
static void solve_slope(double square[9], const double cross[9], double *slope)
{
    const double ridge = RIDGE * (square[0] + square[4] + square[8]);
    for (int a = 0; a < 3; a++)
        square[4 * a] += ridge;
    double inverse[9], determinant = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            inverse[3 * a + b] =
                square[3 * a1 + b1] * square[3 * a2 + b2] - square[3 * a1 + b2] * square[3 * a2 + b1];
        }
    for (int a = 0; a < 3; a++)
        determinant += square[a] * inverse[a];
    for (int b = 0; b < 3 && determinant > 0; b++)
        for (int a = 0; a < 3; a++)
            for (int e = 0; e < 3; e++)
                slope[3 * b + a] += cross[3 * e + b] * inverse[3 * e + a] / determinant;
}

static void find_slopes(const void *data, int64_t first, int64_t end)
{
    const carry *c = data;
    for (int64_t k = first; k < end; k++) {
        double square[9] = {0}, cross[9] = {0};
        sum_differences(c, k, square, cross);
        solve_slope(square, cross, c->slopes + 9 * k);
    }
}

/* Weight of coarse point j at x, and the linear field of j there, weighted, added to sum. */
static double add_linear(const carry *c, int64_t j, const double *x, double least, double sum[3])
{
    double d[3], length2 = least;
    for (int a = 0; a < 3; a++) {
        d[a] = x[a] - c->coarse->centres[3 * j + a];
        length2 += d[a] * d[a];
    }
    const double weight = 1 / (length2 * length2);
    for (int b = 0; b < 3; b++) {
        const double *slope = c->slopes + 9 * j + 3 * b;
        sum[b] += weight * (c->values[3 * j + b] + slope[0] * d[0] + slope[1] * d[1] + slope[2] * d[2]);
    }
    return weight;
}

static void carry_to(const carry *c, int64_t i)
{
    const int64_t k = c->coarse->cell[i];
    const int32_t *start = sfgp_sparse_start(&c->edges), *index = sfgp_sparse_index(&c->edges);
    const double *x = c->points + 3 * i, least = LEAST * c->coarse->laplacian.mass[k];
    double sum[3] = {0}, weights = 0;
    for (int32_t at = start[k]; at < start[k + 1]; at++)
        weights += add_linear(c, index[at], x, least, sum);
    for (int a = 0; a < 3; a++)
        c->to[3 * i + a] += sum[a] / weights;
}

static void carry_some(const void *data, int64_t first, int64_t end)
{
    const carry *c = data;
    for (int64_t i = first; i < end; i++)
        carry_to(c, i);
}

sfgp_status sfgp_coarse_surface_carry(sfgp_context *context, const sfgp_coarse_surface *coarse,
                                      const sfgp_mesh *mesh, const double *values, double *to)
{
    carry c = {.coarse = coarse, .points = mesh->points, .values = values, .to = to};
    if (!coarse->cell) {
        for (int64_t k = 0; k < 3 * coarse->points; k++)
            to[k] += values[k];
        return SFGP_OK;
    }
    sfgp_status status = sfgp_symmetric_expand(context, &coarse->laplacian.stiffness, &c.edges);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 9 * coarse->count, &c.slopes);
    if (status == SFGP_OK) {
        sfgp_parallel_for(coarse->count, GRAIN, find_slopes, &c);
        sfgp_parallel_for(coarse->points, GRAIN, carry_some, &c);
    }
    sfgp_free(c.slopes);
    sfgp_sparse_clear(&c.edges);
    return status;
}
