/* sfgp collect: the results of a batch as a table and a page. */
#include "batch/batch.h"
#include "cli/collect.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/verb.h"

enum { DEFAULT_MOST = 1000 };

static void print_summary(cli_session *session, const char *folder, const batch_collection *t)
{
    cli_tell(session,
             "%lld cases: %lld ok, %lld flagged, %lld failed, %lld without a result: "
             "%s/cases.csv, overview.html%s",
             (long long)t->cases, (long long)t->good, (long long)t->flagged, (long long)t->failed,
             (long long)t->absent, cli_path_shown(folder),
             t->landmarks > 0 ? ", landmarks.csv, landmarks.tps" : "");
}

static int collect(cli_session *session, batch *b, const char *folder, int64_t most)
{
    batch_collection totals;
    const sfgp_status status = batch_collect(b, folder, most, &totals);
    if (status != SFGP_OK)
        cli_fail(session, status, "%s", b->error);
    else if (!session->quiet)
        print_summary(session, folder, &totals);
    batch_clear(b);
    return status != SFGP_OK ? (int)status : totals.good == totals.cases ? 0 : CLI_FLAGGED;
}

int cli_collect(cli_session *session, const char *folder, const char *unit)
{
    static batch b;
    b = (batch){.event_file = -1, .unit = unit};
    return collect(session, &b, folder, DEFAULT_MOST);
}

static int run(cli_session *session, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"DIR", NULL};
    cli_list files = {0};
    int64_t most = DEFAULT_MOST;
    static batch b;
    const cli_option options[] = {{"most", 0, CLI_COUNT, &most}, {"unit", 0, CLI_TEXT, &b.unit}, {0}};
    const cli_grammar grammar = {.options = options, .operands = OPERANDS, .taken = &files};
    b = (batch){.event_file = -1};
    const sfgp_status status = cli_options_parse(session, argc, argv, &grammar);
    if (status == SFGP_OK)
        cli_paths_trim(files.items[0]);
    const int code = status == SFGP_OK ? collect(session, &b, files.items[0], most) : (int)status;
    cli_list_clear(&files);
    return code;
}

const cli_verb CLI_COLLECT = {
    "collect",
    "the results of a batch as a table and a page",
    "sfgp collect DIR [--most N] [--unit UNIT]\n"
    "\nWrites into DIR, a folder of sfgp batch: cases.csv, one row for each case in the order\n"
    "of the manifest, and overview.html, one file with pictures, the worst cases first. Landmarks\n"
    "that batch has carried along: landmarks.csv (id,landmark,x,y,z,sd) and landmarks.tps.\n"
    "\n  --most N     cases in the overview (default 1000); cases.csv has all\n"
    "  --unit UNIT  the unit of the files, as mm, for the overview\n"
    "\nExit code 1: some cases are flagged, failed or without a result.\n",
    false,
    false,
    NULL,
    run};
