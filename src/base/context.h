/* Context of one thread of work: its error text, warnings, progress, allocator and profile. */
#ifndef SFGP_BASE_CONTEXT_H
#define SFGP_BASE_CONTEXT_H

#include "base/profile.h"
#include "sfgp/sfgp.h"

#define SFGP_PRINTF(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

struct sfgp_context {
    sfgp_allocator allocator;
    sfgp_log_function log; /* gets each warning; NULL: none */
    void *log_user;
    sfgp_progress_function progress; /* gets each progress report; NULL: none */
    void *progress_user;
    int64_t warnings;       /* number of warnings so far */
    int64_t read_limit;     /* sfgp_context_set_read_limit; 0: none */
    sfgp_profiler profiler; /* see profile.h */
    char error[1024];       /* text of the last error */
};

/* Stores the text of an error and returns its status, for `return sfgp_fail(...)`. */
sfgp_status sfgp_fail(sfgp_context *context, sfgp_status status, const char *format, ...) SFGP_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* sees one file at a time: that status is what comes back */
#define sfgp_fail(context, status, ...) ((sfgp_fail)((context), (status), __VA_ARGS__), (status))
#endif
/* Counts a warning and passes its text to the log. */
void sfgp_warn(sfgp_context *context, const char *format, ...) SFGP_PRINTF(2, 3);
void sfgp_report_progress(sfgp_context *context, const sfgp_progress *progress);

#endif
