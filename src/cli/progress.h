/* The progress bar: one line on a terminal. It is rewritten in place, and removed when the fit ends. */
#ifndef SFGP_CLI_PROGRESS_H
#define SFGP_CLI_PROGRESS_H

#include "cli/session.h"

typedef struct cli_progress {
    cli_session *session;
    double start; /* seconds, when the fits began */
    double shown; /* seconds, when the bar was last drawn; 0: never */
    double left;  /* seconds that were shown then; below 0: none */
} cli_progress;

/* Shows the progress of the fits of the session's context when stderr is a terminal. progress must outlive them. */
void cli_progress_start(cli_session *session, cli_progress *progress);
void cli_progress_stop(cli_session *session);

/* Remaining seconds of what took `elapsed` seconds for a fraction; 0 before the first fraction. */
double cli_estimate_seconds(double fraction, double elapsed);
/* The same without jumps: what was shown `since` seconds ago has become less by that, and goes a part of the way to the new
 * estimate. shown below 0: nothing was shown. */
double cli_estimate_smooth(double shown, double since, double estimate);

#endif
