/* sfgp model: builds shape models, and writes shapes of them. */
#include "base/platform_file.h"
#include "cli/flag.h"
#include "cli/mesh.h"
#include "cli/model_info.h"
#include "cli/paths.h"
#include "cli/prior.h"
#include "report/settings.h"
#include "cli/verb.h"

#include <string.h>

/* The command line, and what its steps share. */
struct job {
    cli_session *session;
    sfgp_settings settings;
    cli_list files; /* REFERENCE or MODEL.h5 */
    cli_prior prior;
    const char *output;
    int64_t seed;      /* of a sample */
    int64_t index;     /* of a component */
    double deviations; /* of a component from the mean */
};

static sfgp_status parse(struct job *job, int argc, char **argv, const cli_option *options,
                         const char *operand, bool settings)
{
    const char *const operands[] = {operand, NULL};
    sfgp_settings_default(&job->settings);
    return cli_options_parse(job->session, argc, argv,
                             &(cli_grammar){.options = options,
                                            .settings = settings ? &job->settings : NULL,
                                            .operands = operands,
                                            .taken = &job->files});
}

static sfgp_status need_output(struct job *job, const char *what,
                               sfgp_status (*check)(cli_session *session, const char *path))
{
    if (job->session->json)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "--json is for sfgp model info");
    if (!job->output)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o %s is missing", what);
    return check(job->session, job->output);
}

/* A mesh is no damaged HDF5 file. */
static sfgp_status read_model(struct job *job)
{
    const char *path = job->files.items[0];
    if (sfgp_platform_kind_at(path) == SFGP_PLATFORM_FILE && !sfgp_model_is_file(path))
        return cli_fail(
            job->session, SFGP_ERROR_FORMAT,
            "%s: is not an HDF5 file, or cut off or damaged; sfgp model build makes a model of a mesh",
            cli_path_shown(path));
    return cli_check(job->session, sfgp_model_read(job->session->context, path, &job->prior.model));
}

/* ---- build ------------------------------------------------------------------------------------------- */

/* Whether a model is built otherwise because of a row, in which given differs from the default: as one of the prior, or of those
 * here, of which the method decides on form=auto. */
static bool is_of_model(const sfgp_settings *given, const sfgp_setting *row)
{
    static const char *const OTHERS[] = {"method", "threads", "seed", "max_memory"};
    sfgp_settings standard, changed;
    for (size_t k = 0; k < sizeof OTHERS / sizeof *OTHERS; k++)
        if (strcmp(row->name, OTHERS[k]) == 0)
            return true;
    sfgp_settings_default(&standard);
    changed = standard;
    memcpy((char *)&changed + row->offset, (const char *)given + row->offset,
           row->kind == SFGP_SETTING_TEXT ? SFGP_TEXT_SIZE : sizeof(double));
    return sfgp_settings_prior_change(&changed, &standard) != NULL;
}

static void warn_unread(const struct job *job)
{
    char flag[CLI_FLAG_SIZE];
    sfgp_settings standard;
    const sfgp_setting *row;
    sfgp_settings_default(&standard);
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (!report_setting_same(&job->settings, &standard, row) && !is_of_model(&job->settings, row))
            cli_warn(job->session, "--%s: a model does not depend on it; give it to the fit",
                     cli_flag_name(row, flag));
}

/* Before a mesh becomes a model. The memory of a model in place of it is limited when it is read. */
static sfgp_status check_memory(const struct job *job)
{
    sfgp_context *context = job->session->context;
    sfgp_run_size size;
    if (job->prior.model || job->settings.max_memory == 0)
        return SFGP_OK;
    sfgp_status status = sfgp_run_size_from_mesh(context, job->prior.reference, job->prior.train_files.count,
                                                 &job->settings, &size);
    if (status == SFGP_OK)
        status = sfgp_memory_check(context, &size, &job->settings);
    return cli_check(job->session, status);
}

static void print_summary(const struct job *job)
{
    sfgp_model_info info;
    sfgp_model_describe(job->prior.model, &info);
    cli_tell(job->session, "%lld points, prior %s, rank %lld + %lld, residual %.2g: %s",
             (long long)info.count, info.kernel, (long long)info.rank_scalar, (long long)info.rank_pca,
             info.kernel_residual, cli_path_shown(job->output));
}

static sfgp_status build(struct job *job, int argc, char **argv)
{
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->output},
                                  {"train", 0, CLI_PATHS, &job->prior.train},
                                  CLI_COLUMNS(job->session),
                                  {0}};
    cli_session *session = job->session;
    sfgp_status status = SFGP_OK;
    if ((status = parse(job, argc, argv, options, "REFERENCE", true)) != SFGP_OK ||
        (status = need_output(job, "MODEL.h5", cli_paths_check_hdf5)) != SFGP_OK ||
        (status = cli_check(session, sfgp_settings_check(session->context, &job->settings))) != SFGP_OK ||
        (status = cli_prior_read(session, job->files.items[0], &job->settings, &job->prior)) != SFGP_OK ||
        (status = check_memory(job)) != SFGP_OK ||
        (status = cli_prior_build(session, &job->settings, &job->prior)) != SFGP_OK ||
        (status = cli_check(session, sfgp_model_write(session->context, job->prior.model, job->output))) !=
            SFGP_OK)
        return status;
    warn_unread(job);
    if (!session->quiet)
        print_summary(job);
    return SFGP_OK;
}

/* ---- info -------------------------------------------------------------------------------------------- */

static sfgp_status info(struct job *job, int argc, char **argv)
{
    sfgp_status status = parse(job, argc, argv, (const cli_option[]){{0}}, "MODEL.h5", false);
    if (status == SFGP_OK)
        status = read_model(job);
    return status == SFGP_OK ? cli_model_info(job->session, job->files.items[0], job->prior.model) : status;
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

static sfgp_status make_mean(const struct job *job, sfgp_mesh **shape)
{
    return sfgp_model_mean(job->session->context, job->prior.model, shape);
}

static sfgp_status make_sample(const struct job *job, sfgp_mesh **shape)
{
    return sfgp_model_sample(job->session->context, job->prior.model, (uint64_t)job->seed, shape);
}

static sfgp_status make_component(const struct job *job, sfgp_mesh **shape)
{
    return sfgp_model_component(job->session->context, job->prior.model, job->index, job->deviations, shape);
}

static sfgp_status write_shape(struct job *job, int argc, char **argv, const cli_option *options,
                               sfgp_status (*make)(const struct job *job, sfgp_mesh **shape))
{
    sfgp_mesh *shape = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = parse(job, argc, argv, options, "MODEL.h5", false)) != SFGP_OK ||
        (status = need_output(job, "SHAPE", cli_paths_check_mesh)) != SFGP_OK ||
        (status = read_model(job)) != SFGP_OK)
        return status;
    if ((status = make(job, &shape)) == SFGP_OK)
        status = sfgp_mesh_write(job->session->context, job->output, shape, NULL, 0);
    sfgp_mesh_free(shape);
    return cli_check(job->session, status);
}

static sfgp_status mean(struct job *job, int argc, char **argv)
{
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->output}, {0}};
    return write_shape(job, argc, argv, options, make_mean);
}

static sfgp_status sample(struct job *job, int argc, char **argv)
{
    const cli_option options[] = {
        {"output", 'o', CLI_OUTPUT, &job->output}, {"seed", 0, CLI_COUNT, &job->seed}, {0}};
    return write_shape(job, argc, argv, options, make_sample);
}

static sfgp_status component(struct job *job, int argc, char **argv)
{
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->output},
                                  {"index", 0, CLI_COUNT, &job->index},
                                  {"deviations", 0, CLI_REAL, &job->deviations},
                                  {0}};
    return write_shape(job, argc, argv, options, make_component);
}

/* ---- posterior --------------------------------------------------------------------------------------- */

static sfgp_status posterior(struct job *job, int argc, char **argv)
{
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->output}, {0}};
    sfgp_context *context = job->session->context;
    sfgp_deformation *fit = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = parse(job, argc, argv, options, "RESULT", false)) != SFGP_OK ||
        (status = need_output(job, "MODEL.h5", cli_paths_check_hdf5)) != SFGP_OK)
        return status;
    if ((status = sfgp_deformation_read(context, job->files.items[0], &fit)) == SFGP_OK &&
        (status = sfgp_deformation_posterior(context, fit, &job->prior.model)) == SFGP_OK)
        status = sfgp_model_write(context, job->prior.model, job->output);
    sfgp_deformation_free(fit);
    return cli_check(job->session, status);
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    sfgp_status (*run)(struct job *job, int argc, char **argv);
} PARTS[] = {{"build", build},   {"info", info},           {"mean", mean},
             {"sample", sample}, {"component", component}, {"posterior", posterior}};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session, .seed = 1, .deviations = 1};
    sfgp_status status = SFGP_ERROR_PARAMETER;
    int part = 0;
    while (argc > 1 && part < PART_COUNT && strcmp(PARTS[part].name, argv[1]) != 0)
        part++;
    if (argc < 2)
        cli_fail(session, status, "build, info, mean, sample, component or posterior is missing");
    else if (part == PART_COUNT)
        cli_fail(session, status, "'%.60s' is not one of build, info, mean, sample, component and posterior",
                 argv[1]);
    else
        status = PARTS[part].run(&job, argc - 1, argv + 1);
    cli_list_clear(&job.files);
    cli_prior_clear(&job.prior);
    return (int)status;
}

const cli_verb CLI_MODEL = {
    "model",
    "build a shape model, or show its content",
    "sfgp model build REFERENCE [--train PATH...] -o MODEL.h5 [settings]\n"
    "       sfgp model info MODEL.h5 [--json]\n"
    "       sfgp model mean MODEL.h5 -o SHAPE\n"
    "       sfgp model sample MODEL.h5 -o SHAPE [--seed S]\n"
    "       sfgp model component MODEL.h5 -o SHAPE [--index K] [--deviations D]\n"
    "       sfgp model posterior RESULT -o MODEL.h5\n"
    "\nMODEL.h5 is a Statismo / Scalismo shape model with an additional group in double precision. register, batch and\n"
    "compare accept it as the reference; fits have the same bits as with the model before it was written. Models of\n"
    "other tools are read too; FILE.h5:NAME is one of a catalogue. docs/models.md has the layout.\n"
    "posterior: RESULT is a file of sfgp register --save; the model has the fit as its mean and the deviations of the\n"
    "fit, so that its samples are shapes that the fit holds possible.\n"
    "\n  -o, --output FILE  the model, .h5 or .hdf5, or a shape with the faces of the reference, by its extension\n"
    "  --train PATH...    registered shapes, files or folders: they add their variation and their mean\n" CLI_COLUMNS_USAGE
    "  --seed S           of the sample; default 1\n"
    "  --index K          principal component, from 0; default 0\n"
    "  --deviations D     how many standard deviations from the mean; default 1\n"
    "\nbuild uses the settings kernel, align-training, lowrank, rank, accuracy, max-memory, threads and seed of those below.\n",
    true,
    false,
    "info: the facts, and the variances of all components, on standard output",
    run};
