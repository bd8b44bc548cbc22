#include "io/format.h"
#include "io/file.h"

#include <string.h>

static const char *find_separator(const char *path)
{
    const char *extension = sfgp_path_extension(path);
    sfgp_text text = {extension, (int64_t)strlen(extension)};
    return sfgp_text_is_nocase(text, "csv") ? "," : sfgp_text_is_nocase(text, "tsv") ? "\t" : " ";
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
