/* What the options of BCPD are among our settings, and what becomes of those that have no counterpart (ADR 0028). */
#include "cli/bcpd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ACCELERATED_RANK 100 /* of option -A */
#define STIFF 1e12           /* lambda without smooth motion */
#define NO_OUTLIERS 1e-15    /* least outlier weight */
/* With -p BCPD drops labels beyond 7 sigma, also with -w0. An outlier of this weight is as probable there. */
#define NO_OUTLIERS_NEAR 1e-6

/* Options that choose another problem. */
static const struct {
    const char *letters;
    const char *advice;
} FOREIGN[] = {
    {"XY", "functions on points (DET) are not offered; without -X and -Y the points alone are registered"},
    {"jUti", "is of functions on points (DET), which are not offered"},
    {"C", "is not read; put training shapes or a shape model in its place: sfgp register MODEL.h5 TARGET"},
    {"a", "the variance of the fit within P is not offered"}};

static sfgp_status check_foreign(cli_session *session, const cli_bcpd_options *options)
{
    for (size_t k = 0; k < sizeof FOREIGN / sizeof *FOREIGN; k++)
        for (const char *letter = FOREIGN[k].letters; *letter; letter++)
            if (options->given[(unsigned char)*letter])
                return cli_fail(session, SFGP_ERROR_PARAMETER, "-%c: %s", *letter, FOREIGN[k].advice);
    return SFGP_OK;
}

/* Lists the letters that were given, as "-J -p -d". Returns text. */
static const char *list_given(const cli_bcpd_options *options, const char *letters, char text[64])
{
    text[0] = '\0';
    for (; *letters; letters++)
        if (options->given[(unsigned char)*letters])
            snprintf(text + strlen(text), 64 - strlen(text), "%s-%c", text[0] ? " " : "", *letters);
    return text;
}

static void warn_given(cli_session *session, const cli_bcpd_options *options, const char *letters,
                       const char *words)
{
    char text[64];
    if (!options->given['q'] && !options->given['W'] && list_given(options, letters, text)[0])
        cli_warn(session, "%s: %s", text, words);
}

/* ---- settings of BCPD -------------------------------------------------------------------------------- */

static sfgp_status choose_normalisation(cli_session *session, cli_bcpd_options *options)
{
    static const char LETTERS[] = "exyn";
    static const char *const NAMES[] = {"each", "target", "reference", "none"};
    const char *const found = options->normalise ? strchr(LETTERS, options->normalise) : NULL;
    if (!found)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "-u: '%.1s' is not e, x, y or n", &options->normalise);
    strcpy(options->settings.normalise, NAMES[found - LETTERS]);
    return SFGP_OK;
}

/* 1: (r^2 + b^2)^(-1/2), 2: b^2 / (r^2 + b^2), both over lambda. */
static sfgp_status choose_kernel(cli_session *session, cli_bcpd_options *options)
{
    sfgp_settings *settings = &options->settings;
    const char *const kernel = options->kernel;
    const double lambda = settings->lambda > 0 ? settings->lambda : 2, beta = settings->beta;
    if (!kernel || strcmp(kernel, "0") == 0)
        return SFGP_OK;
    if (strcmp(kernel, "1") == 0)
        snprintf(settings->kernel, sizeof settings->kernel, "imq:length=%.17g,variance=%.17g", beta,
                 1 / (beta * lambda));
    else if (strcmp(kernel, "2") == 0)
        snprintf(settings->kernel, sizeof settings->kernel, "rq:length=%.17g,variance=%.17g",
                 beta / sqrt(2.0), 1 / lambda);
    else if (strcmp(kernel, "3") == 0)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "-G3: BCPD's Laplace kernel adds the distances along the axes, which is not offered; "
                        "use -G1 or -G2, or sfgp register --kernel laplace:...");
    else
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "-G: '%.60s' is not 1 or 2; a geodesic kernel is not offered; --auto fits without it",
                        kernel);
    return SFGP_OK;
}

static sfgp_status choose_map(cli_session *session, cli_bcpd_options *options)
{
    if (strcmp(options->map, "srn") == 0)
        return SFGP_OK;
    if (strcmp(options->map, "sr") == 0) {
        options->settings.lambda = STIFF;
        return SFGP_OK;
    }
    return cli_fail(
        session, SFGP_ERROR_PARAMETER,
        "-T: '%.20s' is not srn or sr: a fit here always has a scale and a rotation; sfgp register "
        "has --method cpd (n) and cpd-affine (a)",
        options->map);
}

static void choose_method(cli_session *session, cli_bcpd_options *options)
{
    sfgp_settings *settings = &options->settings;
    const bool *given = options->given;
    const char *name = "bcpd";
    if (given['K'] || given['J'] || given['p'] || given['A'])
        name = "bcpd-accelerated";
    if (given['A'])
        settings->rank = ACCELERATED_RANK;
    if (options->sample > 0) {
        name = "bcpd++";
        settings->subset = options->sample < 10 ? 10 : options->sample;
        warn_given(
            session, options, "D",
            options->sample_differs
                ? "both shapes are thinned, to the larger number of points, evenly and without a radius; downsampled-*.txt "
                  "are not written"
                : "both shapes are thinned evenly, without a radius; downsampled-*.txt are not written");
    }
    strcpy(settings->method, name);
    if (!options->outliers)
        settings->omega = given['p'] || given['A'] ? NO_OUTLIERS_NEAR : NO_OUTLIERS;
    warn_given(
        session, options, "Jpdef",
        "not used: only labels that are certainly small are left out (with -e BCPD drops larger ones, too)");
    warn_given(session, options, "rNz",
               "not used: a fit has no random numbers, and stops when it has settled");
}

/* ---- outputs ----------------------------------------------------------------------------------------- */

static void warn_unsaved(cli_session *session, const cli_bcpd_options *options)
{
    const bool *saved = options->saved;
    if (options->given['q'] || options->given['W'])
        return;
    if (saved['Y'] || saved['X'] || saved['A'])
        cli_warn(session, "-s: the trajectory .optpath.bin is not written");
    if (saved['t'] || saved['A'])
        cli_warn(session, "-s: profile_time.txt and profile_sigma.txt are not written");
}

sfgp_status cli_bcpd_choose(cli_session *session, cli_bcpd_options *options)
{
    sfgp_status status = check_foreign(session, options);
    if (status != SFGP_OK)
        return status;
    warn_unsaved(session, options);
    if (options->automatic) {
        sfgp_settings_default(&options->settings);
        warn_given(session, options, "TGDuwlbgkcnrKJdefNzpA", "not used: --auto chooses all of it");
        return SFGP_OK;
    }
    if ((status = choose_normalisation(session, options)) == SFGP_OK &&
        (status = choose_map(session, options)) == SFGP_OK)
        status = choose_kernel(session, options);
    if (status == SFGP_OK)
        choose_method(session, options);
    return status;
}
