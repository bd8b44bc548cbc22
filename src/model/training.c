/* Training shapes: checked, aligned where asked, and turned into the PCA part and the mean of a model. */
#include "model/training.h"
#include "base/memory.h"
#include "geom/mesh.h"
#include "geom/similarity.h"
#include "model/procrustes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TURNED 10.0 /* degrees, in the mean: larger turns against the reference cause a warning */
#define SHIFTED 0.3 /* RMS radii, likewise */

/* The first shape that has the same points; -1: none. */
static int64_t find_equal(const sfgp_mesh *const *training, int64_t s)
{
    const size_t size = (size_t)(training[s]->count * training[s]->dimension) * sizeof(double);
    for (int64_t t = 0; t < s; t++)
        if (memcmp(training[t]->points, training[s]->points, size) == 0)
            return t;
    return -1;
}

/* One warning, of the first: a folder may hold everything twice. */
static void warn_equal(sfgp_context *context, const sfgp_mesh *const *training, int64_t training_count)
{
    int64_t first = 0, copies = 0;
    for (int64_t s = 1; s < training_count; s++)
        if (find_equal(training, s) >= 0 && copies++ == 0)
            first = s;
    if (copies > 0)
        sfgp_warn(
            context,
            "training: %lld of %lld shapes have exactly the points of an earlier one (shape %lld those of shape %lld, counted "
            "from 0); is a file given twice? it counts twice",
            (long long)copies, (long long)training_count, (long long)first,
            (long long)find_equal(training, first));
}

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
    warn_equal(context, training, training_count);
    return SFGP_OK;
}

/* ---- poses ------------------------------------------------------------------------------------------- */

/* By how much a motion turns, in degrees. */
static double turn_of(int d, const double *rotation)
{
    const double trace = d == 3 ? rotation[0] + rotation[4] + rotation[8] - 1 : rotation[0] + rotation[3];
    return acos(fmax(-1, fmin(1, trace / 2))) * 180 / acos(-1);
}

/* The rigid motion that takes the reference nearest to a shape: adds its turn, and its shift of the centroid, which the frame has at 0. A
 * shape that does not determine one adds nothing. */
static void add_motion(const sfgp_model *model, const double *shape, double *turn, double *shift)
{
    const int d = model->dimension;
    const sfgp_pairs pairs = {.count = model->count, .dimension = d, .from = model->reference, .to = shape};
    double centre[3] = {0, 0, 0};
    sfgp_similarity motion;
    if (!sfgp_similarity_fit(SFGP_ALIGN_RIGID, &pairs, &motion))
        return;
    for (int64_t i = 0; i < model->count * d; i++)
        centre[i % d] += shape[i] / (double)model->count;
    *turn += turn_of(d, motion.rotation);
    *shift += sqrt(centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]);
}

/* Shapes that were scanned or fitted where they lay: their poses would become variation of the shape. */
static void warn_poses(sfgp_context *context, int64_t count, const sfgp_model *model, const double *shapes)
{
    double turn = 0, shift = 0;
    for (int64_t s = 0; s < count; s++)
        add_motion(model, shapes + s * model->count * model->dimension, &turn, &shift);
    turn /= (double)count;
    shift /= (double)count;
    if (turn > TURNED || shift > SHIFTED)
        sfgp_warn(
            context,
            "training: the shapes are turned by %.2g degrees and shifted by %.2g RMS radii against the reference, in the mean; "
            "these motions become a part of the prior; align_training rigid (--align-training rigid) takes them out",
            turn, shift);
}

/* ---- what is learnt ----------------------------------------------------------------------------------- */

static sfgp_status align(sfgp_context *context, const char *alignment, int64_t count, const sfgp_model *model,
                         double *shapes)
{
    bool wanted = false;
    sfgp_align_kind kind = SFGP_ALIGN_RIGID;
    sfgp_status status = sfgp_align_find(context, alignment, &wanted, &kind);
    if (status == SFGP_OK && !wanted)
        warn_poses(context, count, model, shapes);
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
