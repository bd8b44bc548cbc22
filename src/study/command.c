/* Splits the command line of an external program into words, by the quoting rules of a shell. */
#include "study/command.h"
#include "base/platform_file.h"
#include "page/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether the backslash at text quotes the next character. Between double quotes it does so only before characters that
 * have a meaning there. */
static bool is_escape(const char *text, char quote)
{
    if (text[0] != '\\' || !text[1] || quote == '\'')
        return false;
    return quote == 0 || strchr("\"\\$`", text[1]);
}

/* Copies a word without its quotes to *to, and moves *from and *to behind it. Returns the error, or NULL. */
static const char *copy_word(const char **from, char **to)
{
    char quote = 0;
    const char *at = *from;
    for (; *at && (quote || !is_blank(*at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? 0 : *at;
        else if (is_escape(at, quote))
            *(*to)++ = *++at;
        else if (!quote && strchr("|&;<>()$`*?", *at))
            return "no shell reads it, so that | & ; < > ( ) $ ` * ? have to stand in quotes; for what a shell "
                   "does write sh -c '...'";
        else
            *(*to)++ = *at;
    }
    *(*to)++ = '\0';
    *from = at;
    return quote ? "a quote is not closed" : NULL;
}

static const char *split_words(const char *line, study_command *command)
{
    char *to = command->text;
    int count = 0;
    const char *problem = NULL;
    for (line += strspn(line, " \t\n\r"); *line && !problem; line += strspn(line, " \t\n\r")) {
        command->words[count++] = to;
        problem = copy_word(&line, &to);
    }
    while (!problem && command->variables < count && strchr(command->words[command->variables], '='))
        command->variables++;
    return problem ? problem : command->variables < count ? NULL : "names no program";
}

bool study_command_split(const char *line, study_command *command)
{
    const size_t size = strlen(line) + 1;
    *command = (study_command){0};
    command->text = malloc(size);
    command->words =
        calloc(size / 2 + 2, sizeof *command->words); /* a word has at least one character and a blank */
    const bool room = command->text && command->words;
    command->problem = room ? split_words(line, command) : "out of memory";
    if (command->problem)
        command->status = room ? SFGP_ERROR_FORMAT : SFGP_ERROR_MEMORY;
    return !command->problem;
}

void study_command_clear(study_command *command)
{
    free(command->text);
    free(command->words);
    *command = (study_command){0};
}

/* ---- search on the PATH ------------------------------------------------------------------------------ */

static bool found_in_path(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *file = report_format("%.*s/%s", (int)length, path, name);
        found = file && sfgp_platform_may_run(file);
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}

bool study_command_found(const char *line)
{
    study_command command;
    bool found = false;
    if (study_command_split(line, &command)) {
        const char *name = command.words[command.variables];
        found = strchr(name, '/') ? name[0] == '/' && sfgp_platform_may_run(name) : found_in_path(name);
    }
    study_command_clear(&command);
    return found;
}
