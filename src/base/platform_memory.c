/* Address space, asked for by mmap. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/platform_memory.h"

#include <sys/mman.h>

bool sfgp_platform_has_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    munmap(room, bytes);
    return true;
}
