/* The table of mesh formats; which format a file has, and reading by it. */
#include "io/format.h"
#include "base/memory.h"
#include "io/columns.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>

/* text is last: what is nothing else is read as text. */
static const sfgp_format FORMATS[] = {
    {"ply", "ply", sfgp_head_is_ply, sfgp_ply_read, sfgp_ply_write, false},
    {"npy", "npy", sfgp_head_is_npy, sfgp_npy_read, sfgp_npy_write, false},
    {"stl", "stl", sfgp_head_is_stl, sfgp_stl_read, sfgp_stl_write, true},
    {"vtp", "vtp", sfgp_head_is_vtp, sfgp_vtp_read, sfgp_vtp_write, false},
    {"gltf", "gltf glb", sfgp_head_is_gltf, sfgp_gltf_read, NULL, false},
    {"vtk", "vtk", sfgp_head_is_vtk, sfgp_vtk_read, NULL, false},
    {"off", "off", sfgp_head_is_off, sfgp_off_read, NULL, false},
    {"obj", "obj", sfgp_head_is_obj, sfgp_obj_read, sfgp_obj_write, false},
    {"text", "txt csv tsv xyz asc", NULL, sfgp_text_read, sfgp_text_write, false},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS, PLY = 0, TEXT = FORMAT_COUNT - 1 };

/* NULL: none has it. */
static const sfgp_format *find_extension(const char *path)
{
    for (int k = 0; k < FORMAT_COUNT; k++) {
        sfgp_text rest = sfgp_text_of(FORMATS[k].extensions), word;
        while (sfgp_text_word(&rest, &word))
            if (sfgp_text_is_alike(sfgp_path_extension(path), word))
                return &FORMATS[k];
    }
    return NULL;
}

static sfgp_status fail_extension(sfgp_context *context, const char *path)
{
    char known[256] = "";
    size_t length = 0;
    for (int k = 0; k < FORMAT_COUNT; k++) {
        sfgp_text rest = sfgp_text_of(FORMATS[k].extensions), word;
        while (FORMATS[k].write && sfgp_text_word(&rest, &word) && length < sizeof known)
            length += (size_t)snprintf(known + length, sizeof known - length, " .%.*s", (int)word.length,
                                       word.start);
    }
    return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                     "%s: the extension tells no format that is written; use%s, or - for standard output",
                     sfgp_path_shown(path), known);
}

sfgp_status sfgp_format_of_output(sfgp_context *context, const char *path, const sfgp_mesh *mesh,
                                  const sfgp_format **format)
{
    const bool open = sfgp_path_extension(path).length == 0;
    *format = open && (sfgp_path_is_stream(path) || sfgp_path_is_device(path)) ? &FORMATS[PLY]
                                                                               : find_extension(path);
    if (!*format || !(*format)->write)
        return fail_extension(context, path);
    if (!mesh || mesh->face_count > 0 || !(*format)->faces)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                     "%s: STL holds triangles only, and there are no faces; write .ply",
                     sfgp_path_shown(path));
}

sfgp_status sfgp_mesh_check_path(sfgp_context *context, const char *path)
{
    const sfgp_format *format;
    return context && path ? sfgp_format_of_output(context, path, NULL, &format) : SFGP_ERROR_PARAMETER;
}

sfgp_status sfgp_mesh_check_write(sfgp_context *context, const char *path, const sfgp_mesh *mesh)
{
    const sfgp_format *format;
    return context && path && mesh ? sfgp_format_of_output(context, path, mesh, &format)
                                   : SFGP_ERROR_PARAMETER;
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
    *format = find_extension(source->path);
    if (!*format)
        *format = &FORMATS[TEXT];
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

static sfgp_status check_scale(sfgp_context *context, double scale)
{
    if (scale >= 0 && isfinite(scale))
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_PARAMETER, "scale: %g is no factor; give a number above 0", scale);
}

static void scale_points(double scale, sfgp_mesh *mesh)
{
    for (int64_t k = 0; scale != 0 && k < mesh->count * mesh->dimension; k++)
        mesh->points[k] *= scale;
}

static sfgp_status read_file(sfgp_context *context, const char *path, const sfgp_read_options *options,
                             sfgp_mesh **mesh, sfgp_attributes *attributes)
{
    sfgp_source source;
    sfgp_status status = sfgp_source_open(context, path, &source);
    source.columns = options->columns;
    source.keep = options->keep;
    source.attributes = attributes;
    if (status == SFGP_OK)
        status = read_source(&source, mesh);
    if (status == SFGP_OK)
        scale_points(options->scale, *mesh);
    sfgp_source_close(&source);
    return status;
}

sfgp_status sfgp_mesh_read_with_sized(sfgp_context *context, const char *path,
                                      const sfgp_read_options *options, size_t size, sfgp_mesh **mesh,
                                      sfgp_attributes **attributes)
{
    sfgp_read_options own = {0};
    sfgp_attributes *made = NULL;
    if (!context || !path || !mesh)
        return SFGP_ERROR_PARAMETER;
    *mesh = NULL;
    sfgp_status status = sfgp_struct_take(context, "options", options, size, &own, sizeof own);
    if (status == SFGP_OK)
        status = sfgp_columns_check(context, own.columns);
    if (status == SFGP_OK)
        status = check_scale(context, own.scale);
    if (status == SFGP_OK && attributes)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = read_file(context, path, &own, mesh, made);
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
