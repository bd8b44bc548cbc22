#include "support/oracle.h"

#include <math.h>
#include <stdlib.h>

static real *reals(int count)
{
    return calloc((size_t)count, sizeof(real));
}

static real distance2(int d, const real *x, const real *y)
{
    real sum = 0;
    for (int a = 0; a < d; a++)
        sum += (x[a] - y[a]) * (x[a] - y[a]);
    return sum;
}

/* ---- frame and prior --------------------------------------------------------------------------------- */

typedef struct frame {
    real centre[3], scale;
    const oracle_axes *axes;
} frame;

static frame frame_of(int n, int d, const double *x, const oracle_axes *axes)
{
    frame f = {{0, 0, 0}, 0, axes};
    for (int k = 0; k < n * d; k++)
        f.centre[k % d] += (real)x[k] / n;
    for (int k = 0; k < n * d; k++)
        f.scale += ((real)x[k] - f.centre[k % d]) * ((real)x[k] - f.centre[k % d]) / n;
    f.scale = sqrtl(f.scale);
    return f;
}

/* Coordinate a of a point: A (x - centre) / scale, rounded. */
static real coordinate(frame f, int d, const double *x, int a)
{
    real y = 0;
    if (!f.axes)
        return ((real)x[a] - f.centre[a]) / f.scale;
    for (int b = 0; b < d; b++)
        y += (real)f.axes->axes[a * d + b] * ((real)x[b] - f.centre[b]) / f.scale;
    return nearbyintl(y / (real)f.axes->step) * (real)f.axes->step;
}

static real *enter(frame f, int n, int d, const double *x)
{
    real *y = reals(n * d);
    for (int k = 0; k < n * d; k++)
        y[k] = coordinate(f, d, x + k / d * d, k % d);
    return y;
}

static void add_se(oracle *o, real length, real variance)
{
    const int n = o->n, d = o->d, size = n * d;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < d; a++)
                o->covariance[(i * d + a) * size + j * d + a] +=
                    variance *
                    expl(-distance2(d, o->reference + i * d, o->reference + j * d) / (2 * length * length));
}

static void add_pca(oracle *o, frame f, const double *const *training, int count)
{
    const int size = o->n * o->d;
    real *shapes = reals(count * size), *mean = reals(size);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < size; k++) {
            shapes[s * size + k] = coordinate(f, o->d, training[s] + k / o->d * o->d, k % o->d);
            mean[k] += shapes[s * size + k] / count;
        }
    for (int k = 0; k < size; k++)
        o->mean[k] = mean[k] - o->reference[k];
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
            for (int s = 0; s < count; s++)
                o->covariance[a * size + b] +=
                    (shapes[s * size + a] - mean[a]) * (shapes[s * size + b] - mean[b]) / (count - 1);
    free(shapes);
    free(mean);
}

oracle *oracle_new(oracle_method method, int n, int m, int d, const double *reference, const double *target,
                   const double *const *training, int training_count, const double (*terms)[2],
                   int term_count, const oracle_axes *axes)
{
    const frame f = frame_of(n, d, reference, axes);
    oracle *o = calloc(1, sizeof *o);
    *o = (oracle){.method = method, .n = n, .m = m, .d = d};
    o->omega = 0.1L;
    o->density = 1 / (real)m;
    o->pmin = 1 / (real)n;
    o->variance0 = 0.1L;
    o->reference = enter(f, n, d, reference);
    o->target = enter(f, m, d, target);
    o->mean = reals(n * d);
    o->covariance = reals(n * d * n * d);
    o->fitted = reals(n * d);
    o->variance = reals(n);
    o->noise = reals(n);
    o->p = reals(n * m);
    o->mass = reals(n);
    o->weight = reals(n);
    o->missing = calloc((size_t)n, sizeof(bool));
    for (int t = 0; t < term_count; t++)
        add_se(o, terms[t][0], terms[t][1]);
    if (training_count > 0)
        add_pca(o, f, training, training_count);
    for (int k = 0; k < n * d; k++)
        o->fitted[k] = o->reference[k] + o->mean[k];
    return o;
}

void oracle_free(oracle *o)
{
    free(o->reference), free(o->target), free(o->mean), free(o->covariance), free(o->fitted);
    free(o->variance), free(o->noise), free(o->p), free(o->mass), free(o->weight), free(o->missing);
    free(o);
}

/* ---- correspondence ---------------------------------------------------------------------------------- */

static void soft_probabilities(oracle *o)
{
    const real pi = acosl(-1.0L);
    for (int j = 0; j < o->m; j++) {
        real sum = 0;
        for (int i = 0; i < o->n; i++) {
            real v = o->noise[i];
            real phi = powl(2 * pi * v, -o->d / 2.0L) *
                       expl(-distance2(o->d, o->target + j * o->d, o->fitted + i * o->d) / (2 * v)) *
                       expl(-o->d * o->variance[i] / (2 * v));
            o->p[i * o->m + j] = phi;
            sum += phi;
        }
        for (int i = 0; i < o->n; i++)
            o->p[i * o->m + j] *= (1 - o->omega) / (o->omega * o->n * o->density + (1 - o->omega) * sum);
    }
}

static int nearest(const oracle *o, const real *x)
{
    int best = 0;
    for (int j = 1; j < o->m; j++)
        if (distance2(o->d, o->target + j * o->d, x) < distance2(o->d, o->target + best * o->d, x))
            best = j;
    return best;
}

static void hard_probabilities(oracle *o)
{
    for (int i = 0; i < o->n; i++) {
        int j = nearest(o, o->fitted + i * o->d);
        real distance = sqrtl(distance2(o->d, o->target + j * o->d, o->fitted + i * o->d));
        for (int k = 0; k < o->m; k++)
            o->p[i * o->m + k] = 0;
        o->p[i * o->m + j] = distance <= o->max_distance;
    }
}

static void correspond(oracle *o)
{
    real threshold = o->method == ORACLE_NOTHRESHOLD ? 0 : o->pmin;
    if (o->method == ORACLE_CLOSEST)
        hard_probabilities(o);
    else
        soft_probabilities(o);
    for (int i = 0; i < o->n; i++) {
        o->mass[i] = o->weight[i] = 0;
        for (int j = 0; j < o->m; j++) {
            o->mass[i] += o->p[i * o->m + j];
            if (o->p[i * o->m + j] > threshold)
                o->weight[i] += o->p[i * o->m + j];
        }
        o->missing[i] = o->weight[i] == 0;
    }
}

/* ---- regression -------------------------------------------------------------------------------------- */

static void cholesky(int n, real *a)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            real sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrtl(sum) : sum / a[j * n + j];
        }
}

static void solve_lower(int n, const real *l, real *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
}

/* mean = K_RC (K_CC + D)^-1 delta, covariance diagonal = K_RR - K_RC (K_CC + D)^-1 K_CR, through L of K_CC +
 * D. */
static void regress(oracle *o, const real *delta)
{
    const int d = o->d, size = o->n * d;
    int *observed = calloc((size_t)size, sizeof *observed), count = 0;
    for (int k = 0; k < size; k++)
        if (!o->missing[k / d])
            observed[count++] = k;
    real *l = reals(count * count), *y = reals(count), *column = reals(count);
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++)
            l[a * count + b] = o->covariance[observed[a] * size + observed[b]];
        l[a * count + a] += o->noise[observed[a] / d] / o->weight[observed[a] / d];
        y[a] = delta[observed[a]];
    }
    cholesky(count, l);
    solve_lower(count, l, y);
    for (int i = 0; i < o->n; i++)
        o->variance[i] = 0;
    for (int k = 0; k < size; k++) {
        real mean = 0, explained = 0;
        for (int a = 0; a < count; a++)
            column[a] = o->covariance[observed[a] * size + k];
        solve_lower(count, l, column);
        for (int a = 0; a < count; a++)
            mean += column[a] * y[a], explained += column[a] * column[a];
        o->fitted[k] = o->reference[k] + o->mean[k] + mean;
        o->variance[k / d] += (o->covariance[k * size + k] - explained) / d;
    }
    free(observed), free(l), free(y), free(column);
}

static real *labels(const oracle *o)
{
    const real threshold = o->method == ORACLE_NOTHRESHOLD ? 0 : o->pmin;
    real *delta = reals(o->n * o->d);
    for (int i = 0; i < o->n; i++)
        for (int a = 0; a < o->d; a++) {
            real sum = 0;
            for (int j = 0; j < o->m; j++)
                if (o->p[i * o->m + j] > threshold)
                    sum += o->p[i * o->m + j] * o->target[j * o->d + a];
            delta[i * o->d + a] =
                (o->missing[i] ? 0 : sum / o->weight[i]) - o->reference[i * o->d + a] - o->mean[i * o->d + a];
        }
    return delta;
}

/* ---- registration variance --------------------------------------------------------------------------- */

static real spread(const oracle *o, int i)
{
    real sum = 0;
    for (int j = 0; j < o->m; j++)
        sum += o->p[i * o->m + j] * distance2(o->d, o->target + j * o->d, o->fitted + i * o->d);
    return sum;
}

static void update_noise(oracle *o)
{
    real total = 0, mass = 0, variance = 0;
    for (int i = 0; i < o->n; i++) {
        total += spread(o, i);
        mass += o->mass[i];
        variance += o->mass[i] * o->variance[i];
    }
    for (int i = 0; i < o->n; i++)
        o->noise[i] = o->method == ORACLE_SCALAR ? total / (o->d * mass) + variance / mass
                                                 : spread(o, i) / (o->d * o->mass[i]) + o->variance[i];
}

void oracle_step(oracle *o)
{
    if (o->noise[0] == 0)
        for (int i = 0; i < o->n; i++)
            o->noise[i] = o->variance0;
    correspond(o);
    real *delta = labels(o);
    regress(o, delta);
    free(delta);
    if (o->method != ORACLE_CLOSEST)
        update_noise(o);
}
