/* The table of numbers that cases.csv and overview.html show. */
#include "batch/parts.h"

#include <string.h>

static const batch_value VALUES[] = {
    {"exit_code", NULL, NULL, "exit_code", NULL, BATCH_PLAIN},
    {"iterations", NULL, NULL, "iterations", NULL, BATCH_PLAIN},
    {"missing_share", "Missing", NULL, "missing", "points_reference", BATCH_SHARE},
    {"sigma", "Sigma", NULL, "sigma", NULL, BATCH_LENGTH},
    {"explained", "Explained", NULL, "explained", NULL, BATCH_SHARE},
    {"sd", NULL, "sd", "mean", NULL, BATCH_LENGTH},
    {"sd_largest", NULL, "sd", "largest", NULL, BATCH_LENGTH},
    {"expected_error", "Expected error", NULL, "expected_error", NULL, BATCH_LENGTH},
    {"error", "Error", "errors.all", "mean", NULL, BATCH_LENGTH},
    {"error_observed", NULL, "errors.observed", "mean", NULL, BATCH_LENGTH},
    {"error_missing", NULL, "errors.missing", "mean", NULL, BATCH_LENGTH},
    {"points_target", NULL, NULL, "points_target", NULL, BATCH_PLAIN},
    {"seconds", "Seconds", "seconds", "total", NULL, BATCH_TIME},
    {"peak_mib", NULL, NULL, "peak_mib", NULL, BATCH_PLAIN},
    {"processor_seconds", NULL, NULL, "processor_seconds", NULL, BATCH_TIME},
};
_Static_assert(sizeof VALUES / sizeof *VALUES == BATCH_VALUES, "batch_row has a place for every value");

const batch_value *batch_value_row(int index)
{
    return index >= 0 && index < BATCH_VALUES ? &VALUES[index] : NULL;
}

int batch_value_find(const char *name)
{
    for (int k = 0; k < BATCH_VALUES; k++)
        if (strcmp(VALUES[k].name, name) == 0)
            return k;
    return -1;
}
