/* Looks up a verb by its name. */
#include "cli/verb.h"
#include "cli/suggest.h"

#include <string.h>

const cli_verb *cli_verb_find(const cli_verb *const *verbs, const char *name)
{
    for (; *verbs; verbs++)
        if (strcmp((*verbs)->name, name) == 0)
            return *verbs;
    return NULL;
}

sfgp_status cli_verb_refuse(cli_session *session, const char *name)
{
    char text[CLI_SUGGESTION_SIZE + 32];
    cli_suggestion suggestion = cli_suggest_start(name);
    cli_suggest_try(&suggestion, "--version", strlen("--version"));
    cli_suggest_try(&suggestion, "--help", strlen("--help"));
    if (name[0] == '-' && !suggestion.best[0])
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "'%.60s' stands before the verb; the command line of BCPD is sfgp bcpd %.60s ...",
                        name, name);
    for (int k = 0; session->verbs[k]; k++)
        cli_suggest_try(&suggestion, session->verbs[k]->name, strlen(session->verbs[k]->name));
    return cli_fail(session, SFGP_ERROR_PARAMETER, "there is no verb '%.60s'%s", name,
                    cli_suggest_text(&suggestion, "", text));
}
