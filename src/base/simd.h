/* SFGP_SIMD marks a function that is compiled for several instruction sets; the best is chosen at start-up. They are the levels of
 * x86-64: v3 has registers of 32 bytes (AVX2) and a fused multiply-add, v4 registers of 64 bytes (AVX-512).
 * SFGP_SIMD_WIDEST marks one for v4 only, to be called if sfgp_simd_is_widest().
 * SFGP_SIMD_EXACT uses no set with a fused multiply-add, so that results do not depend on the machine. */
#ifndef SFGP_BASE_SIMD_H
#define SFGP_BASE_SIMD_H

#include "base/platform.h"

#include <stdbool.h>

#if SFGP_PLATFORM_CLONES
#define SFGP_SIMD __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define SFGP_SIMD_WIDEST __attribute__((target("arch=x86-64-v4")))
#define SFGP_SIMD_EXACT __attribute__((target_clones("default", "avx2")))
static inline bool sfgp_simd_is_widest(void)
{
    return __builtin_cpu_supports("x86-64-v4");
}
#else
#define SFGP_SIMD
#define SFGP_SIMD_EXACT
#endif

#endif
