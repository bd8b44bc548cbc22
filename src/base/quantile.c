/* Sorting and quantiles of type 7 (Hyndman, Fan, Am. Stat. 50, 1996). */
#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void sfgp_sort(int64_t count, double *values)
{
    qsort(values, (size_t)count, sizeof *values, compare);
}

double sfgp_quantile(int64_t count, const double *sorted, double share)
{
    double at = share * (double)(count - 1), below = floor(at);
    int64_t k = (int64_t)below;
    return k + 1 < count ? sorted[k] + (at - below) * (sorted[k + 1] - sorted[k]) : sorted[count - 1];
}
