/* Checked memory. Every block starts on a 64-byte boundary, so that vector loops take the same path on every
 * run. It remembers how to release itself, so that objects may outlive the context they were made with. */
#ifndef SFGP_BASE_MEMORY_H
#define SFGP_BASE_MEMORY_H

#include "base/context.h"

#include <stdbool.h>

/* malloc and free. */
extern const sfgp_allocator sfgp_memory_standard;

/* a * b, or false when it does not fit int64_t or either is negative. */
bool sfgp_product(int64_t a, int64_t b, int64_t *product);

/* A zeroed block, or NULL when there is no memory. For the context itself. */
void *sfgp_memory_new(const sfgp_allocator *allocator, size_t bytes);

/* count x size zeroed bytes in *block. count 0 gives a block too. On failure *block is NULL, with
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_allocate_bytes(sfgp_context *context, int64_t count, int64_t size, void **block);
void sfgp_free(void *block); /* NULL is allowed */

/* sfgp_allocate(context, n, &pointer): n zeroed elements of pointer's type. */
#define sfgp_allocate(context, count, pointer)                                                               \
    sfgp_allocate_bytes((context), (count), (int64_t)sizeof **(pointer), (void **)(pointer))

/* As sfgp_allocate_bytes, but not zeroed: pages that are never written cost nothing. */
sfgp_status sfgp_allocate_raw(sfgp_context *context, int64_t count, int64_t size, void **block);

/* Copies a struct of the library into that of a program, which was perhaps compiled with fewer fields at its end, or with
 * more: these are 0. Sizes in bytes. */
void sfgp_struct_copy(const void *own, size_t own_size, size_t size, void *copy);
/* Copies the struct of a program, such as "options", over that of the library, whose later fields stay as they are.
 * SFGP_ERROR_PARAMETER when the library has fewer fields. given may be NULL. */
sfgp_status sfgp_struct_take(sfgp_context *context, const char *name, const void *given, size_t size,
                             void *own, size_t own_size);

/* Makes *block hold at least count elements; *capacity is how many it holds. It grows by half or more. The
 * content is lost when it grows. */
sfgp_status sfgp_reserve_bytes(sfgp_context *context, int64_t count, int64_t size, void **block,
                               int64_t *capacity);
#define sfgp_reserve(context, count, pointer, capacity)                                                      \
    sfgp_reserve_bytes((context), (count), (int64_t)sizeof **(pointer), (void **)(pointer), (capacity))

#endif
