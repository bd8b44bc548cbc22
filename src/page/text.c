/* Formatted text in memory that fits, and error texts. */
#include "page/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *report_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *report_format(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

sfgp_status(report_fail)(char *error, size_t size, sfgp_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, size, format, arguments);
    va_end(arguments);
    if (status == SFGP_ERROR_MEMORY && !strstr(error, "memory"))
        snprintf(error, size, "out of memory");
    return status;
}
