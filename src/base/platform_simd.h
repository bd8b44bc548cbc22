/* Whether a function can be compiled for several instruction sets, of which the loader chooses: SFGP_PLATFORM_CLONES is 1 or
 * 0. It needs x86-64, glibc and gcc 12. Sanitizers are not ready when the loader chooses, and clang renames the function. */
#ifndef SFGP_BASE_PLATFORM_SIMD_H
#define SFGP_BASE_PLATFORM_SIMD_H

#include <stdint.h> /* any header of the C library: it says which one it is */

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 &&                      \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SFGP_PLATFORM_CLONES 1
#else
#define SFGP_PLATFORM_CLONES 0
#endif

#endif
