/* The pieces that elements connect, and their area. Definitions in laplacian.h. */
#include "base/memory.h"
#include "geom/forest.h"
#include "geom/laplacian.h"

static void join_elements(const sfgp_elements *elements, int64_t *parents)
{
    for (int64_t e = 0; e < elements->count; e++) {
        const int32_t *points = elements->points + e * elements->corners;
        for (int k = 1; k < elements->corners; k++) {
            const int64_t a = sfgp_forest_root(parents, points[0]), b = sfgp_forest_root(parents, points[k]);
            parents[a < b ? b : a] = a < b ? a : b; /* the root is the first point */
        }
    }
}

static void number_pieces(int64_t *parents, sfgp_laplacian *laplacian)
{
    for (int64_t i = 0; i < laplacian->count; i++) {
        const int64_t root = sfgp_forest_root(parents, i);
        laplacian->piece[i] = root == i ? (int32_t)laplacian->piece_count++ : laplacian->piece[root];
    }
}

/* A point without elements gets the mean mass of a point. */
static void measure_pieces(sfgp_laplacian *laplacian)
{
    double sum = 0;
    for (int64_t i = 0; i < laplacian->count; i++)
        sum += laplacian->mass[i];
    const double mean = sum > 0 ? sum / (double)laplacian->count : 1;
    for (int64_t i = 0; i < laplacian->count; i++) {
        laplacian->area[laplacian->piece[i]] += laplacian->mass[i];
        laplacian->mass[i] = laplacian->mass[i] > 0 ? laplacian->mass[i] : mean;
        laplacian->weight[laplacian->piece[i]] += laplacian->mass[i];
    }
}

sfgp_status sfgp_laplacian_find_pieces(sfgp_context *context, const sfgp_elements *elements,
                                       sfgp_laplacian *laplacian)
{
    int64_t *parents = NULL;
    sfgp_status status = sfgp_allocate(context, laplacian->count, &parents);
    if (status == SFGP_OK) {
        sfgp_forest_begin(laplacian->count, parents);
        join_elements(elements, parents);
        number_pieces(parents, laplacian);
        if ((status = sfgp_allocate(context, laplacian->piece_count, &laplacian->area)) == SFGP_OK &&
            (status = sfgp_allocate(context, laplacian->piece_count, &laplacian->weight)) == SFGP_OK)
            measure_pieces(laplacian);
    }
    sfgp_free(parents);
    return status;
}
