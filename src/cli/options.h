/* Command lines by getopt_long. Options may stand before or after the operands; -- ends the options. A verb has a
 * table of its options, beside those that all verbs have (common.h). Every row of the settings table is an option too. */
#ifndef SFGP_CLI_OPTIONS_H
#define SFGP_CLI_OPTIONS_H

#include "cli/session.h"

/* Arguments or paths in their order. Texts of the command line belong to argv. */
typedef struct cli_list {
    char **items;
    int count;
} cli_list;

void cli_list_clear(cli_list *list);

typedef enum cli_kind {
    CLI_SWITCH, /* bool */
    CLI_TEXT,   /* const char *, never empty */
    CLI_FOLDER, /* likewise, a folder, without slashes at its end */
    CLI_INPUT,  /* likewise, a file that is read */
    CLI_OUTPUT, /* likewise, a file that is written: it may be none of the operands, and of the files of the options */
    CLI_REAL,  /* double */
    CLI_COUNT, /* int64_t, not negative */
    CLI_EACH,  /* cli_list: one argument each time that the option is given */
    CLI_PATHS, /* cli_list: all arguments up to the next option; the option may be repeated */
} cli_kind;

typedef struct cli_option {
    const char *name; /* without -- ; NULL ends a table */
    char letter;      /* 0: none */
    cli_kind kind;
    void *value; /* of the type of kind; unchanged when the option is not given */
} cli_option;

typedef struct cli_grammar {
    const cli_option *options;
    sfgp_settings *settings;     /* NULL: no settings among the options */
    const char *const *operands; /* names of the operands; all are required; NULL ends the list */
    bool more;                   /* the last operand may be repeated */
    cli_list *taken;             /* receives the operands */
} cli_grammar;

/* Prints errors. SFGP_ERROR_PARAMETER, SFGP_ERROR_MEMORY. The caller clears the lists, also after an error. */
sfgp_status cli_options_parse(cli_session *session, int argc, char **argv, const cli_grammar *grammar);

#endif
