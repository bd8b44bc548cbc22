/* Draws the progress bar. */
#include "cli/progress.h"
#include "base/platform_clock.h"
#include "base/platform_terminal.h"

#include <math.h>
#include <stdio.h>

#define REST 0.05 /* least seconds between two drawings, so that a slow terminal does not slow down the fit */

double cli_estimate_seconds(double fraction, double elapsed)
{
    return fraction > 0 ? elapsed * (1 - fraction) / fraction : 0;
}

#define SLOWNESS 4.0 /* seconds in which most of the way to a new estimate is gone */

double cli_estimate_smooth(double shown, double since, double estimate)
{
    const double now = fmax(shown - since, 0);
    return shown < 0 ? estimate : now + (estimate - now) * (1 - exp(-since / SLOWNESS));
}

static void draw(cli_progress *progress, const sfgp_progress *p, double now)
{
    char line[96];
    const double estimate = cli_estimate_seconds(p->fraction, now - progress->start);
    progress->left = cli_estimate_smooth(progress->left, now - progress->shown, estimate);
    snprintf(line, sizeof line,
             "%.0f %%  iteration %lld  change %.1e (to %.1e)  missing %.0f %%  %.0f s left",
             100 * p->fraction, (long long)p->iteration, p->change, p->tolerance, 100 * p->missing,
             progress->left);
    cli_draw_bar(progress->session, line);
    progress->shown = now;
}

static int update(void *user, const sfgp_progress *state)
{
    cli_progress *progress = user;
    const double now = sfgp_platform_seconds();
    if (progress->shown == 0 || now - progress->shown >= REST)
        draw(progress, state, now);
    return 0;
}

void cli_progress_start(cli_session *session, cli_progress *progress)
{
    *progress = (cli_progress){.session = session, .start = sfgp_platform_seconds(), .left = -1};
    if (sfgp_terminal_is_there())
        sfgp_context_set_progress(session->context, update, progress);
}

void cli_progress_stop(cli_session *session)
{
    sfgp_context_set_progress(session->context, NULL, NULL);
    cli_clear_bar(session);
}
