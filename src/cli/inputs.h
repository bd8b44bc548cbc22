/* An output may not be a file that the same command reads: it would be replaced without a word. */
#ifndef SFGP_CLI_INPUTS_H
#define SFGP_CLI_INPUTS_H

#include "cli/options.h"

/* A file, and the argument of the command line that names it, as "--table" or "REFERENCE". */
typedef struct cli_file {
    const char *argument;
    const char *path; /* NULL: not given */
} cli_file;

/* Refuses an output that is the input, under whatever name, or a shape in it where it is a folder. "-" and devices are no files.
 * Errors: SFGP_ERROR_PARAMETER, and those of reading a folder. */
sfgp_status cli_inputs_spare(cli_session *session, cli_file output, cli_file input);
/* The same of files in a folder, --output, that have fixed names, which NULL ends. */
sfgp_status cli_inputs_spare_in(cli_session *session, const char *folder, const char *const *names,
                                cli_file input);
/* Refuses two inputs from standard input, and outputs among the options of a command line that are one of its operands or of the files
 * of its options. config: of --config, or NULL. */
sfgp_status cli_inputs_check(cli_session *session, const cli_grammar *grammar, const char *config);

#endif
