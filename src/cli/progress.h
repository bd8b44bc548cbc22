/* The progress bar: one line on a terminal, rewritten in place, gone when the fit is over. */
#ifndef SFGP_CLI_PROGRESS_H
#define SFGP_CLI_PROGRESS_H

#include "cli/estimate.h"
#include "cli/session.h"

enum { CLI_PROGRESS_WINDOW = 8 };

/* The last moments, number k in row k % CLI_PROGRESS_WINDOW. */
typedef struct cli_progress {
    cli_session *session;
    cli_moment moments[CLI_PROGRESS_WINDOW];
    int64_t count;
    double shown; /* when the bar was last drawn */
} cli_progress;

/* Shows the fits of the session's context where stderr is a terminal; progress has to outlive them. */
void cli_progress_start(cli_session *session, cli_progress *progress);
void cli_progress_stop(cli_session *session);

/* Seconds from an arbitrary start. */
double cli_seconds(void);

#endif
