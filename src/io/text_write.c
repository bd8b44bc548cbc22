/* Writes the points as text: one line a point, the fewest digits that read back as the same double. */
#include "io/format.h"
#include "io/file.h"

static const char *find_separator(const char *path)
{
    return sfgp_path_has_extension(path, "csv") ? "," : sfgp_path_has_extension(path, "tsv") ? "\t" : " ";
}

sfgp_status sfgp_text_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    const char *separator = find_separator(output->path);
    for (int64_t i = 0; i < mesh->count; i++)
        for (int k = 0; k < mesh->dimension; k++) {
            sfgp_buffer_number(buffer, mesh->points[i * mesh->dimension + k]);
            sfgp_buffer_text(buffer, k + 1 < mesh->dimension ? separator : "\n");
        }
    return buffer->status;
}
