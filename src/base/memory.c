/* Checked and aligned memory: a header before each block remembers how to release it, so that a block may
 * outlive its context. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64

static void *standard_allocate(size_t bytes, void *user)
{
    (void)user;
    return malloc(bytes);
}

static void standard_release(void *block, void *user)
{
    (void)user;
    free(block);
}

const sfgp_allocator sfgp_memory_standard = {standard_allocate, standard_release, NULL};

/* Stands in the 64 bytes before each block. */
typedef struct block_header {
    void *start;
    void (*release)(void *block, void *user);
    void *user;
} block_header;

_Static_assert(sizeof(block_header) <= ALIGNMENT, "the header fits in front of an aligned block");

bool sfgp_product(int64_t a, int64_t b, int64_t *product)
{
    return a >= 0 && b >= 0 && !__builtin_mul_overflow(a, b, product);
}

/* calloc does not touch pages that the system has just zeroed. */
static void *new_memory(const sfgp_allocator *allocator, size_t bytes, bool zeroed)
{
    if (zeroed && allocator->allocate == standard_allocate)
        return calloc(bytes, 1);
    void *start = allocator->allocate(bytes, allocator->user);
    return zeroed && start ? memset(start, 0, bytes) : start;
}

static void *new_block(const sfgp_allocator *allocator, size_t bytes, bool zeroed)
{
    if (bytes > PTRDIFF_MAX - 2 * ALIGNMENT)
        return NULL;
    /* a block of no bytes has one, so that its address lies within what was allocated: valgrind takes it for lost otherwise */
    char *start = new_memory(allocator, bytes + 2 * ALIGNMENT + (bytes == 0), zeroed);
    if (!start)
        return NULL;
    char *block = start + 2 * ALIGNMENT - (uintptr_t)start % ALIGNMENT;
    block_header header = {start, allocator->release, allocator->user};
    memcpy(block - sizeof header, &header, sizeof header);
    return block;
}

void *sfgp_memory_new(const sfgp_allocator *allocator, size_t bytes)
{
    return new_block(allocator, bytes, true);
}

static sfgp_status allocate(sfgp_context *context, int64_t count, int64_t size, bool zeroed, void **block)
{
    int64_t bytes = 0;
    *block = sfgp_product(count, size, &bytes) ? new_block(&context->allocator, (size_t)bytes, zeroed) : NULL;
    if (*block)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory: %lld x %lld bytes", (long long)count,
                     (long long)size);
}

sfgp_status sfgp_allocate_raw(sfgp_context *context, int64_t count, int64_t size, void **block)
{
    return allocate(context, count, size, false, block);
}

sfgp_status sfgp_allocate_bytes(sfgp_context *context, int64_t count, int64_t size, void **block)
{
    return allocate(context, count, size, true, block);
}

sfgp_status sfgp_reserve_bytes(sfgp_context *context, int64_t count, int64_t size, void **block,
                               int64_t *capacity)
{
    if (*block && count <= *capacity)
        return SFGP_OK;
    int64_t room = *capacity + *capacity / 2;
    sfgp_free(*block);
    *block = NULL;
    *capacity = 0;
    if (room < count)
        room = count;
    sfgp_status status = sfgp_allocate_bytes(context, room, size, block);
    if (status == SFGP_OK)
        *capacity = room;
    return status;
}

void sfgp_free(void *block)
{
    block_header header;
    if (!block)
        return;
    memcpy(&header, (char *)block - sizeof header, sizeof header);
    header.release(header.start, header.user);
}

void sfgp_struct_copy(const void *own, size_t own_size, size_t size, void *copy)
{
    memset(copy, 0, size);
    memcpy(copy, own, size < own_size ? size : own_size);
}

sfgp_status sfgp_struct_take(sfgp_context *context, const char *name, const void *given, size_t size,
                             void *own, size_t own_size)
{
    if (size > own_size)
        return sfgp_fail(
            context, SFGP_ERROR_PARAMETER,
            "%s: of %zu bytes, the library knows up to %zu; use a library that is not older than "
            "the program",
            name, size, own_size);
    if (given)
        memcpy(own, given, size);
    return SFGP_OK;
}
