/* What the files hdf5*.c share: the open file, and an open data set of it. */
#ifndef SFGP_IO_HDF5_FILE_H
#define SFGP_IO_HDF5_FILE_H

#include "io/hdf5.h"

#include <hdf5.h>

enum { SFGP_HDF5_RANK = 4 };

struct sfgp_hdf5 {
    sfgp_context *context;
    const char *path; /* NULL: in memory */
    int64_t file_size;
    hid_t file, access; /* access: refuses links to other files */
    sfgp_status status; /* of the puts */
    uint64_t checksum;
    H5E_auto2_t print; /* HDF5's own printing, put back when the file is closed */
    void *print_user;
};

/* "/group/name@attribute" cut at the @; attribute is NULL without one. False when it does not fit. */
#define SFGP_HDF5_NAME 512
bool sfgp_hdf5_cut(const char *name, char object[SFGP_HDF5_NAME], const char **attribute);

/* An open data set or attribute and what is read of its header; identifiers below 0 are not open. */
typedef struct sfgp_hdf5_set {
    sfgp_hdf5 *file;
    const char *name;
    bool attribute;
    hid_t set, type, space, layout; /* layout: of data sets */
    int rank;
    hsize_t shape[SFGP_HDF5_RANK];
} sfgp_hdf5_set;

/* Opens a data set or attribute; close it also after an error. */
sfgp_status sfgp_hdf5_set_open(sfgp_hdf5 *file, const char *name, sfgp_hdf5_set *data);
void sfgp_hdf5_set_close(sfgp_hdf5_set *data);
/* Reads the shape; whether shape, layout and chunks are no more than the file can hold. */
sfgp_status sfgp_hdf5_set_check(sfgp_hdf5_set *data);
/* All elements, converted to the type in memory. */
herr_t sfgp_hdf5_set_read(const sfgp_hdf5_set *data, hid_t type, void *values);
sfgp_status sfgp_hdf5_set_fail(const sfgp_hdf5_set *data, const char *reason);

/* Adds to the running checksum. */
void sfgp_hdf5_sum_numbers(sfgp_hdf5 *file, int64_t count, const double *values);
void sfgp_hdf5_sum_text(sfgp_hdf5 *file, const char *text);

#endif
