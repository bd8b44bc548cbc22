/* The table of the options that every verb has, and the lines of help that are made from it. */
#include "cli/common.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    char letter;
    size_t value;     /* offset of a bool of the session */
    const char *help; /* NULL: of the verb, which may have none and then has no such option */
} ROWS[CLI_COMMON_MOST] = {
    {"verbose", 'v', offsetof(cli_session, verbose),
     "tell every file of points that is read; register and batch tell more"},
    {"quiet", 0, offsetof(cli_session, quiet),
     "no progress bar and no summary line; warnings and errors are still printed"},
    {"json", 0, offsetof(cli_session, json), NULL},
};

static const char *find_help(const cli_verb *verb, int row)
{
    if (verb->foreign)
        return NULL;
    return ROWS[row].help ? ROWS[row].help : verb->json;
}

int cli_common_options(cli_session *session, cli_option options[CLI_COMMON_MOST])
{
    const cli_verb *const verb = cli_verb_find(session->verbs, session->verb);
    int count = 0;
    for (int row = 0; row < CLI_COMMON_MOST && verb; row++)
        if (find_help(verb, row))
            options[count++] =
                (cli_option){ROWS[row].name, ROWS[row].letter, CLI_SWITCH, (char *)session + ROWS[row].value};
    return count;
}

bool cli_common_line(const cli_verb *verb, int k, char line[CLI_COMMON_LINE])
{
    char name[32];
    for (int row = 0; row < CLI_COMMON_MOST; row++) {
        if (!find_help(verb, row) || k-- > 0)
            continue;
        const char letter[] = {'-', ROWS[row].letter, ',', ' ', '\0'};
        snprintf(name, sizeof name, "%s--%s", ROWS[row].letter ? letter : "", ROWS[row].name);
        snprintf(line, CLI_COMMON_LINE, "  %-19s  %s\n", name, find_help(verb, row));
        return true;
    }
    return false;
}
