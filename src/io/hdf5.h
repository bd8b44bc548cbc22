/* HDF5 files: arrays of numbers and texts by name.
 *
 * libhdf5 does what a file tells it to: a damaged byte can make it crash, loop or take any amount of memory. So
 * it runs in a process of its own (base/platform_child.h, ADR 0021), and what becomes of that process is an error here.
 * Before the data are read, the process compares type, shape, chunks and total size with what a file of this
 * size can hold: numbers of all data sets that are read from one file take at most 64 MiB + 32 times the file.
 *
 * Files of ours start with a digest of all their bytes (hdf5_digest.h). It is compared first. When it agrees, a
 * failure of libhdf5 is one of memory or of the disk. Behind it stands where their data sets lie (hdf5_table.h): these are
 * read without that process, which is started when it is needed.
 *
 * Writing: the process makes the file in memory, and sfgp_file_write gives it its place. Times are not
 * recorded: equal content is equal bytes.
 *
 * A failed write, and a failed search of the file, are kept: later writes do nothing, and every later function
 * that has a status returns that of the failure. So a caller checks once.
 *
 * Names are paths, "/group/name"; attributes are "/group/name@attribute". */
#ifndef SFGP_IO_HDF5_H
#define SFGP_IO_HDF5_H

#include "base/context.h"

#include <stdbool.h>

typedef struct sfgp_hdf5 sfgp_hdf5;

/* path is kept, not copied. Errors: SFGP_ERROR_READ (no such file, or somebody is writing it), _FORMAT,
 * _MEMORY. */
sfgp_status sfgp_hdf5_open(sfgp_context *context, const char *path, sfgp_hdf5 **file);
/* An empty file in memory. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_hdf5_new(sfgp_context *context, sfgp_hdf5 **file);
/* Closes; NULL is allowed. What was not saved is gone. */
void sfgp_hdf5_free(sfgp_hdf5 *file);

/* ---- reading ----------------------------------------------------------------------------------------- */

/* False also when the search failed; that failure is kept. */
bool sfgp_hdf5_has(sfgp_hdf5 *file, const char *name);
/* As sfgp_array_read, of a data set or an attribute. */
sfgp_status sfgp_hdf5_read_array(sfgp_hdf5 *file, const char *name, sfgp_array **array);
/* A text of fixed or variable length of at most size - 1 bytes, without control characters.
 * SFGP_ERROR_FORMAT. */
sfgp_status sfgp_hdf5_read_text(sfgp_hdf5 *file, const char *name, size_t size, char *text);
/* Name of member index of a group, in the order of the names. False past the end, when it does not fit, and
 * when the search failed. */
bool sfgp_hdf5_find_member(sfgp_hdf5 *file, const char *group, int64_t index, size_t size, char *name);
/* The failure that is kept, SFGP_OK without one. Needed after sfgp_hdf5_has and _find_member when no other
 * function follows. */
sfgp_status sfgp_hdf5_status(const sfgp_hdf5 *file);
/* "FILE: data set 'NAME': words" and the status SFGP_ERROR_FORMAT, or the failure that is kept. */
sfgp_status sfgp_hdf5_fail(const sfgp_hdf5 *file, const char *name, const char *format, ...)
    SFGP_PRINTF(3, 4);

/* ---- writing ----------------------------------------------------------------------------------------- */

typedef enum sfgp_hdf5_type {
    SFGP_HDF5_FLOAT64,
    SFGP_HDF5_FLOAT32,
    SFGP_HDF5_INT32,
    SFGP_HDF5_INT64
} sfgp_hdf5_type;

/* Groups on the way are made. rank 0 to 4. The numbers have to be finite, also as that type: else
 * SFGP_ERROR_DATA. */
void sfgp_hdf5_write_numbers(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, int rank,
                             const int64_t *shape, const double *values);
void sfgp_hdf5_write_number(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, double value);
void sfgp_hdf5_write_integers(sfgp_hdf5 *file, const char *name, int64_t count, const int64_t *values);
/* A text of fixed length, data set or attribute; the object of an attribute has to be there. */
void sfgp_hdf5_write_text(sfgp_hdf5 *file, const char *name, const char *text);
void sfgp_hdf5_write_group(sfgp_hdf5 *file, const char *name);
/* To path, a name that ends in .h5 or .hdf5, "-" or a device, whole or not at all. Errors: SFGP_ERROR_PARAMETER (another name),
 * that of the first write that failed, _WRITE, _MEMORY. */
sfgp_status sfgp_hdf5_save(sfgp_hdf5 *file, const char *path);

/* ---- checksum ---------------------------------------------------------------------------------------- */

/* The sfgp_checksum of all numbers and texts that were written, or read, since the start, in this order. A new
 * and an opened file start it. What is read in the order in which it was written has the same sum. */
void sfgp_hdf5_checksum_start(sfgp_hdf5 *file);
uint64_t sfgp_hdf5_checksum(const sfgp_hdf5 *file);
/* Whether the digest vouches for all numbers, which are then read without this sum. */
bool sfgp_hdf5_is_sealed(const sfgp_hdf5 *file);

#endif
