/* sfgp batch: fits one model to many targets, into a folder of results. */
#include "batch/batch.h"
#include "base/platform_terminal.h"
#include "cli/batch_mpi.h"
#include "cli/batch_part.h"
#include "cli/batch_plan.h"
#include "cli/batch_source.h"
#include "cli/batch_words.h"
#include "cli/collect.h"
#include "cli/mesh.h"
#include "cli/passed.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/trained.h"
#include "cli/verb.h"

struct job {
    cli_session *session;
    batch batch;
    cli_list files; /* MANIFEST, or a folder */
    cli_batch_references references;
    bool collect;         /* as sfgp collect, at the end */
    cli_list train;       /* files and folders of the command line */
    cli_list train_files; /* the files */
    cli_batch_part part;
    int64_t jobs; /* of the command line; 0: not given */
};

/* ---- options ----------------------------------------------------------------------------------------- */

static sfgp_status check(struct job *job)
{
    batch *b = &job->batch;
    if (job->files.count > 1) /* as of *.ply */
        return cli_fail(job->session, SFGP_ERROR_PARAMETER,
                        "%d scans or tables are given; give a folder of scans, or one table of them",
                        job->files.count);
    if (!b->folder)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o DIR is missing");
    if (job->jobs > 4096)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "--jobs: %lld is more than 4096",
                        (long long)job->jobs);
    if (!(b->timeout >= 0 && b->timeout <= 1e9))
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "--timeout: give seconds, 0 to 1e9");
    if (b->dry && cli_mpi_started())
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "--dry-run: leave out mpirun");
    sfgp_status status = cli_mesh_check_target_scale(job->session);
    if (status == SFGP_OK)
        status = cli_batch_references_set(job->session, &job->references, b);
    return status == SFGP_OK ? cli_batch_find_part(job->session, &job->part, &b->part) : status;
}

static sfgp_status read_options(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"MANIFEST", NULL};
    batch *b = &job->batch;
    const cli_option options[] = {{"output", 'o', CLI_FOLDER, &b->folder},
                                  {"reference", 0, CLI_EACH, &job->references.references},
                                  {"model", 0, CLI_EACH, &job->references.references},
                                  {"apply", 0, CLI_EACH, &job->references.applied},
                                  {"landmarks", 0, CLI_EACH, &job->references.landmarks},
                                  {"landmark-sd", 0, CLI_REAL, &b->landmark_sd},
                                  {"median", 0, CLI_SWITCH, &b->median},
                                  {"save", 0, CLI_SWITCH, &b->save},
                                  {"collect", 0, CLI_SWITCH, &job->collect},
                                  {"train", 0, CLI_PATHS, &job->train},
                                  {"resume", 0, CLI_SWITCH, &b->resume},
                                  {"retry-failed", 0, CLI_SWITCH, &b->retry_failed},
                                  {"index", 0, CLI_COUNT, &job->part.index},
                                  {"shard", 0, CLI_TEXT, &job->part.shard},
                                  {"chunk", 0, CLI_COUNT, &job->part.chunk},
                                  {"jobs", 'j', CLI_COUNT, &job->jobs},
                                  {"timeout", 0, CLI_REAL, &b->timeout},
                                  {"events", 0, CLI_OUTPUT, &b->events},
                                  {"profile", 0, CLI_SWITCH, &b->profile},
                                  {"dry-run", 0, CLI_SWITCH, &b->dry},
                                  {"html", 0, CLI_SWITCH, &b->html},
                                  {"isolate", 0, CLI_SWITCH, &b->isolate},
                                  {"unit", 0, CLI_TEXT, &b->unit},
                                  CLI_TARGET_SCALE(job->session),
                                  CLI_COLUMNS(job->session),
                                  {0}};
    const cli_grammar grammar = {options, &b->settings, OPERANDS, true, &job->files};
    return cli_options_parse(job->session, argc, argv, &grammar);
}

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    batch *b = &job->batch;
    sfgp_settings_default(&b->settings);
    b->settings.threads = 1; /* several cases run at the same time */
    sfgp_status status = read_options(job, argc, argv);
    if (status == SFGP_OK)
        status = check(job);
    if (status == SFGP_OK)
        status = cli_passed_tell_all(job->session, &job->train);
    if (status == SFGP_OK)
        status = cli_paths_expand(job->session, &job->train, &job->train_files);
    if (status != SFGP_OK)
        return status;
    cli_trained_tell(job->session, &job->train_files);
    return cli_batch_source(job->session, job->files.items[0], b);
}

/* ---- words ------------------------------------------------------------------------------------------- */

static void draw_progress(void *user, const batch_totals *totals)
{
    cli_batch_draw(((struct job *)user)->session, totals);
}

static void warn(void *user, const char *message)
{
    cli_warn(((struct job *)user)->session, "%s", message);
}

static void tell_case(void *user, const char *id, const batch_outcome *outcome)
{
    cli_batch_tell_case(((struct job *)user)->session, id, outcome);
}

/* ---- all steps --------------------------------------------------------------------------------------- */

static sfgp_status fail_batch(struct job *job, sfgp_status status)
{
    cli_clear_bar(job->session);
    return status == SFGP_OK ? status : cli_fail(job->session, status, "%s", job->batch.error);
}

static bool is_stopped(void *user)
{
    (void)user;
    return sfgp_terminal_is_interrupted();
}

static sfgp_status run_cases(struct job *job)
{
    batch *b = &job->batch;
    b->stop = is_stopped;
    sfgp_terminal_catch_interrupt();
    const sfgp_status status = batch_run(b, NULL);
    const batch_totals *t = &b->totals;
    const int64_t done = t->good + t->flagged + t->failed;
    if (status != SFGP_CANCELLED) {
        sfgp_terminal_yield_to_interrupt(); /* one that comes from now on */
        return fail_batch(job, status);
    }
    cli_warn(job->session,
             "stopped: %lld of %lld cases are done; the same command with --resume does the rest",
             (long long)done, (long long)t->cases);
    return status;
}

static sfgp_status run_here(struct job *job)
{
    batch *b = &job->batch;
    sfgp_status status = batch_open(b);
    if (status == SFGP_OK)
        status = batch_plan(b);
    if (status != SFGP_OK)
        return fail_batch(job, status);
    if (b->dry || job->session->verbose)
        status = cli_batch_tell(job->session, b);
    return b->dry ? status : run_cases(job);
}

static sfgp_status run_batch(struct job *job, bool *speaks)
{
    batch *b = &job->batch;
    b->read = job->session->read;
    b->target_scale = job->session->target_scale;
    b->config = job->session->config;
    b->training = job->train_files.items;
    b->training_count = job->train_files.count;
    b->resume = b->resume || b->retry_failed;
    b->at_once = cli_batch_find_jobs(job->jobs);
    b->user = job;
    b->warn = warn;
    b->tell = job->session->verbose ? tell_case : NULL;
    b->progress = sfgp_terminal_is_there() && !job->session->quiet ? draw_progress : NULL;
    b->context = job->session->context; /* its warnings are printed */
    *speaks = true;
    sfgp_status status = cli_mpi_started() ? cli_mpi_run(job->session, b, speaks) : run_here(job);
    b->context = NULL;
    return status;
}

static int run(cli_session *session, int argc, char **argv)
{
    static struct job job; /* static, because it is too large for a stack */
    bool speaks = false;
    job = (struct job){.session = session, .part = {.index = -1, .chunk = 1}, .batch.event_file = -1};
    sfgp_status status = parse(&job, argc, argv);
    const bool ran = status == SFGP_OK && (status = run_batch(&job, &speaks)) == SFGP_OK;
    const bool ends = ran && speaks && !job.batch.dry;
    int code = ends ? batch_exit_code(&job.batch.totals) : (int)status;
    if (ends)
        cli_batch_tell_end(session, &job.batch);
    batch_clear(&job.batch);
    if (ends && job.collect && code <= CLI_FLAGGED)
        code = cli_collect(session, job.batch.folder, job.batch.unit);
    cli_batch_references_clear(&job.references);
    cli_list_clear(&job.files);
    cli_list_clear(&job.train);
    cli_paths_clear(&job.train_files);
    sfgp_terminal_yield_to_interrupt();
    return code;
}

const cli_verb CLI_BATCH = {
    "batch",
    "fit a reference, or the best of several, to many scans, resumable",
    "sfgp batch MANIFEST|FOLDER -o DIR --reference MODEL.h5|REFERENCE [options]\n"
    "\nFOLDER: every mesh in it is a case. MANIFEST is separated by tabs, commas or semicolons, with names in the first row: target, and\n"
    "optionally id, reference, landmarks, reference_landmarks, apply, truth, missing (its mask), target_scale and any\n"
    "setting. Paths are relative to it.\n"
    "Each case writes DIR/ID/fit.ply and DIR/ID/case.json. A case that fails or crashes does not stop the others.\n"
    "docs/batch.md: all files, Slurm, MPI, GNU parallel.\n"
    "\n  -o, --output DIR    results; created when it does not exist; must be empty unless --resume is given\n"
    "  --reference PATH    a reference or a model, read or built once; may be repeated: the fit with the largest\n"
    "                      evidence is kept\n"
    "  --model PATH        the same as --reference\n"
    "  --apply FILE        landmarks or a mesh of the reference, which every fit carries to its scan, with sd; with several\n"
    "                      references one for each of them, in their order\n"
    "  --median            with several references: carried landmarks are their median, not those of the best\n"
    "  --landmarks FILE    landmarks of the reference, to be paired with those of column landmarks; likewise; of a folder\n"
    "                      those are NAME.mrk.json, .fcsv, .csv or .pts beside the scan\n"
    "  --landmark-sd S     standard deviation of a landmark, unit of the files; 0, the default, means 1 % of the RMS radius:\n"
    "                      give exact landmarks a small number above 0\n"
    "  --save              write every fit as a map of space, DIR/ID/fit.h5, for sfgp apply\n"
    "  --collect           run sfgp collect at the end\n"
    "  --train PATH...     registered shapes, files or folders: they add their variation to a reference\n"
    "  --resume            keep valid results, whose content is checked, and do the other cases\n"
    "  --retry-failed      as --resume, and do failed cases again\n"
    "  --index I           only the I-th chunk of cases, from 0 (default: SLURM_ARRAY_TASK_ID if it is set)\n"
    "  --chunk K           cases of one index (default 1)\n"
    "  --shard I/N         only every N-th case, from the I-th, I from 0\n"
    "  -j, --jobs N        cases at a time (default: one for each processor; a case has one thread)\n"
    "  --timeout SECONDS   a case that takes longer has failed\n"
    "  --isolate           each case in a process of its own: nothing is kept from one to the next\n"
    "  --events FILE       append events to a file, as JSON lines\n"
    "  --config FILE       settings from a JSON file, as {\"omega\": 0.2}, or from a report of sfgp register; those of the\n"
    "                      command line and of the manifest count more\n"
    "  --dry-run           read the manifest, the references and every scan, tell cases, rank, memory and which files are\n"
    "                      refused, and stop; --verbose tells the plan before the run, and how every case ends\n"
    "  --profile           write the time of every stage into case.json\n"
    "  --html              write a page of every fit, DIR/ID/fit.html, where the rows of the overview lead to\n"
    "  --unit UNIT         the unit of the files, as mm, for the pages\n" CLI_TARGET_SCALE_USAGE
        CLI_COLUMNS_USAGE "\nExit code 1: some cases are flagged or failed; 7: some could not be written.\n",
    true,
    false,
    NULL,
    run};
