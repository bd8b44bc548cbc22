/* Looks up a verb by its name, and says which one a wrong name was probably meant to be. */
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

/* What other programs, and people, call these verbs. */
static const struct {
    const char *word, *verb;
} OTHER_WORDS[] = {{"fit", "register"},     {"reg", "register"},      {"registration", "register"},
                   {"run", "register"},     {"nonrigid", "register"}, {"non-rigid", "register"},
                   {"deform", "register"},  {"warp", "register"},     {"morph", "register"},
                   {"rigid", "align"},      {"icp", "align"},         {"eval", "evaluate"},
                   {"train", "model build"}};

/* NULL: none. */
static const char *find_other_word(const char *name)
{
    for (size_t k = 0; k < sizeof OTHER_WORDS / sizeof *OTHER_WORDS; k++)
        if (strcmp(OTHER_WORDS[k].word, name) == 0)
            return OTHER_WORDS[k].verb;
    return NULL;
}

sfgp_status cli_verb_refuse(cli_session *session, const char *name)
{
    char text[CLI_SUGGESTION_SIZE + 32];
    const char *meant = find_other_word(name);
    cli_suggestion suggestion = cli_suggest_start(name);
    if (meant)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "there is no verb '%s' (did you mean %s?)", name,
                        meant);
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
