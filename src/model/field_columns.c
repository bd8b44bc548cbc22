/* Columns for a model that has a field along the surface in the sparse form only, for what is made of components. */
#include "lowrank/surface_factor.h"
#include "model/model.h"

sfgp_status sfgp_model_with_columns(sfgp_context *context, const sfgp_model *model, sfgp_model *view)
{
    const struct sfgp_kernel_term *term = sfgp_kernel_sparse(&model->kernel_terms);
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    *view = *model;
    if (!term || sfgp_basis_size(&model->basis) > 0)
        return SFGP_OK;
    const sfgp_kernel kernel = {1, {*term}};
    const sfgp_factor_request request = {SFGP_MODEL_SURFACE_LEFT * term->variance, SFGP_MODEL_FIELD_COLUMNS,
                                         1, true};
    view->basis.scalar = (sfgp_factor){0};
    return sfgp_surface_factor_new(context, &mesh, &kernel, &request, &view->basis.scalar);
}

void sfgp_model_with_columns_clear(const sfgp_model *model, sfgp_model *view)
{
    if (view->basis.scalar.values != model->basis.scalar.values)
        sfgp_factor_clear(&view->basis.scalar);
}
