/* Parses command lines with getopt_long. */
#include "cli/options.h"
#include "base/platform_options.h"
#include "cli/common.h"
#include "cli/config.h"
#include "cli/flag.h"
#include "cli/inputs.h"
#include "cli/paths.h"
#include "cli/suggest.h"
#include "cli/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64, FIRST_CODE = 1000, OPERAND = 1 };

/* A rule is an option of the verb or a setting. */
struct rule {
    const cli_option *option;
    const sfgp_setting *setting;
    char name[CLI_FLAG_SIZE];
    int seen;
};

/* longs and letters are the rules in the form of getopt_long, where rule k has the code FIRST_CODE + k. */
typedef struct parser {
    cli_session *session;
    const cli_grammar *grammar;
    int argc;
    char **argv;
    struct rule rules[MOST_OPTIONS];
    struct option longs[MOST_OPTIONS + 1];
    char letters[2 * MOST_OPTIONS + 3];
    int count;
    cli_list *sink;     /* list that gets the next operand */
    const char *config; /* of --config; NULL: not given */
    cli_option config_option;
    cli_option common[CLI_COMMON_MOST];
} parser;

void cli_list_clear(cli_list *list)
{
    free(list->items);
    *list = (cli_list){0};
}

static sfgp_status append(parser *p, cli_list *list, char *item)
{
    if (!item[0])
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "an argument is an empty path");
    if (!list->items)
        list->items = calloc((size_t)p->argc, sizeof *list->items);
    if (!list->items)
        return cli_fail(p->session, SFGP_ERROR_MEMORY, "out of memory");
    list->items[list->count++] = item;
    return SFGP_OK;
}

/* ---- the table that getopt_long wants ---------------------------------------------------------------- */

static void add_letter(parser *p, char letter, int argument)
{
    size_t length = strlen(p->letters);
    p->letters[length] = letter;
    p->letters[length + 1] = argument == no_argument ? '\0' : ':';
}

static void add_rule(parser *p, const cli_option *option, const sfgp_setting *setting)
{
    if (p->count == MOST_OPTIONS) /* GCOVR_EXCL_BR_LINE: no verb has as many options */
        return;                   /* GCOVR_EXCL_LINE: no verb has as many options */
    struct rule *new = &p->rules[p->count];
    int argument = setting && cli_flag_is_switch(setting)                                 ? optional_argument
                   : !option || (option->kind != CLI_SWITCH && option->kind != CLI_PATHS) ? required_argument
                   : option->kind == CLI_PATHS                                            ? optional_argument
                                                                                          : no_argument;
    *new = (struct rule){option, setting, "", 0};
    if (setting)
        cli_flag_name(setting, new->name);
    else
        strncpy(new->name, option->name, sizeof new->name - 1);
    if (option && option->letter)
        add_letter(p, option->letter, argument);
    p->longs[p->count] = (struct option){new->name, argument, NULL, FIRST_CODE + p->count};
    p->count++;
}

/* In getopt_long, "-" returns operands in order with code 1, and ":" gives a missing argument a code of its own. */
static void list_rules(parser *p)
{
    const sfgp_setting *row;
    strcpy(p->letters, "-:");
    for (const cli_option *option = p->grammar->options; option->name; option++)
        add_rule(p, option, NULL);
    for (int k = 0, count = cli_common_options(p->session, p->common); k < count; k++)
        add_rule(p, &p->common[k], NULL);
    for (int k = 0; p->grammar->settings && (row = sfgp_settings_row(k)); k++)
        add_rule(p, NULL, row);
    p->config_option = (cli_option){"config", 0, CLI_INPUT, &p->config};
    if (p->grammar->settings)
        add_rule(p, &p->config_option, NULL);
    p->sink = p->grammar->taken;
    opterr = 0;
}

/* ---- --config ---------------------------------------------------------------------------------------- */

/* Whether the command line has the setting of this name, with _ or -. */
static bool is_given(void *user, const char *name)
{
    const parser *p = user;
    for (int k = 0; k < p->count; k++)
        if (p->rules[k].setting && p->rules[k].seen > 0) {
            const char *own = p->rules[k].setting->name;
            size_t i = 0;
            while (own[i] && (own[i] == name[i] || (own[i] == '_' && name[i] == '-')))
                i++;
            if (own[i] == name[i])
                return true;
        }
    return false;
}

/* ---- one argument after the other -------------------------------------------------------------------- */

static sfgp_status store_value(parser *p, struct rule *rule, char *text)
{
    if (text && !text[0])
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "--%s: the value is empty", rule->name);
    if (rule->setting)
        return cli_value_setting(p->session, rule->setting, rule->seen == 0, text ? text : "1",
                                 p->grammar->settings);
    if (rule->option->kind == CLI_EACH && text)
        return append(p, rule->option->value, text);
    if (rule->option->kind == CLI_FOLDER)
        cli_paths_trim(text);
    if (rule->option->kind != CLI_PATHS)
        return cli_value_option(p->session, rule->option, text);
    p->sink = rule->option->value;
    return text ? append(p, p->sink, text) : SFGP_OK;
}

static bool may_repeat(const struct rule *rule)
{
    if (rule->setting)
        return strcmp(rule->setting->name, "kernel") == 0;
    return rule->option->kind == CLI_SWITCH || rule->option->kind == CLI_PATHS ||
           rule->option->kind == CLI_EACH;
}

/* "--mirror 1" and "--mirror 0", which getopt_long reads as --mirror and an operand. */
static void join_switch(const parser *p, const struct rule *rule)
{
    const char *next = optind < p->argc ? p->argv[optind] : "";
    if (!optarg && rule->setting && cli_flag_is_switch(rule->setting) &&
        (strcmp(next, "0") == 0 || strcmp(next, "1") == 0))
        optarg = p->argv[optind++];
}

static sfgp_status apply_option(parser *p, struct rule *rule)
{
    join_switch(p, rule);
    /* getopt reads "-o --quiet" as a file called --quiet, which is refused; such a file can be given as ./--quiet */
    bool swallowed = optarg && optarg == p->argv[optind - 1] && strncmp(optarg, "--", 2) == 0;
    p->sink = p->grammar->taken;
    if (swallowed)
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "--%s: the value is missing", rule->name);
    if (rule->seen > 0 && !may_repeat(rule))
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "--%s: given twice", rule->name);
    sfgp_status status = store_value(p, rule, optarg);
    rule->seen++;
    return status;
}

static struct rule *find_rule(parser *p, int code)
{
    if (code >= FIRST_CODE)
        return &p->rules[code - FIRST_CODE];
    for (int k = 0; k < p->count; k++)
        if (p->rules[k].option && p->rules[k].option->letter && p->rules[k].option->letter == code)
            return &p->rules[k];
    return NULL;
}

static sfgp_status refuse_unknown(parser *p, const char *option)
{
    char word[CLI_FLAG_SIZE], text[CLI_SUGGESTION_SIZE + 32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(option + 2, "="), option + 2);
    cli_suggestion suggestion = cli_suggest_start(word);
    for (int k = 0; k < p->count; k++)
        cli_suggest_try(&suggestion, p->rules[k].name, strlen(p->rules[k].name));
    return cli_fail(p->session, SFGP_ERROR_PARAMETER, "unknown or ambiguous option %.100s%s", option,
                    cli_suggest_text(&suggestion, "--", text));
}

static sfgp_status refuse(parser *p, int code)
{
    const struct rule *rule = find_rule(p, optopt);
    if (code == ':' && rule)
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "--%s: the value is missing", rule->name);
    if (rule)
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "--%s: takes no value", rule->name);
    if (optopt)
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "unknown option -%c", optopt);
    return refuse_unknown(p, p->argv[optind - 1]);
}

/* What somebody may have meant who gives the output as the last argument. */
static sfgp_status refuse_argument(parser *p, const char *argument)
{
    bool output = false;
    for (int k = 0; k < p->count; k++)
        output = output || (p->rules[k].option && p->rules[k].option->letter == 'o' && p->rules[k].seen == 0);
    return cli_fail(p->session, SFGP_ERROR_PARAMETER, "one argument too many: '%.100s'%s", argument,
                    output ? "; is it the output? then -o stands before it" : "");
}

static sfgp_status apply_argument(parser *p, int code)
{
    if (code == '?' || code == ':')
        return refuse(p, code);
    if (code != OPERAND)
        return apply_option(p, find_rule(p, code));
    if (p->sink)
        return append(p, p->sink, optarg);
    return refuse_argument(p, optarg);
}

/* An option that takes all arguments up to the next one may have taken it. */
static sfgp_status refuse_missing(const parser *p, const char *operand)
{
    const char *taker = NULL;
    for (int k = 0; k < p->count; k++)
        if (p->rules[k].seen > 0 && p->rules[k].option && p->rules[k].option->kind == CLI_PATHS)
            taker = p->rules[k].name;
    if (!taker)
        return cli_fail(p->session, SFGP_ERROR_PARAMETER, "%s is missing", operand);
    return cli_fail(p->session, SFGP_ERROR_PARAMETER,
                    "%s is missing; give it before --%s, which takes all paths up to the next option",
                    operand, taker);
}

static sfgp_status check_operands(parser *p)
{
    const cli_grammar *grammar = p->grammar;
    int needed = 0, found = grammar->taken ? grammar->taken->count : 0;
    while (grammar->operands && grammar->operands[needed])
        needed++;
    if (grammar->operands && found < needed)
        return refuse_missing(p, grammar->operands[found]);
    if (found > needed && !grammar->more)
        return refuse_argument(p, grammar->taken->items[needed]);
    for (int k = 0; k < p->count; k++)
        if (p->rules[k].seen > 0 && p->rules[k].option && p->rules[k].option->kind == CLI_PATHS &&
            ((cli_list *)p->rules[k].option->value)->count == 0)
            return cli_fail(p->session, SFGP_ERROR_PARAMETER, "--%s: no path follows", p->rules[k].name);
    return SFGP_OK;
}

sfgp_status cli_options_parse(cli_session *session, int argc, char **argv, const cli_grammar *grammar)
{
    parser p = {.session = session, .grammar = grammar, .argc = argc, .argv = argv};
    sfgp_status status = SFGP_OK;
    int code;
    list_rules(&p);
    while (status == SFGP_OK && (code = getopt_long(argc, argv, p.letters, p.longs, NULL)) != -1)
        status = apply_argument(&p, code);
    for (p.sink = grammar->taken; status == SFGP_OK && optind < argc; optind++) {
        optarg = argv[optind];
        status = apply_argument(&p, OPERAND);
    }
    session->config = p.config;
    if (status == SFGP_OK && p.config)
        status = cli_config_read(session, p.config, is_given, &p, grammar->settings);
    if (status == SFGP_OK)
        status = check_operands(&p);
    return status == SFGP_OK ? cli_inputs_check(session, grammar, p.config) : status;
}
