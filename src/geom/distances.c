/* Distances from points to a shape: to its surface where it has faces, else to its nearest point. */
#include "base/memory.h"
#include "base/quantile.h"
#include "geom/kdtree.h"
#include "geom/mesh.h"
#include "geom/surface.h"

#include <math.h>

static sfgp_status measure_points(sfgp_context *context, int64_t count, const double *points,
                                  const sfgp_mesh *shape, double *distances)
{
    sfgp_kdtree *tree = NULL;
    double distance2 = 0;
    sfgp_status status = sfgp_kdtree_new(context, shape->count, shape->dimension, shape->points, &tree);
    for (int64_t i = 0; i < count && status == SFGP_OK; i++) {
        sfgp_kdtree_nearest(tree, points + i * shape->dimension, &distance2);
        distances[i] = sqrt(distance2);
    }
    sfgp_kdtree_free(tree);
    return status;
}

static sfgp_status measure_surface(sfgp_context *context, int64_t count, const double *points,
                                   const sfgp_mesh *shape, double *distances)
{
    sfgp_surface *surface = NULL;
    sfgp_status status = sfgp_surface_new(context, shape, &surface);
    for (int64_t i = 0; i < count && status == SFGP_OK; i++)
        distances[i] = sqrt(sfgp_surface_distance2(surface, points + 3 * i));
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
    const bool solid = to->dimension == 3 && to->face_count > 0;
    return (solid ? measure_surface : measure_points)(context, from->count, from->points, to, distances);
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

sfgp_status sfgp_evaluate_surfaces(sfgp_context *context, const sfgp_mesh *fitted, const sfgp_mesh *truth,
                                   sfgp_surface_evaluation *evaluation)
{
    double *distances = NULL;
    if (!context || !fitted || !truth || !evaluation)
        return SFGP_ERROR_PARAMETER;
    *evaluation = (sfgp_surface_evaluation){{0}, {0}, {0}};
    sfgp_status status = sfgp_allocate(context, fitted->count + truth->count, &distances);
    if (status == SFGP_OK)
        status = sfgp_distances(context, fitted, truth, distances);
    if (status == SFGP_OK)
        status = sfgp_distances(context, truth, fitted, distances + fitted->count);
    if (status == SFGP_OK) {
        evaluation->fitted_to_truth = summarise(fitted->count, distances);
        evaluation->truth_to_fitted = summarise(truth->count, distances + fitted->count);
        evaluation->symmetric = summarise(fitted->count + truth->count, distances);
    }
    sfgp_free(distances);
    return status;
}
