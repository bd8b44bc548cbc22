/* sfgp register: reads the files, builds the model, fits, and writes the results (registration_write.c) and a summary
 * (registration_words.c). */
#include "cli/registration.h"
#include "cli/landmarks.h"
#include "cli/mesh.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/verb.h"

/* ---- options ----------------------------------------------------------------------------------------- */

static sfgp_status read_options(cli_registration *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"REFERENCE", "TARGET", NULL};
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->fitted},
                                  {"train", 0, CLI_PATHS, &job->prior.train},
                                  {"table", 0, CLI_OUTPUT, &job->table},
                                  {"report", 0, CLI_OUTPUT, &job->report},
                                  {"html", 0, CLI_OUTPUT, &job->html},
                                  {"unit", 0, CLI_TEXT, &job->unit},
                                  {"profile", 0, CLI_SWITCH, &job->profile},
                                  {"dry-run", 0, CLI_SWITCH, &job->dry_run},
                                  {"save", 0, CLI_OUTPUT, &job->save},
                                  {"landmarks", 0, CLI_PATHS, &job->landmarks},
                                  {"landmark-sd", 0, CLI_REAL, &job->landmark_sd},
                                  CLI_TARGET_SCALE(job->session),
                                  CLI_COLUMNS(job->session),
                                  {0}};
    const cli_grammar grammar = {options, &job->settings, OPERANDS, false, &job->files};
    sfgp_settings_default(&job->settings);
    return cli_options_parse(job->session, argc, argv, &grammar);
}

static sfgp_status refuse(const cli_registration *job, const char *message)
{
    return cli_fail(job->session, SFGP_ERROR_PARAMETER, "%s", message);
}

/* Options that contradict or miss each other. */
static sfgp_status check_options(const cli_registration *job)
{
    if (job->session->json && job->report)
        return refuse(job, "--json: the report is already written by --report");
    if (!job->fitted)
        return refuse(job, "-o FITTED is missing");
    if (job->landmarks.count != 0 && job->landmarks.count != 2)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER,
                        "--landmarks: two files follow, those of REFERENCE and of TARGET, not %d; other "
                        "operands go before it",
                        job->landmarks.count);
    if (job->landmark_sd != 0 && job->landmarks.count == 0)
        return refuse(job, "--landmark-sd: there are no --landmarks");
    return cli_mesh_check_target_scale(job->session);
}

static sfgp_status parse(cli_registration *job, int argc, char **argv)
{
    sfgp_status status = read_options(job, argc, argv);
    if (status == SFGP_OK)
        status = check_options(job);
    job->profile = job->profile || job->session->verbose;
    if (job->session->json)
        job->report = "-";
    return status;
}

/* Before the fit, so that a long fit is not lost because a folder does not exist. */
static sfgp_status check_outputs(cli_registration *job)
{
    const char *const outputs[] = {job->fitted, job->table, job->report, job->save, job->html};
    const int count = sizeof outputs / sizeof *outputs;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < count && status == SFGP_OK; k++)
        for (int other = k + 1; other < count && status == SFGP_OK; other++)
            status = cli_paths_check_distinct(job->session, outputs[k], outputs[other]);
    for (int k = 0; k < count && status == SFGP_OK; k++)
        status = cli_paths_check_output(job->session, outputs[k]);
    if (status == SFGP_OK)
        status = cli_paths_check_hdf5(job->session, job->save);
    return status == SFGP_OK ? cli_paths_check_mesh(job->session, job->fitted) : status;
}

/* ---- read -------------------------------------------------------------------------------------------- */

static sfgp_status read_landmarks(cli_registration *job)
{
    if (job->landmarks.count == 0)
        return SFGP_OK;
    sfgp_status status = cli_landmarks_read(job->session, &job->landmarks, &job->pairs);
    if (status == SFGP_OK && job->pairs->dimension != job->target->dimension)
        return cli_fail(job->session, SFGP_ERROR_DATA, "--landmarks: they are %dD, %s is %dD",
                        job->pairs->dimension, cli_path_shown(job->files.items[1]), job->target->dimension);
    return status;
}

static sfgp_status read_files(cli_registration *job)
{
    const sfgp_mark mark = sfgp_profile_enter(job->session->context, SFGP_STAGE_READ);
    sfgp_status status = cli_prior_read(job->session, job->files.items[0], &job->settings, &job->prior);
    if (status == SFGP_OK)
        status = cli_check(job->session,
                           sfgp_mesh_check_write(job->session->context, job->fitted, job->prior.reference));
    if (status == SFGP_OK)
        status = cli_mesh_read_target(job->session, job->files.items[1], &job->target);
    if (status == SFGP_OK)
        status = read_landmarks(job);
    sfgp_profile_leave(job->session->context, mark);
    return status;
}

/* ---- model and fit ----------------------------------------------------------------------------------- */

static sfgp_status build_model(cli_registration *job)
{
    const sfgp_mark mark = sfgp_profile_enter(job->session->context, SFGP_STAGE_MODEL);
    sfgp_context_set_threads(job->session->context, job->settings.threads);
    sfgp_status status = cli_prior_build(job->session, &job->settings, &job->prior);
    sfgp_profile_leave(job->session->context, mark);
    return status;
}

static sfgp_status fit(cli_registration *job)
{
    const sfgp_mark mark = sfgp_profile_enter(job->session->context, SFGP_STAGE_FIT);
    sfgp_solver *solver = NULL;
    cli_progress progress;
    if (!job->session->quiet)
        cli_progress_start(job->session, &progress);
    sfgp_status status = sfgp_solver_new(job->session->context, job->prior.model, &job->settings, &solver);
    if (status == SFGP_OK && job->pairs)
        status = sfgp_solver_set_landmarks(solver, job->pairs->count, job->pairs->first, job->pairs->second,
                                           job->landmark_sd);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, job->target, &job->result);
    if (status == SFGP_OK && job->save)
        status = sfgp_solver_deformation(solver, job->result, &job->deformation);
    sfgp_solver_free(solver);
    cli_progress_stop(job->session);
    sfgp_profile_leave(job->session->context, mark);
    return cli_check(job->session, status);
}

/* ---- all steps --------------------------------------------------------------------------------------- */

static void clear(cli_registration *job)
{
    sfgp_deformation_free(job->deformation);
    sfgp_landmark_pairs_free(job->pairs);
    cli_prior_clear(&job->prior);
    cli_list_clear(&job->landmarks);
    sfgp_mesh_free(job->target);
    sfgp_result_free(job->result);
    cli_list_clear(&job->files);
}

/* All that goes before the fit. */
static sfgp_status prepare(cli_registration *job, int argc, char **argv)
{
    sfgp_context *context = job->session->context;
    sfgp_status status;
    if ((status = parse(job, argc, argv)) == SFGP_OK && (status = check_outputs(job)) == SFGP_OK &&
        (status = cli_check(job->session, sfgp_settings_check(context, &job->settings))) == SFGP_OK &&
        (status = read_files(job)) == SFGP_OK && (status = cli_registration_predict(job)) == SFGP_OK &&
        (job->dry_run || job->session->verbose))
        cli_registration_tell(job);
    return status;
}

static int run(cli_session *session, int argc, char **argv)
{
    cli_registration job = {.session = session};
    sfgp_status status;
    int code;
    sfgp_profile_start(session->context);
    if ((status = prepare(&job, argc, argv)) == SFGP_OK && !job.dry_run &&
        (status = build_model(&job)) == SFGP_OK && (status = fit(&job)) == SFGP_OK &&
        (status = cli_registration_write(&job)) == SFGP_OK)
        cli_registration_summarise(&job);
    code =
        status == SFGP_OK && job.result && job.result->outcome != SFGP_CONVERGED ? CLI_FLAGGED : (int)status;
    clear(&job);
    return code;
}

const cli_verb CLI_REGISTER = {
    "register",
    "fit a reference to a damaged scan",
    "sfgp register REFERENCE|MODEL.h5 TARGET -o FITTED [options]\n"
    "\nFiles are PLY, OBJ, STL, VTP, VTK, OFF, glTF, NPY or text (one point a row), 2D or 3D, also packed as .gz;\n"
    "- is standard input. The extension of an output gives its format (.ply .obj .stl .vtp .npy .txt .csv ..., with\n"
    ".gz it is packed); - is PLY on standard output. FITTED keeps order and faces of REFERENCE; as PLY or VTP it\n"
    "has for every point sd (standard deviation), missing (1: not in the scan), distance (to the scan), and quality, which\n"
    "is sd under the name that MeshLab colours by.\n"
    "MODEL.h5 is a file of sfgp model build, or a Statismo or Scalismo shape model: reference and prior in one.\n"
    "\n  -o, --output FITTED  output for the fitted reference, another file than the inputs\n"
    "  --train PATH...      registered shapes, files or folders, up to the next option: they add their variation\n"
    "  --table T.csv        index,x,y,z,sd,missing,target,probability for every point\n"
    "  --report R.json      outcome, every resolved setting, times, memory\n"
    "  --html FIT.html      a page to look at: scan, fit and reference in 3D, what is missing, deviations, warnings; one file\n"
    "                       that needs no network\n"
    "  --unit UNIT          the unit of the files, as mm, for the summary line, the page and the report\n"
    "  --config FILE        settings from a JSON file, as {\"omega\": 0.2}, or from an earlier report; those of the command\n"
    "                       line count more\n"
    "  --dry-run            read the inputs, tell their sizes, the rank and the memory, and stop; --verbose tells this before\n"
    "                       the fit, and the time of every stage after it\n"
    "  --profile            print the time of every stage at the end, and write it into the report\n"
    "  --save R.h5          the fit as a map of space, for sfgp apply\n"
    "  --landmarks REF TARGET  two files of landmarks (name,x,y,z as CSV, .mrk.json, .fcsv, .pp, .pts, .tps, .nts), paired by name:\n"
    "                       points of REF lie at those of TARGET\n"
    "  --landmark-sd S      standard deviation of a landmark, unit of the files; 0, the default, means 1 % of the RMS radius:\n"
    "                       give exact landmarks a small number above 0\n" CLI_TARGET_SCALE_USAGE
        CLI_COLUMNS_USAGE
    "\n--kernel may be repeated: kernels add up. Exit code 1: written, but not converged, doubtful or without overlap;\n"
    "docs/one-scan.md: what to do then.\n",
    true,
    false,
    "the report on standard output, for other programs",
    run};
