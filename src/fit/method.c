/* The table of methods: name, summary, and the variant of the loop or the baseline. */
#include "fit/method.h"
#include "base/platform_text.h"
#include "base/settings.h"
#include "em/sigma2.h"

#include <stdio.h>
#include <string.h>

static const sfgp_em_variant DEFAULT = {
    .estep = sfgp_estep_soft, .update_sigma2 = sfgp_sigma2_update_annealed, .learns = true, .thins = true};
static const sfgp_em_variant FULL = {
    .estep = sfgp_estep_soft, .update_sigma2 = sfgp_sigma2_update_each, .threshold = true, .thins = true};
static const sfgp_em_variant SCALAR = {
    .estep = sfgp_estep_soft, .update_sigma2 = sfgp_sigma2_update_shared, .threshold = true, .thins = true};
static const sfgp_em_variant NO_THRESHOLD = {
    .estep = sfgp_estep_soft, .update_sigma2 = sfgp_sigma2_update_each, .thins = true};
static const sfgp_em_variant CLOSEST = {
    .estep = sfgp_estep_closest, .update_sigma2 = sfgp_sigma2_keep, .threshold = true, .fixed_sigma2 = true};

static const sfgp_method METHODS[] = {
    {{"auto", "the default: SFGP that learns outliers and missing regions and searches for its start"},
     NULL,
     &DEFAULT},
    {{"sfgp-full", "SFGP, one registration variance a point"}, NULL, &FULL},
    {{"sfgp-scalar", "SFGP, one registration variance for all"}, NULL, &SCALAR},
    {{"sfgp-nothreshold", "SFGP without the threshold pmin"}, NULL, &NO_THRESHOLD},
    {{"closest-point", "Gaussian process regression, closest target point as the one label"}, NULL, &CLOSEST},
    {{"bcpd", "Bayesian coherent point drift: similarity and smooth motion"}, sfgp_baseline_mixture, NULL},
    {{"bcpd-accelerated", "BCPD, low-rank kernel and pruned P"}, sfgp_baseline_mixture, NULL},
    {{"bcpd++", "BCPD of a subset, interpolated to all points"}, sfgp_baseline_mixture, NULL},
    {{"cpd", "coherent point drift: smooth motion"}, sfgp_baseline_mixture, NULL},
    {{"cpd-lowrank", "CPD, low-rank kernel and pruned P"}, sfgp_baseline_mixture, NULL},
    {{"cpd-rigid", "CPD: rotation, translation and scale only"}, sfgp_baseline_mixture, NULL},
    {{"cpd-affine", "CPD: affine motion only"}, sfgp_baseline_mixture, NULL},
    {{"map", "closest-point distance under the prior, by L-BFGS"}, sfgp_baseline_map, NULL},
    {{"pca-aniso", "shape model (training shapes) with variances along the surface"},
     sfgp_baseline_pca_aniso,
     NULL},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

const sfgp_method_info *sfgp_method_row(int index)
{
    return index >= 0 && index < METHOD_COUNT ? &METHODS[index].info : NULL;
}

static sfgp_status fail_unknown(sfgp_context *context, const char *name)
{
    char choices[SFGP_TEXT_SIZE] = "";
    for (size_t k = 0, used = 0; k < METHOD_COUNT && used < sizeof choices; k++)
        used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s", k > 0 ? ", " : "",
                                 METHODS[k].info.name);
    return sfgp_settings_unknown(context, "method", name, choices);
}

sfgp_status sfgp_method_find(sfgp_context *context, const char *name, const sfgp_method **method)
{
    for (size_t k = 0; k < METHOD_COUNT; k++)
        if (strcmp(METHODS[k].info.name, name) == 0)
            return *method = &METHODS[k], SFGP_OK;
    return fail_unknown(context, name);
}

/* Whether one of the patterns, separated by blanks, is that of the name. */
static bool matches(const char *patterns, const char *name)
{
    char pattern[64];
    for (size_t length; *patterns; patterns += length + (patterns[length] == ' ')) {
        length = strcspn(patterns, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
        if (sfgp_text_matches(pattern, name))
            return true;
    }
    return false;
}

int sfgp_method_reads(const char *method, const sfgp_setting *setting)
{
    return matches(setting->readers, method);
}

void sfgp_method_warn_unread(sfgp_context *context, const sfgp_settings *settings)
{
    const sfgp_setting *row;
    sfgp_settings standard;
    sfgp_settings_default(&standard);
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (!sfgp_settings_same(row, settings, &standard) && !sfgp_method_reads(settings->method, row))
            sfgp_warn(context, "%s: method %s does not read it; it changes nothing (read by: %s)", row->name,
                      settings->method, row->readers);
}
