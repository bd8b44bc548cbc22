/* What the groups of our own have in common, those of models and of saved fits: a version, finite numbers
 * of a known shape, and last a checksum over all numbers and texts in the order in which they were written.
 * A reader has to read them in the same order. Errors of reading: SFGP_ERROR_FORMAT, _MEMORY. */
#ifndef SFGP_IO_HDF5_GROUP_H
#define SFGP_IO_HDF5_GROUP_H

#include "io/hdf5.h"

void sfgp_hdf5_write_matrix(sfgp_hdf5 *file, const char *name, int64_t rows, int64_t columns,
                            const double *values);
/* The sum since sfgp_hdf5_checksum_start, as text. */
void sfgp_hdf5_write_checksum(sfgp_hdf5 *file, const char *name);

/* The version of a group; newer than newest is refused. */
sfgp_status sfgp_hdf5_check_version(sfgp_hdf5 *file, const char *name, int newest);
/* Whether the sum of what was read since sfgp_hdf5_checksum_start is the one that was written. */
sfgp_status sfgp_hdf5_check_checksum(sfgp_hdf5 *file, const char *name);

/* As sfgp_hdf5_read_array; every value is finite. */
sfgp_status sfgp_hdf5_read_finite(sfgp_hdf5 *file, const char *name, sfgp_array **array);
/* One finite number from least to most. */
sfgp_status sfgp_hdf5_read_number(sfgp_hdf5 *file, const char *name, double least, double most,
                                  double *number);
/* count finite numbers of any shape, into values. */
sfgp_status sfgp_hdf5_read_values(sfgp_hdf5 *file, const char *name, int64_t count, double *values);
/* A finite matrix of rows rows; *columns (0: any number of them, then set); *values is the caller's. */
sfgp_status sfgp_hdf5_read_matrix(sfgp_hdf5 *file, const char *name, int64_t rows, int64_t *columns,
                                  double **values);
/* Whole numbers from 0 to most; *integers is the caller's. */
sfgp_status sfgp_hdf5_read_integers(sfgp_hdf5 *file, const char *name, int64_t most, int64_t *count,
                                    int64_t **integers);

#endif
