/* Training shapes: checked, aligned where asked, and turned into the PCA part and the mean of a model. */
#include "model/training.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "model/procrustes.h"

#include <stdio.h>
#include <string.h>

sfgp_status sfgp_training_check(sfgp_context *context, const sfgp_mesh *reference,
                                const sfgp_mesh *const *training, int64_t training_count)
{
    char role[48];
    if (training_count == 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "training: one shape has no variation; give at least 2");
    for (int64_t s = 0; s < training_count; s++) {
        snprintf(role, sizeof role, "training shape %lld", (long long)s);
        if (training[s]->count != reference->count || training[s]->dimension != reference->dimension)
            return sfgp_fail(context, SFGP_ERROR_DATA,
                             "%s: %lld points in %dD, the reference has %lld in %dD", role,
                             (long long)training[s]->count, training[s]->dimension,
                             (long long)reference->count, reference->dimension);
        sfgp_status status = sfgp_mesh_check_finite(context, role, training[s]);
        if (status != SFGP_OK)
            return status;
    }
    return SFGP_OK;
}

static sfgp_status align(sfgp_context *context, const char *alignment, int64_t count, const sfgp_model *model,
                         double *shapes)
{
    bool wanted = false;
    sfgp_align_kind kind = SFGP_ALIGN_RIGID;
    sfgp_status status = sfgp_align_find(context, alignment, &wanted, &kind);
    return status == SFGP_OK && wanted ? sfgp_procrustes(context, kind, model->count, model->dimension,
                                                         model->reference, count, shapes)
                                       : status;
}

sfgp_status sfgp_training_learn(sfgp_context *context, const sfgp_mesh *const *training,
                                int64_t training_count, const char *alignment, sfgp_model *model)
{
    const int64_t size = model->count * model->dimension;
    double *shapes = NULL;
    if (training_count == 0)
        return SFGP_OK;
    sfgp_status status =
        sfgp_allocate_bytes(context, training_count, size * (int64_t)sizeof *shapes, (void **)&shapes);
    for (int64_t s = 0; status == SFGP_OK && s < training_count; s++)
        sfgp_frame_enter(&model->frame, model->count, training[s]->points, shapes + s * size);
    if (status == SFGP_OK)
        status = align(context, alignment, training_count, model, shapes);
    if (status == SFGP_OK)
        status = sfgp_pca_new(context, training_count, size, shapes, &model->basis.pca);
    if (status == SFGP_OK)
        memcpy(model->basis.mean, model->basis.pca.mean, (size_t)size * sizeof(double));
    sfgp_free(shapes);
    return status;
}
