/* Bayesian coherent point drift: Hirose, "A Bayesian formulation of coherent point drift", IEEE TPAMI 43(7), 2021,
 * figure 1; accelerated and ++: Hirose, "Acceleration of non-rigid point set registration with downsampling and
 * Gaussian process regression", IEEE TPAMI 43(8), 2021. The papers approximate kernel and P by Nystroem samples. Here
 * a pivoted Cholesky factor and a pruned P, both with certified errors, take their place. */
#include "baseline/mixture_register.h"

static const sfgp_mixture_method BCPD = {
    .name = "bcpd", .bayesian = true, .smooth = true, .exact = true, .map = SFGP_MIXTURE_SIMILARITY};
static const sfgp_mixture_method ACCELERATED = {
    .name = "bcpd-accelerated", .bayesian = true, .smooth = true, .map = SFGP_MIXTURE_SIMILARITY};
static const sfgp_mixture_method SUBSET = {
    .name = "bcpd++", .bayesian = true, .smooth = true, .map = SFGP_MIXTURE_SIMILARITY};

sfgp_status sfgp_baseline_bcpd(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                               sfgp_result *result)
{
    return sfgp_mixture_register(context, &BCPD, model, target, result);
}

sfgp_status sfgp_baseline_bcpd_accelerated(sfgp_context *context, const sfgp_model *model,
                                           const sfgp_mesh *target, sfgp_result *result)
{
    return sfgp_mixture_register(context, &ACCELERATED, model, target, result);
}

sfgp_status sfgp_baseline_bcpdpp(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                 sfgp_result *result)
{
    const int64_t subset = result->settings->subset;
    return model->count <= subset && target->count <= subset
               ? sfgp_mixture_register(context, &SUBSET, model, target, result)
               : sfgp_mixture_register_subset(context, &SUBSET, model, target, result);
}
