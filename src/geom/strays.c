/* Finds the points of a reference that do not belong to its shape; rules in strays.h. */
#include "geom/strays.h"
#include "base/extremes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "geom/measure.h"
#include "geom/mesh.h"

#include <math.h>
#include <stdbool.h>

#define GAP 2.0          /* ratio of two distances: the triangles of a shape are not that long */
#define REST (2.0 / 3.0) /* least share of the points that is the shape */
#define FACED 0.1        /* least share of the points in faces: below, the points are the shape */
#define GRAIN 4096       /* points that a thread measures at a time */

typedef struct search {
    const sfgp_mesh *mesh;
    bool *kept;       /* N */
    double *distance; /* N, from the middle */
    double *sorted;   /* N; those of the kept points come first */
    int64_t *index;   /* N */
} search;

static sfgp_status search_new(sfgp_context *context, const sfgp_mesh *mesh, search *s)
{
    const int64_t n = mesh->count;
    sfgp_status status = SFGP_OK;
    *s = (search){.mesh = mesh};
    if ((status = sfgp_allocate(context, n, &s->kept)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &s->distance)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &s->sorted)) != SFGP_OK)
        return status;
    return sfgp_allocate(context, n, &s->index);
}

static void search_clear(search *s)
{
    sfgp_free(s->kept);
    sfgp_free(s->distance);
    sfgp_free(s->sorted);
    sfgp_free(s->index);
}

/* Their indices, ascending. Returns how many. */
static int64_t list_kept(const search *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->mesh->count; i++)
        if (s->kept[i])
            s->index[count++] = i;
    return count;
}

/* Keeps the points of faces; all points where there are no faces, or next to none. Returns how many it left out. */
static int64_t leave_out_loose(search *s)
{
    const sfgp_mesh *mesh = s->mesh;
    for (int64_t i = 0; i < mesh->count; i++)
        s->kept[i] = mesh->face_count == 0;
    for (int64_t k = 0; mesh->face_count > 0 && k < mesh->face_start[mesh->face_count]; k++)
        s->kept[mesh->face_points[k]] = true;
    const int64_t in_faces = list_kept(s);
    if (in_faces > mesh->dimension && (double)in_faces >= FACED * (double)mesh->count)
        return mesh->count - in_faces;
    for (int64_t i = 0; i < mesh->count; i++)
        s->kept[i] = true;
    return 0;
}

typedef struct measuring {
    const search *s;
    const double *middle;
} measuring;

static void measure_some(const void *data, int64_t first, int64_t end)
{
    const measuring *m = data;
    const sfgp_mesh *mesh = m->s->mesh;
    const int d = mesh->dimension;
    for (int64_t i = first; i < end; i++)
        m->s->distance[i] = sfgp_points_distance(d, mesh->points + i * d, m->middle);
}

/* Distances of all points from the middle of those that are kept. */
static sfgp_status measure(sfgp_context *context, int64_t count, search *s)
{
    const int d = s->mesh->dimension;
    sfgp_mesh *part = NULL;
    double middle[3];
    const measuring all = {s, middle};
    sfgp_status status = SFGP_OK;
    if (count < s->mesh->count)
        status = sfgp_mesh_select(context, s->mesh, count, s->index, &part);
    if (status != SFGP_OK)
        return status;
    sfgp_points_extent(count, d, part ? part->points : s->mesh->points, middle);
    sfgp_parallel_for(s->mesh->count, GRAIN, measure_some, &all);
    sfgp_mesh_free(part);
    return SFGP_OK;
}

/* The points before a gap are nearer than the farthest one by the ratio of a gap: where they are too few there is none. */
static bool may_have_gap(int64_t count, const double *distance)
{
    double largest = 0;
    int64_t near = 0;
    for (int64_t k = 0; k < count; k++)
        largest = sfgp_larger(distance[k], largest);
    for (int64_t k = 0; k < count; k++)
        near += largest > GAP * distance[k];
    return (double)near >= REST * (double)count;
}

/* The distance before the first gap; HUGE_VAL without one. */
static double find_gap(int64_t count, search *s)
{
    for (int64_t k = 0; k < count; k++)
        s->sorted[k] = s->distance[s->index[k]];
    if (!may_have_gap(count, s->sorted))
        return HUGE_VAL;
    sfgp_sort(count, s->sorted);
    for (int64_t k = (int64_t)ceil(REST * (double)count); k < count; k++)
        if (k > s->mesh->dimension && s->sorted[k - 1] > 0 && s->sorted[k] > GAP * s->sorted[k - 1])
            return s->sorted[k - 1];
    return HUGE_VAL;
}

static bool faces_cross(const search *s, double limit)
{
    const sfgp_mesh *mesh = s->mesh;
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t first = mesh->face_start[f];
        const bool beyond = s->distance[mesh->face_points[first]] > limit;
        for (int64_t k = first + 1; k < mesh->face_start[f + 1]; k++)
            if ((s->distance[mesh->face_points[k]] > limit) != beyond)
                return true;
    }
    return false;
}

static void leave_out_far(const search *s, double limit, sfgp_strays *strays)
{
    for (int64_t i = 0; i < s->mesh->count; i++) {
        if (!s->kept[i] || s->distance[i] <= limit)
            continue;
        s->kept[i] = false;
        strays->first = strays->far++ == 0 ? i : strays->first;
        strays->distance = fmax(strays->distance, s->distance[i]);
    }
}

static sfgp_status find(sfgp_context *context, search *s, sfgp_strays *strays)
{
    strays->loose = leave_out_loose(s);
    const int64_t count = list_kept(s);
    sfgp_status status = measure(context, count, s);
    if (status != SFGP_OK)
        return status;
    const double limit = find_gap(count, s);
    if (limit < HUGE_VAL && !faces_cross(s, limit))
        leave_out_far(s, limit, strays);
    if (strays->loose + strays->far > 0)
        status = sfgp_mesh_select(context, s->mesh, list_kept(s), s->index, &strays->rest);
    return status;
}

sfgp_status sfgp_strays_find(sfgp_context *context, const sfgp_mesh *mesh, sfgp_strays *strays)
{
    search s;
    *strays = (sfgp_strays){.first = -1};
    sfgp_status status = search_new(context, mesh, &s);
    if (status == SFGP_OK)
        status = find(context, &s, strays);
    search_clear(&s);
    return status;
}

void sfgp_strays_clear(sfgp_strays *strays)
{
    sfgp_mesh_free(strays->rest);
    *strays = (sfgp_strays){.first = -1};
}
