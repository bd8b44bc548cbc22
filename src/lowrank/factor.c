/* What every low-rank factor has: truncation to fewer columns, and its end. */
#include "base/memory.h"
#include "lowrank/lowrank.h"

#include <string.h>

void sfgp_factor_clear(sfgp_factor *factor)
{
    sfgp_free(factor->values);
    sfgp_free(factor->pivots);
    *factor = (sfgp_factor){0};
}

/* The largest variance that a row loses with the columns from `first` on: a sum of squares. */
static double largest_loss(const sfgp_factor *factor, int64_t first)
{
    double most = 0;
    for (int64_t i = 0; i < factor->rows; i++) {
        double sum = 0;
        for (int64_t k = first; k < factor->rank; k++)
            sum += factor->values[i * factor->rank + k] * factor->values[i * factor->rank + k];
        most = sum > most ? sum : most;
    }
    return most;
}

void sfgp_factor_truncate(double accuracy, sfgp_factor *factor)
{
    int64_t rank = factor->rank;
    if (rank == 0)
        return;
    while (rank > 1 && largest_loss(factor, rank - 1) <= accuracy)
        rank--;
    factor->residual += largest_loss(factor, rank);
    for (int64_t i = 0; i < factor->rows; i++)
        memmove(factor->values + i * rank, factor->values + i * factor->rank, (size_t)rank * sizeof(double));
    factor->rank = rank;
}
