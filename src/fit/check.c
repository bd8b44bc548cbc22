/* Checks of all settings at once: numbers by their ranges, names by the tables of the layers below. */
#include "base/settings.h"
#include "fit/method.h"
#include "model/procrustes.h"
#include "search/effort.h"

#include <string.h>

static sfgp_status check_density(sfgp_context *context, const char *density)
{
    if (strcmp(density, "auto") == 0 || strcmp(density, "count") == 0 || strcmp(density, "volume") == 0)
        return SFGP_OK;
    return sfgp_settings_unknown(context, "outlier_density", density, "auto, count, volume");
}

static sfgp_status check_normalise(sfgp_context *context, const char *normalise)
{
    static const char *const NAMES[] = {"each", "target", "reference", "none"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (strcmp(normalise, NAMES[k]) == 0)
            return SFGP_OK;
    return sfgp_settings_unknown(context, "normalise", normalise, "each, target, reference, none");
}

static sfgp_status check_alignment(sfgp_context *context, const char *name)
{
    bool wanted;
    sfgp_align_kind kind;
    return sfgp_align_find(context, name, &wanted, &kind);
}

/* Up here because it asks the tables of all layers below. */
sfgp_status sfgp_settings_check(sfgp_context *context, const sfgp_settings *settings)
{
    const sfgp_method *method;
    const sfgp_lowrank_method *lowrank;
    const sfgp_effort *effort;
    sfgp_kernel kernel;
    sfgp_settings own;
    sfgp_status status = sfgp_settings_complete(context, settings, &own);
    if (status != SFGP_OK || (status = sfgp_settings_check_numbers(context, &own)) != SFGP_OK ||
        (status = sfgp_method_find(context, own.method, &method)) != SFGP_OK ||
        (status = sfgp_lowrank_find(context, own.lowrank, &lowrank)) != SFGP_OK ||
        (status = check_alignment(context, own.align_training)) != SFGP_OK ||
        (status = check_density(context, own.outlier_density)) != SFGP_OK ||
        (status = sfgp_effort_find(context, own.effort, &effort)) != SFGP_OK ||
        (status = check_normalise(context, own.normalise)) != SFGP_OK)
        return status;
    return strcmp(own.kernel, "auto") == 0 ? SFGP_OK : sfgp_kernel_parse(context, own.kernel, &kernel);
}
