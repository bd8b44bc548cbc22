#include "support/oracle_map.h"

#include <stdlib.h>
#include <string.h>

long double *oracle_reals(int count)
{
    return calloc((size_t)count, sizeof(long double));
}

void oracle_solve(int n, const long double *matrix, long double *x)
{
    long double *a = oracle_reals(n * n);
    memcpy(a, matrix, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const long double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            x[i] -= factor * x[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    free(a);
}

oracle_map *oracle_map_new(const sfgp_model *model, int m, const double *target, double lambda)
{
    const int n = (int)model->count, d = model->dimension, s = (int)model->basis.scalar.rank,
              p = (int)model->basis.pca.modes;
    oracle_map *o = calloc(1, sizeof *o);
    *o = (oracle_map){.n = n, .m = m, .d = d, .size = s * d + p, .lambda = lambda};
    o->b = oracle_reals(n * d * o->size);
    o->mean = oracle_reals(n * d);
    o->target = oracle_reals(m * d);
    for (int row = 0; row < n * d; row++) {
        for (int k = 0; k < s; k++)
            o->b[row * o->size + k * d + row % d] = model->basis.scalar.values[row / d * s + k];
        for (int k = 0; k < p; k++)
            o->b[row * o->size + s * d + k] = model->basis.pca.factor[row * p + k];
        o->mean[row] = model->basis.mean[row];
    }
    for (int k = 0; k < m * d; k += d) {
        double x[3];
        sfgp_frame_enter(&model->frame, 1, target + k, x);
        for (int a = 0; a < d; a++)
            o->target[k + a] = x[a];
    }
    return o;
}

void oracle_map_free(oracle_map *o)
{
    free(o->b), free(o->mean), free(o->target);
    free(o);
}

static long double distance2(int d, const long double *x, const long double *y)
{
    long double sum = 0;
    for (int a = 0; a < d; a++)
        sum += (x[a] - y[a]) * (x[a] - y[a]);
    return sum;
}

int oracle_map_closest(const oracle_map *o, const long double *x)
{
    int best = 0;
    for (int j = 1; j < o->m; j++)
        if (distance2(o->d, x, o->target + j * o->d) < distance2(o->d, x, o->target + best * o->d))
            best = j;
    return best;
}

void oracle_map_place(const oracle_map *o, const long double *c, long double *points, int *closest)
{
    for (int row = 0; row < o->n * o->d; row++) {
        points[row] = o->mean[row];
        for (int k = 0; k < o->size; k++)
            points[row] += o->b[row * o->size + k] * c[k];
    }
    for (int i = 0; closest && i < o->n; i++)
        closest[i] = oracle_map_closest(o, points + i * o->d);
}

long double oracle_map_objective(const oracle_map *o, const long double *c)
{
    long double *points = oracle_reals(o->n * o->d), sum = 0, square = 0;
    oracle_map_place(o, c, points, NULL);
    for (int i = 0; i < o->n; i++)
        sum +=
            distance2(o->d, points + i * o->d, o->target + oracle_map_closest(o, points + i * o->d) * o->d);
    for (int k = 0; k < o->size; k++)
        square += c[k] * c[k];
    free(points);
    return sum / o->n + o->lambda * square;
}

/* (B'B / N + lambda I) c = B'(s_c - mean) / N */
void oracle_map_solve(const oracle_map *o, const int *closest, long double *c)
{
    const int size = o->size;
    long double *a = oracle_reals(size * size);
    memset(c, 0, (size_t)size * sizeof *c);
    for (int row = 0; row < o->n * o->d; row++) {
        const long double *b = o->b + row * size;
        long double label = o->target[closest[row / o->d] * o->d + row % o->d] - o->mean[row];
        for (int k = 0; k < size; k++) {
            c[k] += b[k] * label / o->n;
            for (int l = 0; l < size; l++)
                a[k * size + l] += b[k] * b[l] / o->n;
        }
    }
    for (int k = 0; k < size; k++)
        a[k * size + k] += o->lambda;
    oracle_solve(size, a, c);
    free(a);
}
