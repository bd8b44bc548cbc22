/* Errors and warnings: what the library says, it says to the context. */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>

sfgp_status(sfgp_fail)(sfgp_context *context, sfgp_status status, const char *format, ...)
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
