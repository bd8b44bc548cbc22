/* Distances from points to a shape: to its surface where it has faces, else to its nearest point. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/threads.h"
#include "geom/kdtree.h"
#include "geom/mesh.h"
#include "geom/surface.h"

#include <math.h>

enum { GRAIN = 64 }; /* points that are worth handing out */

/* Points and the shape whose distance they are to get; of tree and surface one is NULL. */
typedef struct measured {
    int dimension;
    const double *points, *shape;
    const sfgp_kdtree *tree;
    const sfgp_surface *surface;
    double *distances;
} measured;

static void measure_some(const void *data, int64_t first, int64_t end)
{
    const measured *all = data;
    int64_t nearest = -1;
    for (int64_t i = first; i < end; i++) {
        const double *point = all->points + i * all->dimension;
        double distance2 = 0;
        if (all->surface)
            distance2 = sfgp_surface_distance2(all->surface, point);
        else
            nearest = sfgp_kdtree_follow(all->tree, all->shape, all->dimension, nearest, point, &distance2);
        all->distances[i] = sqrt(distance2);
    }
}

static sfgp_status measure(sfgp_context *context, const sfgp_mesh *from, const sfgp_mesh *to,
                           double *distances)
{
    sfgp_kdtree *tree = NULL;
    sfgp_surface *surface = NULL;
    const sfgp_status status = to->dimension == 3 && to->face_count > 0
                                   ? sfgp_surface_new(context, to, &surface)
                                   : sfgp_kdtree_new(context, to->count, to->dimension, to->points, &tree);
    const measured all = {from->dimension, from->points, to->points, tree, surface, distances};
    if (status == SFGP_OK)
        sfgp_parallel_for(from->count, GRAIN, measure_some, &all);
    sfgp_kdtree_free(tree);
    sfgp_surface_free(surface);
    return status;
}

sfgp_status sfgp_distances(sfgp_context *context, const sfgp_mesh *from, const sfgp_mesh *to,
                           double *distances)
{
    if (!context || !from || !to || !distances)
        return SFGP_ERROR_PARAMETER;
    if (from->dimension != to->dimension)
        return sfgp_fail(context, SFGP_ERROR_DATA, "the points have dimension %d, the shape %d",
                         from->dimension, to->dimension);
    if (to->count < 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "the shape has no points");
    sfgp_status status = sfgp_mesh_check_finite(context, "points", from);
    if (status == SFGP_OK && (status = sfgp_mesh_check_finite(context, "shape", to)) == SFGP_OK)
        status = sfgp_mesh_check_faces(context, to);
    if (status != SFGP_OK)
        return status;
    const int before = sfgp_threads_begin(context->threads, from->count);
    status = measure(context, from, to, distances);
    sfgp_threads_end(before);
    return status;
}

/* ---- between two shapes ------------------------------------------------------------------------------ */

/* Sorts the distances. */
static sfgp_distance_summary summarise(int64_t count, double *distances)
{
    double sum = 0, squares = 0;
    sfgp_sort(count, distances);
    for (int64_t k = 0; k < count; k++) { /* smallest first, for the least rounding */
        sum += distances[k];
        squares += distances[k] * distances[k];
    }
    return (sfgp_distance_summary){count, sum / (double)count, sqrt(squares / (double)count),
                                   sfgp_quantile(count, distances, 0.95), distances[count - 1]};
}

sfgp_status sfgp_evaluate_surfaces_sized(sfgp_context *context, const sfgp_mesh *fitted,
                                         const sfgp_mesh *truth, sfgp_surface_evaluation *evaluation,
                                         size_t size)
{
    sfgp_surface_evaluation own = {{0}, {0}, {0}};
    double *distances = NULL;
    if (!context || !fitted || !truth || !evaluation)
        return SFGP_ERROR_PARAMETER;
    sfgp_status status = sfgp_allocate(context, fitted->count + truth->count, &distances);
    if (status == SFGP_OK)
        status = sfgp_distances(context, fitted, truth, distances);
    if (status == SFGP_OK)
        status = sfgp_distances(context, truth, fitted, distances + fitted->count);
    if (status == SFGP_OK) {
        own.fitted_to_truth = summarise(fitted->count, distances);
        own.truth_to_fitted = summarise(truth->count, distances + fitted->count);
        own.symmetric = summarise(fitted->count + truth->count, distances);
    }
    sfgp_struct_copy(&own, sizeof own, size, evaluation);
    sfgp_free(distances);
    return status;
}
