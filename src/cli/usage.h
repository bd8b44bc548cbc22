/* Reads the help text of a verb: its options and parts, for the manual page and the completions of shells. */
#ifndef SFGP_CLI_USAGE_H
#define SFGP_CLI_USAGE_H

#include "cli/flag.h"
#include "cli/verb.h"

enum { CLI_USAGE_HELP = 256, CLI_USAGE_PARTS = 128 };

typedef struct cli_usage_option {
    char name[CLI_FLAG_SIZE];  /* without -- */
    char letter;               /* of the short form; 0: none */
    bool value;                /* an argument follows */
    char help[CLI_USAGE_HELP]; /* first line; "" for none */
} cli_usage_option;

/* A position among the options of a verb: first those of its text, then those of all verbs, then the settings where it has
 * them. */
typedef struct cli_usage {
    const cli_verb *verb;
    const char *line; /* next line of the text */
    int common;       /* next option of all verbs */
    int row;          /* next setting */
} cli_usage;

cli_usage cli_usage_start(const cli_verb *verb);
/* Returns false past the last option. */
bool cli_usage_next(cli_usage *usage, cli_usage_option *option);

/* Writes the values of an option whose help lists them, such as "text: quick | normal | thorough", or "". Returns choices. */
const char *cli_usage_choices(const cli_usage_option *option, char choices[CLI_USAGE_PARTS]);

/* Writes what may follow the name of the verb, such as "build info mean", or "". Returns parts. */
const char *cli_usage_parts(const cli_verb *verb, char parts[CLI_USAGE_PARTS]);

/* Length of a term that starts at text: up to two blanks or the end of the line. */
size_t cli_usage_term(const char *text);

#endif
