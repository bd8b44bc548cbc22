/* zlib with memory that is taken as everywhere else. */
#ifndef SFGP_IO_ZLIB_STREAM_H
#define SFGP_IO_ZLIB_STREAM_H

#include "base/context.h"

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

/* windowBits for gzip alone; at most this many bytes in one call, as zlib counts in 32 bits. */
enum { SFGP_ZLIB_GZIP = 16 + MAX_WBITS, SFGP_ZLIB_AT_ONCE = 1 << 30 };

/* For inflateInit2 or deflateInit2, which fail for want of memory alone: the error is set then. */
z_stream sfgp_zlib_stream(sfgp_context *context);

/* Bytes as a gzip file, for outputs called .gz. Equal bytes give equal files: no name, no time. *packed: sfgp_free. Errors:
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_pack(sfgp_context *context, const void *bytes, int64_t size, unsigned char **packed,
                      int64_t *packed_size);

#endif
