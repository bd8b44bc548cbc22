/* Command lines by getopt_long: options before or after the operands, -- ends them. A verb gives a table of
 * its options; the rows of the settings table are added to it by name, so that no list of them is kept here.
 */
#ifndef SFGP_CLI_OPTIONS_H
#define SFGP_CLI_OPTIONS_H

#include "cli/session.h"

/* Arguments that belong together, in their order; the texts are those of argv. */
typedef struct cli_list {
    char **items;
    int count;
} cli_list;

void cli_list_clear(cli_list *list);

typedef enum cli_kind {
    CLI_SWITCH, /* bool */
    CLI_PATH,   /* const char *, never empty */
    CLI_REAL,   /* double */
    CLI_COUNT,  /* int64_t, not negative */
    CLI_PATHS,  /* cli_list: all arguments up to the next option; may be given again */
} cli_kind;

typedef struct cli_option {
    const char *name; /* without -- ; NULL ends a table */
    char letter;      /* 0: none */
    cli_kind kind;
    void *value; /* as the kind says; keeps what it holds when the option is not given */
} cli_option;

typedef struct cli_grammar {
    const cli_option *options;
    sfgp_settings *settings;     /* NULL: no settings among the options */
    const char *const *operands; /* what they are called, NULL at the end; all are needed */
    bool more;                   /* the last one may repeat */
    cli_list *taken;             /* the operands found */
} cli_grammar;

/* Says what is wrong. Errors: SFGP_ERROR_PARAMETER, SFGP_ERROR_MEMORY. The lists are the caller's then too.
 */
sfgp_status cli_options_parse(cli_session *session, int argc, char **argv, const cli_grammar *grammar);

#endif
