/* SFGP_SIMD marks a function that is compiled for several instruction sets, the best being chosen at
 * start-up. */
#ifndef SFGP_BASE_SIMD_H
#define SFGP_BASE_SIMD_H

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__)
#define SFGP_SIMD __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SFGP_SIMD
#endif

#endif
