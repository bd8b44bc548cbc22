/* The first bytes of an HDF5 file of ours, which HDF5 calls the user block and skips. They hold, as text, the size of the
 * file, a sum of its bytes, by which damage is found before anything is read, and where the data sets lie
 * (hdf5_rows.h). The rest (tail -c +4097) is an HDF5 file like any other.
 *
 * Version 1, which is read, has 512 bytes, FNV-1a of those behind them, and no data sets. */
#ifndef SFGP_IO_HDF5_DIGEST_H
#define SFGP_IO_HDF5_DIGEST_H

#include "io/input.h"

enum {
    SFGP_HDF5_DIGEST_SIZE = 4096, /* bytes: a user block is a power of two, from 512 on */
    SFGP_HDF5_HEAD_SIZE =
        64 /* magic, size and sum; the sum is of the bytes from here on, the table is there */
};

/* What a digest says. */
typedef enum sfgp_hdf5_digest {
    SFGP_HDF5_NO_DIGEST,
    SFGP_HDF5_DIGEST,           /* it agrees */
    SFGP_HDF5_DIGEST_WITH_TABLE /* likewise */
} sfgp_hdf5_digest;

/* Fills in the first SFGP_HDF5_DIGEST_SIZE of the bytes of a whole file. */
void sfgp_hdf5_digest_write(const char *table, int64_t size, char *bytes);
/* Compares the digest of a file, which is not standard input, with its bytes. O(size) with a digest. SFGP_ERROR_READ, _MEMORY,
 * and _FORMAT when it does not agree. */
sfgp_status sfgp_hdf5_digest_check(const sfgp_input *input, sfgp_hdf5_digest *found);

#endif
