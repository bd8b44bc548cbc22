/* Memory of a run: what it takes (memory_fit.c, model/memory.c), and whether that is allowed. */
#include "fit/memory.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/threads.h"
#include "model/memory.h"
#include "search/effort.h"

#include <stdio.h>
#include <string.h>

#define MIB 1048576.0

/* ---- prediction -------------------------------------------------------------------------------------- */

/* Two of them have a sum. */
static int64_t bytes(double value)
{
    return value < 0x1p61 ? (int64_t)value : (int64_t)1 << 61;
}

/* A field in the sparse form whose size is not given. */
static bool is_unknown(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const sfgp_kernel kernel = sfgp_memory_kernel(settings);
    return !size->made && size->field_entries == 0 && sfgp_kernel_sparse(&kernel);
}

static sfgp_memory predict(const sfgp_run_size *size, const sfgp_settings *settings,
                           const sfgp_method *method, const sfgp_effort *effort)
{
    sfgp_memory memory = {.model = bytes(sfgp_model_bytes(size, settings)),
                          .set_up = bytes(sfgp_model_making_bytes(size, settings))};
    if (is_unknown(size, settings))
        return (sfgp_memory){0};
    if (size->targets > 0 && method->baseline)
        return memory;
    if (size->targets > 0) {
        const int workers = sfgp_threads_for(settings->threads, size->count);
        memory.responsibilities = bytes(sfgp_memory_labels(size, method));
        memory.fit =
            bytes(sfgp_memory_fit(size, method, effort, workers) +
                  (settings->detail && method->variant->learns ? sfgp_memory_detail(size, effort) : 0));
    }
    memory.peak = memory.model + memory.fit > memory.set_up ? memory.model + memory.fit : memory.set_up;
    return memory;
}

sfgp_status sfgp_memory_predict_sized(sfgp_context *context, const sfgp_run_size *size, size_t size_bytes,
                                      const sfgp_settings *settings, sfgp_memory *memory, size_t memory_bytes)
{
    const sfgp_method *method = NULL;
    const sfgp_effort *effort = NULL;
    sfgp_settings own;
    sfgp_run_size whole = {0};
    sfgp_memory found = {0};
    sfgp_status status = sfgp_struct_take(context, "size", size, size_bytes, &whole, sizeof whole);
    if (status == SFGP_OK)
        status = sfgp_settings_complete(context, settings, &own);
    if (status == SFGP_OK)
        status = sfgp_method_find(context, own.method, &method);
    if (status == SFGP_OK)
        status = sfgp_effort_find(context, own.effort, &effort);
    if (status == SFGP_OK && !(own.symmetry && method->variant && method->variant->learns))
        whole.symmetric = 0;
    if (status == SFGP_OK)
        found = predict(&whole, &own, method, effort);
    sfgp_struct_copy(&found, sizeof found, memory_bytes, memory);
    return status;
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

static sfgp_status refuse(sfgp_context *context, const sfgp_run_size *size, const sfgp_settings *settings,
                          const sfgp_memory *memory)
{
    char advice[160];
    const int64_t rank = rank_that_fits(context, size, settings);
    if (rank > 0)
        snprintf(advice, sizeof advice, "%s--rank %lld instead of %lld would fit",
                 size->made ? "sfgp model build " : "", (long long)rank, (long long)size->rank_scalar);
    else if (size->field_entries > 0)
        snprintf(advice, sizeof advice,
                 "%.1f MiB of it are the factor of the kernel's form=sparse; use form=eigen, or fewer points",
                 sfgp_memory_field_factor(size) / MIB);
    else if (size->targets == 0)
        snprintf(advice, sizeof advice, "no --rank would fit %lld points; use fewer", (long long)size->count);
    else
        snprintf(
            advice, sizeof advice,
            "no --rank is small enough: %.1f MiB of it are labels of %lld x %lld points; use fewer points",
            (double)memory->responsibilities / MIB, (long long)size->count, (long long)size->targets);
    return sfgp_fail(context, SFGP_ERROR_MEMORY, "max_memory: %.1f MiB are needed, %.1f MiB allowed; %s",
                     (double)memory->peak / MIB, (double)settings->max_memory / MIB, advice);
}

sfgp_status sfgp_memory_check_sized(sfgp_context *context, const sfgp_run_size *size, size_t bytes,
                                    const sfgp_settings *settings)
{
    sfgp_run_size own = {0};
    sfgp_settings whole;
    sfgp_memory memory;
    sfgp_status status = sfgp_struct_take(context, "size", size, bytes, &own, sizeof own);
    if (status == SFGP_OK)
        status = sfgp_settings_complete(context, settings, &whole);
    if (status != SFGP_OK || whole.max_memory == 0)
        return status;
    if ((status = sfgp_memory_predict(context, &own, &whole, &memory)) != SFGP_OK)
        return status;
    if (is_unknown(&own, &whole))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "max_memory: what the kernel's form=sparse takes is not known: "
                         "sfgp_run_size.field_entries and field_factor are 0");
    if (memory.peak == 0)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "max_memory: what method %.60s takes is not predicted", whole.method);
    return memory.peak <= whole.max_memory ? SFGP_OK : refuse(context, &own, &whole, &memory);
}
