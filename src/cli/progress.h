/* The progress bar: one line on a terminal. It is rewritten in place, and removed when the fit ends. */
#ifndef SFGP_CLI_PROGRESS_H
#define SFGP_CLI_PROGRESS_H

#include "cli/estimate.h"
#include "cli/session.h"

enum { CLI_PROGRESS_WINDOW = 8 };

/* The last moments of a fit. Moment k is in row k % CLI_PROGRESS_WINDOW. */
typedef struct cli_progress {
    cli_session *session;
    cli_moment moments[CLI_PROGRESS_WINDOW];
    int64_t count; /* moments so far */
    double shown;  /* time when the bar was last drawn */
} cli_progress;

/* Shows the progress of the fits of the session's context when stderr is a terminal. progress must outlive them. */
void cli_progress_start(cli_session *session, cli_progress *progress);
void cli_progress_stop(cli_session *session);

/* Seconds since an arbitrary time. */
double cli_seconds(void);

#endif
