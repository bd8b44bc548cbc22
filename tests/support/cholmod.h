/* The allocator of CHOLMOD, which is not that of the context. */
#ifndef SFGP_TESTS_CHOLMOD_H
#define SFGP_TESTS_CHOLMOD_H

#include <stddef.h>

typedef struct test_cholmod_functions {
    void *(*allocate)(size_t bytes);
    void *(*clear)(size_t count, size_t bytes);
    void *(*resize)(void *block, size_t bytes);
    void (*release)(void *block);
} test_cholmod_functions;

/* The functions that CHOLMOD calls, to be replaced; the rest of the test is skipped where SuiteSparse hides them, as 7 does. */
test_cholmod_functions *test_cholmod_allocator(void);

#endif
