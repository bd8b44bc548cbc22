/* The fit as CSV, one row for each reference point. */
#include "report/table.h"
#include "page/sink.h"

#include <stdio.h>

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

char *report_table(const sfgp_result *result)
{
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    fprintf(sink.out, "index,x,y%s,sd,missing,target,probability\n", result->dimension == 3 ? ",z" : "");
    for (int64_t i = 0; i < result->count; i++)
        write_row(result, i, sink.out);
    return page_sink_text(&sink);
}
