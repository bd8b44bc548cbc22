/* Address space. */
#ifndef SFGP_BASE_PLATFORM_MEMORY_H
#define SFGP_BASE_PLATFORM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether so many bytes can be mapped now. They are given back. */
bool sfgp_platform_has_room(size_t bytes);

#endif
