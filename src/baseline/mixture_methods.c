/* The methods of the mixture family.
 *   CPD: Myronenko, Song, "Point set registration: coherent point drift", IEEE TPAMI 32(12), 2010, figures 2 (rigid, with scale),
 *   3 (affine) and 4 (non-rigid).
 *   BCPD: Hirose, "A Bayesian formulation of coherent point drift", IEEE TPAMI 43(7), 2021, figure 1; accelerated and ++: Hirose,
 *   "Acceleration of non-rigid point set registration with downsampling and Gaussian process regression", IEEE TPAMI 43(8), 2021.
 * The papers approximate kernel and P by Nystroem samples. Here a pivoted Cholesky factor and a pruned P, both with certified errors,
 * take their place. */
#include "baseline/mixture_register.h"

#include <string.h>

static const sfgp_mixture_method METHODS[] = {
    {.name = "bcpd", .bayesian = true, .smooth = true, .exact = true, .map = SFGP_MIXTURE_SIMILARITY},
    {.name = "bcpd-accelerated", .bayesian = true, .smooth = true, .map = SFGP_MIXTURE_SIMILARITY},
    {.name = "bcpd++", .bayesian = true, .smooth = true, .map = SFGP_MIXTURE_SIMILARITY, .subset = true},
    {.name = "cpd", .smooth = true, .exact = true},
    {.name = "cpd-lowrank", .smooth = true},
    {.name = "cpd-rigid", .map = SFGP_MIXTURE_SIMILARITY},
    {.name = "cpd-affine", .map = SFGP_MIXTURE_AFFINE},
};

sfgp_status sfgp_baseline_mixture(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                  sfgp_result *result)
{
    const int64_t subset = result->settings->subset;
    const sfgp_mixture_method *method = METHODS;
    while (strcmp(method->name, result->settings->method) != 0)
        method++;
    return method->subset && (model->count > subset || target->count > subset)
               ? sfgp_mixture_register_subset(context, method, model, target, result)
               : sfgp_mixture_register(context, method, model, target, result);
}
