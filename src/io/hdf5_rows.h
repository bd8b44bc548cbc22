/* The data sets of an HDF5 file of ours, read where they lie, without libhdf5 (ADR 0044). */
#ifndef SFGP_IO_HDF5_ROWS_H
#define SFGP_IO_HDF5_ROWS_H

#include "io/hdf5_table.h"
#include "io/input.h"

typedef struct sfgp_hdf5_rows {
    sfgp_hdf5_table table;
    sfgp_input input;
    int64_t left; /* bytes that the numbers may still take, all together */
} sfgp_hdf5_rows;

/* The table of an open file, whose digest agrees. rows->input is as it was: set it before. Errors: SFGP_ERROR_READ,
 * _FORMAT. */
sfgp_status sfgp_hdf5_rows_read_table(sfgp_hdf5_rows *rows);

/* The numbers of a row as doubles; sfgp_free. SFGP_ERROR_READ, _MEMORY. */
sfgp_status sfgp_hdf5_rows_read_numbers(sfgp_hdf5_rows *rows, const sfgp_hdf5_row *row, double **values);
/* A text of at most size - 1 bytes, without control characters. SFGP_ERROR_READ, _FORMAT. */
sfgp_status sfgp_hdf5_rows_read_text(const sfgp_hdf5_rows *rows, const sfgp_hdf5_row *row, size_t size,
                                     char *text);

/* ---- common to both ways of reading ------------------------------------------------------------------ */

/* Texts are shown to people, on terminals too: no control characters. */
bool sfgp_hdf5_is_plain(const char *text);
/* SFGP_ERROR_MEMORY: the numbers of a data set need more bytes than the caller's limit leaves. */
sfgp_status sfgp_hdf5_fail_limit(sfgp_context *context, const char *name, double bytes);

#endif
