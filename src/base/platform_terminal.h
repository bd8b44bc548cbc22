/* Standard streams and signals of a program. */
#ifndef SFGP_BASE_PLATFORM_TERMINAL_H
#define SFGP_BASE_PLATFORM_TERMINAL_H

#include <stdbool.h>

/* Whether standard error is a terminal. */
bool sfgp_terminal_is_there(void);
/* If the caller has closed a standard stream, the next file that is opened gets its number, and messages would be
 * written into that file. /dev/null, open for reading, takes the number instead: writing to it fails, as writing to a
 * closed stream should. */
void sfgp_terminal_fill_closed_streams(void);
/* Writing to a pipe that nobody reads, or beyond a limit on file sizes, is an error like others. */
void sfgp_terminal_turn_signals_into_errors(void);

#endif
