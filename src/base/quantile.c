/* Sorting and quantiles of type 7 (Hyndman, Fan, Am. Stat. 50, 1996). */
#include "base/quantile.h"
#include "base/simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 64 /* values: counting in vectors is sooner than comparing one by one */

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The place of each is how many are smaller, or equal and before it. O(count^2) */
SFGP_SIMD static void sort_few(int64_t count, double *values)
{
    double sorted[FEW];
    for (int64_t i = 0; i < count; i++) {
        const double value = values[i];
        int64_t place = 0;
        for (int64_t k = 0; k < i; k++)
            place += values[k] <= value;
        for (int64_t k = i + 1; k < count; k++)
            place += values[k] < value;
        sorted[place] = value;
    }
    memcpy(values, sorted, (size_t)count * sizeof *values);
}

void sfgp_sort(int64_t count, double *values)
{
    if (count <= FEW) {
        sort_few(count, values);
        return;
    }
    qsort(values, (size_t)count, sizeof *values, compare);
}

double sfgp_quantile(int64_t count, const double *sorted, double share)
{
    double at = share * (double)(count - 1), below = floor(at);
    int64_t k = (int64_t)below;
    return k + 1 < count ? sorted[k] + (at - below) * (sorted[k + 1] - sorted[k]) : sorted[count - 1];
}
