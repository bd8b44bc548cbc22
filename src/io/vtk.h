/* VTK legacy files: a header of four lines, then sections that a keyword opens, in text or in binary, which is big
 * endian. Values of a section flow over the lines of a text. vtk_value.c takes numbers, vtk_cells.c makes faces of lists
 * of cells, vtk_read.c goes from section to section. */
#ifndef SFGP_IO_VTK_H
#define SFGP_IO_VTK_H

#include "io/builder.h"
#include "io/scalar.h"
#include "io/source.h"

typedef struct sfgp_vtk_reader {
    sfgp_source *source;
    sfgp_builder builder;
    bool binary;
    bool offsets;      /* version 5 and later: cells are offsets and connectivity, not counts and points */
    sfgp_text rest;    /* of the line, in text */
    sfgp_buffer ends;  /* int64_t: where the points of each cell of an unstructured grid end */
    sfgp_buffer cells; /* int64_t: their points */
} sfgp_vtk_reader;

sfgp_status sfgp_vtk_fail(const sfgp_vtk_reader *reader, const char *expected, sfgp_text found);

/* The scalar of a word such as unsigned_char or vtktypeint64; false for others, bit and string among them. */
bool sfgp_vtk_find_type(sfgp_text word, sfgp_scalar *type);
/* NaN where a value of a text is not finite. */
sfgp_status sfgp_vtk_number(sfgp_vtk_reader *reader, sfgp_scalar type, double *value);
sfgp_status sfgp_vtk_integer(sfgp_vtk_reader *reader, sfgp_scalar type, int64_t *value);
sfgp_status sfgp_vtk_skip(sfgp_vtk_reader *reader, sfgp_scalar type, int64_t count);
/* Strings: in text each on a line of its own, which may be empty; in binary behind their length. */
sfgp_status sfgp_vtk_skip_strings(sfgp_vtk_reader *reader, int64_t count);
/* A count of a header line; what is counted takes least bytes each, which have to be left in the file. */
sfgp_status sfgp_vtk_count(sfgp_vtk_reader *reader, sfgp_text *line, int64_t least, int64_t *count);

typedef enum sfgp_vtk_kind {
    SFGP_VTK_NONE,
    SFGP_VTK_POLYGONS,
    SFGP_VTK_STRIPS,
    SFGP_VTK_CELLS
} sfgp_vtk_kind;

/* The section behind a line "POLYGONS a b"; line: what follows the keyword. */
sfgp_status sfgp_vtk_read_cells(sfgp_vtk_reader *reader, sfgp_vtk_kind kind, sfgp_text line);
/* The section CELL_TYPES: makes faces of the cells that are triangles, polygons, quadrangles or strips. */
sfgp_status sfgp_vtk_read_types(sfgp_vtk_reader *reader, sfgp_text line);

#endif
