/* The model inside an HDF5 file: the group /sfgp with all that a fit needs in double precision. A model file
 * has it beside the Statismo layout, a saved fit beside its coefficients (docs/models.md).
 *
 * The checksum in it covers all that was written since sfgp_hdf5_checksum_start (or since the file was made). A
 * reader has to read the same things in the same order before it reads the group. */
#ifndef SFGP_MODEL_FILE_H
#define SFGP_MODEL_FILE_H

#include "io/hdf5.h"
#include "model/model.h"

#define SFGP_MODEL_GROUP "/sfgp"
#define SFGP_MODEL_VERSION 2

/* Writes /sfgp. SFGP_ERROR_MEMORY; other errors are those of the save. */
sfgp_status sfgp_model_write_group(sfgp_context *context, sfgp_hdf5 *file, const sfgp_model *model);
/* Reads what sfgp_model_write_group wrote, bit by bit, and checks the sum. SFGP_ERROR_FORMAT, _DATA, _MEMORY. */
sfgp_status sfgp_model_read_group(sfgp_context *context, sfgp_hdf5 *file, sfgp_model **model);

/* Of a field in the sparse form; without one nothing. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_model_write_field(sfgp_context *context, sfgp_hdf5 *file, const sfgp_markov *field);
/* Sets the model's field where the file has one; its points are read. SFGP_ERROR_FORMAT, _DATA, _MEMORY. */
sfgp_status sfgp_model_read_field(sfgp_context *context, sfgp_hdf5 *file, sfgp_model *model);
/* Makes Q of that field, after all is read. SFGP_ERROR_FORMAT, _MEMORY. */
sfgp_status sfgp_model_restore_field(sfgp_context *context, sfgp_hdf5 *file, sfgp_model *model);

#endif
