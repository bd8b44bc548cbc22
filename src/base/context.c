/* The context: error text, warnings, progress, and the table of status texts. What it owns stands in
 * context.h. */
#include "base/context.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

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

void sfgp_context_set_progress(sfgp_context *context, sfgp_progress_function progress, void *user)
{
    context->progress = progress;
    context->progress_user = user;
}

sfgp_status sfgp_fail(sfgp_context *context, sfgp_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->error, sizeof context->error, format, arguments);
    va_end(arguments);
    return status;
}

void sfgp_warn(sfgp_context *context, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    context->warnings++;
    if (!context->log)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    context->log(context->log_user, text);
}

void sfgp_report_progress(sfgp_context *context, const sfgp_progress *progress)
{
    if (context->progress)
        context->progress(context->progress_user, progress);
}
