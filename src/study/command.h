/* A command line as words. No shell is used, so no text in a word is ever executed or expanded. Blanks separate words;
 * quotes and backslashes quote blanks. NAME=value before the program sets an environment variable. */
#ifndef SFGP_STUDY_COMMAND_H
#define SFGP_STUDY_COMMAND_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

typedef struct study_command {
    char *text;          /* characters of the words */
    char **words;        /* NULL ends the list */
    int variables;       /* number of words NAME=value before the program */
    const char *problem; /* error, a static text; NULL: none */
    sfgp_status status;  /* of the error: SFGP_ERROR_FORMAT or SFGP_ERROR_MEMORY */
} study_command;

/* False: the error is in problem. Clear in any case. */
bool study_command_split(const char *line, study_command *command);
void study_command_clear(study_command *command);
/* Whether the program of the line exists: on the PATH, or at its absolute path. */
bool study_command_found(const char *line);

#endif
