/* Help texts, printed to stdout. */
#ifndef SFGP_CLI_HELP_H
#define SFGP_CLI_HELP_H

#include "cli/verb.h"

#define CLI_HELP_PURPOSE                                                                                     \
    "fit a reference shape to a damaged scan, point by point, with an honest uncertainty."
#define CLI_HELP_CODES                                                                                                \
    "0 ok, 1 ran but flagged (doubtful, no overlap, not converged or out of time; the result is written), 2 usage,\n" \
    "3 cannot read, 4 malformed file, 5 invalid data, 6 out of memory, 7 cannot write, 8 numerical"

void cli_help_list(const cli_verb *const *verbs); /* NULL ends the table */
void cli_help_print(const cli_verb *verb);

#endif
