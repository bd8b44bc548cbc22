/* The verbs of the program: one row in the table of main.c and one file for each. */
#ifndef SFGP_CLI_VERB_H
#define SFGP_CLI_VERB_H

#include "cli/session.h"

typedef struct cli_verb {
    const char *name;
    const char *summary; /* one line for the list of verbs */
    const char *usage;   /* arguments and options */
    bool settings;       /* every row of the settings table is an option too */
    bool foreign;        /* its options are another program's: none of those that every verb has */
    const char *json;    /* what --json prints on standard output; NULL: there is no --json */
    /* Arguments as main has them; argv[0] is the name of the verb. Returns the exit code. */
    int (*run)(cli_session *session, int argc, char **argv);
} cli_verb;

extern const cli_verb CLI_REGISTER, CLI_APPLY, CLI_MODEL, CLI_ALIGN, CLI_EVALUATE, CLI_INFO, CLI_SIMULATE,
    CLI_BATCH, CLI_COLLECT, CLI_COMPARE, CLI_BCPD, CLI_METHODS, CLI_SETTINGS, CLI_HELP;

/* The verb of this name, NULL: there is none. NULL ends the table. */
const cli_verb *cli_verb_find(const cli_verb *const *verbs, const char *name);

/* Says that there is no such verb, and which one is near. SFGP_ERROR_PARAMETER. */
sfgp_status cli_verb_refuse(cli_session *session, const char *name);

/* Exit code of a fit that ran but is flagged: not converged, no overlap. */
#define CLI_FLAGGED 1

#endif
