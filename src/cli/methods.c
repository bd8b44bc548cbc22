/* sfgp methods: prints the table of methods. */
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verb.h"

#include <stdio.h>

static void print_lines(void)
{
    const sfgp_method_info *row;
    for (int k = 0; (row = sfgp_method_row(k)); k++)
        printf("%-18s %s\n", row->name, row->summary);
}

static void print_json(void)
{
    const sfgp_method_info *row;
    json_t *list = json_array();
    for (int k = 0; (row = sfgp_method_row(k)); k++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", row->name, "summary", row->summary));
    cli_output_json(list);
}

static int run(cli_session *session, int argc, char **argv)
{
    const cli_option options[] = {{0}};
    const sfgp_status status = cli_options_parse(session, argc, argv, &(cli_grammar){.options = options});
    if (status == SFGP_OK && session->json)
        print_json();
    else if (status == SFGP_OK)
        print_lines();
    return (int)status;
}

const cli_verb CLI_METHODS = {"methods",
                              "the registration methods there are",
                              "sfgp methods [--json]\n",
                              false,
                              false,
                              "an array with an object for every method, on standard output",
                              run};
