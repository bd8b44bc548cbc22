/* The context: making, freeing and reading it; and the texts of the status codes. Its fields stand in
 * context.h. */
#include "base/context.h"
#include "base/memory.h"

#define TEXT_CASE(name, value, text)                                                                         \
    case name:                                                                                               \
        return text;

const char *sfgp_status_text(sfgp_status status)
{
    switch (status) {
        SFGP_STATUS_TABLE(TEXT_CASE)
    }
    return "unknown status";
}

sfgp_status sfgp_context_new(const sfgp_allocator *allocator, sfgp_context **context)
{
    if (!context)
        return SFGP_ERROR_PARAMETER;
    if (!allocator)
        allocator = &sfgp_memory_standard;
    *context = sfgp_memory_new(allocator, sizeof(sfgp_context));
    if (!*context)
        return SFGP_ERROR_MEMORY;
    (*context)->allocator = *allocator;
    return SFGP_OK;
}

void sfgp_context_free(sfgp_context *context)
{
    sfgp_free(context);
}

const char *sfgp_context_error(const sfgp_context *context)
{
    return context ? context->error : "no context";
}

int64_t sfgp_context_warnings(const sfgp_context *context)
{
    return context ? context->warnings : 0;
}

void sfgp_context_set_log(sfgp_context *context, sfgp_log_function log, void *user)
{
    context->log = log;
    context->log_user = user;
}

void sfgp_context_set_read_limit(sfgp_context *context, int64_t bytes)
{
    context->read_limit = bytes > 0 ? bytes : 0;
}

void sfgp_context_set_threads(sfgp_context *context, int64_t threads)
{
    context->threads = threads;
}

void sfgp_context_set_progress(sfgp_context *context, sfgp_progress_function progress, void *user)
{
    context->progress = progress;
    context->progress_user = user;
}
