/* Where the data sets of an HDF5 file of ours lie: a table of text in front of the file (hdf5_digest.h, docs/models.md), by
 * which they are read without libhdf5. It has all data sets and groups, one a line:
 *
 *     NAME float64 | float32 | int32 | int64 | text FIRST_BYTE SIZE...
 *     NAME group
 *
 * An empty line ends it. Numbers have their lowest byte first. */
#ifndef SFGP_IO_HDF5_TABLE_H
#define SFGP_IO_HDF5_TABLE_H

#include "io/hdf5_wire.h"

enum {
    SFGP_HDF5_TABLE_SIZE = 3584, /* bytes of the text, its final 0 included */
    SFGP_HDF5_TABLE_ROWS = 64,
    SFGP_HDF5_TABLE_NAME = 64
};

typedef enum sfgp_hdf5_kind { SFGP_HDF5_GROUP, SFGP_HDF5_TEXT, SFGP_HDF5_NUMBERS } sfgp_hdf5_kind;

typedef struct sfgp_hdf5_row {
    char name[SFGP_HDF5_TABLE_NAME];
    sfgp_hdf5_kind kind;
    sfgp_hdf5_type type; /* of numbers */
    int rank;
    int64_t shape[SFGP_HDF5_RANK]; /* 1 past the rank */
    int64_t first;                 /* byte of the file */
    int64_t count;                 /* elements */
} sfgp_hdf5_row;

typedef struct sfgp_hdf5_table {
    int count;
    sfgp_hdf5_row rows[SFGP_HDF5_TABLE_ROWS];
} sfgp_hdf5_table;

/* Bytes of an element. */
int sfgp_hdf5_row_size(const sfgp_hdf5_row *row);

/* Reads the text of a file of size bytes, within which all data sets have to lie. False: it is damaged. */
bool sfgp_hdf5_table_parse(const char *text, int64_t size, sfgp_hdf5_table *table);
/* The row of this name; NULL: there is none. */
const sfgp_hdf5_row *sfgp_hdf5_table_find(const sfgp_hdf5_table *table, const char *name);
/* Whether there is a data set or group of this name; a group may have no row but those of its content. */
bool sfgp_hdf5_table_has(const sfgp_hdf5_table *table, const char *name);

/* The text as it grows. */
typedef struct sfgp_hdf5_table_text {
    char text[SFGP_HDF5_TABLE_SIZE];
    int length, rows;
    bool incomplete; /* a row was too long, or one too many: there is no table then */
} sfgp_hdf5_table_text;
void sfgp_hdf5_table_add(const char *name, const sfgp_hdf5_row *row, sfgp_hdf5_table_text *text);

#endif
