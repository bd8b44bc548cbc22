/* What sfgp batch says while it runs and when it ends. */
#include "cli/batch_words.h"
#include "base/platform_clock.h"
#include "cli/progress.h"

#include <stdio.h>

void cli_batch_draw(cli_session *session, const batch_totals *t)
{
    char line[100];
    const int64_t done = t->good + t->flagged + t->failed + t->unwritten, here = done - t->before;
    const double seconds = sfgp_platform_seconds() - t->start;
    const double rate = seconds > 0 ? (double)here / seconds : 0;
    snprintf(line, sizeof line, "%lld of %lld  %lld flagged  %lld failed  %.2f/s  %.0f s left",
             (long long)done, (long long)t->cases, (long long)t->flagged, (long long)t->failed + t->unwritten,
             rate, rate > 0 ? (double)(t->cases - done) / rate : 0);
    cli_draw_bar(session, line);
}

void cli_batch_tell_case(cli_session *session, const char *id, const batch_outcome *outcome)
{
    char seconds[40] = "";
    if (!outcome->lost)
        snprintf(seconds, sizeof seconds, ", %.2f s", outcome->seconds);
    cli_clear_bar(session);
    cli_tell(session, "%s: %s%s%s%s", id, batch_status_text(outcome->status), seconds,
             outcome->error[0] ? ": " : "", outcome->error);
}

static void print_totals(cli_session *session, const batch_totals *t, const char *folder)
{
    char others[60] = "";
    if (t->by_others > 0)
        snprintf(others, sizeof others, ", %lld by another runner meanwhile", (long long)t->by_others);
    cli_tell(session, "%lld cases: %lld ok, %lld flagged, %lld failed; %lld were done before%s; %.1f s: %s",
             (long long)t->cases, (long long)t->good, (long long)t->flagged, (long long)t->failed,
             (long long)t->before, others, sfgp_platform_seconds() - t->start, cli_path_shown(folder));
    if (t->here > 0 && t->processor > 0)
        cli_tell(session, "%.2f s of processor time per scan, %.2f scans per second and core",
                 t->processor / (double)t->here, (double)t->here / t->processor);
}

void cli_batch_tell_end(cli_session *session, const batch *b)
{
    const batch_totals *t = &b->totals;
    cli_clear_bar(session);
    if (t->cases == 0)
        cli_warn(session, "the part holds no case: indices and shards count from 0");
    if (t->not_begun > 0)
        cli_fail(
            session, SFGP_ERROR_WRITE,
            "%lld results could not be written, and %lld cases were not begun; make room, and --resume does them",
            (long long)t->unwritten, (long long)t->not_begun);
    else if (t->unwritten > 0)
        cli_fail(session, SFGP_ERROR_WRITE, "%lld results could not be written; --resume does them again",
                 (long long)t->unwritten);
    if (t->busy > 0) /* GCOVR_EXCL_START: only under mpirun; others wait for the other runner */
        cli_warn(session, "%lld cases are left to another runner, which is working on them",
                 (long long)t->busy); /* GCOVR_EXCL_STOP */
    if (!session->quiet)
        print_totals(session, t, b->folder);
}
