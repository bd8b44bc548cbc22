/* The last lines of sfgp register: how the fit has ended, and the times of the stages. */
#include "cli/registration.h"
#include "report/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line by line, because each message is one line. */
static void print_profile(const cli_registration *job, const sfgp_profile *profile)
{
    char *text = NULL, *rest = NULL;
    if (report_profile(profile, &text) != SFGP_OK)
        return;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        cli_tell(job->session, "%s", line);
    free(text);
    if (job->memory.peak > 0)
        cli_tell(job->session, "memory: %.1f MiB predicted, the process had %.1f MiB at its peak",
                 (double)job->memory.peak / 1048576, cli_peak_mib());
    else
        cli_tell(job->session, "memory: %.1f MiB at the peak of the process", cli_peak_mib());
}

enum { LENGTH_SIZE = 60 };

/* Returns text. */
static const char *print_length(const cli_registration *job, double length, char text[LENGTH_SIZE])
{
    snprintf(text, LENGTH_SIZE, "%.3g%s%.30s", length, job->unit ? " " : "", job->unit ? job->unit : "");
    return text;
}

void cli_registration_summarise(const cli_registration *job)
{
    const sfgp_result *result = job->result;
    sfgp_profile profile;
    char sigma[LENGTH_SIZE], expected[LENGTH_SIZE + 20] = "";
    sfgp_profile_read(job->session->context, &profile);
    if (isfinite(result->expected_error))
        snprintf(expected, sizeof expected, ", expected error %s",
                 print_length(job, result->expected_error, sigma));
    if (!job->session->quiet)
        cli_tell(job->session, "%s after %lld iterations, %.1f %% missing, sigma %s%s, %.2f s: %s",
                 sfgp_outcome_name(result->outcome), (long long)result->iterations,
                 100 * (double)result->missing_count / (double)result->count,
                 print_length(job, result->sigma, sigma), expected, profile.wall,
                 cli_path_shown(job->fitted));
    if (job->profile)
        print_profile(job, &profile);
}
