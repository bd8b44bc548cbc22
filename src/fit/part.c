#include "fit/part.h"
#include "base/memory.h"
#include "base/random.h"
#include "geom/mesh.h"

#include <stdio.h>

#define ACCURACY_PART 1e-4 /* of its prior, squared RMS radii */
#define ACCURACY 1e-6
#define TARGET_LEAST 50  /* points of the target that are seen, if there are as many */
#define TARGET_MOST 1600 /* ... and no more than these */

static sfgp_status take_model(const sfgp_solver *whole, int64_t points, sfgp_part *part)
{
    const sfgp_model *model = whole->model;
    int64_t *index = NULL;
    sfgp_status status = sfgp_allocate(whole->context, model->count, &index);
    if (status == SFGP_OK) {
        const int64_t count = sfgp_random_some((uint64_t)whole->settings.seed, model->count, points, index);
        status = sfgp_model_select(whole->context, model, count, index, &part->model);
        part->complete = count == model->count;
    }
    if (status == SFGP_OK)
        sfgp_factor_truncate(part->complete ? ACCURACY : ACCURACY_PART, &part->model->scalar);
    sfgp_free(index);
    return status;
}

static sfgp_status take_target(const sfgp_solver *whole, const sfgp_mesh *target, int64_t points,
                               sfgp_mesh **seen)
{
    const int64_t n = whole->model->count, share = n > points ? target->count * points / n : target->count,
                  most = share < TARGET_LEAST  ? TARGET_LEAST
                         : share > TARGET_MOST ? TARGET_MOST
                                               : share;
    int64_t *index = NULL;
    sfgp_status status = sfgp_allocate(whole->context, target->count, &index);
    if (status != SFGP_OK)
        return status;
    const int64_t count = sfgp_random_some((uint64_t)whole->settings.seed + 1, target->count, most, index);
    status = sfgp_mesh_select(whole->context, target, count, index, seen);
    sfgp_free(index);
    return status;
}

sfgp_status sfgp_part_new(sfgp_solver *whole, const sfgp_mesh *target, int64_t points, sfgp_part *part)
{
    sfgp_settings settings = whole->settings;
    sfgp_mesh *seen = NULL;
    *part = (sfgp_part){0};
    snprintf(settings.kernel, sizeof settings.kernel, "auto"); /* the model is what counts */
    settings.tolerance = 1e-3;
    settings.pmin = settings.prune = 0;
    sfgp_status status = take_model(whole, points, part);
    if (status == SFGP_OK)
        status = take_target(whole, target, points, &seen);
    if (status == SFGP_OK)
        status =
            sfgp_trials_new(whole->context, part->model, &settings, seen, !part->complete, &part->trials);
    sfgp_mesh_free(seen);
    return status;
}

void sfgp_part_clear(sfgp_part *part)
{
    sfgp_trials_clear(&part->trials);
    sfgp_model_free(part->model);
    *part = (sfgp_part){0};
}
