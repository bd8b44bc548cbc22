/* Address space, asked for by mmap, and its limits. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/platform_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

bool sfgp_platform_has_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    munmap(room, bytes);
    return true;
}

static bool is_limited(int resource)
{
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool sfgp_platform_room_is_limited(void)
{
    return is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA);
}
