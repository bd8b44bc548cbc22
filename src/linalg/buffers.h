/* Work buffers of OpenBLAS.
 *
 * Each product maps a buffer of 128 MiB of address space, unless one is free: OpenBLAS keeps those that it has, one for each
 * thread that was in a product at the same time. Where the system refuses a buffer, OpenBLAS asks again for ever, and the
 * call does not return. So the buffers are mapped here, by a thread of their own, before the first product
 * (docs/adr/0057-buffers-of-openblas.md). */
#ifndef SFGP_LINALG_BUFFERS_H
#define SFGP_LINALG_BUFFERS_H

#include "base/context.h"

/* Maps buffers for so many threads in products at the same time, at most 64; those that are mapped already count. Some 0.1 ms
 * for new ones, else nothing. SFGP_ERROR_MEMORY: the system refuses them; the thread goes on asking until there is room or the process
 * ends. Thread-safe. */
sfgp_status sfgp_buffers_map(sfgp_context *context, int threads);

#endif
