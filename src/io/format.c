#include "io/format.h"
#include "base/memory.h"
#include "io/columns.h"
#include "io/file.h"

#include <string.h>

/* text is last: it takes every extension. */
static const sfgp_format FORMATS[] = {
    {"ply", "ply", sfgp_head_is_ply, sfgp_ply_read, sfgp_ply_write},
    {"npy", "npy", sfgp_head_is_npy, sfgp_npy_read, sfgp_npy_write},
    {"stl", "stl", sfgp_head_is_stl, sfgp_stl_read, sfgp_stl_write},
    {"obj", "obj", sfgp_head_is_obj, sfgp_obj_read, sfgp_obj_write},
    {"text", NULL, NULL, sfgp_text_read, sfgp_text_write},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

const sfgp_format *sfgp_format_of_extension(const char *path)
{
    int k = 0;
    while (k < FORMAT_COUNT - 1 && !sfgp_path_has_extension(path, FORMATS[k].extension))
        k++;
    return &FORMATS[k];
}

sfgp_status sfgp_format_detect(sfgp_source *source, const sfgp_format **format)
{
    sfgp_head head = {NULL, 0, 0};
    sfgp_status status = sfgp_head_read(source, &head);
    for (int k = 0; k < FORMAT_COUNT && status == SFGP_OK; k++)
        if (FORMATS[k].matches && FORMATS[k].matches(&head)) {
            *format = &FORMATS[k];
            return SFGP_OK;
        }
    if (status == SFGP_OK)
        status = sfgp_format_refuse_foreign(source);
    *format = sfgp_format_of_extension(source->path);
    return status;
}

/* What is made before an error is the caller's too. */
static sfgp_status read_source(sfgp_source *source, sfgp_mesh **mesh)
{
    const sfgp_format *format = NULL;
    sfgp_status status = sfgp_format_detect(source, &format);
    if (status == SFGP_OK)
        status = format->read(source, mesh);
    if (status == SFGP_OK)
        status = sfgp_source_check_unchanged(source);
    if (status == SFGP_OK)
        (*mesh)->format = format->name;
    return status;
}

static sfgp_status read_file(sfgp_context *context, const char *path, const sfgp_read_options *options,
                             sfgp_mesh **mesh, sfgp_attributes *attributes)
{
    sfgp_source source;
    sfgp_status status = sfgp_source_open(context, path, &source);
    source.columns = options ? options->columns : NULL;
    source.attributes = attributes;
    if (status == SFGP_OK)
        status = read_source(&source, mesh);
    sfgp_source_close(&source);
    return status;
}

sfgp_status sfgp_mesh_read_with(sfgp_context *context, const char *path, const sfgp_read_options *options,
                                sfgp_mesh **mesh, sfgp_attributes **attributes)
{
    sfgp_attributes *made = NULL;
    if (!context || !path || !mesh)
        return SFGP_ERROR_PARAMETER;
    *mesh = NULL;
    sfgp_status status = sfgp_columns_check(context, options ? options->columns : NULL);
    if (status == SFGP_OK && attributes)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = read_file(context, path, options, mesh, made);
    if (status != SFGP_OK) {
        sfgp_attributes_free(made);
        sfgp_mesh_free(*mesh);
        *mesh = NULL;
        made = NULL;
    }
    if (attributes)
        *attributes = made;
    return status;
}

sfgp_status sfgp_mesh_read(sfgp_context *context, const char *path, sfgp_mesh **mesh)
{
    return sfgp_mesh_read_with(context, path, NULL, mesh, NULL);
}

sfgp_status sfgp_mesh_read_attributes(sfgp_context *context, const char *path, sfgp_mesh **mesh,
                                      sfgp_attributes **attributes)
{
    return attributes ? sfgp_mesh_read_with(context, path, NULL, mesh, attributes) : SFGP_ERROR_PARAMETER;
}
