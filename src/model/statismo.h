/* The Statismo layout of a shape model in HDF5, version 0.9, as Statismo and Scalismo read and write it
 * (docs/models.md has the table): representer, mean, basis, variances, in the unit of the files and in single
 * precision. */
#ifndef SFGP_MODEL_STATISMO_H
#define SFGP_MODEL_STATISMO_H

#include "io/hdf5.h"
#include "model/modes.h"

/* Writes the whole layout; the checksum starts before its arrays. SFGP_ERROR_MEMORY; others are those of the
 * save. */
sfgp_status sfgp_statismo_write(sfgp_context *context, sfgp_hdf5 *file, const sfgp_model *model,
                                const sfgp_modes *modes);
/* Starts the checksum and reads the arrays for it, in the order in which they were written. */
sfgp_status sfgp_statismo_add_checksum(sfgp_hdf5 *file);
/* A model whose layout stands below root ("" or "/name"): a PCA prior with the mean given.
 * SFGP_ERROR_FORMAT, _DATA, _MEMORY. */
sfgp_status sfgp_statismo_read(sfgp_context *context, sfgp_hdf5 *file, const char *root, sfgp_model **model);

#endif
