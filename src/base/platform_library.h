/* Shared libraries that are loaded when they are needed. */
#ifndef SFGP_BASE_PLATFORM_LIBRARY_H
#define SFGP_BASE_PLATFORM_LIBRARY_H

#include <stddef.h>

/* Loads a shared library by its name, for the rest of the process. NULL when it cannot be loaded: words
 * (size bytes) say why, and errno is ENOMEM if there was no memory. */
void *sfgp_library_open(const char *name, size_t size, char *words);
/* The address of a function or variable of it; NULL when there is none. */
void *sfgp_library_find(void *library, const char *name);

#endif
