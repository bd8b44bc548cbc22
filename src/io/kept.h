/* Kept: what a PLY or OBJ holds beside points and faces, in the words and bytes of the file, so that a mesh whose points
 * have moved can be written with its colours, texture, groups and materials. Normals are left out: they would be wrong.
 * A reader that is asked to fills the parts of a keeper; they become one block that the mesh owns.
 *   OBJ  SFGP_KEPT_HEAD: the lines of the file; of a point only what stands behind its coordinates, of a corner its
 *        point and texture.
 *   PLY  SFGP_KEPT_HEAD: comments; then for points and for faces: lines of properties, rows in little endian, and
 *        where each row ends (int64_t). */
#ifndef SFGP_IO_KEPT_H
#define SFGP_IO_KEPT_H

#include "io/buffer.h"
#include "io/token.h"

/* Names of the formats, compared by their place. */
extern const char SFGP_PLY[], SFGP_OBJ[];

typedef enum sfgp_kept_part {
    SFGP_KEPT_HEAD,
    SFGP_KEPT_POINT_HEAD,
    SFGP_KEPT_POINTS,
    SFGP_KEPT_POINT_ENDS,
    SFGP_KEPT_FACE_HEAD,
    SFGP_KEPT_FACES,
    SFGP_KEPT_FACE_ENDS,
    SFGP_KEPT_PARTS
} sfgp_kept_part;

typedef struct sfgp_keeper {
    bool wanted;
    sfgp_buffer parts[SFGP_KEPT_PARTS];
} sfgp_keeper;

sfgp_keeper sfgp_keeper_start(sfgp_context *context, bool wanted);
void sfgp_keeper_clear(sfgp_keeper *keeper);
/* Ends a row of points or faces. */
void sfgp_keeper_end_row(sfgp_keeper *keeper, sfgp_kept_part rows);
/* Gives what was kept to the mesh; format is static. */
sfgp_status sfgp_keeper_finish(sfgp_keeper *keeper, const char *format, sfgp_mesh *mesh);

/* A part of what a mesh of this format was read with. Empty where nothing was kept, where the format is another one, or
 * where the mesh has no longer the points and faces of the file. */
sfgp_text sfgp_kept_find(const sfgp_mesh *mesh, const char *format, sfgp_kept_part part);
/* Row i of SFGP_KEPT_POINTS or SFGP_KEPT_FACES. */
sfgp_text sfgp_kept_row(const sfgp_mesh *mesh, const char *format, sfgp_kept_part rows, int64_t i);

#endif
