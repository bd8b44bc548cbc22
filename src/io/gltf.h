/* glTF 2.0 (Khronos), as .gltf and as .glb. gltf_json.c reads the lists of the file into tables, gltf_data.c finds the
 * bytes of a buffer and the numbers of an accessor, gltf_read.c walks the nodes of the scene and adds the points and
 * triangles of their meshes. Materials, textures, skins and animations are passed over. */
#ifndef SFGP_IO_GLTF_H
#define SFGP_IO_GLTF_H

#include "io/builder.h"
#include "io/json.h"
#include "io/scalar.h"
#include "io/source.h"

/* -1 in place of an index: there is none. */
typedef struct sfgp_gltf_buffer {
    int64_t length;
    int64_t uri; /* where it starts in the texts; -1: the binary part of a .glb */
    const unsigned char *bytes;
    unsigned char *owned; /* bytes, where they are no part of the file */
} sfgp_gltf_buffer;

typedef struct sfgp_gltf_view {
    int64_t buffer, offset, length, stride;
} sfgp_gltf_view;

typedef struct sfgp_gltf_accessor {
    int64_t view, offset, count, components;
    int64_t type; /* 5120 to 5126 */
    bool normalised, sparse;
    int64_t visit, base; /* where its points start in the mesh, in the visit of this number (gltf_read.c) */
} sfgp_gltf_accessor;

typedef struct sfgp_gltf_primitive {
    int64_t positions, indices; /* accessors */
    int64_t mode;
    bool packed;  /* by Draco */
    int64_t base; /* of its points in the mesh, while its node is added */
} sfgp_gltf_primitive;

typedef struct sfgp_gltf_range {
    int64_t start, end;
} sfgp_gltf_range;

typedef struct sfgp_gltf_node {
    int64_t mesh;
    sfgp_gltf_range children; /* in the list of indices */
    bool given;               /* the matrix, which is by columns, in place of the three below it */
    double matrix[16];
    double translation[3], rotation[4], scale[3];
    bool is_child, visited;
} sfgp_gltf_node;

enum { SFGP_GLTF_TABLES = 9 };

/* Tables of the structs above; meshes and scenes are ranges of primitives and of indices. */
typedef struct sfgp_gltf {
    sfgp_source *source;
    sfgp_json json;
    const unsigned char *binary; /* of a .glb */
    int64_t binary_size;
    union {
        sfgp_buffer tables[SFGP_GLTF_TABLES];
        struct {
            sfgp_buffer buffers, views, accessors, primitives, meshes, nodes, scenes, indices, texts;
        };
    };
    int64_t scene;
    int files;      /* buffers that were read from files beside it */
    int64_t beside; /* their bytes */
} sfgp_gltf;

sfgp_status sfgp_gltf_fail(const sfgp_gltf *gltf, const char *format, ...) SFGP_PRINTF(2, 3);
/* The numbers of structs in a table. */
#define SFGP_GLTF_COUNT(table, type) ((table).size / (int64_t)sizeof(type))
/* The struct of an index, which has to be in the table. */
#define SFGP_GLTF_AT(table, type, index) ((type *)(void *)(table).bytes + (index))

/* Fills the tables. */
sfgp_status sfgp_gltf_parse(sfgp_gltf *gltf);

/* Finds the bytes of every buffer: in the file, in its text, or in a file beside it. */
sfgp_status sfgp_gltf_find_buffers(sfgp_gltf *gltf);
void sfgp_gltf_free_buffers(sfgp_gltf *gltf);
/* An accessor (index: 0 or more) of components numbers an element, checked against its view and buffer. */
sfgp_status sfgp_gltf_check_accessor(const sfgp_gltf *gltf, int64_t index, int64_t components);
/* Numbers of element i of such an accessor. */
void sfgp_gltf_load(const sfgp_gltf *gltf, int64_t index, int64_t i, double *values);

#endif
