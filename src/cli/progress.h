/* The progress bar: one line on a terminal. It is rewritten in place, and removed when the fit ends. */
#ifndef SFGP_CLI_PROGRESS_H
#define SFGP_CLI_PROGRESS_H

#include "cli/session.h"

typedef struct cli_progress {
    cli_session *session;
    double start; /* seconds, when the fits began */
    double shown; /* seconds, when the bar was last drawn; 0: never */
} cli_progress;

/* Shows the progress of the fits of the session's context when stderr is a terminal. progress must outlive them. */
void cli_progress_start(cli_session *session, cli_progress *progress);
void cli_progress_stop(cli_session *session);

/* Remaining seconds of what took `elapsed` seconds for a fraction; 0 before the first fraction. */
double cli_estimate_seconds(double fraction, double elapsed);
/* Seconds since an arbitrary time. */
double cli_seconds(void);

#endif
