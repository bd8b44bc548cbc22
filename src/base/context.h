/* Context of one thread of work: its error text, warnings, progress, allocator and profile. */
#ifndef SFGP_BASE_CONTEXT_H
#define SFGP_BASE_CONTEXT_H

#include "base/profile.h"
#include "sfgp/sfgp.h"

#define SFGP_PRINTF(format_index, first_argument)                                                            \
    __attribute__((format(printf, format_index, first_argument)))

/* The part of a run that a stage covers. */
typedef struct sfgp_progress_range {
    double low, high; /* fractions of the run */
} sfgp_progress_range;

struct sfgp_context {
    sfgp_allocator allocator;
    sfgp_log_function log; /* gets each warning; NULL: none */
    void *log_user;
    sfgp_progress_function progress; /* gets each progress report; NULL: none */
    void *progress_user;
    sfgp_progress_range range; /* of the stage that runs, see progress.h */
    double fraction;           /* of the run, as far as it was reported */
    int cancelled;             /* 1: progress wanted the run to stop, and is not asked again */
    double deadline;           /* of the run, as sfgp_platform_seconds() counts; 0: none */
    bool late;                 /* a loop has ended because the deadline was over */
    int64_t warnings;          /* number of warnings so far */
    int64_t read_limit;        /* sfgp_context_set_read_limit; 0: none */
    int64_t threads;           /* sfgp_context_set_threads; 0: all cores */
    sfgp_profiler profiler;    /* see profile.h */
    char error[1024];          /* text of the last error */
};

/* Stores the text of an error and returns its status, for `return sfgp_fail(...)`. */
sfgp_status sfgp_fail(sfgp_context *context, sfgp_status status, const char *format, ...) SFGP_PRINTF(3, 4);
#ifdef __clang_analyzer__ /* It sees one file at a time. This says that sfgp_fail returns the status. */
#define sfgp_fail(context, status, ...) ((sfgp_fail)((context), (status), __VA_ARGS__), (status))
#endif
/* Counts a warning and passes its text to the log. */
void sfgp_warn(sfgp_context *context, const char *format, ...) SFGP_PRINTF(2, 3);

#endif
