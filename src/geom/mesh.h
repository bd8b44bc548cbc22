/* Mesh: checks of what a caller or a file gives, and copies of some points. */
#ifndef SFGP_GEOM_MESH_H
#define SFGP_GEOM_MESH_H

#include "base/context.h"

/* SFGP_ERROR_DATA naming the first point that is not finite; role is "reference", "target" or a path. */
sfgp_status sfgp_mesh_check_finite(sfgp_context *context, const char *role, const sfgp_mesh *mesh);
/* SFGP_ERROR_PARAMETER: faces without arrays, with fewer than three corners, or with points that do not
 * exist. */
sfgp_status sfgp_mesh_check_faces(sfgp_context *context, const sfgp_mesh *mesh);

/* A mesh of the points that index (count) names, without faces. The caller frees it. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_mesh_select(sfgp_context *context, const sfgp_mesh *mesh, int64_t count,
                             const int64_t *index, sfgp_mesh **part);

#endif
