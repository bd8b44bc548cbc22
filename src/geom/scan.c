/* Brings a target into the frame, as it is or each of its points once. */
#include "geom/scan.h"
#include "base/memory.h"
#include "geom/copies.h"

#include <string.h>

void sfgp_scan_clear(sfgp_scan *scan)
{
    sfgp_mesh_free(scan->points);
    sfgp_free(scan->first);
    *scan = (sfgp_scan){0};
}

void sfgp_scan_exact(const sfgp_scan *scan, int64_t j, double *point)
{
    const sfgp_mesh *target = scan->target;
    sfgp_frame_enter(scan->frame, 1, target->points + scan->first[j] * (int64_t)target->dimension, point);
}

/* Point j comes after `kept` others that stay. */
static void keep(sfgp_scan *scan, int64_t j, int64_t kept)
{
    double *points = scan->points->points;
    memmove(points + 3 * kept, points + 3 * j, 3 * sizeof(double));
    scan->first[kept] = scan->first[j];
}

void sfgp_scan_leave_out(const sfgp_plane *plane, sfgp_scan *scan)
{
    int64_t kept = 0;
    for (int64_t j = 0; j < scan->points->count; j++)
        if (!sfgp_plane_has(plane, scan->points->points + 3 * j))
            keep(scan, j, kept++);
    scan->points->count = kept;
}

void sfgp_scan_drop(const unsigned char *out, sfgp_scan *scan)
{
    int64_t kept = 0;
    for (int64_t j = 0; j < scan->points->count; j++)
        if (!out[j])
            keep(scan, j, kept++);
    scan->points->count = kept;
}

sfgp_status sfgp_scan_copy(sfgp_context *context, const sfgp_scan *scan, sfgp_scan *copy)
{
    const int64_t count = scan->points->count;
    *copy = (sfgp_scan){.frame = scan->frame, .target = scan->target};
    sfgp_status status = sfgp_mesh_new(context, count, 3, 0, 0, &copy->points);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, &copy->first);
    if (status != SFGP_OK)
        return status;
    memcpy(copy->points->points, scan->points->points, 3 * (size_t)count * sizeof(double));
    memcpy(copy->first, scan->first, (size_t)count * sizeof *copy->first);
    return SFGP_OK;
}

void sfgp_scan_resize(double size, sfgp_scan *scan)
{
    for (int64_t k = 0; k < scan->points->count * scan->points->dimension; k++)
        scan->points->points[k] /= size;
}

sfgp_status sfgp_scan_enter(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                            sfgp_scan *scan)
{
    *scan = (sfgp_scan){0};
    const sfgp_status status = sfgp_mesh_new(context, target->count, target->dimension, 0, 0, &scan->points);
    if (status == SFGP_OK)
        sfgp_frame_enter(frame, target->count, target->points, scan->points->points);
    return status;
}

sfgp_status sfgp_scan_enter_once(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                                 sfgp_scan *scan)
{
    sfgp_copies copies;
    *scan = (sfgp_scan){0};
    sfgp_status status = sfgp_copies_find(context, target, &copies);
    const bool fewer = copies.rest && copies.rest->count > target->dimension;
    if (status == SFGP_OK)
        status = sfgp_scan_enter(context, frame, fewer ? copies.rest : target, scan);
    if (status == SFGP_OK && fewer) {
        scan->first = copies.first;
        copies.first = NULL;
    }
    sfgp_copies_clear(&copies);
    return status;
}
