/* Whether the reference of a model is symmetric to a plane. */
#include "geom/symmetry.h"
#include "model/model.h"

#define SEED 1 /* of the points that are mirrored */

sfgp_status sfgp_model_find_symmetry(sfgp_context *context, sfgp_model *model)
{
    int axis = -1;
    sfgp_status status = SFGP_OK;
    if (model->dimension == 3 && sfgp_model_is_standard(model))
        status = sfgp_symmetry_axis(context, model->count, model->reference, SEED, &axis);
    model->across = axis + 1;
    return status;
}
