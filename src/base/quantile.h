/* Quantiles of a sample. */
#ifndef SFGP_BASE_QUANTILE_H
#define SFGP_BASE_QUANTILE_H

#include <stdint.h>

/* Sorts in place, ascending. No value is NaN. O(n log n). */
void sfgp_sort(int64_t count, double *values);
/* Quantile of count >= 1 sorted values: linear between order statistics; share 0 is the lowest value, 1 the
 * highest (type 7 of Hyndman and Fan 1996, the default of R and NumPy). */
double sfgp_quantile(int64_t count, const double *sorted, double share);

#endif
