/* Shared libraries by dlopen. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "base/platform_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

/* Its names are its own: another version of it may be in the process of the caller (h5py has one). */
void *sfgp_library_open(const char *name, size_t size, char *words)
{
    errno = 0;
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    const int number = errno;
    const char *reason = library ? "" : dlerror();
    snprintf(words, size, "%s", reason ? reason : "no reason is known");
    errno = number;
    return library;
}

/* A program that is linked with the library has copies of its variables, which the library uses then, too. */
void *sfgp_library_find(void *library, const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : dlsym(library, name);
}
