/* Builder: a mesh whose size is not known in advance. Points and corners are appended; the arrays then move
 * into the mesh without a copy. As with a buffer, a failed append is seen at the end. */
#ifndef SFGP_IO_BUILDER_H
#define SFGP_IO_BUILDER_H

#include "io/buffer.h"

typedef struct sfgp_builder {
    int columns; /* numbers a point: 3; a reader may say 2 before the first one */
    int64_t count, face_count;
    int64_t skipped;                             /* faces with fewer than three corners */
    sfgp_buffer points, face_start, face_points; /* double, int64_t, int64_t */
} sfgp_builder;

sfgp_builder sfgp_builder_empty(sfgp_context *context);
void sfgp_builder_clear(sfgp_builder *builder);

void sfgp_builder_point(sfgp_builder *builder, const double *point);
void sfgp_builder_corner(sfgp_builder *builder, int64_t index);
/* Ends the face of the corners since the last one; drops it when there are fewer than three. */
void sfgp_builder_face(sfgp_builder *builder);
/* Triangle number k of a strip, from 0: every second one is turned round. */
void sfgp_builder_strip(sfgp_builder *builder, int64_t k, int64_t a, int64_t b, int64_t c);
sfgp_status sfgp_builder_status(const sfgp_builder *builder);

/* Makes the mesh and empties the builder. dimension 2 drops the third column if it is zero everywhere, and
 * warns otherwise. SFGP_ERROR_DATA without points. path is for messages. */
sfgp_status sfgp_builder_finish(sfgp_builder *builder, const char *path, int dimension, sfgp_mesh **mesh);

#endif
