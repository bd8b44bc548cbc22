/* Writes points and faces as Wavefront OBJ: lines v and f, indices from 1. */
#include "io/format.h"

static void add_point(const sfgp_mesh *mesh, int64_t i, sfgp_buffer *buffer)
{
    sfgp_buffer_text(buffer, "v");
    for (int k = 0; k < 3; k++) {
        sfgp_buffer_text(buffer, " ");
        sfgp_buffer_number(buffer, k < mesh->dimension ? mesh->points[i * mesh->dimension + k] : 0.0);
    }
    sfgp_buffer_text(buffer, "\n");
}

sfgp_status sfgp_obj_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    sfgp_buffer_text(buffer, "# sfgp " SFGP_VERSION "\n");
    if (mesh->dimension == 2)
        sfgp_buffer_text(buffer, "# dimension 2\n");
    for (int64_t i = 0; i < mesh->count; i++)
        add_point(mesh, i, buffer);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        sfgp_buffer_text(buffer, "f");
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            sfgp_buffer_print(buffer, " %lld", (long long)mesh->face_points[k] + 1);
        sfgp_buffer_text(buffer, "\n");
    }
    return buffer->status;
}
