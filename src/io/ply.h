/* PLY (Turk 1994, with the usual additions), in three parts: the header says what the body holds, and the
 * body is walked row by row with one loop for text and both binary orders. Counts are compared with what the
 * file can hold before anything is allocated for them. */
#ifndef SFGP_IO_PLY_H
#define SFGP_IO_PLY_H

#include "io/kept.h"
#include "io/scalar.h"
#include "io/source.h"

enum { SFGP_PLY_ELEMENTS = 64, SFGP_PLY_PROPERTIES = 1024 }; /* most in a file */

typedef enum sfgp_ply_role {
    SFGP_PLY_X,
    SFGP_PLY_Y,
    SFGP_PLY_Z,
    SFGP_PLY_CORNERS, /* the list of the points of a face, or of strips of triangles, which -1 ends */
    SFGP_PLY_OTHER
} sfgp_ply_role;

typedef enum sfgp_ply_kind {
    SFGP_PLY_VERTEX,
    SFGP_PLY_FACE,
    SFGP_PLY_STRIPS,
    SFGP_PLY_UNKNOWN
} sfgp_ply_kind;

typedef struct sfgp_ply_property {
    sfgp_ply_role role;
    bool list;
    sfgp_scalar type, length_type;
    int64_t name;   /* where its name starts in the names of the header */
    bool kept;      /* for writing it again */
    double *values; /* of the attribute, one a vertex; NULL: not kept */
} sfgp_ply_property;

typedef struct sfgp_ply_element {
    sfgp_ply_kind kind;
    int64_t count;
    int first, end; /* properties [first, end) */
} sfgp_ply_element;

typedef struct sfgp_ply_header {
    bool has_format, text, big_endian;
    int dimension; /* 2 after the comment "dimension 2" */
    int element_count, property_count;
    int64_t vertex_count;
    sfgp_keeper keeper;
    sfgp_buffer names; /* of the properties, each with its zero */
    sfgp_ply_element elements[SFGP_PLY_ELEMENTS];
    sfgp_ply_property properties[SFGP_PLY_PROPERTIES];
} sfgp_ply_header;

bool sfgp_ply_has_role(const sfgp_ply_header *header, const sfgp_ply_element *element, sfgp_ply_role role);
/* Is everything there, and do the counts fit into what is left of the file? */
sfgp_status sfgp_ply_check_header(const sfgp_source *source, const sfgp_ply_header *header);
/* Reads up to and with end_header and checks everything that can be known by then. */
sfgp_status sfgp_ply_read_header(sfgp_source *source, sfgp_ply_header *header);

#endif
