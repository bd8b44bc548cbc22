/* sfgp settings: prints the table of settings of include/sfgp/sfgp.h as text, or as docs/settings.md. */
#include "cli/settings.h"
#include "cli/flag.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/verb.h"

#include <stdio.h>
#include <string.h>

const char *cli_settings_default(const sfgp_setting *row)
{
    return row->automatic && strcmp(row->standard, "0") == 0 ? "auto" : row->standard;
}

const char *cli_settings_range(const sfgp_setting *row, char text[CLI_RANGE_SIZE])
{
    char least[SFGP_NUMBER_SIZE], most[SFGP_NUMBER_SIZE];
    sfgp_number_format(row->least, least);
    sfgp_number_format(row->most, most);
    snprintf(text, CLI_RANGE_SIZE, "%s to %s%s", least, most, row->automatic ? ", auto" : "");
    return row->kind == SFGP_SETTING_TEXT ? "" : text;
}

void cli_settings_plain(void)
{
    static const char *const WORDS[] = {"TEXT", "NUMBER", "COUNT"};
    char flag[CLI_FLAG_SIZE], text[CLI_RANGE_SIZE];
    const sfgp_setting *row;
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        cli_flag_name(row, flag);
        printf("  --%s %-*s %s\n", flag, 21 - (int)strlen(flag),
               cli_flag_is_switch(row) ? "[=0]" : WORDS[row->kind], row->help);
        printf("%26s default %s", "", cli_settings_default(row));
        if (row->kind != SFGP_SETTING_TEXT)
            printf("; %s%s%s", cli_settings_range(row, text), row->unit[0] ? "; " : "", row->unit);
        putchar('\n');
    }
}

/* Prints a cell of a Markdown table, where | must be quoted. */
static void print_cell(const char *text)
{
    for (; *text; text++)
        printf("%s%c", *text == '|' ? "\\" : "", *text);
}

static const char PAGE_HEAD[] =
    "# Settings\n\n"
    "Made with `build/sfgp settings --markdown`; a test compares. Lengths are in RMS radii of the reference (root mean\n"
    "square distance of its points to their centroid), variances in squared RMS radii: nothing depends on the unit of\n"
    "the files.\n\n"
    "| flag | default | range | unit | read by | meaning |\n|---|---|---|---|---|---|";

void cli_settings_markdown(void)
{
    char flag[CLI_FLAG_SIZE], text[CLI_RANGE_SIZE];
    const sfgp_setting *row;
    puts(PAGE_HEAD);
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        printf("| `--%s` | `%s` | %s | %s | %s | ", cli_flag_name(row, flag), cli_settings_default(row),
               cli_settings_range(row, text), row->unit,
               strcmp(row->readers, SFGP_READ_ALL) == 0 ? "all" : row->readers);
        print_cell(row->help);
        puts(" |");
    }
}

/* least and most are null of texts. */
static json_t *make_row(const sfgp_setting *row)
{
    static const char *const TYPES[] = {"text", "number", "count"};
    const bool text = row->kind == SFGP_SETTING_TEXT;
    char flag[CLI_FLAG_SIZE + 2] = "--";
    cli_flag_name(row, flag + 2);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:b, s:s, s:s, s:s}", "name", row->name, "flag", flag,
                     "type", TYPES[row->kind], "default", cli_settings_default(row), "least",
                     text ? json_null() : json_real(row->least), "most",
                     text ? json_null() : json_real(row->most), "auto", row->automatic, "unit", row->unit,
                     "read_by", strcmp(row->readers, SFGP_READ_ALL) == 0 ? "all" : row->readers, "help",
                     row->help);
}

void cli_settings_json(void)
{
    const sfgp_setting *row;
    json_t *list = json_array();
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        json_array_append_new(list, make_row(row));
    cli_output_json(list);
}

static int run(cli_session *session, int argc, char **argv)
{
    bool markdown = false;
    const cli_option options[] = {{"markdown", 0, CLI_SWITCH, &markdown}, {0}};
    sfgp_status status = cli_options_parse(session, argc, argv, &(cli_grammar){.options = options});
    if (status != SFGP_OK)
        return (int)status;
    if (markdown && session->json)
        return (int)cli_fail(session, SFGP_ERROR_PARAMETER, "--json and --markdown: give one of them");
    if (session->json)
        cli_settings_json();
    else if (markdown)
        cli_settings_markdown();
    else
        cli_settings_plain();
    return 0;
}

const cli_verb CLI_SETTINGS = {"settings",
                               "every setting with its default, range and unit",
                               "sfgp settings [--markdown | --json]\n"
                               "\n  --markdown   as Markdown: docs/settings.md\n",
                               false,
                               false,
                               "an array with an object for every setting, on standard output",
                               run};
