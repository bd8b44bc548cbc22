/* What sfgp register says: what it reads, needs and writes, how the fit has ended, and the times of the stages. */
#include "cli/registration.h"
#include "cli/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- before the fit: --dry-run, --verbose -------------------------------------------------------------- */

static void tell_outputs(const cli_registration *job)
{
    const char *const outputs[][2] = {{"fit", job->fitted},
                                      {"table", job->table},
                                      {"saved fit", job->save},
                                      {"page", job->html},
                                      {"report", job->report}};
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        if (outputs[k][1])
            cli_tell(job->session, "%s: %s", outputs[k][0], cli_path_shown(outputs[k][1]));
}

void cli_registration_tell(const cli_registration *job)
{
    cli_session *session = job->session;
    const sfgp_run_size *size = &job->size;
    if (!session->verbose) { /* then they were told when they were read */
        cli_mesh_tell(session, "reference", job->files.items[0], job->prior.reference);
        cli_mesh_tell(session, "target", job->files.items[1], job->target);
    }
    if (job->pairs)
        cli_tell(session, "landmarks: %" PRId64 " pairs", job->pairs->count);
    cli_tell(session, "method: %s%s; kernel: %s; training shapes: %d", job->settings.method,
             job->settings.mirror ? ", mirror image of the reference" : "", job->settings.kernel,
             job->prior.train_files.count);
    cli_tell(session, "rank: %" PRId64 " (kernels %" PRId64 ", training shapes %" PRId64 ")%s",
             size->rank_scalar + size->rank_pca, size->rank_scalar, size->rank_pca,
             size->made || size->count <= 2000 ? "" : ", extrapolated");
    if (job->memory.peak > 0)
        cli_tell(session, "memory: %.1f MiB, and some 30 MiB for the program",
                 (double)job->memory.peak / 1048576);
    else
        cli_tell(session, "memory: not predicted for this method");
    tell_outputs(job);
}

/* ---- after it ------------------------------------------------------------------------------------------ */

static void tell_stage(cli_session *session, const char *name, const sfgp_stage_time *spent, double whole)
{
    const double share = whole > 0 ? 100 * spent->wall / whole : 0;
    cli_tell(session, "%-11s %8lld %10.4f %6.1f %% %10.4f %10.4f", name, (long long)spent->calls, spent->wall,
             share, spent->cpu, spent->total);
}

/* The stages that ran, and the whole run. */
static void tell_stages(cli_session *session, const sfgp_profile *profile)
{
    const sfgp_stage_time whole = {1, profile->wall, profile->cpu, profile->wall};
    cli_tell(session, "%-11s %8s %10s %8s %10s %10s", "stage", "calls", "seconds", "share", "cpu", "in all");
    for (int k = 1; k < SFGP_STAGES; k++)
        if (profile->stages[k].calls > 0)
            tell_stage(session, sfgp_stage_name(k), &profile->stages[k], profile->wall);
    tell_stage(session, sfgp_stage_name(SFGP_STAGE_OTHER), &profile->stages[SFGP_STAGE_OTHER], profile->wall);
    tell_stage(session, "whole run", &whole, profile->wall);
}

static void tell_profile(const cli_registration *job, const sfgp_profile *profile)
{
    tell_stages(job->session, profile);
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
        tell_profile(job, &profile);
}
