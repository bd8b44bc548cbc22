/* HDF5 as JSON, .h5.json: reading only. */
#ifndef SFGP_IO_HDF5_JSON_H
#define SFGP_IO_HDF5_JSON_H

#include "io/hdf5.h"

#define SFGP_HDF5_JSON ".h5.json" /* the end of such a name */
/* Writes what stands in the JSON into a new file. SFGP_ERROR_READ, _FORMAT, _DATA (not finite), _MEMORY. */
sfgp_status sfgp_hdf5_fill_from_json(sfgp_context *context, const char *path, sfgp_hdf5 *file);

#endif
