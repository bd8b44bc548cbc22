/* SFGP_SIMD marks a function that is compiled for several instruction sets; the best is chosen at start-up.
 * SFGP_SIMD_EXACT uses no set with a fused multiply-add, so that results do not depend on the machine.
 * Sanitizers are not ready when the loader chooses, and clang renames the function: with either there are no
 * clones. */
#ifndef SFGP_BASE_SIMD_H
#define SFGP_BASE_SIMD_H

#include <stdint.h> /* any header of the C library: it says which one it is */

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SFGP_SIMD __attribute__((target_clones("avx512f", "avx2", "default")))
#define SFGP_SIMD_EXACT __attribute__((target_clones("default", "avx2")))
#else
#define SFGP_SIMD
#define SFGP_SIMD_EXACT
#endif

#endif
