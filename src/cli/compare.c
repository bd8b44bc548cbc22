/* sfgp compare: a comparative study from a file, into a folder. */
#include "cli/inputs.h"
#include "base/platform_cores.h"
#include "base/platform_terminal.h"
#include "cli/verb.h"
#include "study/study.h"

#include <stdio.h>

struct job {
    cli_session *session;
    cli_list files; /* STUDY.json */
    const char *folder;
    int64_t jobs; /* of the command line; 0: not given */
};

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"STUDY.json", NULL};
    const cli_option options[] = {
        {"output", 'o', CLI_FOLDER, &job->folder}, {"jobs", 'j', CLI_COUNT, &job->jobs}, {0}};
    sfgp_status status =
        cli_options_parse(job->session, argc, argv,
                          &(cli_grammar){.options = options, .operands = OPERANDS, .taken = &job->files});
    if (status == SFGP_OK && !job->folder)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o FOLDER is missing");
    if (status == SFGP_OK && job->jobs > 4096)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "--jobs: %lld is more than 4096",
                        (long long)job->jobs);
    return status;
}

static void draw_progress(void *user, const char *what, int64_t done, int64_t total)
{
    char line[80];
    snprintf(line, sizeof line, "%s: %lld of %lld", what, (long long)done, (long long)total);
    cli_draw_bar(((struct job *)user)->session, line);
}

static void warn(void *user, const char *text)
{
    cli_warn(((struct job *)user)->session, "%s", text);
}

/* Runs at a time: from the command line, or else from the study, or else one for each core. */
static int jobs_for(const struct job *job, const study *s)
{
    return job->jobs > 0 ? (int)job->jobs : s->jobs > 0 ? s->jobs : (int)sfgp_platform_cores();
}

static void print_summary(struct job *job, const study *s)
{
    for (int k = 0; k < s->set_count; k++)
        if (s->sets[k].stand_in)
            cli_warn(job->session, "%s: the data do not exist; simulated shapes are used instead",
                     s->sets[k].name);
    for (int k = 0; k < s->method_count; k++)
        if (s->methods[k].missing)
            cli_warn(job->session, "%s is left out: %s", s->methods[k].name, s->methods[k].missing);
}

static sfgp_status compare(struct job *job)
{
    study s;
    sfgp_status status = cli_inputs_spare_in(job->session, job->folder, STUDY_NAME,
                                             (cli_file){"STUDY.json", job->files.items[0]});
    if (status != SFGP_OK)
        return status;
    status = study_open(&s, job->files.items[0]);
    if (status != SFGP_OK) {
        cli_fail(job->session, status, "%s: %s", cli_path_shown(job->files.items[0]), s.error);
        study_clear(&s);
        return status;
    }
    print_summary(job, &s);
    s.jobs = jobs_for(job, &s);
    s.user = job;
    s.warn = warn;
    s.progress = sfgp_terminal_is_there() && !job->session->quiet ? draw_progress : NULL;
    status = study_run(&s, job->folder);
    cli_clear_bar(job->session);
    if (status != SFGP_OK)
        cli_fail(job->session, status, "%s", s.error[0] ? s.error : sfgp_status_text(status));
    else if (!job->session->quiet)
        cli_tell(job->session, "%s/report.html, rows.csv, summary.csv and figures/ are written",
                 cli_path_shown(job->folder));
    study_clear(&s);
    return status;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session};
    sfgp_status status = parse(&job, argc, argv);
    if (status == SFGP_OK)
        status = compare(&job);
    cli_list_clear(&job.files);
    return (int)status;
}

const cli_verb CLI_COMPARE = {
    "compare",
    "compare methods on data sets: a study",
    "sfgp compare STUDY.json -o FOLDER [--jobs N]\n"
    "\nRuns every method of the study on every sample of its data, in up to N processes at a time, and writes into\n"
    "FOLDER: report.html, rows.csv (one line for each run), summary.csv, tuning.csv, figures/*.svg. After a stop, the\n"
    "same command continues. docs/studies.md describes study files; data/studies has examples.\n"
    "\n  -o, --output FOLDER  created when it does not exist\n"
    "  -j, --jobs N         runs at a time (default: of the study, or one for each core)\n",
    false,
    false,
    NULL,
    run};
