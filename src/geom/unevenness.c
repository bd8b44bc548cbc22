/* Measures how unevenly places lie: see unevenness.h. */
#include "geom/unevenness.h"
#include "base/extremes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"

#include <math.h>

#define PI 3.14159265358979323846

enum {
    SAMPLE = 2000, /* places of which the neighbourhood is measured */
    NEAREST = 12,  /* of a neighbourhood: so many copies of a point are found */
    GRAIN = 16,    /* places that a thread measures at a time */
    SEEN = 50000   /* places that are looked at for a neighbourhood; one that needs more is not measured */
};

/* ADR 0116 */
#define FLAT 0.02  /* share of the least variance in a neighbourhood that is a surface, and the */
#define ROUND 0.09 /* least share of the minors of its covariance: else it is a line */

/* ---- neighbourhoods ---------------------------------------------------------------------------------------- */

typedef struct neighbourhood {
    double square[NEAREST]; /* squared distances, ascending */
    const sfgp_place *place[NEAREST];
} neighbourhood;

static void take(const sfgp_place *from, const sfgp_place *place, neighbourhood *n)
{
    const double x = place->at[0] - from->at[0], y = place->at[1] - from->at[1],
                 z = place->at[2] - from->at[2], square = x * x + y * y + z * z;
    int k = NEAREST - 1;
    if (!(square < n->square[k]))
        return;
    for (; k > 0 && n->square[k - 1] > square; k--) {
        n->square[k] = n->square[k - 1];
        n->place[k] = n->place[k - 1];
    }
    n->square[k] = square;
    n->place[k] = place;
}

/* The nearest of places that are sorted by their first coordinate: outwards, until that alone is too far. False: too many. */
static bool find_nearest(int64_t count, const sfgp_place *places, int64_t at, neighbourhood *n)
{
    const sfgp_place *from = places + at;
    int64_t left = at - 1, right = at + 1;
    for (int k = 0; k < NEAREST; k++)
        n->square[k] = HUGE_VAL;
    while (right - left < SEEN) {
        const double back = left >= 0 ? from->at[0] - places[left].at[0] : HUGE_VAL,
                     on = right < count ? places[right].at[0] - from->at[0] : HUGE_VAL,
                     gap = sfgp_smaller(back, on);
        if (!(gap * gap < n->square[NEAREST - 1]))
            return true;
        take(from, places + (back <= on ? left-- : right++), n);
    }
    return false;
}

/* Sums of x x' of the places around one, from their mean. */
static void scatter_of(const sfgp_place *from, const neighbourhood *n, double s[3][3])
{
    double mean[3] = {0};
    for (int k = 0; k < NEAREST; k++)
        for (int a = 0; a < 3; a++)
            mean[a] += (n->place[k]->at[a] - from->at[a]) / (NEAREST + 1);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            s[a][b] = mean[a] * mean[b];
            for (int k = 0; k < NEAREST; k++)
                s[a][b] += (n->place[k]->at[a] - from->at[a] - mean[a]) *
                           (n->place[k]->at[b] - from->at[b] - mean[b]);
        }
}

typedef enum form { LINE, SHEET, BODY } form;

/* Of variances a >= b >= c: c is about abc / (ab + ac + bc), and ab + ac + bc is small beside (a + b + c)^2 for a line. */
static form form_of(const sfgp_place *from, const neighbourhood *n)
{
    double s[3][3];
    scatter_of(from, n, s);
    const double xx = s[1][1] * s[2][2] - s[1][2] * s[2][1], yy = s[0][0] * s[2][2] - s[0][2] * s[2][0],
                 zz = s[0][0] * s[1][1] - s[0][1] * s[1][0], minors = xx + yy + zz,
                 trace = s[0][0] + s[1][1] + s[2][2],
                 determinant = s[0][0] * xx - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) +
                               s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
    if (!(minors > ROUND * trace * trace))
        return LINE;
    return determinant < FLAT * trace * minors ? SHEET : BODY;
}

/* ---- how uneven -------------------------------------------------------------------------------------------- */

static double sum_of(int64_t count, const double *values)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Half of the sum of these areas is of larger ones than the result. */
static double middle_by_area(int64_t count, const double *sorted)
{
    const double all = sum_of(count, sorted);
    double below = 0;
    int64_t k = 0;
    while (k < count - 1 && (below += sorted[k]) < all / 2)
        k++;
    return count > 0 ? sorted[k] : 0;
}

/* A place of the sample. */
typedef struct sample {
    bool is_measured;
    form is_like;
    double area;  /* of the surface around it */
    double ratio; /* of the squared distances to the nearest and to the twelfth */
} sample;

typedef struct room {
    sample of[SAMPLE];
    double ratio[SAMPLE], area[SAMPLE], flat[SAMPLE];
} room;

typedef struct sampling {
    int64_t count, wanted;
    const sfgp_place *places;
    sample *of;
} sampling;

static void measure_some(const void *data, int64_t first, int64_t end)
{
    const sampling *s = data;
    for (int64_t k = first; k < end; k++) {
        const int64_t at = k * s->count / s->wanted;
        neighbourhood n;
        s->of[k] = (sample){.is_measured = find_nearest(s->count, s->places, at, &n)};
        if (!s->of[k].is_measured)
            continue;
        s->of[k].is_like = form_of(s->places + at, &n);
        s->of[k].area = PI / NEAREST * n.square[NEAREST - 1];
        s->of[k].ratio = n.square[0] / n.square[NEAREST - 1];
    }
}

static void measure(int64_t count, const sfgp_place *places, room *r, sfgp_unevenness *is)
{
    const int64_t wanted = count < SAMPLE ? count : SAMPLE;
    const sampling all = {count, wanted, places, r->of};
    double *ratio = r->ratio, *area = r->area, *flat = r->flat;
    int64_t measured = 0, ratios = 0, flats = 0;
    *is = (sfgp_unevenness){.copies = 1};
    sfgp_parallel_for(wanted, GRAIN, measure_some, &all);
    for (int64_t k = 0; k < wanted; k++) {
        const sample *one = &r->of[k];
        if (!one->is_measured)
            continue;
        area[measured++] = one->area;
        if (one->is_like != LINE)
            ratio[ratios++] = one->ratio;
        if (one->is_like == SHEET)
            flat[flats++] = one->area;
    }
    if (measured < wanted / 2)
        return;
    sfgp_sort(ratios, ratio);
    sfgp_sort(measured, area);
    sfgp_sort(flats, flat);
    if (ratios >= wanted / 2)
        is->copies = sfgp_quantile(ratios, ratio, 0.25);
    is->dense = sfgp_quantile(measured, area, 0.5);
    is->sparse = sum_of(flats, flat) > is->dense * (double)measured ? middle_by_area(flats, flat) : 0;
}

sfgp_status sfgp_unevenness_measure(sfgp_context *context, int64_t count, const sfgp_place *places,
                                    sfgp_unevenness *is)
{
    room *r = NULL;
    const sfgp_status status = sfgp_allocate(context, 1, &r);
    if (status == SFGP_OK)
        measure(count, places, r, is);
    sfgp_free(r);
    return status;
}
