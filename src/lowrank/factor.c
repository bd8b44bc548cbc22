/* What every low-rank factor has: columns of another one beside its own, truncation to fewer columns, and its end. */
#include "base/memory.h"
#include "lowrank/lowrank.h"

#include <string.h>

void sfgp_factor_clear(sfgp_factor *factor)
{
    sfgp_free(factor->values);
    sfgp_free(factor->pivots);
    *factor = (sfgp_factor){0};
}

sfgp_status sfgp_factor_append(sfgp_context *context, sfgp_factor *factor, sfgp_factor *last)
{
    const int64_t a = factor->rank, b = last->rank;
    double *values = NULL;
    sfgp_status status =
        sfgp_allocate_bytes(context, factor->rows, (a + b) * (int64_t)sizeof(double), (void **)&values);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < factor->rows; i++) {
        memcpy(values + i * (a + b), factor->values + i * a, (size_t)a * sizeof *values);
        memcpy(values + i * (a + b) + a, last->values + i * b, (size_t)b * sizeof *values);
    }
    sfgp_free(factor->values);
    factor->values = values;
    factor->rank = a + b;
    factor->surface += last->surface;
    factor->residual += last->residual;
    sfgp_factor_clear(last);
    return SFGP_OK;
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

void sfgp_factor_keep(int64_t rank, sfgp_factor *factor)
{
    if (rank >= factor->rank)
        return;
    for (int64_t i = 0; i < factor->rows; i++)
        memmove(factor->values + i * rank, factor->values + i * factor->rank, (size_t)rank * sizeof(double));
    factor->rank = rank;
}

void sfgp_factor_truncate(double accuracy, sfgp_factor *factor)
{
    int64_t rank = factor->rank;
    if (rank == 0)
        return;
    while (rank > 1 && largest_loss(factor, rank - 1) <= accuracy)
        rank--;
    factor->residual += largest_loss(factor, rank);
    sfgp_factor_keep(rank, factor);
}
