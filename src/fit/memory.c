/* Memory of a run: what it takes (memory_terms.c, model/memory.c), and whether that is allowed. */
#include "fit/memory.h"
#include "base/settings.h"
#include "base/threads.h"
#include "model/memory.h"
#include "search/effort.h"

#include <stdio.h>

#define MIB 1048576.0

/* ---- prediction -------------------------------------------------------------------------------------- */

static int64_t bytes(double value)
{
    return value < 0x1p62 ? (int64_t)value : (int64_t)1 << 62;
}

sfgp_status sfgp_memory_predict(sfgp_context *context, const sfgp_run_size *size,
                                const sfgp_settings *settings, sfgp_memory *memory)
{
    const sfgp_method *method = NULL;
    const sfgp_effort *effort = NULL;
    sfgp_settings own;
    sfgp_status status = sfgp_settings_complete(context, settings, &own);
    *memory = (sfgp_memory){0};
    if (status == SFGP_OK)
        status = sfgp_method_find(context, own.method, &method);
    if (status == SFGP_OK)
        status = sfgp_effort_find(context, own.effort, &effort);
    if (status != SFGP_OK)
        return status;
    memory->model = bytes(sfgp_model_bytes(size, &own));
    memory->set_up = bytes(sfgp_model_making_bytes(size, &own));
    if (size->targets > 0 && method->baseline)
        return SFGP_OK;
    if (size->targets > 0) {
        memory->responsibilities = bytes(sfgp_memory_labels(size, method));
        memory->fit =
            bytes(sfgp_memory_fit(size, method, effort, sfgp_threads_for(own.threads, size->count)));
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
