/* Reads the command line of BCPD: one letter an option, as getopt has them. */
#include "cli/bcpd.h"
#include "base/platform_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS ":x:y:o:s:T:G:D:u:w:l:b:g:k:c:n:r:K:J:d:e:f:N:z:pAhqWvX:Y:C:j:U:t:ia"
enum { AUTO = 256, HELP };

/* The options that are settings of ours, with the same unit. */
static const struct {
    char letter;
    const char *setting;
} SETTINGS[] = {{'w', "omega"},     {'l', "lambda"},         {'b', "beta"}, {'g', "gamma"}, {'k', "kappa"},
                {'c', "tolerance"}, {'n', "max_iterations"}, {'r', "seed"}, {'K', "rank"}};

/* The numbers that have no counterpart: only their form is checked. */
static const char NUMBERS[] = "JdefNz";

static sfgp_status refuse(cli_session *session, int letter, const char *text, const char *wanted)
{
    return cli_fail(session, SFGP_ERROR_PARAMETER, "-%c: '%.60s' is not %s", letter, text, wanted);
}

static bool is_zero(const char *text)
{
    char *end;
    return strtod(text, &end) == 0 && end != text && !*end;
}

static sfgp_status read_setting(cli_session *session, int letter, const char *text, sfgp_settings *settings)
{
    for (size_t k = 0; k < sizeof SETTINGS / sizeof *SETTINGS; k++) {
        const char *const name = SETTINGS[k].setting;
        if (SETTINGS[k].letter != letter)
            continue;
        if (letter == 'w' && is_zero(text))
            return SFGP_OK;
        if (sfgp_settings_set(session->context, settings, name, text) == SFGP_OK)
            return SFGP_OK;
        return cli_fail(session, SFGP_ERROR_PARAMETER, "-%c: %s", letter,
                        sfgp_context_error(session->context));
    }
    return SFGP_OK;
}

static sfgp_status check_number(cli_session *session, int letter, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end != text && !*end && value >= 0)
        return SFGP_OK;
    return refuse(session, letter, text, "a number of 0 or more");
}

/* -D X,5000,0.08: which shapes, how many points, and a radius that our subset does not need. */
static sfgp_status read_sample(cli_session *session, const char *text, cli_bcpd_options *options)
{
    char *end = NULL;
    const long long count = text[0] && text[1] == ',' ? strtoll(text + 2, &end, 10) : 0;
    if (!strchr("XYBxyb", text[0]) || count <= 0 || *end != ',')
        return refuse(session, 'D', text, "X, Y or B, a number of points and a radius, as in B,5000,0.08");
    options->sample_differs =
        options->given['D'] ? count != options->sample : tolower((unsigned char)text[0]) != 'b';
    options->sample = count > options->sample ? count : options->sample;
    return check_number(session, 'D', end + 1);
}

static sfgp_status read_saved(cli_session *session, const char *text, cli_bcpd_options *options)
{
    for (const char *letter = text; *letter; letter++)
        if (strchr("AyxvaceEPTYtX0", *letter))
            options->saved[(unsigned char)*letter] = true;
        else
            return refuse(session, 's', text, "made of the letters y x v a c e P T Y t A");
    return SFGP_OK;
}

/* The option of this letter that is a text; NULL: there is none. */
static const char **find_text(int letter, cli_bcpd_options *options)
{
    return letter == 'x'   ? &options->target
           : letter == 'y' ? &options->source
           : letter == 'o' ? &options->prefix
           : letter == 'T' ? &options->map
           : letter == 'G' ? &options->kernel
                           : NULL;
}

static sfgp_status read_text(cli_session *session, int letter, const char *text, cli_bcpd_options *options)
{
    const char **const kept = find_text(letter, options);
    if (kept)
        return *kept = text, SFGP_OK;
    switch (letter) {
    case 'u':
        options->normalise = text[0];
        break;
    case 'D':
        return read_sample(session, text, options);
    case 's':
        return read_saved(session, text, options);
    default:
        return strchr(NUMBERS, letter) ? check_number(session, letter, text)
                                       : read_setting(session, letter, text, &options->settings);
    }
    return SFGP_OK;
}

static sfgp_status read_option(cli_session *session, int code, cli_bcpd_options *options)
{
    if (code == ':')
        return cli_fail(session, SFGP_ERROR_PARAMETER, "-%c: the value is missing", optopt);
    if (code == '?' && optopt)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "-%c: BCPD has no such option", optopt);
    if (code == '?')
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "there are the options of BCPD, one letter each, and --auto and --quiet");
    options->automatic |= code == AUTO;
    options->usage |= code == 'v';
    if (code == 'w')
        options->outliers = !is_zero(optarg);
    const sfgp_status status = optarg ? read_text(session, code, optarg, options) : SFGP_OK;
    if (code < 128)
        options->given[code] = true;
    return status;
}

sfgp_status cli_bcpd_parse(cli_session *session, int argc, char **argv, cli_bcpd_options *options)
{
    static const struct option LONG[] = {
        {"auto", no_argument, NULL, AUTO}, {"quiet", no_argument, NULL, 'q'}, {0}};
    sfgp_status status = SFGP_OK;
    int code;
    *options = (cli_bcpd_options){.target = "X.txt", .source = "Y.txt", .prefix = "output_", .map = "srn"};
    options->normalise = 'e';
    sfgp_settings_default(&options->settings);
    options->settings.max_iterations = 500;
    opterr = 0;
    while (status == SFGP_OK && (code = getopt_long(argc, argv, LETTERS, LONG, NULL)) != -1)
        status = read_option(session, code, options);
    if (status == SFGP_OK && optind < argc)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "'%.100s': BCPD takes options only", argv[optind]);
    return status;
}
