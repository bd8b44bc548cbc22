/* Reads the help text of a verb. Its first lines, up to an empty one, are the ways to call it. A line that starts with
 * two blanks and a dash is an option: its names and values, two blanks or more, its help. */
#include "cli/usage.h"
#include "cli/common.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

size_t cli_usage_term(const char *text)
{
    size_t length = 0;
    while (text[length] && text[length] != '\n' && strncmp(text + length, "  ", 2) != 0)
        length++;
    return length;
}

cli_usage cli_usage_start(const cli_verb *verb)
{
    return (cli_usage){.verb = verb, .line = verb->usage};
}

static void read_option(const char *text, cli_usage_option *option)
{
    const size_t term = cli_usage_term(text);
    const char *const help = text + term + strspn(text + term, " ");
    const char *const name = strstr(text, "--") + 2;
    const size_t length = strcspn(name, " \n");
    *option = (cli_usage_option){.letter = text[1] == '-' ? '\0' : text[1]};
    option->value = name + length < text + term;
    snprintf(option->name, sizeof option->name, "%.*s", (int)length, name);
    snprintf(option->help, sizeof option->help, "%.*s", (int)strcspn(help, "\n"), help);
}

static bool read_setting(const cli_usage *usage, cli_usage_option *option)
{
    const sfgp_setting *row = usage->verb->settings ? sfgp_settings_row(usage->row) : NULL;
    if (!row)
        return false;
    *option = (cli_usage_option){.value = !cli_flag_is_switch(row)};
    cli_flag_name(row, option->name);
    snprintf(option->help, sizeof option->help, "%s", row->help);
    return true;
}

bool cli_usage_next(cli_usage *usage, cli_usage_option *option)
{
    while (usage->line && *usage->line) {
        const char *const line = usage->line, *const end = strchr(line, '\n');
        usage->line = end ? end + 1 : NULL;
        if (strncmp(line, "  -", 3) == 0)
            return read_option(line + 2, option), true;
    }
    char line[CLI_COMMON_LINE];
    if (cli_common_line(usage->verb, usage->common, line))
        return read_option(line + 2, option), ++usage->common;
    return read_setting(usage, option) && ++usage->row;
}

/* Adds the words of one way to call the verb: those in small letters right after its name. */
static void add_parts(const char *text, char parts[CLI_USAGE_PARTS])
{
    const size_t length = strcspn(text, " \n"), used = strlen(parts);
    for (size_t k = 0; k < length; k++)
        if (!islower((unsigned char)text[k]) && text[k] != '|')
            return;
    snprintf(parts + used, CLI_USAGE_PARTS - used, "%s%.*s", used > 0 ? " " : "", (int)length, text);
}

const char *cli_usage_parts(const cli_verb *verb, char parts[CLI_USAGE_PARTS])
{
    char call[CLI_FLAG_SIZE];
    const char *const end = strstr(verb->usage, "\n\n");
    const int length = snprintf(call, sizeof call, "sfgp %s ", verb->name);
    parts[0] = '\0';
    for (const char *at = verb->usage; (at = strstr(at, call)) && (!end || at < end); at += length)
        add_parts(at + length, parts);
    for (char *bar = parts; (bar = strchr(bar, '|'));)
        *bar = ' ';
    return parts;
}

/* Where the first choice begins: behind the last colon before the first bar. NULL: there is no bar. */
static const char *find_choices(const char *help)
{
    const char *const bar = strstr(help, " | ");
    const char *start = help;
    for (const char *colon = help; bar && (colon = strstr(colon, ": ")) && colon < bar; colon += 2)
        start = colon + 2;
    return bar ? start : NULL;
}

const char *cli_usage_choices(const cli_usage_option *option, char choices[CLI_USAGE_PARTS])
{
    choices[0] = '\0';
    for (const char *at = option->value ? find_choices(option->help) : NULL; at;) {
        const size_t used = strlen(choices);
        snprintf(choices + used, CLI_USAGE_PARTS - used, "%s%.*s", used > 0 ? " " : "",
                 (int)strcspn(at, " ,;"), at);
        at = strstr(at, " | ");
        at = at ? at + 3 : NULL;
    }
    return choices;
}
