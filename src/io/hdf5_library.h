/* The functions of libhdf5 that are called, sfgp_h5.Fopen for H5Fopen and so on. Where the system can, libhdf5 is loaded with the
 * first HDF5 file that needs it: it brings thirty other libraries, half of the time that the program takes to start (ADR 0069). */
#ifndef SFGP_IO_HDF5_LIBRARY_H
#define SFGP_IO_HDF5_LIBRARY_H

#include "sfgp/sfgp.h"

#include <hdf5.h>

/* One row for each function that is called, and for each identifier that a name like H5T_NATIVE_DOUBLE stands for. */
/* clang-format off */
#define SFGP_HDF5_FUNCTIONS(X) \
    X(Aclose) X(Acreate_by_name) X(Aexists_by_name) X(Aget_space) X(Aget_storage_size) X(Aget_type) \
    X(Aopen_by_name) X(Aread) X(Awrite) X(Dclose) X(Dcreate2) X(Dget_create_plist) X(Dget_offset) \
    X(Dget_space) X(Dget_storage_size) X(Dget_type) X(Dopen2) X(Dread) X(Dwrite) X(Eset_auto2) \
    X(Fcreate) X(Fflush) X(Fget_file_image) X(Fopen) X(Gclose) X(Gcreate2) X(Gget_info_by_name) \
    X(Gopen2) X(Lexists) X(Lget_name_by_idx) X(Oexists_by_name) X(Pclose) X(Pcreate) X(Pget_chunk) \
    X(Pget_external_count) X(Pget_layout) X(Pget_nfilters) X(Pset_create_intermediate_group) \
    X(Pset_elink_cb) X(Pset_fapl_core) X(Pset_fapl_sec2) X(Pset_obj_track_times) X(Pset_userblock) \
    X(Sclose) X(Screate) X(Screate_simple) X(Sget_simple_extent_dims) X(Sget_simple_extent_ndims) \
    X(Sget_simple_extent_npoints) X(Sget_simple_extent_type) X(Sselect_hyperslab) X(Tclose) X(Tcopy) \
    X(Tget_class) X(Tget_cset) X(Tget_fields) X(Tget_offset) X(Tget_precision) X(Tget_size) \
    X(Tget_super) X(Tis_variable_str) X(Tset_cset) X(Tset_size) X(free_memory) X(open)
#define SFGP_HDF5_IDENTIFIERS(X) \
    X(T_C_S1_g) X(T_IEEE_F32LE_g) X(T_IEEE_F64LE_g) X(T_NATIVE_DOUBLE_g) X(T_NATIVE_INT64_g) \
    X(T_STD_I32LE_g) X(T_STD_I64LE_g) X(P_CLS_DATASET_ACCESS_ID_g) X(P_CLS_DATASET_CREATE_ID_g) \
    X(P_CLS_FILE_ACCESS_ID_g) X(P_CLS_FILE_CREATE_ID_g) X(P_CLS_LINK_CREATE_ID_g)
/* clang-format on */

typedef struct sfgp_hdf5_library {
#define SFGP_FUNCTION(name) __typeof__(&H5##name) name;
#define SFGP_IDENTIFIER(name) hid_t *name;
    SFGP_HDF5_FUNCTIONS(SFGP_FUNCTION)
    SFGP_HDF5_IDENTIFIERS(SFGP_IDENTIFIER)
#undef SFGP_FUNCTION
#undef SFGP_IDENTIFIER
} sfgp_hdf5_library;
extern sfgp_hdf5_library sfgp_h5; /* empty before sfgp_hdf5_load */

/* Fills sfgp_h5, for all later calls of the process; from any thread. SFGP_ERROR_MEMORY, or SFGP_ERROR_READ when there is no
 * such library. */
sfgp_status sfgp_hdf5_load(sfgp_context *context);

#endif
