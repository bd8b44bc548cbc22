/* VTP, the XML file of VTK for polygonal data. It is read in two parts: the tags tell which arrays there are and how
 * they are kept (vtp_tags.c), then those that are wanted are decoded (vtp_array.c): as text, as base64 in place, or as
 * base64 or raw bytes at the end of the file, each whole or in blocks packed by zlib. vtp_read.c makes a mesh of them. */
#ifndef SFGP_IO_VTP_H
#define SFGP_IO_VTP_H

#include "io/buffer.h"
#include "io/scalar.h"
#include "io/xml.h"

typedef enum sfgp_vtp_role {
    SFGP_VTP_POINTS,
    SFGP_VTP_POLYGON_POINTS,
    SFGP_VTP_POLYGON_ENDS,
    SFGP_VTP_STRIP_POINTS,
    SFGP_VTP_STRIP_ENDS,
    SFGP_VTP_ROLES,
    SFGP_VTP_ATTRIBUTE = SFGP_VTP_ROLES
} sfgp_vtp_role;

typedef enum sfgp_vtp_encoding { SFGP_VTP_TEXT, SFGP_VTP_INLINE, SFGP_VTP_APPENDED } sfgp_vtp_encoding;

typedef struct sfgp_vtp_array {
    sfgp_vtp_role role;
    sfgp_vtp_encoding encoding;
    sfgp_scalar type;
    int64_t components;
    sfgp_text name;
    sfgp_text data; /* between the tags */
    int64_t offset; /* where it is appended */
} sfgp_vtp_array;

typedef struct sfgp_vtp_file {
    sfgp_xml xml;
    bool big_endian, packed;
    bool wide;          /* sizes have 64 bits, else 32 */
    bool raw;           /* what is appended is bytes, else base64 */
    sfgp_text appended; /* behind the underscore; start is NULL: there is nothing */
} sfgp_vtp_file;

/* What the tags of a file tell. */
typedef struct sfgp_vtp_contents {
    sfgp_vtp_file file;
    sfgp_vtp_array arrays[SFGP_VTP_ROLES]; /* name.start is NULL: not there */
    sfgp_buffer attributes;                /* sfgp_vtp_array */
    int64_t points, polygons, strips;      /* of the piece */
} sfgp_vtp_contents;

/* Reads all tags. contents: file.xml at its start, an empty buffer of attributes, all else 0. SFGP_ERROR_FORMAT, _MEMORY. */
sfgp_status sfgp_vtp_read_tags(sfgp_vtp_contents *contents);
/* Exactly count numbers of an array, NaN and infinity among them. What they take is compared with the file before
 * memory is taken. */
sfgp_status sfgp_vtp_decode(sfgp_vtp_file *file, const sfgp_vtp_array *array, int64_t count, double **values);

#endif
