/* Facts about files as JSON, for sfgp info and sfgp model info. */
#ifndef SFGP_REPORT_SHAPE_H
#define SFGP_REPORT_SHAPE_H

#include "report/json_text.h"

/* One file: path, format, sizes and measures. NULL: out of memory. */
json_t *report_shape(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info);

/* The same of landmarks: mesh has their points. Adds system, and landmarks, an array. */
json_t *report_landmarks(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info,
                         const sfgp_landmarks *landmarks);

/* A shape model, with the variances of its components. saved_fit: the outcome of a saved fit; NULL: the file is a model. */
json_t *report_model(const char *path, const char *saved_fit, const sfgp_model_info *info,
                     const sfgp_array *variances);

#endif
