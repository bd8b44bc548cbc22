/* One run of the program: the library's context, the verb at work, and the words it says.
 *
 * Words go to stderr as one line each, "sfgp: error: ..." and "sfgp: warning: ..."; control characters of
 * paths are written as \n or \x1b, so that a line stays a line. Warnings are kept for the report. */
#ifndef SFGP_CLI_SESSION_H
#define SFGP_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfgp/sfgp.h"

typedef struct cli_session {
    sfgp_context *context;
    const char *verb;
    char **warnings;
    size_t warning_count;
    sfgp_read_options read;       /* how meshes are read */
    int meshes_read, tables_read; /* tables: text and NPY */
    int bar;                      /* characters of the progress bar that now stands on the terminal */
} cli_session;

/* Errors: SFGP_ERROR_MEMORY. */
sfgp_status cli_session_open(cli_session *session, const char *verb);
void cli_session_close(cli_session *session);

/* Says what went wrong and returns status; SFGP_ERROR_PARAMETER adds where the help is. */
sfgp_status cli_fail(cli_session *session, sfgp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* sees one file at a time: that status is what comes back */
#define cli_fail(session, status, ...) ((cli_fail)((session), (status), __VA_ARGS__), (status))
#endif
/* status of a library call: says the library's error text unless it is SFGP_OK, and returns status. */
sfgp_status cli_check(cli_session *session, sfgp_status status);
void cli_warn(cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_tell(cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text of a file or of the command line, on a terminal: control characters are written as \n or \x1b. */
void cli_put_text(FILE *out, const char *text);
/* Takes the progress bar off the terminal. */
void cli_clear_bar(cli_session *session);

/* The last 300 bytes of a path: enough to know it by, short enough for a line. */
const char *cli_path_shown(const char *path);

#endif
