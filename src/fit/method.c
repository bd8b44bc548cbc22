#include "base/settings.h"
#include "fit/solver.h"

#include <stdio.h>
#include <string.h>

/* Starting variances tuned on fish deformation level 1 and ears 000-005 (docs/adr/0003). */
#define SOFT(name, summary, noise, threshold)                                                                \
    {                                                                                                        \
        {name, summary}, NULL, sfgp_correspond_soft, noise, false, threshold, 0.05, 0.3                      \
    }
#define CLOSEST(name, summary)                                                                               \
    {                                                                                                        \
        {name, summary}, NULL, sfgp_correspond_closest, sfgp_noise_keep, false, true, 1e-2, 1e-2             \
    }
#define BASELINE(name, summary, run)                                                                         \
    {                                                                                                        \
        {name, summary}, run, NULL, NULL, false, true, 0, 0                                                  \
    }

static const sfgp_method METHODS[] = {
    {{"auto", "the default: SFGP that learns strays and missing regions and searches for its start"},
     NULL,
     sfgp_correspond_soft,
     sfgp_noise_update_annealed,
     true,
     false,
     0.05,
     0.3},
    SOFT("sfgp-full", "SFGP, one registration variance a point", sfgp_noise_update_each, true),
    SOFT("sfgp-scalar", "SFGP, one registration variance for all", sfgp_noise_update_shared, true),
    SOFT("sfgp-nothreshold", "SFGP without the threshold pmin", sfgp_noise_update_each, false),
    CLOSEST("closest-point", "Gaussian process regression, closest target point as the one label"),
    BASELINE("bcpd", "Bayesian coherent point drift: similarity and smooth motion", sfgp_baseline_bcpd),
    BASELINE("bcpd-accelerated", "BCPD, low-rank kernel and pruned P", sfgp_baseline_bcpd_accelerated),
    BASELINE("bcpd++", "BCPD of a subset, interpolated to all points", sfgp_baseline_bcpdpp),
    BASELINE("cpd", "coherent point drift: smooth motion", sfgp_baseline_cpd),
    BASELINE("cpd-lowrank", "CPD, low-rank kernel and pruned P", sfgp_baseline_cpd_lowrank),
    BASELINE("cpd-rigid", "CPD: rotation, translation and scale only", sfgp_baseline_cpd_rigid),
    BASELINE("cpd-affine", "CPD: affine motion only", sfgp_baseline_cpd_affine),
    BASELINE("map", "closest-point distance under the prior, by L-BFGS", sfgp_baseline_map),
    BASELINE("pca-aniso", "shape model (training shapes) with variances along the surface",
             sfgp_baseline_pca_aniso),
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
