/* What every low-rank factor has: columns of another one beside its own, truncation to fewer columns, and its end. */
#include "base/memory.h"
#include "lowrank/lowrank.h"

#include <math.h>
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

/* How many of the first columns a row needs: what it loses with the others, a sum of squares, is at most `accuracy`. */
static int64_t row_needs(const double *row, int64_t rank, double accuracy)
{
    double sum = 0;
    while (rank > 1 && (sum += row[rank - 1] * row[rank - 1]) <= accuracy)
        rank--;
    return rank;
}

static double row_loss(const double *row, int64_t first, int64_t rank)
{
    double sum = 0;
    for (int64_t k = rank - 1; k >= first; k--) /* as in row_needs */
        sum += row[k] * row[k];
    return sum;
}

int64_t sfgp_factor_needs(const sfgp_factor *factor, double accuracy, double *loss)
{
    const int64_t rank = factor->rank;
    int64_t most = rank > 0 ? 1 : 0;
    *loss = 0;
    for (int64_t i = 0; i < factor->rows; i++) {
        const int64_t needed = row_needs(factor->values + i * rank, rank, accuracy);
        most = needed > most ? needed : most;
    }
    for (int64_t i = 0; i < factor->rows; i++)
        *loss = fmax(*loss, row_loss(factor->values + i * rank, most, rank));
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
    double loss;
    const int64_t rank = sfgp_factor_needs(factor, accuracy, &loss);
    factor->residual += loss;
    sfgp_factor_keep(rank, factor);
}
