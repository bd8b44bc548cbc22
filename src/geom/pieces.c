/* Finds the pieces of a surface: points of a face are in one group. */
#include "geom/pieces.h"
#include "base/memory.h"
#include "geom/forest.h"
#include "geom/measure.h"
#include "geom/mesh.h"

#include <math.h>

typedef struct search {
    const sfgp_mesh *mesh;
    int64_t *parents; /* N */
    int64_t *sizes;   /* N: points with faces, of each root */
    int64_t *index;   /* N */
    double *nearest;  /* N: of each root, from the centroid of the largest piece to its nearest point */
} search;

static sfgp_status search_new(sfgp_context *context, const sfgp_mesh *mesh, search *s)
{
    *s = (search){.mesh = mesh};
    sfgp_status status = sfgp_allocate(context, mesh->count, &s->parents);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &s->sizes);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &s->index);
    return status == SFGP_OK ? sfgp_allocate(context, mesh->count, &s->nearest) : status;
}

static void search_clear(search *s)
{
    sfgp_free(s->parents);
    sfgp_free(s->sizes);
    sfgp_free(s->index);
    sfgp_free(s->nearest);
}

/* index gets 1 for points with faces. */
static void join_faces(search *s)
{
    const sfgp_mesh *mesh = s->mesh;
    sfgp_forest_begin(mesh->count, s->parents);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t first = sfgp_forest_root(s->parents, mesh->face_points[mesh->face_start[f]]);
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++) {
            s->parents[sfgp_forest_root(s->parents, mesh->face_points[k])] = first;
            s->index[mesh->face_points[k]] = 1;
        }
    }
    for (int64_t i = 0; i < mesh->count; i++)
        s->sizes[sfgp_forest_root(s->parents, i)] += s->index[i];
}

/* Radius of the points of one root; root -1: of all points with faces. */
static sfgp_status measure(sfgp_context *context, search *s, int64_t root, double *radius)
{
    sfgp_mesh *part = NULL;
    int64_t count = 0;
    for (int64_t i = 0; i < s->mesh->count; i++) {
        const int64_t own = sfgp_forest_root(s->parents, i);
        if (own == root || (root < 0 && s->sizes[own] > 0))
            s->index[count++] = i;
    }
    const sfgp_status status = sfgp_mesh_select(context, s->mesh, count, s->index, &part);
    if (status == SFGP_OK)
        *radius = sfgp_points_radius(count, part->dimension, part->points);
    sfgp_mesh_free(part);
    return status;
}

static void find_centroid(search *s, int64_t root, double centre[3])
{
    const int d = s->mesh->dimension;
    for (int64_t i = 0; i < s->mesh->count; i++)
        for (int a = 0; a < d && sfgp_forest_root(s->parents, i) == root; a++)
            centre[a] += s->mesh->points[i * d + a] / (double)s->sizes[root];
}

/* The number of points in pieces that have no point within SFGP_PIECES_REACH of the largest one. */
static int64_t count_apart(search *s, int64_t largest)
{
    const int d = s->mesh->dimension;
    double centre[3] = {0}, farthest = 0;
    int64_t count = 0;
    find_centroid(s, largest, centre);
    for (int64_t i = 0; i < s->mesh->count; i++)
        s->nearest[i] = HUGE_VAL;
    for (int64_t i = 0; i < s->mesh->count; i++) {
        const int64_t root = sfgp_forest_root(s->parents, i);
        const double distance = sfgp_points_distance(d, s->mesh->points + i * d, centre);
        s->nearest[root] = fmin(s->nearest[root], distance);
        farthest = root == largest ? fmax(farthest, distance) : farthest;
    }
    for (int64_t i = 0; i < s->mesh->count; i++)
        if (s->sizes[i] > 0 && s->nearest[i] > SFGP_PIECES_REACH * farthest)
            count += s->sizes[i];
    return count;
}

static sfgp_status describe(sfgp_context *context, search *s, sfgp_pieces *pieces)
{
    int64_t largest = -1;
    for (int64_t i = 0; i < s->mesh->count; i++) {
        pieces->count += s->sizes[i] > 0;
        if (s->sizes[i] > pieces->largest) {
            pieces->largest = s->sizes[i];
            largest = i;
        }
    }
    if (pieces->count < 2)
        return SFGP_OK;
    pieces->apart = count_apart(s, largest);
    const sfgp_status status = measure(context, s, largest, &pieces->largest_radius);
    return status == SFGP_OK ? measure(context, s, -1, &pieces->radius) : status;
}

sfgp_status sfgp_pieces_find(sfgp_context *context, const sfgp_mesh *mesh, sfgp_pieces *pieces)
{
    search s;
    *pieces = (sfgp_pieces){.count = 0};
    if (mesh->face_count == 0)
        return SFGP_OK;
    sfgp_status status = search_new(context, mesh, &s);
    if (status == SFGP_OK) {
        join_faces(&s);
        status = describe(context, &s, pieces);
    }
    search_clear(&s);
    return status;
}
