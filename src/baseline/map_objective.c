/* The MAP objective and its gradient, summed by lanes. The equations stand in map_objective.h. */
#include "baseline/map_objective.h"
#include "base/lanes.h"
#include "base/memory.h"

#include <string.h>

sfgp_status sfgp_map_estimate_new(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                  double lambda, sfgp_map_estimate *map)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_status status = SFGP_OK;
    *map = (sfgp_map_estimate){.model = model, .lambda = lambda, .targets = target->count};
    map->size = sfgp_basis_size(&model->basis);
    if ((status = sfgp_allocate(context, target->count * d, &map->target)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &map->points)) != SFGP_OK ||
        (status = sfgp_allocate(context, n * d, &map->residual)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &map->distance2)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &map->closest)) != SFGP_OK ||
        (status = sfgp_allocate(context, SFGP_LANES * map->size, &map->lane_gradients)) != SFGP_OK)
        return status;
    sfgp_frame_enter(&model->frame, target->count, target->points, map->target);
    return sfgp_kdtree_new(context, target->count, (int)d, map->target, &map->tree);
}

void sfgp_map_estimate_clear(sfgp_map_estimate *map)
{
    sfgp_kdtree_free(map->tree);
    sfgp_free(map->target);
    sfgp_free(map->points);
    sfgp_free(map->residual);
    sfgp_free(map->distance2);
    sfgp_free(map->closest);
    sfgp_free(map->lane_gradients);
    *map = (sfgp_map_estimate){0};
}

/* Points, residuals and part of the gradient of one lane; returns its sum of squared distances. */
typedef struct objective {
    const sfgp_map_estimate *map;
    const double *c;
    double *sums; /* SFGP_LANES: of squared distances */
} objective;

static void evaluate_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const objective *f = data;
    const sfgp_map_estimate *map = f->map;
    const int64_t d = map->model->dimension, n = map->model->count;
    double *gradient = map->lane_gradients + lane * map->size, sum = 0;
    sfgp_basis_multiply(&map->model->basis, f->c, first, end, map->points);
    for (int64_t i = first; i < end; i++) {
        int64_t j = sfgp_kdtree_nearest(map->tree, map->points + i * d, &map->distance2[i]);
        map->closest[i] = (int32_t)j;
        sum += map->distance2[i];
        for (int64_t a = 0; a < d; a++)
            map->residual[i * d + a] = 2 / (double)n * (map->points[i * d + a] - map->target[j * d + a]);
    }
    memset(gradient, 0, (size_t)map->size * sizeof *gradient);
    sfgp_basis_multiply_transposed(&map->model->basis, map->residual, first, end, gradient);
    f->sums[lane] = sum;
}

double sfgp_map_estimate_objective(void *user, const double *c, double *gradient)
{
    sfgp_map_estimate *map = user;
    double lane_sums[SFGP_LANES], sum = 0, square = 0;
    const objective all = {map, c, lane_sums};
    sfgp_lanes_run(map->model->count, evaluate_lane, &all);
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sum += lane_sums[lane];
    for (int64_t k = 0; k < map->size; k++) {
        square += c[k] * c[k];
        gradient[k] = 2 * map->lambda * c[k];
        for (int lane = 0; lane < SFGP_LANES; lane++)
            gradient[k] += map->lane_gradients[lane * map->size + k];
    }
    return sum / (double)map->model->count + map->lambda * square;
}
