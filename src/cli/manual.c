/* Prints the manual page sfgp(1) from the help texts and the tables of methods and settings, in the language of man(7). */
#include "cli/manual.h"
#include "cli/common.h"
#include "cli/flag.h"
#include "cli/help.h"
#include "cli/settings.h"
#include "cli/usage.h"

#include <stdio.h>
#include <string.h>

/* Prints text. A dash is one that can be copied. A line that starts with . or ' would be a command. */
static void print_text(const char *text, size_t length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", stdout);
    for (size_t k = 0; k < length; k++)
        if (text[k] == '\\')      /* GCOVR_EXCL_BR_LINE: no help text has a backslash now */
            fputs("\\e", stdout); /* GCOVR_EXCL_LINE: the same */
        else
            printf("%s%c", text[k] == '-' ? "\\" : "", text[k]);
}

static void print_words(const char *text)
{
    print_text(text, strlen(text));
    putchar('\n');
}

/* ---- a help text ------------------------------------------------------------------------------------- */

/* An option, or another word with an explanation. */
static void print_term(const char *line, size_t length)
{
    const size_t term = cli_usage_term(line), skip = term + strspn(line + term, " ");
    fputs(".TP\n.B ", stdout);
    print_text(line, term);
    putchar('\n');
    if (skip < length) {
        print_text(line + skip, length - skip);
        putchar('\n');
    }
}

static void print_line(const char *line, size_t length, bool after_empty)
{
    const size_t indent = strspn(line, " ");
    if (indent == 2) {
        print_term(line + indent, length - indent);
        return;
    }
    if (after_empty)
        puts(".PP");
    print_text(line + indent, length - indent);
    putchar('\n');
}

/* The ways to call a verb stand up to the first empty line; they keep their lines. */
static const char *print_calls(const char *text)
{
    puts(".nf");
    for (; *text && *text != '\n'; text += strcspn(text, "\n") + 1) {
        const size_t indent = strspn(text, " ");
        fputs(".B ", stdout);
        print_text(text + indent, strcspn(text, "\n") - indent);
        putchar('\n');
    }
    puts(".fi");
    return text;
}

static void print_verb(const cli_verb *verb)
{
    char common[CLI_COMMON_LINE];
    bool after_empty = false;
    fputs(".SS ", stdout);
    print_words(verb->name);
    print_words(verb->summary);
    puts(".PP");
    for (const char *line = print_calls(verb->usage); *line;) {
        const size_t length = strcspn(line, "\n");
        if (length > 0)
            print_line(line, length, after_empty);
        after_empty = length == 0;
        line += length + (line[length] == '\n');
    }
    for (int k = 0; cli_common_line(verb, k, common); k++)
        print_line(common, strcspn(common, "\n"), false);
    if (verb->settings)
        puts(".PP\nThe settings below are options, too.");
}

/* ---- the tables -------------------------------------------------------------------------------------- */

static void print_settings(void)
{
    char name[CLI_FLAG_SIZE], range[CLI_RANGE_SIZE];
    const sfgp_setting *row;
    puts(".SH SETTINGS");
    print_words(CLI_SETTINGS_UNIT);
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        fputs(".TP\n.B \\-\\-", stdout);
        print_words(cli_flag_name(row, name));
        print_words(row->help);
        fputs(".br\ndefault ", stdout);
        print_text(cli_settings_default(row), strlen(cli_settings_default(row)));
        if (row->kind != SFGP_SETTING_TEXT)
            printf("; %s%s%s", cli_settings_range(row, range), row->unit[0] ? "; " : "", row->unit);
        putchar('\n');
    }
}

static void print_methods(void)
{
    const sfgp_method_info *row;
    puts(".SH METHODS");
    for (int k = 0; (row = sfgp_method_row(k)); k++) {
        fputs(".TP\n.B ", stdout);
        print_words(row->name);
        print_words(row->summary);
    }
}

void cli_manual_print(const cli_verb *const *verbs)
{
    puts(
        ".TH SFGP 1 \"\" \"sfgp " SFGP_VERSION "\" \"User Commands\"\n"
        ".SH NAME\nsfgp \\- fit a reference shape to a damaged scan\n"
        ".SH SYNOPSIS\n.B sfgp\n.I VERB\n.RI [ arguments ]\n.br\n.B sfgp help\n.RI [ VERB ]\n.br\n.B sfgp \\-\\-version\n"
        ".SH DESCRIPTION\nTo");
    print_words(CLI_HELP_PURPOSE);
    puts(".SH VERBS");
    for (; *verbs; verbs++)
        print_verb(*verbs);
    print_settings();
    print_methods();
    puts(".SH EXIT STATUS");
    print_words(CLI_HELP_CODES);
    puts(".SH SEE ALSO\nThe folder\n.I /usr/share/doc/sfgp\nhas the documents that the help texts name.");
}
