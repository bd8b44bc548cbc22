/* In the process that runs libhdf5: the open file, and an open data set of it. Only the files that include
 * this header call libhdf5. Errors go to the context of that process and from there over the socket. */
#ifndef SFGP_IO_HDF5_FILE_H
#define SFGP_IO_HDF5_FILE_H

#include "io/hdf5_library.h"
#include "io/hdf5_table.h"

/* What stands behind H5T_NATIVE_DOUBLE, H5P_FILE_ACCESS and so on. */
#undef H5CHECK
#define H5CHECK /* of the version, which is part of the name of the library */
#undef H5OPEN
#define H5OPEN sfgp_h5.open(),
#define H5T_C_S1_g (*sfgp_h5.T_C_S1_g)
#define H5T_IEEE_F32LE_g (*sfgp_h5.T_IEEE_F32LE_g)
#define H5T_IEEE_F64LE_g (*sfgp_h5.T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g (*sfgp_h5.T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_INT64_g (*sfgp_h5.T_NATIVE_INT64_g)
#define H5T_STD_I32LE_g (*sfgp_h5.T_STD_I32LE_g)
#define H5T_STD_I64LE_g (*sfgp_h5.T_STD_I64LE_g)
#define H5P_CLS_DATASET_ACCESS_ID_g (*sfgp_h5.P_CLS_DATASET_ACCESS_ID_g)
#define H5P_CLS_DATASET_CREATE_ID_g (*sfgp_h5.P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g (*sfgp_h5.P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_FILE_CREATE_ID_g (*sfgp_h5.P_CLS_FILE_CREATE_ID_g)
#define H5P_CLS_LINK_CREATE_ID_g (*sfgp_h5.P_CLS_LINK_CREATE_ID_g)

typedef struct sfgp_hdf5_file {
    sfgp_context *context;
    const char *path;      /* NULL: a new file in memory */
    int64_t size;          /* of the file, bytes */
    int64_t unpacked_left; /* bytes that its numbers may still take */
    int64_t memory_left;   /* bytes that they may still take by the caller's limit */
    bool verified;         /* the digest agrees: the file is whole */
    hid_t file;
    hid_t access;               /* refuses links to other files */
    sfgp_hdf5_table_text table; /* of what was written */
} sfgp_hdf5_file;

/* ---- the file (hdf5_file.c) -------------------------------------------------------------------------- */

/* Opens file->path, or makes a file in memory without one. Nothing has to be closed before the process
 * ends. */
sfgp_status sfgp_hdf5_file_open(sfgp_hdf5_file *file);
/* "/group/name@attribute" cut at the @; attribute is NULL without one. */
void sfgp_hdf5_file_cut(const char *name, char object[SFGP_HDF5_NAME], const char **attribute);
/* SFGP_ERROR_FORMAT: the file has, or has not, what the words say. */
sfgp_status sfgp_hdf5_file_refuse(const sfgp_hdf5_file *file, const char *name, const char *words);
/* libhdf5 failed. SFGP_ERROR_FORMAT, or SFGP_ERROR_MEMORY when the file is known to be whole or is a new one. Whether it was
 * memory that it lacked, the parent finds out (hdf5_repeat.c). */
sfgp_status sfgp_hdf5_file_fail(const sfgp_hdf5_file *file, const char *name, const char *words);

/* ---- data sets (hdf5_set.c) -------------------------------------------------------------------------- */

/* An open data set or attribute and what is read of its header; identifiers below 0 are not open. */
typedef struct sfgp_hdf5_set {
    sfgp_hdf5_file *file;
    const char *name;
    bool attribute, contiguous;
    hid_t set, type, space, layout; /* layout: of data sets */
    int rank;
    hsize_t shape[SFGP_HDF5_RANK];
    int64_t count; /* elements */
} sfgp_hdf5_set;

/* Close it also after an error. */
sfgp_status sfgp_hdf5_set_open(sfgp_hdf5_file *file, const char *name, sfgp_hdf5_set *data);
void sfgp_hdf5_set_close(sfgp_hdf5_set *data);
/* Reads the shape; whether shape, layout and chunks are no more than the file can hold. */
sfgp_status sfgp_hdf5_set_check(sfgp_hdf5_set *data);
/* All elements, converted to the type in memory. */
herr_t sfgp_hdf5_set_read(const sfgp_hdf5_set *data, hid_t type, void *values);

/* ---- what is asked for ------------------------------------------------------------------------------- */

/* Opens a data set of numbers whose type, shape and size are sound (hdf5_set_read.c). */
sfgp_status sfgp_hdf5_set_open_numbers(sfgp_hdf5_file *file, const char *name, sfgp_hdf5_set *data);
/* Numbers of one part, and rows [first, first + rows) of them as doubles: O(1) memory of libhdf5 where
 * they are not in chunks. Data sets of rank 0, attributes and chunks have one part. */
int64_t sfgp_hdf5_set_part(const sfgp_hdf5_set *data, int64_t *rows);
sfgp_status sfgp_hdf5_set_read_rows(const sfgp_hdf5_set *data, int64_t first, int64_t rows, double *values);

/* A text of at most size - 1 bytes (hdf5_file_text.c). */
sfgp_status sfgp_hdf5_file_read_text(sfgp_hdf5_file *file, const char *name, size_t size, char *text);
/* Whether there is an object or attribute of this name (hdf5_file_find.c). */
sfgp_status sfgp_hdf5_file_find(const sfgp_hdf5_file *file, const char *name, bool *found);
/* The name of a member of a group; "" past the end. */
sfgp_status sfgp_hdf5_file_find_member(const sfgp_hdf5_file *file, const char *group, int64_t index,
                                       char name[SFGP_HDF5_NAME]);

/* Writing (hdf5_file_write.c): values are doubles, or integers of 64 bits as the request says. */
sfgp_status sfgp_hdf5_file_write_numbers(sfgp_hdf5_file *file, const sfgp_hdf5_request *request,
                                         const void *values);
sfgp_status sfgp_hdf5_file_write_text(sfgp_hdf5_file *file, const char *name, const char *text);
sfgp_status sfgp_hdf5_file_write_group(sfgp_hdf5_file *file, const char *name);
/* The bytes of the file behind its user block; sfgp_free. */
sfgp_status sfgp_hdf5_file_image(sfgp_hdf5_file *file, void **image, int64_t *size);

#endif
