/* The profile of a run as a table of text. */
#include "report/profile.h"
#include "page/sink.h"

#include <stdio.h>

static void write_row(const char *name, const sfgp_stage_time *spent, double whole, FILE *out)
{
    const double share = whole > 0 ? 100 * spent->wall / whole : 0;
    fprintf(out, "%-11s %8lld %10.4f %6.1f %% %10.4f %10.4f\n", name, (long long)spent->calls, spent->wall,
            share, spent->cpu, spent->total);
}

static void write_table(const sfgp_profile *profile, FILE *out)
{
    const sfgp_stage_time whole = {1, profile->wall, profile->cpu, profile->wall};
    fprintf(out, "%-11s %8s %10s %8s %10s %10s\n", "stage", "calls", "seconds", "share", "cpu", "in all");
    for (int k = 1; k < SFGP_STAGES; k++)
        if (profile->stages[k].calls > 0)
            write_row(sfgp_stage_name(k), &profile->stages[k], profile->wall, out);
    write_row(sfgp_stage_name(SFGP_STAGE_OTHER), &profile->stages[SFGP_STAGE_OTHER], profile->wall, out);
    write_row("whole run", &whole, profile->wall, out);
}

sfgp_status report_profile(const sfgp_profile *profile, char **text)
{
    page_sink sink;
    *text = NULL;
    if (!page_sink_open(&sink))
        return SFGP_ERROR_MEMORY;
    write_table(profile, sink.out);
    return page_sink_close(&sink, text);
}
