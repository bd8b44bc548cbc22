/* Session: one run of the program, with the library's context, the verb that runs, and its messages.
 *
 * Each message is one line on stderr: "sfgp: error: ..." or "sfgp: warning: ...". Control characters in paths are
 * written as \n or \x1b, so that a message stays one line. Warnings are kept for the report. */
#ifndef SFGP_CLI_SESSION_H
#define SFGP_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sfgp/sfgp.h"

typedef struct cli_session {
    sfgp_context *context;
    const struct cli_verb *const *verbs; /* the table of main.c; NULL ends it */
    const char *verb;                    /* name of the verb that runs, "" before it is known */
    char **warnings;
    size_t warning_count;
    const char *config;     /* file of --config; NULL: not given */
    sfgp_read_options read; /* options for reading meshes */
    double target_scale;    /* targets are multiplied by it; 1: as they are */
    int meshes_read;        /* meshes read so far */
    int tables_read;        /* those of them that were text or NPY files */
    int bar;                /* width of the progress bar on the terminal; 0: none */
    bool verbose;           /* these three: options of every verb, see common.h */
    bool quiet;
    bool json;
} cli_session;

/* Errors: SFGP_ERROR_MEMORY. */
sfgp_status cli_session_open(cli_session *session);
void cli_session_close(cli_session *session);

/* Prints an error and returns status. For SFGP_ERROR_PARAMETER it adds which help to read. */
sfgp_status cli_fail(cli_session *session, sfgp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* the analyser reads one file at a time; this tells it that status is returned */
#define cli_fail(session, status, ...) ((cli_fail)((session), (status), __VA_ARGS__), (status))
#endif
/* status of a library call. Prints the library's error text unless it is SFGP_OK, and returns status. */
sfgp_status cli_check(cli_session *session, sfgp_status status);
void cli_warn(cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a line that is neither an error nor a warning. */
void cli_tell(cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes text of a file or of the command line. Control characters become \n or \x1b. */
void cli_write_text(FILE *out, const char *text);
/* Draws the progress bar as wide as the longest line so far, so that it covers the line before. */
void cli_draw_bar(cli_session *session, const char *line);
/* Removes the progress bar from the terminal. */
void cli_clear_bar(cli_session *session);

/* The last 300 bytes of a path: long enough to recognise it, short enough for a line. */
const char *cli_path_shown(const char *path);

#endif
