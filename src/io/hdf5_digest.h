/* Digest of a whole HDF5 file of ours: the first 512 bytes of it, which HDF5 calls the user block and skips.
 * They hold, as text, the size of the file and the FNV-1a sum of all bytes behind them, so that damage is
 * found before libhdf5 reads the file. The rest (tail -c +513) is an HDF5 file like any other. */
#ifndef SFGP_IO_HDF5_DIGEST_H
#define SFGP_IO_HDF5_DIGEST_H

#include "base/context.h"

#include <stdbool.h>

enum { SFGP_HDF5_DIGEST_SIZE = 512 }; /* bytes: the smallest user block of HDF5 */

/* The user block of a file: size is that of the whole file, sum that of the bytes behind the block. */
void sfgp_hdf5_digest_format(int64_t size, uint64_t sum, char block[SFGP_HDF5_DIGEST_SIZE]);

/* Opens path as every reader does and compares its digest with its bytes. *size: bytes of the file.
 * *verified: there is a digest and it agrees; false for files without one. O(size) with a digest.
 * Errors: SFGP_ERROR_READ, _MEMORY, and _FORMAT when the digest does not agree. */
sfgp_status sfgp_hdf5_digest_check(sfgp_context *context, const char *path, int64_t *size, bool *verified);

#endif
