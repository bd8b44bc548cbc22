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

/* For the start of a program, before the libraries are started, and for its main: OpenBLAS, which starts its threads when it is loaded, ends a
 * program by SIGINT where there is no room for them. Between the two calls SIGINT is ignored; a release alone does nothing. */
void sfgp_terminal_hold_interrupts(void);
void sfgp_terminal_release_interrupts(void);

/* From now on the first SIGINT, as by Ctrl-C, ends nothing: it is remembered. The second one ends the program. Nothing changes where the
 * caller of the program has it ignored. */
void sfgp_terminal_catch_interrupt(void);
bool sfgp_terminal_is_interrupted(void);
/* SIGINT ends the program again; at once if one has come, so that a shell sees why it ended. */
void sfgp_terminal_yield_to_interrupt(void);

#endif
