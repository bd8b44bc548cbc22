/* Draws the progress bar. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define REST 0.05 /* least seconds between two drawings, so that a slow terminal does not slow down the fit */

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Draws the bar as wide as the longest line so far, so that it covers the line before. */
static void draw(cli_progress *progress, const cli_moment *before, const cli_moment *now)
{
    const sfgp_progress *p = &now->progress;
    char line[80];
    int length =
        snprintf(line, sizeof line, "iteration %lld  change %.1e (to %.1e)  missing %.0f %%  %.0f s left",
                 (long long)p->iteration, p->change, p->tolerance, 100 * p->missing,
                 cli_estimate_seconds(before, now));
    length = length < (int)sizeof line ? length : (int)sizeof line - 1;
    int width = length > progress->session->bar ? length : progress->session->bar;
    fprintf(stderr, "\r%-*s", width, line);
    fflush(stderr);
    progress->session->bar = width;
    progress->shown = now->seconds;
}

static void update(void *user, const sfgp_progress *state)
{
    cli_progress *progress = user;
    const cli_moment now = {*state, cli_seconds()};
    int64_t oldest = progress->count < CLI_PROGRESS_WINDOW ? 0 : progress->count - CLI_PROGRESS_WINDOW;
    cli_moment before = progress->count > 0 ? progress->moments[oldest % CLI_PROGRESS_WINDOW] : now;
    progress->moments[progress->count++ % CLI_PROGRESS_WINDOW] = now;
    if (progress->count == 1 || now.seconds - progress->shown >= REST)
        draw(progress, &before, &now);
}

void cli_progress_start(cli_session *session, cli_progress *progress)
{
    *progress = (cli_progress){.session = session};
    if (isatty(STDERR_FILENO))
        sfgp_context_set_progress(session->context, update, progress);
}

void cli_progress_stop(cli_session *session)
{
    sfgp_context_set_progress(session->context, NULL, NULL);
    cli_clear_bar(session);
}
