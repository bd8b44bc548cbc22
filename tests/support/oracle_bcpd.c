#include "support/oracle_bcpd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static real *reals(int count)
{
    return calloc((size_t)count, sizeof(real));
}

/* ---- frames -------------------------------------------------------------------------------------------- */

static void frame_of(int n, int d, const double *points, real *centre, real *scale)
{
    real sum = 0;
    for (int k = 0; k < n * d; k++)
        centre[k % d] += (real)points[k] / n;
    for (int k = 0; k < n * d; k++)
        sum += ((real)points[k] - centre[k % d]) * ((real)points[k] - centre[k % d]);
    *scale = sqrtl(sum / ((real)n * d));
}

static void choose_frames(oracle_mixture *o, const double *reference, const double *target)
{
    o->from_scale = o->to_scale = 1;
    if (strcmp(o->normalise, "none") == 0)
        return;
    const bool by_target = strcmp(o->normalise, "target") == 0;
    const bool by_reference = strcmp(o->normalise, "reference") == 0;
    frame_of(by_target ? o->m : o->n, o->d, by_target ? target : reference, o->from_centre, &o->from_scale);
    frame_of(by_reference ? o->n : o->m, o->d, by_reference ? reference : target, o->to_centre, &o->to_scale);
}

/* gamma^2 times the mean of |x - y|^2 / d over all pairs. */
static real start_noise(const oracle_mixture *o)
{
    real sum = 0;
    for (int i = 0; i < o->n; i++)
        for (int j = 0; j < o->m; j++)
            for (int a = 0; a < o->d; a++)
                sum += (o->x[j * o->d + a] - o->y[i * o->d + a]) * (o->x[j * o->d + a] - o->y[i * o->d + a]);
    return (o->bayesian ? o->gamma * o->gamma : 1) * sum / ((real)o->n * o->m * o->d);
}

void oracle_mixture_start(oracle_mixture *o, const double *reference, const double *target)
{
    const int n = o->n, d = o->d;
    o->y = reals(n * d), o->u = reals(n * d), o->v = reals(n * d), o->fitted = reals(n * d);
    o->x = reals(o->m * d), o->p = reals(n * o->m);
    o->variance = reals(n), o->alpha = reals(n), o->mass = reals(n);
    choose_frames(o, reference, target);
    for (int k = 0; k < n * d; k++)
        o->y[k] = o->u[k] = o->fitted[k] = ((real)reference[k] - o->from_centre[k % d]) / o->from_scale;
    for (int k = 0; k < o->m * d; k++)
        o->x[k] = ((real)target[k] - o->to_centre[k % d]) / o->to_scale;
    for (int i = 0; i < n; i++)
        o->alpha[i] = 1 / (real)n;
    for (int a = 0; a < d; a++)
        o->linear[a * d + a] = 1;
    o->scale = 1;
    o->noise = start_noise(o);
}

void oracle_mixture_clear(oracle_mixture *o)
{
    free(o->y), free(o->x), free(o->u), free(o->v), free(o->fitted);
    free(o->variance), free(o->alpha), free(o->mass), free(o->p);
}

/* ---- labels -------------------------------------------------------------------------------------------- */

static real outlier_density(const oracle_mixture *o)
{
    real volume = 1;
    if (!o->bayesian)
        return 1 / (real)o->m;
    for (int a = 0; a < o->d; a++) {
        real low = o->x[a], high = o->x[a];
        for (int j = 0; j < o->m; j++) {
            low = fminl(low, o->x[j * o->d + a]);
            high = fmaxl(high, o->x[j * o->d + a]);
        }
        volume *= high - low;
    }
    return 1 / volume;
}

void oracle_mixture_label(oracle_mixture *o)
{
    const real pi = acosl(-1.0L), outlier = o->omega * outlier_density(o);
    for (int j = 0; j < o->m; j++) {
        real sum = 0;
        for (int i = 0; i < o->n; i++) {
            real square = o->variances ? o->scale * o->scale * o->d * o->variance[i] : 0;
            for (int a = 0; a < o->d; a++)
                square += powl(o->x[j * o->d + a] - o->fitted[i * o->d + a], 2);
            o->p[i * o->m + j] =
                o->alpha[i] * powl(2 * pi * o->noise, -o->d / 2.0L) * expl(-square / (2 * o->noise));
            sum += o->p[i * o->m + j];
        }
        for (int i = 0; i < o->n; i++)
            o->p[i * o->m + j] *= (1 - o->omega) / (outlier + (1 - o->omega) * sum);
    }
    for (int i = 0; i < o->n; i++) {
        o->mass[i] = 0;
        for (int j = 0; j < o->m; j++)
            o->mass[i] += o->p[i * o->m + j];
    }
}

static real *mean_labels(const oracle_mixture *o)
{
    real *labels = reals(o->n * o->d);
    for (int i = 0; i < o->n; i++)
        for (int j = 0; j < o->m; j++)
            for (int a = 0; a < o->d; a++)
                labels[i * o->d + a] += o->p[i * o->m + j] * o->x[j * o->d + a] / o->mass[i];
    return labels;
}

/* ---- smooth motion ------------------------------------------------------------------------------------- */

/* a (n x n) becomes its inverse: Gauss and Jordan with the largest pivot of the column. */
static void invert(int n, real *a)
{
    real *b = reals(n * n);
    for (int k = 0; k < n; k++)
        b[k * n + k] = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int row = k + 1; row < n; row++)
            if (fabsl(a[row * n + k]) > fabsl(a[pivot * n + k]))
                pivot = row;
        for (int c = 0; c < n; c++) {
            real s = a[k * n + c], t = b[k * n + c];
            a[k * n + c] = a[pivot * n + c], b[k * n + c] = b[pivot * n + c];
            a[pivot * n + c] = s, b[pivot * n + c] = t;
        }
        const real divisor = a[k * n + k];
        for (int c = 0; c < n; c++)
            a[k * n + c] /= divisor, b[k * n + c] /= divisor;
        for (int row = 0; row < n; row++) {
            const real factor = a[row * n + k];
            for (int c = 0; c < n && row != k; c++)
                a[row * n + c] -= factor * a[k * n + c], b[row * n + c] -= factor * b[k * n + c];
        }
    }
    memcpy(a, b, (size_t)(n * n) * sizeof *a);
    free(b);
}

static real *kernel(const oracle_mixture *o)
{
    real *g = reals(o->n * o->n);
    for (int i = 0; i < o->n; i++)
        for (int k = 0; k < o->n; k++) {
            real square = 0;
            for (int a = 0; a < o->d; a++)
                square += powl(o->y[i * o->d + a] - o->y[k * o->d + a], 2);
            g[i * o->n + k] = expl(-square / (2 * o->beta * o->beta)) / o->lambda;
        }
    return g;
}

/* R'(x - t) / s by the inverse of A. */
static void undo(const oracle_mixture *o, const real *x, real *u)
{
    real inverse[9];
    memcpy(inverse, o->linear, sizeof inverse);
    invert(o->d, inverse);
    for (int a = 0; a < o->d; a++) {
        u[a] = 0;
        for (int b = 0; b < o->d; b++)
            u[a] += inverse[a * o->d + b] * (x[b] - o->shift[b]);
    }
}

/* v = K (K + D)^-1 delta, Sigma = K - K (K + D)^-1 K with D = sigma^2 / (s^2 nu). */
static void deform(oracle_mixture *o, const real *labels)
{
    const int n = o->n, d = o->d;
    real *k = kernel(o), *inverse = kernel(o), *gain = reals(n * n), *delta = reals(n * d);
    for (int i = 0; i < n; i++) {
        inverse[i * n + i] += o->noise / (o->scale * o->scale * o->mass[i]);
        undo(o, labels + i * d, delta + i * d);
        for (int a = 0; a < d; a++)
            delta[i * d + a] -= o->y[i * d + a];
    }
    invert(n, inverse);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++)
                gain[i * n + j] += k[i * n + l] * inverse[l * n + j];
    for (int i = 0; i < n; i++) {
        o->variance[i] = o->bayesian ? k[i * n + i] : 0;
        for (int j = 0; j < n && o->bayesian; j++)
            o->variance[i] -= gain[i * n + j] * k[j * n + i];
        for (int a = 0; a < d; a++) {
            o->v[i * d + a] = 0;
            for (int j = 0; j < n; j++)
                o->v[i * d + a] += gain[i * n + j] * delta[j * d + a];
            o->u[i * d + a] = o->y[i * d + a] + o->v[i * d + a];
        }
    }
    free(k), free(inverse), free(gain), free(delta);
}

/* ---- mixing weights ------------------------------------------------------------------------------------ */

/* Recurrence up to 60, where the terms that are left out are below 1e-19. */
real oracle_digamma(real x)
{
    real sum = 0;
    for (; x < 60; x += 1)
        sum -= 1 / x;
    const real z = 1 / (x * x);
    return sum + logl(x) - 1 / (2 * x) - z * (1 / 12.0L - z * (1 / 120.0L - z * (1 / 252.0L - z / 240)));
}

static void mix(oracle_mixture *o)
{
    real total = 0;
    for (int i = 0; i < o->n; i++)
        total += o->mass[i];
    for (int i = 0; i < o->n && o->bayesian && o->kappa > 0; i++)
        o->alpha[i] = expl(oracle_digamma(o->kappa + o->mass[i]) - oracle_digamma(o->kappa * o->n + total));
}

/* ---- similarity and affine maps ------------------------------------------------------------------------ */

/* Columns of a made orthogonal by one-sided Jacobi rotations, which v collects: a = s v. */
static void orthogonalise(int d, real *a, real *v)
{
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < d; p++)
            for (int q = p + 1; q < d; q++) {
                real pp = 0, qq = 0, pq = 0;
                for (int k = 0; k < d; k++) {
                    pp += a[k * d + p] * a[k * d + p];
                    qq += a[k * d + q] * a[k * d + q];
                    pq += a[k * d + p] * a[k * d + q];
                }
                if (pq == 0)
                    continue;
                const real angle = 0.5L * atan2l(2 * pq, pp - qq), c = cosl(angle), s = sinl(angle);
                for (int k = 0; k < d; k++) {
                    const real ap = a[k * d + p], aq = a[k * d + q], vp = v[k * d + p], vq = v[k * d + q];
                    a[k * d + p] = c * ap + s * aq, a[k * d + q] = c * aq - s * ap;
                    v[k * d + p] = c * vp + s * vq, v[k * d + q] = c * vq - s * vp;
                }
            }
}

static real determinant(int d, const real *a)
{
    return d == 2 ? a[0] * a[3] - a[1] * a[2]
                  : a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                        a[2] * (a[3] * a[7] - a[4] * a[6]);
}

void oracle_rotation(int d, const real *s, real *rotation)
{
    real u[9], v[9] = {0}, length[3] = {0, 0, 0};
    int least = 0;
    memcpy(u, s, (size_t)(d * d) * sizeof *u);
    for (int a = 0; a < d; a++)
        v[a * d + a] = 1;
    orthogonalise(d, u, v);
    for (int a = 0; a < d; a++) {
        for (int k = 0; k < d; k++)
            length[a] += u[k * d + a] * u[k * d + a];
        length[a] = sqrtl(length[a]);
        least = length[a] < length[least] ? a : least;
        for (int k = 0; k < d; k++)
            u[k * d + a] /= length[a];
    }
    const real sign = determinant(d, u) * determinant(d, v) < 0 ? -1 : 1;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            rotation[i * d + j] = 0;
            for (int a = 0; a < d; a++)
                rotation[i * d + j] += (a == least ? sign : 1) * u[i * d + a] * v[j * d + a];
        }
}

typedef struct moments {
    real total, u[3], x[3], cross[9], square[9], variance;
} moments;

static moments moments_of(const oracle_mixture *o, const real *labels)
{
    const int d = o->d;
    moments m = {0};
    for (int i = 0; i < o->n; i++) {
        m.total += o->mass[i];
        m.variance += o->variances ? o->mass[i] * o->variance[i] : 0;
    }
    for (int k = 0; k < o->n * d; k++) {
        m.u[k % d] += o->mass[k / d] * o->u[k] / m.total;
        m.x[k % d] += o->mass[k / d] * labels[k] / m.total;
    }
    for (int i = 0; i < o->n; i++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                const real ub = o->u[i * d + b] - m.u[b];
                m.cross[a * d + b] += o->mass[i] * (labels[i * d + a] - m.x[a]) * ub;
                m.square[a * d + b] += o->mass[i] * (o->u[i * d + a] - m.u[a]) * ub;
            }
    return m;
}

static void fit_similarity(oracle_mixture *o, const moments *m)
{
    const int d = o->d;
    real top = 0, bottom = d * m->variance;
    oracle_rotation(d, m->cross, o->linear);
    for (int k = 0; k < d * d; k++)
        top += o->linear[k] * m->cross[k];
    for (int a = 0; a < d; a++)
        bottom += m->square[a * d + a];
    o->scale = top / bottom;
    for (int k = 0; k < d * d; k++)
        o->linear[k] *= o->scale;
}

static void fit_affine(oracle_mixture *o, const moments *m)
{
    const int d = o->d;
    real inverse[9];
    memcpy(inverse, m->square, sizeof inverse);
    invert(d, inverse);
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) {
            o->linear[a * d + b] = 0;
            for (int c = 0; c < d; c++)
                o->linear[a * d + b] += m->cross[a * d + c] * inverse[c * d + b];
        }
}

static void fit_map(oracle_mixture *o, const real *labels)
{
    const int d = o->d;
    const moments m = moments_of(o, labels);
    if (o->map == ORACLE_NO_MAP)
        return;
    (o->map == ORACLE_SIMILARITY ? fit_similarity : fit_affine)(o, &m);
    for (int a = 0; a < d; a++) {
        o->shift[a] = m.x[a];
        for (int b = 0; b < d; b++)
            o->shift[a] -= o->linear[a * d + b] * m.u[b];
    }
}

/* ---- one iteration ------------------------------------------------------------------------------------- */

static void update_noise(oracle_mixture *o)
{
    real sum = 0, total = 0;
    for (int i = 0; i < o->n; i++) {
        total += o->mass[i];
        sum += o->variances ? o->d * o->scale * o->scale * o->mass[i] * o->variance[i] : 0;
        for (int j = 0; j < o->m; j++)
            for (int a = 0; a < o->d; a++)
                sum += o->p[i * o->m + j] * powl(o->x[j * o->d + a] - o->fitted[i * o->d + a], 2);
    }
    o->noise = sum / (o->d * total);
}

void oracle_mixture_step(oracle_mixture *o)
{
    oracle_mixture_label(o);
    real *labels = mean_labels(o);
    if (o->smooth)
        deform(o, labels);
    mix(o);
    fit_map(o, labels);
    for (int i = 0; i < o->n; i++)
        for (int a = 0; a < o->d; a++) {
            o->fitted[i * o->d + a] = o->shift[a];
            for (int b = 0; b < o->d; b++)
                o->fitted[i * o->d + a] += o->linear[a * o->d + b] * o->u[i * o->d + b];
        }
    update_noise(o);
    free(labels);
}
