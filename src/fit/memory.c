/* Memory: sizes of a run, what it takes (memory_terms.c), and whether that is allowed. */
#include "fit/memory.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "geom/mesh.h"
#include "lowrank/two_stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLE ((int64_t)2000) /* points whose factor tells the rank, and half of them */
#define MIB 1048576.0

/* ---- sizes ------------------------------------------------------------------------------------------- */

/* count points of the reference at random, always the same, those of a smaller count among them. */
static sfgp_status take_sample(sfgp_context *context, const sfgp_mesh *reference, int64_t count,
                               sfgp_mesh **sample)
{
    const int64_t n = reference->count;
    int64_t *order = NULL;
    sfgp_random random;
    sfgp_status status = sfgp_allocate(context, n, &order);
    *sample = NULL;
    sfgp_random_seed(&random, 1);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        order[i] = i;
    for (int64_t k = 0; status == SFGP_OK && k < count; k++) {
        const int64_t other = k + sfgp_random_below(&random, n - k), chosen = order[other];
        order[other] = order[k];
        order[k] = chosen;
    }
    if (status == SFGP_OK)
        status = sfgp_mesh_select(context, reference, count, order, sample);
    sfgp_free(order);
    return status;
}

/* Columns of the factor of a sample. Two shapes that do not differ bring no modes, but the kernel of models
 * that learn. */
static sfgp_status rank_of_sample(sfgp_context *context, const sfgp_mesh *reference, int64_t count,
                                  bool trained, const sfgp_settings *settings, int64_t *rank)
{
    sfgp_settings own = *settings;
    sfgp_mesh *sample = NULL;
    sfgp_model *model = NULL;
    *rank = 0;
    if (strcmp(settings->kernel, "none") == 0)
        return SFGP_OK; /* no scalar columns, and no model of a sample without training shapes */
    if (reference->count > SFGP_TWO_STAGE_POINTS)
        own.accuracy = SFGP_TWO_STAGE_MARGIN * sfgp_model_accuracy(settings, reference->count);
    own.threads = -1; /* one: so little work is done before others are awake */
    snprintf(own.lowrank, sizeof own.lowrank, "cholesky");
    snprintf(own.align_training, sizeof own.align_training, "none");
    sfgp_status status = take_sample(context, reference, count, &sample);
    const sfgp_mesh *const shapes[] = {sample, sample};
    if (status == SFGP_OK)
        status = sfgp_model_new(context, sample, shapes, trained ? 2 : 0, &own, &model);
    if (status == SFGP_OK)
        *rank = model->basis.scalar.rank;
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
                                 const sfgp_settings *settings, int64_t *rank)
{
    const int64_t n = reference->count;
    int64_t half = 0;
    sfgp_status status = rank_of_sample(quiet, reference, n < SAMPLE ? n : SAMPLE, trained, settings, rank);
    if (n <= SAMPLE || status != SFGP_OK || *rank == 0)
        return status;
    status = rank_of_sample(quiet, reference, SAMPLE / 2, trained, settings, &half);
    if (status == SFGP_OK && half > 0) {
        const double guess =
            ceil(extrapolate((double)half, (double)*rank, (double)n / (0.5 * (double)SAMPLE)));
        const int64_t most = settings->rank > 0 && settings->rank < n ? settings->rank : n;
        *rank = guess < (double)most ? (int64_t)guess : most;
    }
    return status;
}

sfgp_status sfgp_run_size_from_mesh(sfgp_context *context, const sfgp_mesh *reference, int64_t training,
                                    const sfgp_settings *settings, sfgp_run_size *size)
{
    sfgp_context *quiet = NULL; /* the model itself will warn */
    *size = (sfgp_run_size){.dimension = reference->dimension,
                            .count = reference->count,
                            .face_count = reference->face_count,
                            .training = training,
                            .rank_pca = training > 0 ? training - 1 : 0};
    if (reference->face_count > 0 && reference->face_start)
        size->corner_count = reference->face_start[reference->face_count];
    sfgp_status status = sfgp_context_new(&context->allocator, &quiet);
    if (status != SFGP_OK)
        return sfgp_fail(context, status, "out of memory");
    status = estimate_rank(quiet, reference, training > 0, settings, &size->rank_scalar);
    if (status != SFGP_OK)
        sfgp_fail(context, status, "%s", sfgp_context_error(quiet));
    sfgp_context_free(quiet);
    return status;
}

void sfgp_run_size_from_model(const sfgp_model *model, sfgp_run_size *size)
{
    *size = (sfgp_run_size){.dimension = model->dimension,
                            .count = model->count,
                            .face_count = model->face_count,
                            .rank_scalar = model->basis.scalar.rank,
                            .rank_pca = model->basis.pca.modes,
                            .made = 1};
    if (model->face_count > 0)
        size->corner_count = model->face_start[model->face_count];
}

/* ---- prediction -------------------------------------------------------------------------------------- */

static int64_t bytes(double value)
{
    return value < 0x1p62 ? (int64_t)value : (int64_t)1 << 62;
}

sfgp_status sfgp_memory_predict(sfgp_context *context, const sfgp_run_size *size,
                                const sfgp_settings *settings, sfgp_memory *memory)
{
    const sfgp_method *method = NULL;
    sfgp_status status = sfgp_method_find(context, settings->method, &method);
    *memory = (sfgp_memory){0};
    if (status != SFGP_OK)
        return status;
    memory->model = bytes(sfgp_memory_model(size, settings));
    memory->set_up = bytes(sfgp_memory_set_up(size, settings));
    if (size->targets > 0 && method->baseline)
        return SFGP_OK;
    if (size->targets > 0) {
        memory->responsibilities = bytes(sfgp_memory_labels(size, method));
        memory->fit = bytes(sfgp_memory_fit(size, method, sfgp_threads_for(settings->threads, size->count)));
    }
    memory->peak =
        memory->model + memory->fit > memory->set_up ? memory->model + memory->fit : memory->set_up;
    return SFGP_OK;
}

/* ---- limit ------------------------------------------------------------------------------------------- */

static int64_t need_of_rank(sfgp_context *context, const sfgp_run_size *size, const sfgp_settings *settings,
                            int64_t rank)
{
    sfgp_run_size other = *size;
    sfgp_settings limited = *settings;
    sfgp_memory memory;
    other.rank_scalar = limited.rank = rank;
    return sfgp_memory_predict(context, &other, &limited, &memory) == SFGP_OK ? memory.peak : INT64_MAX;
}

/* The largest rank that would fit, 0: none. */
static int64_t rank_that_fits(sfgp_context *context, const sfgp_run_size *size, const sfgp_settings *settings)
{
    int64_t low = 0, high = size->rank_scalar;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(need_of_rank(context, size, settings, middle) <= settings->max_memory ? &low : &high) = middle;
    }
    return low;
}

sfgp_status sfgp_memory_check(sfgp_context *context, const sfgp_run_size *size, const sfgp_settings *settings)
{
    sfgp_memory memory;
    char advice[160];
    sfgp_status status =
        settings->max_memory == 0 ? SFGP_OK : sfgp_memory_predict(context, size, settings, &memory);
    if (status != SFGP_OK || settings->max_memory == 0)
        return status;
    if (memory.peak == 0)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "max_memory: what method %.60s takes is not predicted", settings->method);
    if (memory.peak <= settings->max_memory)
        return SFGP_OK;
    const int64_t rank = rank_that_fits(context, size, settings);
    if (rank > 0)
        snprintf(advice, sizeof advice, "%s--rank %lld instead of %lld would fit",
                 size->made ? "sfgp model build " : "", (long long)rank, (long long)size->rank_scalar);
    else
        snprintf(advice, sizeof advice,
                 "no --rank would: %.1f MiB of it are labels of %lld x %lld points; use fewer",
                 (double)memory.responsibilities / MIB, (long long)size->count, (long long)size->targets);
    return sfgp_fail(context, SFGP_ERROR_MEMORY, "max_memory: %.1f MiB are needed, %.1f MiB allowed; %s",
                     (double)memory.peak / MIB, (double)settings->max_memory / MIB, advice);
}
