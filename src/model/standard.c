/* The prior that "auto" names: its kernel, the same with other variances, and the plane of symmetry of its reference. */
#include "model/standard.h"
#include "base/memory.h"
#include "geom/symmetry.h"

#include <string.h>

/* Priors when none is named (docs/adr/0013). A kernel that is wide against the shape is an affine motion: its
 * rows are 1 and x / length. In 3D the narrow term is stiffer: a surface slides along itself more easily than
 * a curve. The third is a little of what is finer: without it, a part of a shape that the others cannot
 * follow exactly (the shaft of the femur, by 1 % of its radius) is taken for missing and its scan for outliers.
 */
#define KERNEL_2D "se:length=6,variance=1+se:length=1.2,variance=0.1"
#define KERNEL_3D "se:length=10,variance=1+se:length=1.5,variance=0.03+se:length=0.5,variance=2e-4"
#define KERNEL_WITH_TRAINING "se:length=30,variance=1.5"

/* Share of the variance. Rounding errors of 1e-16 are a thousandth of such a column, and of C there. */
#define LEAST_PIVOT 1e-13

#define SEED 1 /* of the points that are mirrored */

const char *sfgp_model_kernel_for(int dimension, bool trained)
{
    const char *untrained = dimension == 2 ? KERNEL_2D : KERNEL_3D;
    return trained ? KERNEL_WITH_TRAINING : untrained;
}

bool sfgp_model_is_standard(const sfgp_model *model)
{
    const sfgp_factor *factor = &model->basis.scalar;
    if (strcmp(model->kernel, sfgp_model_kernel_for(model->dimension, false)) != 0 || !factor->pivots ||
        factor->rank == 0)
        return false;
    const double last = factor->values[factor->pivots[factor->rank - 1] * factor->rank + factor->rank - 1];
    return last * last >= LEAST_PIVOT * sfgp_kernel_variance(&model->kernel_terms);
}

sfgp_kernel sfgp_model_rescaled_kernel(const sfgp_model *model, double affine, double smooth)
{
    sfgp_kernel rescaled = model->kernel_terms;
    for (int t = 0; t < rescaled.count; t++)
        rescaled.terms[t].variance *= t == 0 ? affine : smooth;
    return rescaled;
}

sfgp_status sfgp_model_rescale(sfgp_context *context, const sfgp_model *model, double affine, double smooth,
                               const sfgp_reflection *reflection, double **c)
{
    const sfgp_kernel rescaled = sfgp_model_rescaled_kernel(model, affine, smooth);
    double *axes = NULL;
    sfgp_status status = sfgp_model_axes(context, model, &axes);
    if (status != SFGP_OK)
        return status;
    const sfgp_covariance covariance = {&model->kernel_terms, model->count, model->dimension, axes};
    status = sfgp_factor_rescale(context, &covariance, &model->basis.scalar, &rescaled, reflection, c);
    sfgp_free(axes);
    return status;
}

bool sfgp_model_asks_symmetry(const sfgp_model *model)
{
    return model->dimension == 3 && sfgp_model_is_standard(model);
}

sfgp_status sfgp_model_find_symmetry(sfgp_context *context, sfgp_model *model)
{
    int axis = -1;
    sfgp_status status = SFGP_OK;
    if (sfgp_model_asks_symmetry(model))
        status = sfgp_symmetry_axis(context, model->count, model->reference, SEED, &axis);
    model->across = axis + 1;
    return status;
}
