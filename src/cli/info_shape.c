/* Measures a mesh. */
#include "cli/info_shape.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 200 };

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- points ------------------------------------------------------------------------------------------ */

static void measure_size(const sfgp_mesh *mesh, cli_shape *shape)
{
    const int d = mesh->dimension;
    double square = 0, diagonal = 0;
    for (int a = 0; a < d; a++) {
        double mean = 0, low = HUGE_VAL, high = -HUGE_VAL;
        for (int64_t i = 0; i < mesh->count; i++) {
            const double x = mesh->points[i * d + a];
            mean += x / (double)mesh->count;
            low = fmin(low, x), high = fmax(high, x);
        }
        for (int64_t i = 0; i < mesh->count; i++)
            square += pow(mesh->points[i * d + a] - mean, 2) / (double)mesh->count;
        diagonal += pow(high - low, 2);
    }
    shape->radius = sqrt(square);
    shape->diagonal = sqrt(diagonal);
}

static double find_nearest(const sfgp_mesh *mesh, int64_t i)
{
    const int d = mesh->dimension;
    double nearest = HUGE_VAL;
    for (int64_t j = 0; j < mesh->count; j++) {
        double square = 0;
        for (int a = 0; a < d && j != i; a++)
            square += pow(mesh->points[i * d + a] - mesh->points[j * d + a], 2);
        nearest = j != i && square < nearest ? square : nearest;
    }
    return sqrt(nearest);
}

static double measure_spacing(const sfgp_mesh *mesh)
{
    double distances[SAMPLES];
    const int64_t count = mesh->count < SAMPLES ? mesh->count : SAMPLES;
    for (int64_t k = 0; k < count; k++)
        distances[k] = find_nearest(mesh, k * mesh->count / count);
    qsort(distances, (size_t)count, sizeof *distances, compare_numbers);
    return count > 1 ? distances[count / 2] : 0;
}

/* ---- edges ------------------------------------------------------------------------------------------- */

typedef struct edge {
    int64_t low, high; /* points */
} edge;

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low)
                            : (x->high > y->high) - (x->high < y->high);
}

static int64_t list_edges(const sfgp_mesh *mesh, edge *edges)
{
    int64_t count = 0;
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f], last = mesh->face_start[f + 1] - 1; k <= last; k++) {
            const int64_t a = mesh->face_points[k],
                          b = mesh->face_points[k == last ? mesh->face_start[f] : k + 1];
            edges[count++] = a < b ? (edge){a, b} : (edge){b, a};
        }
    return count;
}

/* Root of a point in the forest of points that rims connect. */
static int64_t find_root(int64_t *parents, int64_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

/* A rim edge joins two points, and so two groups or none: groups with an edge are points less joins. */
static void add_rim(const edge *rim, int64_t *parents, bool *seen, cli_shape *shape)
{
    const int64_t ends[] = {rim->low, rim->high};
    shape->rim++;
    for (int k = 0; k < 2; k++) {
        shape->holes += !seen[ends[k]];
        seen[ends[k]] = true;
    }
    const int64_t a = find_root(parents, rim->low), b = find_root(parents, rim->high);
    shape->holes -= a != b;
    parents[a] = b;
}

static void count_rims(const edge *edges, int64_t count, int64_t *parents, bool *seen, cli_shape *shape)
{
    for (int64_t k = 0, next; k < count; k = next) {
        next = k + 1;
        while (next < count && compare_edges(&edges[next], &edges[k]) == 0)
            next++;
        shape->knots += next - k > 2;
        if (next - k == 1)
            add_rim(&edges[k], parents, seen, shape);
    }
}

static bool measure_rims(const sfgp_mesh *mesh, cli_shape *shape)
{
    const size_t corners = mesh->face_count > 0 ? (size_t)mesh->face_start[mesh->face_count] : 0;
    edge *edges = malloc((corners + 1) * sizeof *edges);
    int64_t *parents = malloc(((size_t)mesh->count + 1) * sizeof *parents);
    bool *seen = calloc((size_t)mesh->count + 1, sizeof *seen);
    const bool good = edges && parents && seen;
    if (good) {
        for (int64_t i = 0; i < mesh->count; i++)
            parents[i] = i;
        const int64_t count = list_edges(mesh, edges);
        qsort(edges, (size_t)count, sizeof *edges, compare_edges);
        count_rims(edges, count, parents, seen, shape);
    }
    free(edges);
    free(parents);
    free(seen);
    return good;
}

bool cli_shape_measure(const sfgp_mesh *mesh, cli_shape *shape)
{
    *shape = (cli_shape){0};
    measure_size(mesh, shape);
    shape->spacing = measure_spacing(mesh);
    return mesh->face_count == 0 || measure_rims(mesh, shape);
}
