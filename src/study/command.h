/* A command line as words, split without a shell: nothing that a word holds is ever run or expanded. Blanks part
 * words, quotes of either kind and backslashes keep them together, NAME=value in front sets a variable. */
#ifndef SFGP_STUDY_COMMAND_H
#define SFGP_STUDY_COMMAND_H

#include <stdbool.h>

typedef struct study_command {
    char *text;          /* the words, one after the other */
    char **words;        /* NULL ends them */
    int variables;       /* so many first words are NAME=value; the next one is the program */
    const char *problem; /* static text; NULL: none */
} study_command;

/* False: problem says why. Clear in any case. */
bool study_command_split(const char *line, study_command *command);
void study_command_clear(study_command *command);
/* Whether the program is on the PATH, or at its absolute path. */
bool study_command_found(const char *line);

#endif
