/* Processors. */
#ifndef SFGP_BASE_PLATFORM_CORES_H
#define SFGP_BASE_PLATFORM_CORES_H

#include <stdbool.h>
#include <stdint.h>

int64_t sfgp_platform_cores(void); /* of the machine that are in use; at least 1 */
int64_t
sfgp_platform_own_cores(void); /* those that the process may run on, where the system says so; at least 1 */
/* Whether they have AVX2 and a fused multiply-add; false where the compiler cannot ask. */
bool sfgp_platform_has_avx2(void);

#endif
