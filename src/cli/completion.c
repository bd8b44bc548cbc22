/* Prints completions for bash, zsh and fish from the help texts and the table of methods. Where no word of ours fits, the
 * shells complete names of files. */
#include "cli/completion.h"
#include "cli/usage.h"

#include <stdio.h>
#include <string.h>

/* Prints text between single quotes. Inside them bash and zsh know no escape, so a quote ends them, stands by itself, and
 * begins them again; fish reads this likewise. zsh's _describe splits at a colon that has no backslash. */
static void print_quoted(const char *text, const char *escaped)
{
    for (; *text; text++)
        if (*text == '\'')          /* GCOVR_EXCL_BR_LINE: no help text has a quote now */
            fputs("'\\''", stdout); /* GCOVR_EXCL_LINE: the same */
        else
            printf("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
}

static void print_methods(void)
{
    const sfgp_method_info *row;
    for (int k = 0; (row = sfgp_method_row(k)); k++)
        printf("%s%s", k > 0 ? " " : "", row->name);
}

static void print_names(const cli_verb *const *verbs)
{
    for (int k = 0; verbs[k]; k++)
        printf("%s%s", k > 0 ? " " : "", verbs[k]->name);
}

/* What may stand right after the verb. */
static void print_parts(const cli_verb *const *verbs, const cli_verb *verb)
{
    char parts[CLI_USAGE_PARTS];
    if (strcmp(verb->name, "help") == 0)
        print_names(verbs);
    else
        fputs(cli_usage_parts(verb, parts), stdout);
}

/* Whether an option of this name with choices stands in none of the first verbs. */
static bool is_new(const cli_verb *const *verbs, int count, const char *name)
{
    char choices[CLI_USAGE_PARTS];
    cli_usage_option option;
    for (int k = 0; k < count; k++)
        for (cli_usage at = cli_usage_start(verbs[k]); cli_usage_next(&at, &option);)
            if (strcmp(option.name, name) == 0 && cli_usage_choices(&option, choices)[0])
                return false;
    return true;
}

/* The values of every option whose help lists them. */
static void print_choices(const cli_verb *const *verbs, void (*print)(const char *name, const char *choices))
{
    char choices[CLI_USAGE_PARTS];
    cli_usage_option option;
    for (int k = 0; verbs[k]; k++)
        for (cli_usage at = cli_usage_start(verbs[k]); cli_usage_next(&at, &option);)
            if (cli_usage_choices(&option, choices)[0] && is_new(verbs, k, option.name))
                print(option.name, choices);
}

/* ---- bash -------------------------------------------------------------------------------------------- */

static void print_bash_choices(const char *name, const char *choices)
{
    printf("    elif [ \"$before\" = --%s ]; then parts='%s'\n", name, choices);
}

static void print_bash(const cli_verb *const *verbs)
{
    cli_usage_option option;
    puts(
        "# Completions of sfgp for bash: sfgp help --completion bash\n"
        "_sfgp()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} parts= options=");
    puts("    case ${COMP_WORDS[1]} in");
    for (int k = 0; verbs[k]; k++) {
        printf("    %s) parts='", verbs[k]->name);
        print_parts(verbs, verbs[k]);
        fputs("' options='--help", stdout);
        for (cli_usage at = cli_usage_start(verbs[k]); cli_usage_next(&at, &option);)
            printf(" --%s", option.name);
        puts("' ;;");
    }
    fputs("    esac\n    if [ \"$COMP_CWORD\" = 1 ]; then options='--help --version' parts='", stdout);
    print_names(verbs);
    puts("'; fi\n"
         "    case $word in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return ;;\n"
         "    esac");
    fputs("    if [ \"$before\" = --method ]; then parts='", stdout);
    print_methods();
    puts("'");
    print_choices(verbs, print_bash_choices);
    puts("    elif [ \"$COMP_CWORD\" -gt 2 ]; then parts=; fi\n"
         "    COMPREPLY=($(compgen -W \"$parts\" -- \"$word\"))\n"
         "}\ncomplete -o bashdefault -o default -F _sfgp sfgp");
}

/* ---- zsh --------------------------------------------------------------------------------------------- */

static void print_described(const char *prefix, const char *name, const char *help)
{
    printf(" '%s%s%s", prefix, name, help[0] ? ":" : "");
    print_quoted(help, "\\:");
    putchar('\'');
}

static void print_zsh_choices(const char *name, const char *choices)
{
    printf("    elif [[ $words[CURRENT-1] == --%s ]]; then\n        compadd -- %s\n", name, choices);
}

static void print_zsh(const cli_verb *const *verbs)
{
    cli_usage_option option;
    fputs("#compdef sfgp\n# Completions of sfgp for zsh: sfgp help --completion zsh\n"
          "_sfgp() {\n    local -a verbs parts options\n    verbs=(",
          stdout);
    for (int k = 0; verbs[k]; k++)
        print_described("", verbs[k]->name, verbs[k]->summary);
    puts(")\n    case $words[2] in");
    for (int k = 0; verbs[k]; k++) {
        printf("    %s) parts=(", verbs[k]->name);
        print_parts(verbs, verbs[k]);
        fputs(") options=(", stdout);
        for (cli_usage at = cli_usage_start(verbs[k]); cli_usage_next(&at, &option);)
            print_described("--", option.name, option.help);
        puts(") ;;");
    }
    puts("    esac\n"
         "    if (( CURRENT == 2 )); then\n        _describe verb verbs\n"
         "    elif [[ $PREFIX == -* ]]; then\n        _describe -o option options");
    fputs("    elif [[ $words[CURRENT-1] == --method ]]; then\n        compadd -- ", stdout);
    print_methods();
    putchar('\n');
    print_choices(verbs, print_zsh_choices);
    puts("    elif (( CURRENT == 3 && $#parts )); then\n        compadd -- $parts\n        _files\n"
         "    else\n        _files\n    fi\n}\n_sfgp \"$@\"");
}

/* ---- fish -------------------------------------------------------------------------------------------- */

static void print_fish_options(const cli_verb *verb)
{
    char choices[CLI_USAGE_PARTS];
    cli_usage_option option;
    for (cli_usage at = cli_usage_start(verb); cli_usage_next(&at, &option);) {
        printf("complete -c sfgp -n '__fish_seen_subcommand_from %s' -l %s", verb->name, option.name);
        if (option.letter)
            printf(" -s %c", option.letter);
        fputs(option.value ? " -r" : "", stdout);
        if (strcmp(option.name, "method") == 0) {
            fputs(" -f -a '", stdout);
            print_methods();
            putchar('\'');
        }
        if (cli_usage_choices(&option, choices)[0])
            printf(" -f -a '%s'", choices);
        fputs(" -d '", stdout);
        print_quoted(option.help, "\\");
        puts("'");
    }
}

static void print_fish(const cli_verb *const *verbs)
{
    puts("# Completions of sfgp for fish: sfgp help --completion fish");
    for (int k = 0; verbs[k]; k++) {
        printf("complete -c sfgp -n __fish_use_subcommand -f -a %s -d '", verbs[k]->name);
        print_quoted(verbs[k]->summary, "\\");
        printf("'\ncomplete -c sfgp -n '__fish_seen_subcommand_from %s' -a '", verbs[k]->name);
        print_parts(verbs, verbs[k]);
        puts("'");
        print_fish_options(verbs[k]);
    }
}

bool cli_completion_print(const cli_verb *const *verbs, const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(const cli_verb *const *verbs);
    } SHELLS[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t k = 0; k < sizeof SHELLS / sizeof *SHELLS; k++)
        if (strcmp(SHELLS[k].name, shell) == 0)
            return SHELLS[k].print(verbs), true;
    return false;
}
