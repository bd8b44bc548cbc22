/* Sizes of a run: those of a model, or of one that is not made yet, whose rank is estimated from samples. */
#include "base/memory.h"
#include "base/random.h"
#include "base/settings.h"
#include "geom/inspect.h"
#include "geom/mesh.h"
#include "lowrank/two_stage.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE ((int64_t)2000) /* points whose factor tells the rank, and half of them */

/* count points of the reference at random, always the same, those of a smaller count among them. */
static sfgp_status select_sample(sfgp_context *context, const sfgp_mesh *reference, int64_t count,
                                 sfgp_mesh **sample)
{
    int64_t *order = NULL;
    sfgp_status status = sfgp_allocate(context, reference->count, &order);
    *sample = NULL;
    if (status == SFGP_OK) {
        sfgp_random_shuffle(1, reference->count, order);
        status = sfgp_mesh_select(context, reference, count, order, sample);
    }
    sfgp_free(order);
    return status;
}

/* Columns of the factor of a sample, and whether that is symmetric. Two shapes that do not differ bring no modes, but the kernel of models
 * that learn. */
static sfgp_status size_of_sample(sfgp_context *context, const sfgp_mesh *reference, int64_t count,
                                  bool trained, const sfgp_settings *settings, sfgp_run_size *size)
{
    sfgp_settings own = *settings;
    sfgp_mesh *sample = NULL;
    sfgp_model *model = NULL;
    size->rank_scalar = 0;
    if (strcmp(settings->kernel, "none") == 0)
        return SFGP_OK; /* no scalar columns, and no model of a sample without training shapes */
    if (reference->count > SFGP_TWO_STAGE_POINTS)
        own.accuracy = SFGP_TWO_STAGE_MARGIN * sfgp_model_accuracy(settings, reference->count);
    own.threads = -1; /* one: 10 ms of work for 100 000 points, and more on two */
    snprintf(own.lowrank, sizeof own.lowrank, "cholesky");
    snprintf(own.align_training, sizeof own.align_training, "none");
    sfgp_status status = select_sample(context, reference, count, &sample);
    const sfgp_mesh *const shapes[] = {sample, sample};
    if (status == SFGP_OK)
        status = sfgp_model_new(context, sample, shapes, trained ? 2 : 0, &own, &model);
    if (status == SFGP_OK) {
        size->rank_scalar = model->basis.scalar.rank;
        size->symmetric = model->across > 0;
    }
    sfgp_model_free(model);
    sfgp_mesh_free(sample);
    return status;
}

/* Every further half sample brings the same part of new columns as the second one did:
 * r(N) = r_1 (1 + x + x^2 + ...), N / (SAMPLE / 2) terms, x = r_2 / r_1 - 1; none when there are enough. */
static double extrapolate(double first, double second, double halves)
{
    const double x = fmin(fmax(second / first - 1, 0), 1);
    return x >= 1 ? first * halves : first * (1 - pow(x, halves)) / (1 - x);
}

static sfgp_status estimate_rank(sfgp_context *quiet, const sfgp_mesh *reference, bool trained,
                                 const sfgp_settings *settings, sfgp_run_size *size)
{
    const int64_t n = reference->count;
    sfgp_run_size half = {0};
    sfgp_status status = size_of_sample(quiet, reference, n < SAMPLE ? n : SAMPLE, trained, settings, size);
    if (n <= SAMPLE || status != SFGP_OK || size->rank_scalar == 0)
        return status;
    status = size_of_sample(quiet, reference, SAMPLE / 2, trained, settings, &half);
    if (status == SFGP_OK && half.rank_scalar > 0) {
        const double guess = ceil(extrapolate((double)half.rank_scalar, (double)size->rank_scalar,
                                              (double)n / (0.5 * (double)SAMPLE)));
        const int64_t most = settings->rank > 0 && settings->rank < n ? settings->rank : n;
        size->rank_scalar = guess < (double)most ? (int64_t)guess : most;
    }
    return status;
}

/* Terms along the surface: the area of all of it tells the number of their columns, and the elements what a field in the sparse form takes. */
static sfgp_status size_surface(sfgp_context *quiet, const sfgp_mesh *reference, const sfgp_kernel *kernel,
                                const sfgp_settings *settings, sfgp_run_size *size)
{
    sfgp_model *model = NULL;
    int64_t columns = 0;
    sfgp_status status = sfgp_allocate(quiet, 1, &model);
    if (status != SFGP_OK)
        return status;
    model->kernel_terms = *kernel;
    if ((status = sfgp_inspect_reference(quiet, reference, &model->frame)) == SFGP_OK)
        status = sfgp_model_place(quiet, reference, model);
    if (status == SFGP_OK)
        status = sfgp_model_choose_form(quiet, settings, model);
    const struct sfgp_kernel_term *sparse = sfgp_kernel_sparse(&model->kernel_terms);
    if (status == SFGP_OK && sfgp_kernel_along_surface(&model->kernel_terms).count > 0)
        status = sfgp_model_guess_surface(quiet, settings, model, &columns);
    if (status == SFGP_OK && sparse) {
        const sfgp_mesh mesh = sfgp_model_mesh(model);
        status = sfgp_markov_count(quiet, &mesh, sparse, &size->field_entries, &size->field_factor,
                                   &size->field_work);
    }
    size->rank_scalar += columns;
    sfgp_model_free(model);
    return status;
}

/* Both parts of a prior with terms along the surface: that in space from samples, as it is elsewhere. */
static sfgp_status size_prior(sfgp_context *quiet, const sfgp_mesh *reference, bool trained,
                              const sfgp_settings *settings, sfgp_run_size *size)
{
    char text[SFGP_KERNEL_SIZE];
    sfgp_settings own = *settings;
    sfgp_kernel kernel = {0};
    sfgp_status status =
        strcmp(own.kernel, "auto") == 0 ? SFGP_OK : sfgp_kernel_parse(quiet, own.kernel, &kernel);
    if (status != SFGP_OK || (sfgp_kernel_along_surface(&kernel).count == 0 && !sfgp_kernel_sparse(&kernel)))
        return estimate_rank(quiet, reference, trained, settings, size);
    const sfgp_kernel space = sfgp_kernel_in_space(&kernel);
    sfgp_kernel_format(&space, text);
    snprintf(own.kernel, sizeof own.kernel, "%.*s", SFGP_TEXT_SIZE - 1, text);
    status = estimate_rank(quiet, reference, trained, &own, size);
    return status == SFGP_OK ? size_surface(quiet, reference, &kernel, settings, size) : status;
}

static sfgp_run_size size_without_rank(const sfgp_mesh *reference, int64_t training)
{
    const bool has_faces = reference->face_count > 0 && reference->face_start;
    return (sfgp_run_size){.dimension = reference->dimension,
                           .count = reference->count,
                           .face_count = reference->face_count,
                           .corner_count = has_faces ? reference->face_start[reference->face_count] : 0,
                           .training = training,
                           .rank_pca = training > 0 ? training - 1 : 0};
}

sfgp_status sfgp_run_size_from_mesh_sized(sfgp_context *context, const sfgp_mesh *reference, int64_t training,
                                          const sfgp_settings *settings, sfgp_run_size *size, size_t bytes)
{
    sfgp_context *quiet = NULL; /* the model itself will warn */
    sfgp_run_size found = size_without_rank(reference, training);
    sfgp_settings own;
    sfgp_status status = sfgp_context_new(&context->allocator, &quiet);
    if (status != SFGP_OK)
        return sfgp_fail(context, status, "out of memory");
    status = sfgp_settings_complete(quiet, settings, &own);
    if (status == SFGP_OK)
        status = size_prior(quiet, reference, training > 0, &own, &found);
    if (status != SFGP_OK)
        sfgp_fail(context, status, "%s", sfgp_context_error(quiet));
    sfgp_context_free(quiet);
    sfgp_struct_copy(&found, sizeof found, bytes, size);
    return status;
}

void sfgp_run_size_from_model_sized(const sfgp_model *model, sfgp_run_size *size, size_t bytes)
{
    const sfgp_markov *field = model->field;
    const sfgp_run_size own = {
        .dimension = model->dimension,
        .count = model->count,
        .face_count = model->face_count,
        .corner_count = model->face_count > 0 ? model->face_start[model->face_count] : 0,
        .rank_scalar = model->basis.scalar.rank,
        .rank_pca = model->basis.pca.modes,
        .made = 1,
        .field_entries = field ? sfgp_sparse_start(&field->precision)[model->count] : 0,
        .field_factor = field ? field->factor_bytes : 0,
        .field_work = field ? field->work_bytes : 0,
        .symmetric = model->across > 0};
    sfgp_struct_copy(&own, sizeof own, bytes, size);
}
