/* Format: the one table of mesh formats. A new format is a reader, a writer and a row in format.c.
 *
 * Detection: first by content, whatever the name of the file says (a PLY called .obj is read as PLY); then
 * known files of other programs are refused with advice; then by extension; everything else is text. */
#ifndef SFGP_IO_FORMAT_H
#define SFGP_IO_FORMAT_H

#include "io/head.h"
#include "io/output.h"

/* What a mesh is asked for in place of: the end of a message. */
#define SFGP_LANDMARKS_ADVICE                                                                                \
    "landmarks go to sfgp apply, --landmarks of sfgp register, align and batch and, two files of them, sfgp evaluate"

typedef struct sfgp_format {
    const char *name;
    const char *extensions;                 /* lower case, separated by blanks; the first is the usual one */
    bool (*matches)(const sfgp_head *head); /* by content; NULL: never */
    sfgp_status (*read)(sfgp_source *source, sfgp_mesh **mesh);
    sfgp_status (*write)(const sfgp_output *output, sfgp_buffer *buffer); /* NULL: only read */
    bool faces;                                                           /* it holds nothing else */
} sfgp_format;

/* SFGP_ERROR_FORMAT for an empty file and for what we know but do not read. */
sfgp_status sfgp_format_detect(sfgp_source *source, const sfgp_format **format);
/* The format that a file is written in, by its extension; standard output and devices without one get PLY.
 * Errors: SFGP_ERROR_PARAMETER naming the extensions that there are, or that it does not hold mesh; NULL: any. */
sfgp_status sfgp_format_of_output(sfgp_context *context, const char *path, const sfgp_mesh *mesh,
                                  const sfgp_format **format);
/* SFGP_ERROR_FORMAT with advice for gzip, zip, UTF-16, HDF5 and others. */
sfgp_status sfgp_format_refuse_foreign(sfgp_source *source);

sfgp_status sfgp_ply_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_obj_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_stl_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_off_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_vtk_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_vtp_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_gltf_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_npy_read(sfgp_source *source, sfgp_mesh **mesh);
sfgp_status sfgp_text_read(sfgp_source *source, sfgp_mesh **mesh);

sfgp_status sfgp_ply_write(const sfgp_output *output, sfgp_buffer *buffer);
sfgp_status sfgp_obj_write(const sfgp_output *output, sfgp_buffer *buffer);
sfgp_status sfgp_stl_write(const sfgp_output *output, sfgp_buffer *buffer);
sfgp_status sfgp_vtp_write(const sfgp_output *output, sfgp_buffer *buffer);
sfgp_status sfgp_npy_write(const sfgp_output *output, sfgp_buffer *buffer);
sfgp_status sfgp_text_write(const sfgp_output *output, sfgp_buffer *buffer);

#endif
