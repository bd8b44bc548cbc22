/* A model whose field along the surface is columns, for what is made of components. */
#include "base/memory.h"
#include "lowrank/surface_factor.h"
#include "model/model.h"

#include <string.h>

static sfgp_status copy_factor(sfgp_context *context, const sfgp_factor *from, sfgp_factor *to)
{
    const int64_t size = from->rows * from->rank;
    *to = (sfgp_factor){
        .rows = from->rows, .rank = from->rank, .residual = from->residual, .surface = from->surface};
    const sfgp_status status = sfgp_allocate(context, size, &to->values);
    if (status == SFGP_OK && size > 0)
        memcpy(to->values, from->values, (size_t)size * sizeof(double));
    return status;
}

sfgp_status sfgp_model_with_columns(sfgp_context *context, const sfgp_model *model, sfgp_model *view)
{
    const struct sfgp_kernel_term *term = sfgp_kernel_sparse(&model->kernel_terms);
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    sfgp_factor columns = {0};
    *view = *model;
    if (!term)
        return SFGP_OK;
    const sfgp_kernel kernel = {1, {*term}};
    const sfgp_factor_request request = {SFGP_MODEL_SURFACE_LEFT * term->variance, model->count, 1, true};
    view->field = NULL;
    view->basis.field = NULL;
    sfgp_status status = copy_factor(context, &model->basis.scalar, &view->basis.scalar);
    if (status == SFGP_OK)
        status = sfgp_surface_factor_new(context, &mesh, &kernel, &request, &columns);
    if (status == SFGP_OK)
        status = sfgp_factor_append(context, &view->basis.scalar, &columns);
    sfgp_factor_clear(&columns);
    return status;
}

void sfgp_model_with_columns_clear(const sfgp_model *model, sfgp_model *view)
{
    if (view->basis.scalar.values != model->basis.scalar.values)
        sfgp_factor_clear(&view->basis.scalar);
}
