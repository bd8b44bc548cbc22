#include "lowrank/lowrank.h"
#include "base/memory.h"
#include "base/settings.h"

#include <string.h>

static const sfgp_lowrank_method *const METHODS[] = {&sfgp_lowrank_eigen, &sfgp_lowrank_nystrom,
                                                     &sfgp_lowrank_cholesky};

sfgp_status sfgp_lowrank_find(sfgp_context *context, const char *name, const sfgp_lowrank_method **method)
{
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++)
        if (strcmp(METHODS[k]->name, name) == 0)
            return *method = METHODS[k], SFGP_OK;
    return sfgp_settings_unknown(context, "lowrank", name, "eigen, nystrom, cholesky");
}

void sfgp_factor_clear(sfgp_factor *factor)
{
    sfgp_free(factor->values);
    sfgp_free(factor->pivots);
    *factor = (sfgp_factor){0};
}

/* Largest sum over a row of the squares from column first on. */
static double tail(const sfgp_factor *factor, int64_t first)
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
    while (rank > 1 && tail(factor, rank - 1) <= accuracy)
        rank--;
    factor->residual += tail(factor, rank);
    for (int64_t i = 0; i < factor->rows; i++)
        memmove(factor->values + i * rank, factor->values + i * factor->rank, (size_t)rank * sizeof(double));
    factor->rank = rank;
}
