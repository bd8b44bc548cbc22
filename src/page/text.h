/* Formatted text of any length, and error texts. */
#ifndef SFGP_PAGE_TEXT_H
#define SFGP_PAGE_TEXT_H

#include "sfgp/sfgp.h"

/* As printf, into a new text that the caller frees. NULL: out of memory. */
char *report_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The name of a file without its folders: the end of path. */
const char *report_file_name(const char *path);
/* As snprintf into error. Returns status. Words of SFGP_ERROR_MEMORY that do not name memory, such as those of a context that was
 * not asked, become "out of memory". */
sfgp_status report_fail(char *error, size_t size, sfgp_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#ifdef __clang_analyzer__ /* the analyser reads one file at a time; this tells it that status is returned */
#define report_fail(error, size, status, ...)                                                                \
    ((report_fail)((error), (size), (status), __VA_ARGS__), (status))
#endif

#endif
