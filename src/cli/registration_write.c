/* Writes the outputs of sfgp register. */
#include "cli/registration.h"
#include "base/platform_clock.h"
#include "cli/output.h"
#include "report/fitted.h"
#include "report/json.h"
#include "report/table.h"

/* Warns of a fit that is flagged, also with --quiet. Warnings are kept for the report. */
static void warn_outcome(cli_registration *job)
{
    char text[SFGP_WARNING_SIZE];
    if (sfgp_result_warning(job->result, text)[0])
        cli_warn(job->session, "%s", text);
}

static sfgp_status write_fitted(cli_registration *job)
{
    return cli_check(job->session, report_fitted_write(job->session->context, job->fitted,
                                                       job->prior.reference, job->target, job->result));
}

static sfgp_status write_table(cli_registration *job)
{
    return cli_output_text(job->session, job->table, job->table ? report_table(job->result) : NULL);
}

double cli_peak_mib(void)
{
    return sfgp_platform_peak_mib(SFGP_PLATFORM_SELF);
}

static report_run describe(const cli_registration *job, const sfgp_model_info *info,
                           const sfgp_profile *profile)
{
    const cli_list *landmarks = &job->landmarks;
    return (report_run){.reference = job->files.items[0],
                        .target = job->files.items[1],
                        .unit = job->unit,
                        .target_scale = job->session->target_scale,
                        .training = job->prior.train_files.count,
                        .training_files = (const char *const *)job->prior.train_files.items,
                        .landmarks = {landmarks->count ? landmarks->items[0] : NULL,
                                      landmarks->count ? landmarks->items[1] : NULL},
                        .landmark_sd = job->landmark_sd,
                        .points_target = job->target->count,
                        .model = info,
                        .result = job->result,
                        .given = &job->settings,
                        .warnings = (const char *const *)job->session->warnings,
                        .warning_count = job->session->warning_count,
                        .profile = profile,
                        .stages = job->profile,
                        .peak_mib = cli_peak_mib(),
                        .memory = &job->memory};
}

static sfgp_status write_report(cli_registration *job)
{
    sfgp_model_info info;
    sfgp_profile profile;
    if (!job->report)
        return SFGP_OK;
    sfgp_model_describe(job->prior.model, &info);
    sfgp_profile_read(job->session->context, &profile);
    const report_run run = describe(job, &info, &profile);
    return cli_output_text(job->session, job->report, report_fit(&run));
}

static sfgp_status write_page(cli_registration *job)
{
    const sfgp_page_options options = {.reference = job->files.items[0],
                                       .target = job->files.items[1],
                                       .unit = job->unit,
                                       .training = job->prior.train_files.count,
                                       .warnings = (const char *const *)job->session->warnings,
                                       .warning_count = (int64_t)job->session->warning_count};
    if (!job->html)
        return SFGP_OK;
    return cli_check(job->session,
                     sfgp_result_write_html(job->session->context, job->result, job->prior.reference,
                                            job->target, &options, job->html));
}

static sfgp_status write_results(cli_registration *job)
{
    const sfgp_mark mark = sfgp_profile_enter(job->session->context, SFGP_STAGE_WRITE);
    sfgp_status status = SFGP_OK;
    if ((status = write_fitted(job)) == SFGP_OK && (status = write_table(job)) == SFGP_OK && job->save)
        status = cli_check(job->session,
                           sfgp_deformation_write(job->session->context, job->deformation, job->save));
    if (status == SFGP_OK)
        status = write_page(job);
    sfgp_profile_leave(job->session->context, mark);
    return status;
}

sfgp_status cli_registration_write(cli_registration *job)
{
    warn_outcome(job);
    sfgp_status status = write_results(job);
    return status == SFGP_OK ? write_report(job) : status;
}
