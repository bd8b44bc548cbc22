/* SFGP_SIMD marks a function that is compiled for several instruction sets; the best is chosen at start-up.
 * SFGP_SIMD_EXACT uses no set with a fused multiply-add, so that results do not depend on the machine. */
#ifndef SFGP_BASE_SIMD_H
#define SFGP_BASE_SIMD_H

#include "base/platform_simd.h"

#if SFGP_PLATFORM_CLONES
#define SFGP_SIMD __attribute__((target_clones("avx512f", "avx2", "default")))
#define SFGP_SIMD_EXACT __attribute__((target_clones("default", "avx2")))
#else
#define SFGP_SIMD
#define SFGP_SIMD_EXACT
#endif

#endif
