/* OBJ: points and faces, or the lines of the file that the mesh was read from with its points as they are now. */
#include "io/format.h"
#include "io/kept.h"

#include <string.h>

/* behind: what follows the coordinates. */
static void add_point(const sfgp_mesh *mesh, int64_t i, sfgp_text behind, sfgp_buffer *buffer)
{
    sfgp_buffer_text(buffer, "v");
    for (int k = 0; k < 3; k++) {
        sfgp_buffer_text(buffer, " ");
        sfgp_buffer_number(buffer, k < mesh->dimension ? mesh->points[i * mesh->dimension + k] : 0.0);
    }
    sfgp_buffer_add(buffer, behind.start, behind.length);
    sfgp_buffer_text(buffer, "\n");
}

/* As many points as the mesh has: the keeper has seen to that. */
static void add_kept(const sfgp_mesh *mesh, sfgp_text lines, sfgp_buffer *buffer)
{
    for (int64_t i = 0; lines.length > 0;) {
        const char *end = memchr(lines.start, '\n', (size_t)lines.length);
        const int64_t length = end - lines.start;
        if (lines.start[0] == 'v' && (length == 1 || lines.start[1] == ' '))
            add_point(mesh, i++, (sfgp_text){lines.start + 1, length - 1}, buffer);
        else
            sfgp_buffer_add(buffer, lines.start, length + 1);
        lines = (sfgp_text){end + 1, lines.length - length - 1};
    }
}

sfgp_status sfgp_obj_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    const sfgp_text kept = sfgp_kept_find(mesh, SFGP_OBJ, SFGP_KEPT_HEAD);
    sfgp_buffer_text(buffer, "# sfgp " SFGP_VERSION "\n");
    if (kept.length > 0) {
        add_kept(mesh, kept, buffer);
        return buffer->status;
    }
    if (mesh->dimension == 2)
        sfgp_buffer_text(buffer, "# dimension 2\n");
    for (int64_t i = 0; i < mesh->count; i++)
        add_point(mesh, i, (sfgp_text){"", 0}, buffer);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        sfgp_buffer_text(buffer, "f");
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            sfgp_buffer_print(buffer, " %lld", (long long)mesh->face_points[k] + 1);
        sfgp_buffer_text(buffer, "\n");
    }
    return buffer->status;
}
