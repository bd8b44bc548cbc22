/* sfgp register: read -> model -> fit -> write (registration_write.c). */
#include "cli/registration.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <stdlib.h>

static sfgp_status parse(cli_registration *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"REFERENCE", "TARGET", NULL};
    const cli_option options[] = {
        {"output", 'o', CLI_PATH, &job->fitted}, {"train", 0, CLI_PATHS, &job->train},
        {"table", 0, CLI_PATH, &job->table},     {"report", 0, CLI_PATH, &job->report},
        {"quiet", 0, CLI_SWITCH, &job->quiet},   {0}};
    const cli_grammar grammar = {options, &job->settings, OPERANDS, false, &job->files};
    sfgp_settings_default(&job->settings);
    sfgp_status status = cli_options_parse(job->session, argc, argv, &grammar);
    if (status == SFGP_OK && !job->fitted)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o FITTED is missing");
    return status;
}

/* Before the fit, so that an hour of work does not end at a folder that is not there. */
static sfgp_status check_outputs(cli_registration *job)
{
    sfgp_status status = SFGP_OK;
    if ((status = cli_paths_check_distinct(job->session, job->fitted, job->table)) != SFGP_OK ||
        (status = cli_paths_check_distinct(job->session, job->fitted, job->report)) != SFGP_OK ||
        (status = cli_paths_check_distinct(job->session, job->table, job->report)) != SFGP_OK ||
        (status = cli_paths_check_output(job->session, job->fitted)) != SFGP_OK ||
        (status = cli_paths_check_output(job->session, job->table)) != SFGP_OK)
        return status;
    return cli_paths_check_output(job->session, job->report);
}

/* ---- read -------------------------------------------------------------------------------------------- */

static sfgp_status read_training(cli_registration *job)
{
    sfgp_status status = cli_paths_expand(job->session, &job->train, &job->train_files);
    if (status != SFGP_OK || job->train_files.count == 0)
        return status;
    job->training = calloc((size_t)job->train_files.count, sizeof *job->training);
    if (!job->training)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    for (int k = 0; k < job->train_files.count && status == SFGP_OK; k++)
        status = sfgp_mesh_read(job->session->context, job->train_files.items[k], &job->training[k]);
    return cli_check(job->session, status);
}

static sfgp_status read_files(cli_registration *job)
{
    sfgp_context *context = job->session->context;
    const double start = cli_seconds();
    sfgp_status status = sfgp_mesh_read(context, job->files.items[0], &job->reference);
    if (status == SFGP_OK)
        status = sfgp_mesh_read(context, job->files.items[1], &job->target);
    status = cli_check(job->session, status);
    if (status == SFGP_OK)
        status = read_training(job);
    job->seconds_read = cli_seconds() - start;
    return status;
}

/* ---- model and fit ----------------------------------------------------------------------------------- */

static sfgp_status build_model(cli_registration *job)
{
    const double start = cli_seconds();
    sfgp_status status =
        sfgp_model_new(job->session->context, job->reference, (const sfgp_mesh *const *)job->training,
                       job->train_files.count, &job->settings, &job->model);
    job->seconds_model = cli_seconds() - start;
    return cli_check(job->session, status);
}

static sfgp_status fit(cli_registration *job)
{
    const double start = cli_seconds();
    sfgp_solver *solver = NULL;
    cli_progress progress;
    if (!job->quiet)
        cli_progress_start(job->session, &progress);
    sfgp_status status = sfgp_solver_new(job->session->context, job->model, &job->settings, &solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, job->target, &job->result);
    sfgp_solver_free(solver);
    cli_progress_stop(job->session);
    job->seconds_fit = cli_seconds() - start;
    return cli_check(job->session, status);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static void tell(const cli_registration *job)
{
    const sfgp_result *result = job->result;
    if (!job->quiet)
        cli_tell(job->session, "%s after %lld iterations, %.1f %% missing, noise %.3g, %.2f s: %s",
                 sfgp_outcome_name(result->outcome), (long long)result->iterations,
                 100 * (double)result->missing_count / (double)result->count, result->noise,
                 cli_seconds() - job->start, cli_path_shown(job->fitted));
}

static void clear(cli_registration *job)
{
    for (int k = 0; job->training && k < job->train_files.count; k++)
        sfgp_mesh_free(job->training[k]);
    free(job->training);
    sfgp_mesh_free(job->reference);
    sfgp_mesh_free(job->target);
    sfgp_model_free(job->model);
    sfgp_result_free(job->result);
    cli_list_clear(&job->files);
    cli_list_clear(&job->train);
    cli_paths_clear(&job->train_files);
}

static int run(cli_session *session, int argc, char **argv)
{
    cli_registration job = {.session = session, .start = cli_seconds()};
    sfgp_status status;
    int code;
    if ((status = parse(&job, argc, argv)) == SFGP_OK && (status = check_outputs(&job)) == SFGP_OK &&
        (status = cli_check(session, sfgp_settings_check(session->context, &job.settings))) == SFGP_OK &&
        (status = read_files(&job)) == SFGP_OK && (status = build_model(&job)) == SFGP_OK &&
        (status = fit(&job)) == SFGP_OK && (status = cli_registration_write(&job)) == SFGP_OK)
        tell(&job);
    code = status == SFGP_OK && job.result->outcome != SFGP_CONVERGED ? CLI_FLAGGED : (int)status;
    clear(&job);
    return code;
}

const cli_verb CLI_REGISTER = {
    "register", "fit a reference to a damaged scan",
    "sfgp register REFERENCE TARGET -o FITTED [options]\n"
    "\nFiles are PLY, OBJ, STL, NPY or text (one point a row), 2D or 3D; outputs go by their extension. "
    "FITTED keeps\n"
    "order and faces of REFERENCE; as PLY it has sd (standard deviation) and missing for every point.\n"
    "\n  -o, --output FITTED  where the fitted reference goes; may be one of the inputs\n"
    "  --train PATH...      registered shapes, files or folders, up to the next option: they add their "
    "variation\n"
    "  --table T.csv        index,x,y,z,sd,missing,target,probability for every point\n"
    "  --report R.json      status, every resolved setting, times, memory\n"
    "  --quiet              no progress bar and no closing line; warnings and errors are still said\n"
    "\n--kernel may be repeated: kernels add up. Exit code 1: written, but not converged or without "
    "overlap.\n",
    true, run};
