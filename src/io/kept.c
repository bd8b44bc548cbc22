/* What a mesh was read with beside its points and faces: see kept.h. */
#include "io/kept.h"
#include "base/memory.h"

#include <string.h>

const char SFGP_PLY[] = "ply", SFGP_OBJ[] = "obj";

/* In front of the parts, which follow each other from a multiple of 8 on. */
struct sfgp_kept {
    const char *format;
    int64_t count, face_count; /* of the mesh */
    int64_t starts[SFGP_KEPT_PARTS], sizes[SFGP_KEPT_PARTS];
};

sfgp_keeper sfgp_keeper_start(sfgp_context *context, bool wanted)
{
    sfgp_keeper keeper = {.wanted = wanted};
    for (int k = 0; k < SFGP_KEPT_PARTS; k++)
        keeper.parts[k] = sfgp_buffer_empty(context);
    return keeper;
}

void sfgp_keeper_clear(sfgp_keeper *keeper)
{
    for (int k = 0; k < SFGP_KEPT_PARTS; k++)
        sfgp_buffer_clear(&keeper->parts[k]);
}

void sfgp_keeper_end_row(sfgp_keeper *keeper, sfgp_kept_part rows)
{
    const int64_t end = keeper->parts[rows].size;
    sfgp_buffer_add(&keeper->parts[rows + 1], &end, sizeof end);
}

static sfgp_status status_of(const sfgp_keeper *keeper)
{
    for (int k = 0; k < SFGP_KEPT_PARTS; k++)
        if (keeper->parts[k].status != SFGP_OK)
            return keeper->parts[k].status;
    return SFGP_OK;
}

sfgp_status sfgp_keeper_finish(sfgp_keeper *keeper, const char *format, sfgp_mesh *mesh)
{
    struct sfgp_kept head = {.format = format, .count = mesh->count, .face_count = mesh->face_count};
    unsigned char *block = NULL;
    int64_t size = sizeof head;
    sfgp_status status = status_of(keeper);
    for (int k = 0; k < SFGP_KEPT_PARTS; k++) {
        head.starts[k] = size;
        head.sizes[k] = keeper->parts[k].size;
        size += (head.sizes[k] + 7) / 8 * 8;
    }
    if (status == SFGP_OK && keeper->wanted)
        status = sfgp_allocate(keeper->parts[0].context, size, &block);
    if (status != SFGP_OK || !keeper->wanted)
        return status;
    memcpy(block, &head, sizeof head);
    for (int k = 0; k < SFGP_KEPT_PARTS; k++)
        if (head.sizes[k] > 0)
            memcpy(block + head.starts[k], keeper->parts[k].bytes, (size_t)head.sizes[k]);
    mesh->kept = (struct sfgp_kept *)(void *)block;
    return SFGP_OK;
}

sfgp_text sfgp_kept_find(const sfgp_mesh *mesh, const char *format, sfgp_kept_part part)
{
    const struct sfgp_kept *kept = mesh->kept;
    if (!kept || kept->format != format || kept->count != mesh->count || kept->face_count != mesh->face_count)
        return (sfgp_text){"", 0};
    return (sfgp_text){(const char *)kept + kept->starts[part], kept->sizes[part]};
}

sfgp_text sfgp_kept_row(const sfgp_mesh *mesh, const char *format, sfgp_kept_part rows, int64_t i)
{
    const sfgp_text all = sfgp_kept_find(mesh, format, rows), ends = sfgp_kept_find(mesh, format, rows + 1);
    int64_t limits[2] = {0, 0};
    if (ends.length < (i + 1) * (int64_t)sizeof *limits)
        return (sfgp_text){"", 0};
    if (i > 0)
        memcpy(limits, ends.start + (i - 1) * (int64_t)sizeof *limits, sizeof limits);
    else
        memcpy(&limits[1], ends.start, sizeof *limits);
    return (sfgp_text){all.start + limits[0], limits[1] - limits[0]};
}
