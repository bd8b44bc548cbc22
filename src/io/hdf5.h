/* HDF5 files: arrays of numbers and texts by name, read with care and written whole.
 *
 * Reading. The library reads what it is told to: sizes in a header decide what it allocates, an external link
 * or data kept "outside" make it open any other file. So the layout is looked at before anything is read:
 * data lie in the file itself, compact, contiguous or in chunks, and shape and chunks are no larger than the
 * stored bytes can stand for. Every error names file and data set.
 *
 * Writing. The file is made in memory and goes to its place by sfgp_file_write. Times are not tracked: equal
 * content is equal bytes. A failed put is kept and turns the later ones into nothing, so that a writer
 * checks once, when it saves.
 *
 * HDF5 is not re-entrant as packaged everywhere: one mutex is held, and its own printing is off, from open or
 * new to free. So a thread has one file open at a time. The printing is off again when the process ends.
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

bool sfgp_hdf5_has(const sfgp_hdf5 *file, const char *name);
/* As sfgp_array_read, of a data set or an attribute. */
sfgp_status sfgp_hdf5_array(sfgp_hdf5 *file, const char *name, sfgp_array **array);
/* A text of fixed or variable length of at most size - 1 bytes. SFGP_ERROR_FORMAT. */
sfgp_status sfgp_hdf5_text(sfgp_hdf5 *file, const char *name, size_t size, char *text);
/* Name of member index of a group, in the order of the names; false past the end or when it does not fit. */
bool sfgp_hdf5_member(const sfgp_hdf5 *file, const char *group, int64_t index, size_t size, char *name);
/* "FILE: data set 'NAME': words" and the status SFGP_ERROR_FORMAT. */
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
void sfgp_hdf5_put(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, int rank, const int64_t *shape,
                   const double *values);
void sfgp_hdf5_put_number(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, double value);
void sfgp_hdf5_put_integers(sfgp_hdf5 *file, const char *name, int64_t count, const int64_t *values);
/* A text of fixed length, data set or attribute; the object of an attribute has to be there. */
void sfgp_hdf5_put_text(sfgp_hdf5 *file, const char *name, const char *text);
void sfgp_hdf5_put_group(sfgp_hdf5 *file, const char *name);
/* To path, whole or not at all; the status of the puts if one failed. */
sfgp_status sfgp_hdf5_save(sfgp_hdf5 *file, const char *path);

/* ---- checksum ---------------------------------------------------------------------------------------- */

/* A running 64-bit FNV-1a over the numbers and texts that were put since the start, or read since then, in
 * their order: what is read back in the order it was put has the same sum. A new or opened file starts it. */
void sfgp_hdf5_checksum_start(sfgp_hdf5 *file);
uint64_t sfgp_hdf5_checksum(const sfgp_hdf5 *file);

#endif
