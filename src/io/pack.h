/* Pack: bytes as a gzip file, for outputs called .gz. Equal bytes give equal files: no name, no time. */
#ifndef SFGP_IO_PACK_H
#define SFGP_IO_PACK_H

#include "base/context.h"

/* *packed: sfgp_free. Errors: SFGP_ERROR_MEMORY. */
sfgp_status sfgp_pack(sfgp_context *context, const void *bytes, int64_t size, unsigned char **packed,
                      int64_t *packed_size);

#endif
