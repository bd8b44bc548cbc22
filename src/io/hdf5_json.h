/* HDF5 as JSON, .h5.json: reading only. */
#ifndef SFGP_IO_HDF5_JSON_H
#define SFGP_IO_HDF5_JSON_H

#include "io/hdf5.h"

/* By the end of its name, .h5.json. */
bool sfgp_hdf5_is_json(const char *path);
/* Writes what stands in the JSON into a new file. SFGP_ERROR_READ, _FORMAT, _DATA (not finite), _MEMORY. */
sfgp_status sfgp_hdf5_fill_from_json(sfgp_context *context, const char *path, sfgp_hdf5 *file);

#endif
