/* Coherent point drift: Myronenko, Song, "Point set registration: coherent point drift", IEEE TPAMI 32(12),
 * 2010, figures 2 (rigid, with scale), 3 (affine) and 4 (non-rigid). */
#include "baseline/mixture_register.h"

static const sfgp_mixture_method CPD = {.name = "cpd", .smooth = true, .exact = true};
static const sfgp_mixture_method LOWRANK = {.name = "cpd-lowrank", .smooth = true};
static const sfgp_mixture_method RIGID = {.name = "cpd-rigid", .map = SFGP_MIXTURE_SIMILARITY};
static const sfgp_mixture_method AFFINE = {.name = "cpd-affine", .map = SFGP_MIXTURE_AFFINE};

sfgp_status sfgp_baseline_cpd(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                              sfgp_result *result)
{
    return sfgp_mixture_register(context, &CPD, model, target, result);
}

sfgp_status sfgp_baseline_cpd_lowrank(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                      sfgp_result *result)
{
    return sfgp_mixture_register(context, &LOWRANK, model, target, result);
}

sfgp_status sfgp_baseline_cpd_rigid(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                    sfgp_result *result)
{
    return sfgp_mixture_register(context, &RIGID, model, target, result);
}

sfgp_status sfgp_baseline_cpd_affine(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                     sfgp_result *result)
{
    return sfgp_mixture_register(context, &AFFINE, model, target, result);
}
