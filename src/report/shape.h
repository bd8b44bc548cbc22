/* Facts about mesh files as JSON, for sfgp info. */
#ifndef SFGP_REPORT_SHAPE_H
#define SFGP_REPORT_SHAPE_H

#include "report/json_text.h"

/* One file: path, format, sizes and measures. NULL: out of memory. */
json_t *report_shape(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info);

/* The same of landmarks: mesh has their points. Adds system, and landmarks, an array. */
json_t *report_landmarks(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info,
                         const sfgp_landmarks *landmarks);

#endif
