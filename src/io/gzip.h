/* Gzip (RFC 1952): what a packed file holds, inflated by zlib as it is read, front to back. Memory does not grow with
 * the file. When it is opened the whole file is inflated once, for its checksums and its size; that is refused where
 * it grows beyond a limit, before a reader believes a count in it. */
#ifndef SFGP_IO_GZIP_H
#define SFGP_IO_GZIP_H

#include "io/input.h"

#include <stdbool.h>

/* The most that a packed byte may stand for, and the most of all. What is below the free size is always allowed. */
#define SFGP_GZIP_RATIO 100
#define SFGP_GZIP_FREE ((int64_t)1 << 20)
#define SFGP_GZIP_MOST ((int64_t)16 << 30)

typedef struct sfgp_gzip sfgp_gzip;

/* By the first bytes. */
bool sfgp_gzip_is(const unsigned char *bytes, int64_t length);

/* size: of what it holds. Several members are one file. input is kept, not copied.
 * Errors: SFGP_ERROR_FORMAT (damaged, cut short, beyond the limit), _READ, _MEMORY. */
sfgp_status sfgp_gzip_open(const sfgp_input *input, sfgp_gzip **gzip, int64_t *size);
void sfgp_gzip_close(sfgp_gzip *gzip);

/* Exactly length bytes from offset on, which must not lie before the end of the last read. */
sfgp_status sfgp_gzip_read(sfgp_gzip *gzip, int64_t offset, int64_t length, unsigned char *bytes);

#endif
