/* Context: where errors, warnings, progress and memory of one thread of work go. */
#ifndef SFGP_BASE_CONTEXT_H
#define SFGP_BASE_CONTEXT_H

#include "base/profile.h"
#include "sfgp/sfgp.h"

#define SFGP_PRINTF(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

struct sfgp_context {
    sfgp_allocator allocator;
    sfgp_log_function log;
    void *log_user;
    sfgp_progress_function progress;
    void *progress_user;
    int64_t warnings;
    sfgp_profiler profiler; /* profile.h */
    char error[1024];
};

/* Stores the text of an error and returns its status, so that `return sfgp_fail(...)` reads as one step. */
sfgp_status sfgp_fail(sfgp_context *context, sfgp_status status, const char *format, ...) SFGP_PRINTF(3, 4);
void sfgp_warn(sfgp_context *context, const char *format, ...) SFGP_PRINTF(2, 3);
void sfgp_report_progress(sfgp_context *context, const sfgp_progress *progress);

#endif
