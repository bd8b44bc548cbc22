/* Vertex clustering (Rossignac, Borrel 1993): points of one cell become the first of them; a triangle is left when its
 * corners are in three cells. Cells grow until few enough have points. */
#include "page/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point and the number of its cell. */
typedef struct member {
    uint64_t cell;
    int64_t index;
} member;

static int compare_members(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Lowest corner of the bounding box, and its diagonal. */
static double find_box(const sfgp_mesh *mesh, double low[3])
{
    const int d = mesh->dimension;
    double sum = 0;
    for (int axis = 0; axis < d; axis++) {
        double high = low[axis] = mesh->points[axis];
        for (int64_t i = 1; i < mesh->count; i++) {
            low[axis] = fmin(low[axis], mesh->points[i * d + axis]);
            high = fmax(high, mesh->points[i * d + axis]);
        }
        sum += (high - low[axis]) * (high - low[axis]);
    }
    return sqrt(sum);
}

/* Sorts the points by cell. Returns the number of cells. */
static int64_t find_cells(const sfgp_mesh *mesh, const double low[3], double size, member *members)
{
    const int d = mesh->dimension;
    int64_t cells = 0;
    for (int64_t i = 0; i < mesh->count; i++) {
        members[i] = (member){0, i};
        for (int axis = 0; axis < d; axis++)
            members[i].cell = members[i].cell << 21 |
                              (uint64_t)fmin((mesh->points[i * d + axis] - low[axis]) / size, (1 << 21) - 1);
    }
    qsort(members, (size_t)mesh->count, sizeof *members, compare_members);
    for (int64_t i = 0; i < mesh->count; i++)
        cells += i == 0 || members[i].cell != members[i - 1].cell;
    return cells;
}

/* first[i]: the first point of the cell of point i. */
static void choose_points(const sfgp_mesh *mesh, int64_t most, member *members, int64_t *first)
{
    double low[3], size = find_box(mesh, low) / (3 * sqrt((double)most));
    int64_t cells;
    do {
        cells = find_cells(mesh, low, size, members);
        size *= fmax(1.05, sqrt((double)cells / (double)most));
    } while (cells > most);
    for (int64_t i = 0, start = 0; i < mesh->count; i++) {
        start = i == 0 || members[i].cell != members[i - 1].cell ? i : start;
        first[members[i].index] = members[start].index;
    }
}

/* number[i]: the place of point i among those that are left, from 0. Returns how many there are. */
static int64_t number_points(const sfgp_mesh *mesh, const int64_t *first, int64_t *number, int64_t *index)
{
    int64_t count = 0;
    for (int64_t i = 0; i < mesh->count; i++)
        if (first[i] == i) {
            index[count] = i;
            number[i] = count++;
        }
    for (int64_t i = 0; i < mesh->count; i++)
        number[i] = number[first[i]];
    return count;
}

/* Writes the triangles whose corners are three points, to corners unless that is NULL. Returns how many there are. */
static int64_t list_triangles(const sfgp_mesh *mesh, const int64_t *number, int64_t *corners)
{
    int64_t count = 0;
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f] + 2; k < mesh->face_start[f + 1]; k++) {
            const int64_t a = number[mesh->face_points[mesh->face_start[f]]],
                          b = number[mesh->face_points[k - 1]], c = number[mesh->face_points[k]];
            if (a == b || b == c || c == a)
                continue;
            if (corners)
                memcpy(corners + 3 * count, (const int64_t[3]){a, b, c}, 3 * sizeof a);
            count++;
        }
    return count;
}

static sfgp_status build_mesh(sfgp_context *context, const sfgp_mesh *mesh, const int64_t *number,
                              int64_t count, thin_shape *thin)
{
    const int64_t faces = list_triangles(mesh, number, NULL);
    const int d = mesh->dimension;
    sfgp_status status = sfgp_mesh_new(context, count, d, faces, 3 * faces, &thin->mesh);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < count; k++)
        memcpy(thin->mesh->points + k * d, mesh->points + thin->index[k] * d, (size_t)d * sizeof(double));
    list_triangles(mesh, number, thin->mesh->face_points);
    for (int64_t f = 0; faces > 0 && f <= faces; f++)
        thin->mesh->face_start[f] = 3 * f;
    return SFGP_OK;
}

sfgp_status thin_make(sfgp_context *context, const sfgp_mesh *mesh, int64_t most, thin_shape *thin)
{
    const size_t n = (size_t)mesh->count + 1;
    int64_t *first = malloc(n * sizeof *first), *number = calloc(n, sizeof *number);
    member *members = mesh->count > most ? calloc(n, sizeof *members) : NULL;
    *thin = (thin_shape){NULL, malloc(n * sizeof *thin->index)};
    sfgp_status status = SFGP_ERROR_MEMORY;
    if (first && number && thin->index && (members || mesh->count <= most)) {
        for (int64_t i = 0; i < mesh->count; i++)
            first[i] = i;
        if (members)
            choose_points(mesh, most, members, first);
        const int64_t count = number_points(mesh, first, number, thin->index);
        status = build_mesh(context, mesh, number, count, thin);
    }
    free(first);
    free(number);
    free(members);
    return status;
}

void thin_clear(thin_shape *thin)
{
    sfgp_mesh_free(thin->mesh);
    free(thin->index);
}

double *thin_values(const thin_shape *thin, const double *values, int width)
{
    double *kept = malloc(((size_t)thin->mesh->count + 1) * (size_t)width * sizeof *kept);
    for (int64_t k = 0; kept && k < thin->mesh->count; k++)
        memcpy(kept + k * width, values + thin->index[k] * width, (size_t)width * sizeof *kept);
    return kept;
}
