/* Reads the files of a case as its run will, for sfgp batch --dry-run. */
#include "batch/parts.h"

#include <stdlib.h>

sfgp_status batch_read_target(const batch *b, sfgp_context *context, int64_t number, const char *path,
                              sfgp_mesh **mesh)
{
    sfgp_read_options options = b->read;
    options.scale = batch_target_scale(b, number);
    return sfgp_mesh_read_with(context, path, &options, mesh, NULL);
}

static sfgp_status check_target(batch *b, sfgp_context *context, int64_t number, const char *path)
{
    sfgp_mesh *target = NULL;
    sfgp_status status = batch_read_target(b, context, number, path, &target);
    if (status != SFGP_OK)
        return batch_fail(b, status, "%s", sfgp_context_error(context));
    status = sfgp_model_check_target(context, b->priors[batch_choice_of(b, number).first].model, target);
    sfgp_mesh_free(target);
    return status == SFGP_OK ? status : batch_fail(b, status, "%s: %s", path, sfgp_context_error(context));
}

sfgp_status batch_truth_check(batch *b, int64_t number, const sfgp_mesh *truth)
{
    const batch_choice choice = batch_choice_of(b, number);
    const sfgp_model_info *first = &b->priors[choice.first].info;
    for (int k = choice.first; k < choice.first + choice.count; k++)
        if (b->priors[k].info.count == truth->count && b->priors[k].info.dimension == truth->dimension)
            return SFGP_OK;
    return batch_fail(b, SFGP_ERROR_DATA,
                      "truth: %s has %lld points in %dD, the reference %lld in %dD: they do not correspond "
                      "point by point",
                      batch_cell(&b->manifest, number, BATCH_TRUTH), (long long)truth->count,
                      truth->dimension, (long long)first->count, first->dimension);
}

static sfgp_status check_truth(batch *b, sfgp_context *context, int64_t number, const char *path)
{
    sfgp_mesh *truth = NULL;
    sfgp_status status = batch_read_target(b, context, number, path, &truth);
    if (status != SFGP_OK)
        return batch_fail(b, status, "%s", sfgp_context_error(context));
    status = batch_truth_check(b, number, truth);
    sfgp_mesh_free(truth);
    return status;
}

/* The truth has the points of the reference. */
static sfgp_status check_mask(batch *b, sfgp_context *context, int64_t number, const char *path)
{
    unsigned char *mask = NULL;
    const int64_t count = b->priors[batch_choice_of(b, number).first].info.count;
    const sfgp_status status = sfgp_mask_read(context, path, count, &mask);
    sfgp_mask_free(mask);
    return status == SFGP_OK ? status : batch_fail(b, status, "%s", sfgp_context_error(context));
}

static sfgp_status check_landmarks(batch *b, sfgp_context *context, const char *path)
{
    sfgp_landmarks *landmarks = NULL;
    const sfgp_status status = sfgp_landmarks_read(context, path, &landmarks);
    sfgp_landmarks_free(landmarks);
    return status == SFGP_OK ? status : batch_fail(b, status, "%s", sfgp_context_error(context));
}

static sfgp_status check(batch *b, sfgp_context *context, int64_t number, batch_role role, const char *path)
{
    switch (role) {
    case BATCH_TARGET:
        return check_target(b, context, number, path);
    case BATCH_TRUTH:
        return check_truth(b, context, number, path);
    case BATCH_MISSING:
        return check_mask(b, context, number, path);
    default:
        return check_landmarks(b, context, path);
    }
}

/* In a context without a log: the run gives the warnings. */
sfgp_status batch_input_check(batch *b, int64_t number, batch_role role)
{
    const char *cell = batch_cell(&b->manifest, number, role);
    sfgp_context *context = NULL;
    if (!cell[0])
        return SFGP_OK;
    char *path = batch_beside(b, cell);
    const sfgp_status status = path && sfgp_context_new(NULL, &context) == SFGP_OK
                                   ? check(b, context, number, role, path)
                                   : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_context_free(context);
    free(path);
    return status;
}
