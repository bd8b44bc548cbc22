/* A z_stream that takes its memory as everything else does. */
#ifndef SFGP_IO_ZLIB_STREAM_H
#define SFGP_IO_ZLIB_STREAM_H

#include "base/context.h"

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

/* windowBits for gzip alone; at most this many bytes in one call, as zlib counts in 32 bits. */
enum { SFGP_ZLIB_GZIP = 16 + MAX_WBITS, SFGP_ZLIB_AT_ONCE = 1 << 30 };

/* For inflateInit2 or deflateInit2, which fail for want of memory alone: the error is set then. */
z_stream sfgp_zlib_stream(sfgp_context *context);

#endif
