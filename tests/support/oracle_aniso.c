#include "support/oracle_aniso.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;
enum { NEIGHBOURS = 12 };

static real determinant(int d, const real *c)
{
    if (d == 2)
        return c[0] * c[3] - c[1] * c[2];
    return c[0] * (c[4] * c[8] - c[5] * c[7]) - c[1] * (c[3] * c[8] - c[5] * c[6]) +
           c[2] * (c[3] * c[7] - c[4] * c[6]);
}

/* ---- normals ----------------------------------------------------------------------------------------- */

static real gap(int d, const real *x, int i, int j)
{
    real sum = 0;
    for (int a = 0; a < d; a++)
        sum += (x[i * d + a] - x[j * d + a]) * (x[i * d + a] - x[j * d + a]);
    return sum;
}

static void find_neighbours(int n, int d, const real *x, int *neighbours)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < NEIGHBOURS; k++) {
            int best = -1;
            for (int j = 0; j < n; j++) {
                bool taken = false;
                for (int l = 0; l < k; l++)
                    taken = taken || neighbours[i * NEIGHBOURS + l] == j;
                if (!taken && (best < 0 || gap(d, x, i, j) < gap(d, x, i, best)))
                    best = j;
            }
            neighbours[i * NEIGHBOURS + k] = best;
        }
}

/* Least eigenvector of the scatter matrix by inverse iteration. */
static void find_normal(int d, const real *x, const int *neighbours, real *normal)
{
    real c[9] = {0}, mean[3] = {0}, trace = 0;
    for (int k = 0; k < NEIGHBOURS; k++)
        for (int a = 0; a < d; a++)
            mean[a] += x[neighbours[k] * d + a] / NEIGHBOURS;
    for (int k = 0; k < NEIGHBOURS; k++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                c[a * d + b] += (x[neighbours[k] * d + a] - mean[a]) * (x[neighbours[k] * d + b] - mean[b]);
    for (int a = 0; a < d; a++)
        trace += c[a * d + a];
    for (int a = 0; a < d; a++) {
        c[a * d + a] += 1e-15L * trace;
        normal[a] = 1 + 0.1L * a;
    }
    for (int step = 0; step < 500; step++) {
        real length = 0;
        oracle_solve(d, c, normal);
        for (int a = 0; a < d; a++)
            length += normal[a] * normal[a];
        for (int a = 0; a < d; a++)
            normal[a] /= sqrtl(length);
    }
}

/* C = k (I - (1 - a) n n') with k for a trace of d. */
static void update_shape(oracle_aniso *o)
{
    const int n = o->linear->n, d = o->linear->d;
    for (int i = 0; i < n; i++) {
        real *c = o->covariance + i * d * d, trace = 0;
        find_normal(d, o->points, o->neighbours + i * NEIGHBOURS, o->normals + i * d);
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                c[a * d + b] = (a == b) - (1 - o->anisotropy) * o->normals[i * d + a] * o->normals[i * d + b];
        for (int a = 0; a < d; a++)
            trace += c[a * d + a];
        for (int k = 0; k < d * d; k++)
            c[k] *= d / trace;
    }
}

/* ---- mixture ----------------------------------------------------------------------------------------- */

/* (s_j - rbar_i)' C_i^-1 (s_j - rbar_i) */
static real mahalanobis(const oracle_aniso *o, int i, int j)
{
    const int d = o->linear->d;
    real step[3], solved[3], sum = 0;
    for (int a = 0; a < d; a++)
        solved[a] = step[a] = o->linear->target[j * d + a] - o->points[i * d + a];
    oracle_solve(d, o->covariance + i * d * d, solved);
    for (int a = 0; a < d; a++)
        sum += step[a] * solved[a];
    return sum;
}

static real density(const oracle_aniso *o, int i, int j)
{
    const int d = o->linear->d;
    const real scale = powl(2 * acosl(-1.0L) * o->variance, d) * determinant(d, o->covariance + i * d * d);
    return expl(-mahalanobis(o, i, j) / (2 * o->variance)) / sqrtl(scale);
}

static void label(oracle_aniso *o)
{
    const int n = o->linear->n, m = o->linear->m;
    for (int j = 0; j < m; j++) {
        real sum = 0;
        for (int i = 0; i < n; i++)
            sum += o->p[i * m + j] = density(o, i, j);
        for (int i = 0; i < n; i++)
            o->p[i * m + j] *= (1 - o->omega) / (o->omega * n * o->density + (1 - o->omega) * sum);
    }
}

real oracle_aniso_objective(const oracle_aniso *o)
{
    real total = 0;
    for (int j = 0; j < o->linear->m; j++) {
        real sum = 0;
        for (int i = 0; i < o->linear->n; i++)
            sum += density(o, i, j) / o->linear->n;
        total += logl(o->omega * o->density + (1 - o->omega) * sum);
    }
    for (int k = 0; k < o->linear->size; k++)
        total -= o->c[k] * o->c[k] / 2;
    return total;
}

/* Adds P_ij B_i' (v C_i)^-1 (B_i, s_j - mean_i) over all pairs, solves with the identity. */
static void move(oracle_aniso *o)
{
    const oracle_map *l = o->linear;
    const int d = l->d, size = l->size;
    real *gram = oracle_reals(size * size), *column = oracle_reals(d);
    memset(o->c, 0, (size_t)size * sizeof *o->c);
    for (int k = 0; k < size; k++)
        gram[k * size + k] = 1;
    for (int i = 0; i < l->n; i++) {
        const real *covariance = o->covariance + i * d * d;
        real mass = 0;
        memset(column, 0, (size_t)d * sizeof *column);
        for (int j = 0; j < l->m; j++) {
            mass += o->p[i * l->m + j];
            for (int a = 0; a < d; a++)
                column[a] += o->p[i * l->m + j] * (l->target[j * d + a] - l->mean[i * d + a]);
        }
        oracle_solve(d, covariance, column);
        for (int k = 0; k < size; k++)
            for (int a = 0; a < d; a++)
                o->c[k] += l->b[(i * d + a) * size + k] * column[a] / o->variance;
        for (int k = 0; k < size; k++) {
            for (int a = 0; a < d; a++)
                column[a] = l->b[(i * d + a) * size + k];
            oracle_solve(d, covariance, column);
            for (int other = 0; other < size; other++)
                for (int a = 0; a < d; a++)
                    gram[other * size + k] +=
                        mass / o->variance * l->b[(i * d + a) * size + other] * column[a];
        }
    }
    oracle_solve(size, gram, o->c);
    oracle_map_place(l, o->c, o->points, NULL);
    free(gram), free(column);
}

static void update_variance(oracle_aniso *o)
{
    const int n = o->linear->n, m = o->linear->m;
    real sum = 0, mass = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            sum += o->p[i * m + j] * mahalanobis(o, i, j);
            mass += o->p[i * m + j];
        }
    o->variance = sum / (o->linear->d * mass);
}

void oracle_aniso_step(oracle_aniso *o)
{
    label(o);
    move(o);
    update_variance(o);
    update_shape(o);
}

/* ---- life -------------------------------------------------------------------------------------------- */

static real pair_variance(const oracle_aniso *o)
{
    const oracle_map *l = o->linear;
    real sum = 0;
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->m; j++)
            for (int a = 0; a < l->d; a++)
                sum += powl(l->target[j * l->d + a] - l->mean[i * l->d + a], 2);
    return sum / l->n / l->m / l->d;
}

oracle_aniso *oracle_aniso_new(const sfgp_model *model, int m, const double *target, double anisotropy,
                               double omega, double variance0)
{
    const int n = (int)model->count, d = model->dimension;
    oracle_aniso *o = calloc(1, sizeof *o);
    real *reference = oracle_reals(n * d);
    *o = (oracle_aniso){.anisotropy = anisotropy, .omega = omega, .density = 1 / (real)m};
    o->linear = oracle_map_new(model, m, target, 1);
    o->neighbours = calloc((size_t)(n * NEIGHBOURS), sizeof *o->neighbours);
    o->points = oracle_reals(n * d);
    o->normals = oracle_reals(n * d);
    o->covariance = oracle_reals(n * d * d);
    o->c = oracle_reals(o->linear->size);
    o->p = oracle_reals(n * m);
    o->variance = variance0 > 0 ? (real)variance0 : pair_variance(o);
    for (int k = 0; k < n * d; k++)
        reference[k] = model->reference[k];
    find_neighbours(n, d, reference, o->neighbours);
    oracle_map_place(o->linear, o->c, o->points, NULL);
    update_shape(o);
    free(reference);
    return o;
}

void oracle_aniso_free(oracle_aniso *o)
{
    oracle_map_free(o->linear);
    free(o->neighbours), free(o->points), free(o->normals), free(o->covariance), free(o->c), free(o->p);
    free(o);
}
