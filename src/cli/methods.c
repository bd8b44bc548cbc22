/* sfgp methods: prints the table of methods. */
#include "cli/options.h"
#include "cli/verb.h"

#include <stdio.h>

static int run(cli_session *session, int argc, char **argv)
{
    static const char *const OPERANDS[] = {NULL};
    const cli_option options[] = {{0}};
    const sfgp_method_info *row;
    cli_list none = {NULL, 0};
    sfgp_status status = cli_options_parse(
        session, argc, argv, &(cli_grammar){.options = options, .operands = OPERANDS, .taken = &none});
    for (int k = 0; status == SFGP_OK && (row = sfgp_method_row(k)); k++)
        printf("%-18s %s\n", row->name, row->summary);
    cli_list_clear(&none);
    return (int)status;
}

const cli_verb CLI_METHODS = {
    "methods", "the registration methods there are", "sfgp methods\n", false, false, NULL, run};
