/* What sfgp batch says while it runs and when it ends. */
#ifndef SFGP_CLI_BATCH_WORDS_H
#define SFGP_CLI_BATCH_WORDS_H

#include "batch/batch.h"
#include "cli/session.h"

/* Draws the progress bar: cases that are done, flagged and failed, their rate, the time left. */
void cli_batch_draw(cli_session *session, const batch_totals *totals);
/* Prints how one case has ended. */
void cli_batch_tell_case(cli_session *session, const char *id, const batch_outcome *outcome);
/* Prints how the batch has ended, with warnings of what is left to do. */
void cli_batch_tell_end(cli_session *session, const batch *b);

#endif
