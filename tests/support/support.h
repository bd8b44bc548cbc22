/* What every test program shares: cmocka, a context per test, temporary folders, and where the data lie. */
#ifndef SFGP_TESTS_SUPPORT_H
#define SFGP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sfgp/sfgp.h"

/* cmocka set-up and tear-down: *state is a sfgp_context with counting allocator and recorded warnings. The
 * tear-down fails the test when a block is still allocated. */
int sfgp_test_setup(void **state);
int sfgp_test_teardown(void **state);
#define sfgp_unit_test(function)                                                                             \
    cmocka_unit_test_setup_teardown(function, sfgp_test_setup, sfgp_test_teardown)

/* A long test of numbers, whose lines shorter tests reach, too: instruments (sanitizers, coverage) make it five to ten
 * times as long, so that it runs in builds without them only. */
#ifdef SFGP_SLOW_BUILD
enum { SFGP_TEST_SLOW = 1 };
#else
enum { SFGP_TEST_SLOW = 0 };
#endif
void sfgp_test_skip(void **state);
#define sfgp_long_test(function)                                                                             \
    {                                                                                                        \
#function, SFGP_TEST_SLOW ? sfgp_test_skip : function, sfgp_test_setup, sfgp_test_teardown, NULL     \
    }

/* Loops of this test run on so many threads, also on more than there are cores. The tear-down gives the usual
 * number back, which is one. */
void sfgp_test_threads(int threads);

/* Fails the test with the context's error text unless status is as expected. */
void sfgp_assert_status(sfgp_context *context, sfgp_status status, sfgp_status expected);
#define sfgp_assert_ok(context, call) sfgp_assert_status(context, call, SFGP_OK)
/* Likewise, and where an error is expected unless the error text of the context has these words. */
void sfgp_assert_error(sfgp_context *context, sfgp_status status, sfgp_status expected, const char *words);
/* Fails the test with the text unless the part is in it. */
void sfgp_assert_has(const char *text, const char *part);

/* Counters of the test allocator, over all contexts of the process. */
typedef struct sfgp_test_memory {
    long allocations; /* since the last reset */
    long live;        /* blocks not yet released */
    long fail_at;     /* -1: never; k: the k-th allocation from now fails */
    bool fail_always; /* and so do all after it */
} sfgp_test_memory;
extern sfgp_test_memory sfgp_memory_counters;

/* The defaults. */
sfgp_settings test_settings(void);
/* Made without an error; without training shapes. */
sfgp_model *test_model(sfgp_context *context, const sfgp_mesh *reference, const sfgp_settings *settings);
sfgp_solver *test_solver(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings);
sfgp_result *test_run(sfgp_context *context, sfgp_solver *solver, const sfgp_mesh *target);

/* All warnings of the context under test, one a line, "" when there was none. */
const char *sfgp_test_warning(void);

/* How often the part is in the text. */
int sfgp_test_count(const char *text, const char *part);

/* $SFGP_DATA or ../shared/data; skips the test (cmocka skip) when it is absent. */
const char *sfgp_test_data(void);

/* A new empty folder, removed with all its content at exit. */
const char *sfgp_test_folder(void);
/* A path in that folder; it stays valid while 127 others are made. */
const char *test_path(const char *name);
/* A file of that folder with this text: its path. */
const char *test_text(const char *name, const char *text);
/* folder/name, which stays valid likewise. */
const char *sfgp_test_path(const char *folder, const char *name);
void sfgp_test_write(const char *path, const void *bytes, size_t size);
/* Whole file, zero-terminated; free() it. NULL when there is none. */
char *sfgp_test_read(const char *path, size_t *size);

/* Runs build/sfgp with the arguments up to NULL, no shell; 600 s limit. Streams are captured. */
typedef struct sfgp_run {
    int exit_code;   /* 128 + n for a signal */
    char *out, *err; /* zero-terminated, freed by sfgp_run_free */
    long peak_kib;
} sfgp_run;
sfgp_run sfgp_run_program(const char *argument, ...) __attribute__((sentinel));
/* As above, without the privileges that root has over files. */
sfgp_run sfgp_run_unprivileged(const char *argument, ...) __attribute__((sentinel));
void sfgp_run_free(sfgp_run *run);

#endif
