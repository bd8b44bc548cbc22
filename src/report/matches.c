/* Matches between a target and a fit, as BCPD writes them. The source points are sorted along the first axis, so that
 * those within 7 sigma of a target point stand in one range. */
#include "report/matches.h"

#include <math.h>
#include <stdlib.h>

#define REACH 7.0         /* option -d of BCPD */
#define MIXING_ROUNDS 100 /* most passes for mixing weights and matches that fit each other */
#define MIXING_CHANGE 1e-9

static double square_distance(const double *a, const double *b, int d)
{
    double sum = 0;
    for (int k = 0; k < d; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

/* (2 pi sigma^2)^(d/2) omega / ((1 - omega) volume); the box is longer by 1 / N, as in BCPD. */
static double outlier_weight(const sfgp_result *result, const sfgp_mesh *target)
{
    const int d = target->dimension;
    const double growth = 1 + 1 / (double)target->count, pi = acos(-1.0);
    double ratio = result->omega / (1 - result->omega);
    for (int a = 0; a < d; a++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int64_t n = 0; n < target->count; n++) {
            low = fmin(low, target->points[n * d + a]);
            high = fmax(high, target->points[n * d + a]);
        }
        ratio *= sqrt(2 * pi) * result->sigma / ((high - low) * growth);
    }
    return isfinite(ratio) ? ratio : 0;
}

/* ---- order along the first axis -------------------------------------------------------------------------- */

typedef struct keyed {
    double key;
    int64_t point;
} keyed;

static int compare_places(const void *a, const void *b)
{
    const keyed *const first = a, *const second = b;
    const int by_key = (first->key > second->key) - (first->key < second->key);
    return by_key ? by_key : (first->point > second->point) - (first->point < second->point);
}

static sfgp_status sort_points(report_matches *matches)
{
    const int64_t count = matches->result->count;
    keyed *places = malloc((size_t)count * sizeof *places);
    if (!places)
        return SFGP_ERROR_MEMORY;
    for (int64_t m = 0; m < count; m++)
        places[m] = (keyed){matches->result->points[m * matches->result->dimension], m};
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int64_t k = 0; k < count; k++) {
        matches->order[k] = places[k].point;
        matches->key[k] = places[k].key;
    }
    free(places);
    return SFGP_OK;
}

/* The first place whose key is not below. */
static int64_t find_place(const report_matches *matches, double key)
{
    int64_t low = 0, high = matches->result->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (matches->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- matches --------------------------------------------------------------------------------------------- */

static double square_to(const report_matches *matches, const double *x, int64_t place)
{
    const int d = matches->target->dimension;
    return square_distance(x, matches->result->points + matches->order[place] * d, d);
}

/* a_m g_mn */
static double weigh(const report_matches *matches, double square, int64_t place)
{
    const double sigma = matches->result->sigma;
    return matches->mixing[matches->order[place]] * exp(-0.5 * square / (sigma * sigma));
}

/* Where nothing is within reach. Without outliers the nearest point has the whole label, however far it is. */
static double match_nearest(report_matches *matches, const double *x)
{
    double least = HUGE_VAL;
    for (int64_t k = 0; k < matches->result->count; k++) {
        const double square = square_to(matches, x, k);
        if (square < least) {
            least = square;
            matches->first = k;
        }
    }
    matches->end = matches->first + 1;
    const double weight = matches->outlier > 0 ? weigh(matches, least, matches->first) : 1;
    matches->row[matches->first] = weight / (matches->outlier + weight);
    return matches->outlier / (matches->outlier + weight);
}

double report_match(report_matches *matches, int64_t n)
{
    const double *const x = matches->target->points + n * matches->target->dimension;
    double sum = 0;
    matches->first = find_place(matches, x[0] - matches->radius);
    matches->end = find_place(matches, nextafter(x[0] + matches->radius, HUGE_VAL));
    for (int64_t k = matches->first; k < matches->end; k++) {
        const double square = square_to(matches, x, k);
        matches->row[k] = square <= matches->radius * matches->radius ? weigh(matches, square, k) : 0;
        sum += matches->row[k];
    }
    if (!(sum > 0))
        return match_nearest(matches, x);
    for (int64_t k = matches->first; k < matches->end; k++)
        matches->row[k] /= matches->outlier + sum;
    return matches->outlier / (matches->outlier + sum);
}

static void sum_matches(report_matches *matches)
{
    const int64_t count = matches->result->count;
    const int d = matches->target->dimension;
    for (int64_t m = 0; m < count; m++)
        matches->weight[m] = 0;
    for (int64_t k = 0; k < count * d; k++)
        matches->labelled[k] = 0;
    matches->total = 0;
    for (int64_t n = 0; n < matches->target->count; n++) {
        report_match(matches, n);
        for (int64_t k = matches->first; k < matches->end; k++) {
            const int64_t m = matches->order[k];
            matches->weight[m] += matches->row[k];
            matches->total += matches->row[k];
            for (int a = 0; a < d; a++)
                matches->labelled[m * d + a] += matches->row[k] * matches->target->points[n * d + a];
        }
    }
    for (int64_t k = 0; k < count * d; k++)
        matches->labelled[k] = matches->weight[k / d] > 0 ? matches->labelled[k] / matches->weight[k / d]
                                                          : matches->result->points[k];
}

/* a_m = (kappa + nu_m) / (kappa M + N), which is what BCPD writes. Returns the largest change of M a_m. */
static double update_mixing(double kappa, report_matches *matches)
{
    const double count = (double)matches->result->count;
    double change = 0;
    for (int64_t m = 0; m < matches->result->count; m++) {
        const double next = (kappa + matches->weight[m]) / (kappa * count + matches->total);
        change = fmax(change, count * fabs(next - matches->mixing[m]));
        matches->mixing[m] = next;
    }
    return change;
}

static bool make_arrays(report_matches *matches)
{
    const size_t count = (size_t)matches->result->count;
    double **const arrays[] = {&matches->key, &matches->mixing, &matches->weight, &matches->row};
    matches->order = calloc(count, sizeof *matches->order);
    matches->labelled = calloc(count * (size_t)matches->result->dimension, sizeof(double));
    bool whole = matches->order && matches->labelled;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        whole = (*arrays[k] = calloc(count, sizeof(double))) && whole;
    return whole;
}

sfgp_status report_matches_new(const sfgp_result *result, const sfgp_mesh *target, bool outliers,
                               double kappa, report_matches *matches)
{
    *matches = (report_matches){.result = result, .target = target, .radius = REACH * result->sigma};
    if (outliers)
        matches->outlier = outlier_weight(result, target);
    if (!make_arrays(matches) || sort_points(matches) != SFGP_OK)
        return SFGP_ERROR_MEMORY;
    for (int64_t m = 0; m < result->count; m++)
        matches->mixing[m] = 1 / (double)result->count;
    sum_matches(matches);
    for (int k = 0; kappa > 0 && k < MIXING_ROUNDS && update_mixing(kappa, matches) > MIXING_CHANGE; k++)
        sum_matches(matches);
    return SFGP_OK;
}

void report_matches_clear(report_matches *matches)
{
    free(matches->order);
    free(matches->key);
    free(matches->mixing);
    free(matches->weight);
    free(matches->labelled);
    free(matches->row);
    *matches = (report_matches){0};
}
