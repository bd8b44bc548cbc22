/* sfgp help: the list of verbs, the arguments and options of one verb, the manual page, completions. */
#include "cli/help.h"
#include "cli/common.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "cli/settings.h"

#include <stdio.h>

void cli_help_list(const cli_verb *const *verbs)
{
    puts("sfgp: " CLI_HELP_PURPOSE "\n\nusage: sfgp VERB [arguments]\n");
    for (; *verbs; verbs++)
        printf("  %-9s %s\n", (*verbs)->name, (*verbs)->summary);
    puts("\n  sfgp help VERB, sfgp VERB --help: arguments and options of a verb\n"
         "  sfgp --version\n"
         "\nexit codes: " CLI_HELP_CODES);
}

void cli_help_print(const cli_verb *verb)
{
    char line[CLI_COMMON_LINE];
    printf("usage: %s", verb->usage);
    for (int k = 0; cli_common_line(verb, k, line); k++)
        printf("%s%s", k == 0 ? "\noptions of all verbs:\n" : "", line);
    if (!verb->settings)
        return;
    puts("\nsettings (" CLI_SETTINGS_UNIT "):");
    cli_settings_plain();
}

/* What help is asked for. */
struct request {
    cli_list verbs;
    bool manual;
    const char *shell; /* whose completions; NULL: none */
};

static sfgp_status print(cli_session *session, const struct request *request)
{
    const char *const name = request->verbs.count > 0 ? request->verbs.items[0] : NULL;
    const cli_verb *const verb = name ? cli_verb_find(session->verbs, name) : NULL;
    if (request->verbs.count > 1)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "one verb at most, not also '%.60s'",
                        request->verbs.items[1]);
    if (name && !verb)
        return cli_verb_refuse(session, name);
    if (request->manual)
        cli_manual_print(session->verbs);
    else if (request->shell && !cli_completion_print(session->verbs, request->shell))
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--completion: '%.60s' is not bash, zsh or fish",
                        request->shell);
    else if (verb)
        cli_help_print(verb);
    else if (!request->shell)
        cli_help_list(session->verbs);
    return SFGP_OK;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct request request = {{NULL, 0}, false, NULL};
    const cli_option options[] = {
        {"man", 0, CLI_SWITCH, &request.manual}, {"completion", 0, CLI_TEXT, &request.shell}, {0}};
    const cli_grammar grammar = {.options = options, .more = true, .taken = &request.verbs};
    sfgp_status status = cli_options_parse(session, argc, argv, &grammar);
    if (status == SFGP_OK)
        status = print(session, &request);
    cli_list_clear(&request.verbs);
    return (int)status;
}

const cli_verb CLI_HELP = {"help",
                           "what the verbs are, or how one is used",
                           "sfgp help [VERB] [--man] [--completion SHELL]\n"
                           "\n  --man               the manual page, for man -l\n"
                           "  --completion SHELL  completions of command lines, for bash, zsh or fish\n",
                           false,
                           false,
                           NULL,
                           run};
