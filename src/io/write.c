/* sfgp_mesh_write: checks what a writer relies on, lets the writer of the format fill a buffer, and gives
 * that to sfgp_file_write. */
#include "geom/mesh.h"
#include "io/format.h"
#include "io/file.h"

static sfgp_status check(const sfgp_output *output)
{
    const sfgp_mesh *mesh = output->mesh;
    if (mesh->count < 1 || mesh->dimension < 2 || mesh->dimension > 3)
        return sfgp_fail(output->context, SFGP_ERROR_PARAMETER,
                         "%s: a mesh of %lld points in %d dimensions cannot be written",
                         sfgp_path_shown(output->path), (long long)mesh->count, mesh->dimension);
    sfgp_status status = sfgp_mesh_check_finite(output->context, sfgp_path_shown(output->path), mesh);
    return status == SFGP_OK ? sfgp_mesh_check_faces(output->context, mesh) : status;
}

sfgp_status sfgp_mesh_write(sfgp_context *context, const char *path, const sfgp_mesh *mesh,
                            const sfgp_attribute *attributes, int attribute_count)
{
    if (!context || !path || !mesh || attribute_count < 0 || (attribute_count > 0 && !attributes))
        return SFGP_ERROR_PARAMETER;
    sfgp_output output = {context, path, mesh, attributes, attribute_count};
    sfgp_buffer buffer = sfgp_buffer_empty(context);
    const sfgp_format *format = NULL;
    sfgp_status status = check(&output);
    if (status == SFGP_OK)
        status = sfgp_format_of_output(context, path, mesh, &format);
    if (status == SFGP_OK)
        status = format->write(&output, &buffer);
    return sfgp_buffer_save(&buffer, status, path);
}
