/* The fit as CSV, one row for each reference point. */
#include "report/table.h"

#include <stdio.h>
#include <stdlib.h>

static void write_row(const sfgp_result *result, int64_t i, FILE *out)
{
    char number[SFGP_NUMBER_SIZE];
    fprintf(out, "%lld", (long long)i);
    for (int k = 0; k < result->dimension; k++)
        fprintf(out, ",%s", sfgp_number_format(result->points[i * result->dimension + k], number));
    fprintf(out, ",%s", sfgp_number_format(result->sd[i], number));
    fprintf(out, ",%d,%lld", result->missing[i], (long long)result->target[i]);
    fprintf(out, ",%s\n", sfgp_number_format(result->probability[i], number));
}

sfgp_status report_table(const sfgp_result *result, char **text, size_t *size)
{
    *text = NULL;
    FILE *out = open_memstream(text, size);
    if (!out)
        return SFGP_ERROR_MEMORY;
    fprintf(out, "index,x,y%s,sd,missing,target,probability\n", result->dimension == 3 ? ",z" : "");
    for (int64_t i = 0; i < result->count; i++)
        write_row(result, i, out);
    int failed = ferror(out);
    if (fclose(out) == 0 && !failed && *text) /* NULL: no memory at the end */
        return SFGP_OK;
    free(*text);
    *text = NULL;
    return SFGP_ERROR_MEMORY;
}
