/* Ordinary kriging among the 16 nearest points with weights that are continuous in x (Rivoirard, Romary,
 * Math. Geosci. 43, 2011). The design stands in interpolate.h. */
#include "geom/interpolate.h"
#include "geom/measure.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MOST SFGP_NEIGHBOURS
#define LENGTH 2.0   /* length of the process, in R */
#define TAPER 1e-3   /* noise variance of a point at half of R^2 */
#define NUGGET 1e-10 /* noise variance of every point, for coincident ones */

sfgp_status sfgp_interpolator_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                                  sfgp_interpolator *interpolator)
{
    const double spacing = sfgp_points_spacing(count, dimension, points);
    *interpolator = (sfgp_interpolator){count, dimension, 16 * spacing * spacing, points, NULL};
    return sfgp_kdtree_new(context, count, dimension, points, &interpolator->tree);
}

void sfgp_interpolator_clear(sfgp_interpolator *interpolator)
{
    sfgp_kdtree_free(interpolator->tree);
    *interpolator = (sfgp_interpolator){0};
}

/* ---- neighbours -------------------------------------------------------------------------------------- */

typedef struct nearest {
    int64_t count;
    int64_t index[MOST + 1];
    double distance2[MOST + 1];
} nearest;

static bool before(double distance2, int64_t index, double other2, int64_t other)
{
    return distance2 < other2 || (distance2 == other2 && index < other);
}

/* Inserts a point into the sorted list. The farthest is dropped when the list is full. */
static void insert(int64_t index, double distance2, nearest *list)
{
    int64_t k = list->count;
    if (k == MOST + 1 && !before(distance2, index, list->distance2[MOST], list->index[MOST]))
        return;
    for (k = k == MOST + 1 ? MOST : k;
         k > 0 && before(distance2, index, list->distance2[k - 1], list->index[k - 1]); k--) {
        list->index[k] = list->index[k - 1];
        list->distance2[k] = list->distance2[k - 1];
    }
    list->index[k] = index;
    list->distance2[k] = distance2;
    list->count += list->count < MOST + 1;
}

/* Doubles the radius until enough points are inside, which are then a few times as many as needed. */
static void find_nearest(const sfgp_interpolator *interpolator, const double *x, int32_t *index,
                         double *distance2, nearest *list)
{
    const int64_t wanted = interpolator->count < MOST + 1 ? interpolator->count : MOST + 1;
    double radius2 = 0;
    sfgp_kdtree_nearest(interpolator->tree, x, &radius2);
    radius2 = fmax(fmax(2 * radius2, interpolator->start2), DBL_MIN);
    while (sfgp_kdtree_count(interpolator->tree, x, radius2) < wanted)
        radius2 *= 2;
    const int64_t found = sfgp_kdtree_within(interpolator->tree, x, radius2, index, distance2);
    *list = (nearest){0};
    for (int64_t k = 0; k < found; k++)
        insert(index[k], distance2[k], list);
}

/* ---- kriging ----------------------------------------------------------------------------------------- */

static double correlation(double distance2)
{
    const double t = sqrt(5 * distance2) / LENGTH;
    return (1 + t + t * t / 3) * exp(-t);
}

/* A = L L' in place, n x n. NUGGET keeps the pivots positive, except for rounding. */
static void factorise(int n, double *a)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, NUGGET / 2)) : sum / a[j * n + j];
        }
}

static void solve(int n, const double *l, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= l[k * n + i] * x[k];
        x[i] /= l[i * n + i];
    }
}

/* w = A \ (k + mu 1), mu such that the weights add up to 1; left = 1 - 2 w'k + w'K w without the noise. */
static void krige(const double *covariance, const double *k, sfgp_neighbourhood *at)
{
    const int n = at->count;
    double ones[MOST], sum_k = 0, sum_ones = 0;
    memcpy(at->weight, k, (size_t)n * sizeof *k);
    for (int i = 0; i < n; i++)
        ones[i] = 1;
    factorise(n, at->factor);
    solve(n, at->factor, at->weight);
    solve(n, at->factor, ones);
    for (int i = 0; i < n; i++) {
        sum_k += at->weight[i];
        sum_ones += ones[i];
    }
    at->left = 1;
    for (int i = 0; i < n; i++)
        at->weight[i] += (1 - sum_k) / sum_ones * ones[i];
    for (int i = 0; i < n; i++) {
        double inner = -2 * k[i];
        for (int j = 0; j < n; j++)
            inner += covariance[i * n + j] * at->weight[j];
        at->left += at->weight[i] * inner;
    }
    at->left = fmax(at->left, 0);
}

/* The covariance of the neighbours (without noise; with it in at->factor), and k, their covariance with x. */
static void fill_covariance(const sfgp_interpolator *interpolator, const nearest *list, double radius2,
                            double *covariance, double *k, sfgp_neighbourhood *at)
{
    const int n = at->count, d = interpolator->dimension;
    for (int i = 0; i < n; i++) {
        const double *point = interpolator->points + list->index[i] * d;
        const double share = list->count > MOST ? list->distance2[i] / radius2 : 0;
        const double noise = TAPER * pow(share / fmax(1 - share, 1e-6), 2);
        at->index[i] = list->index[i];
        k[i] = correlation(list->distance2[i] / radius2);
        for (int j = 0; j < n; j++)
            covariance[i * n + j] = at->factor[i * n + j] = correlation(
                sfgp_square_between(d, point, interpolator->points + list->index[j] * d) / radius2);
        at->factor[i * n + i] += noise + NUGGET;
    }
}

void sfgp_interpolator_at(const sfgp_interpolator *interpolator, const double *x, int32_t *index,
                          double *distance2, sfgp_neighbourhood *at)
{
    double covariance[MOST * MOST], k[MOST];
    nearest list;
    find_nearest(interpolator, x, index, distance2, &list);
    if (list.distance2[0] == 0) {
        *at = (sfgp_neighbourhood){.count = 1, .index = {list.index[0]}, .weight = {1}, .factor = {1}};
        return;
    }
    at->count = (int)(list.count < MOST ? list.count : MOST);
    const double radius2 = list.distance2[list.count - 1];
    fill_covariance(interpolator, &list, radius2, covariance, k, at);
    krige(covariance, k, at);
}
