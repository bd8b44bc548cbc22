#include "fit/level.h"
#include "base/memory.h"
#include "base/random.h"
#include "fit/squarem.h"
#include "fit/thinning.h"
#include "geom/mesh.h"
#include "geom/spread.h"
#include "model/coefficients.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHARE 8 /* points of a level for one of the next */

bool sfgp_level_wanted(const sfgp_solver *whole)
{
    return whole->method->search && whole->model->count > SFGP_DENSE;
}

/* ---- a part ------------------------------------------------------------------------------------------- */

int64_t sfgp_level_points(int64_t whole)
{
    return whole / SHARE > SFGP_DENSE ? whole / SHARE : SFGP_CELLS;
}

/* As many in proportion, but no fewer than cells if there are as many. */
int64_t sfgp_level_targets(int64_t whole, int64_t part, int64_t targets)
{
    const int64_t share = (int64_t)((double)targets * ((double)part / (double)whole)),
                  least = targets < SFGP_CELLS ? targets : SFGP_CELLS;
    return share > least ? share : least;
}

/* Spread evenly, where there are few of them; at random, which is cheaper, where there are many. */
static sfgp_status choose(const sfgp_solver *whole, uint64_t seed, int64_t count, const double *points,
                          int64_t wanted, int64_t *index)
{
    if (wanted <= SFGP_DENSE)
        return sfgp_points_spread(whole->context, count, whole->model->dimension, points, wanted, index,
                                  NULL);
    sfgp_random_some(seed, count, wanted, index);
    return SFGP_OK;
}

static sfgp_status take_model(const sfgp_solver *whole, int64_t count, sfgp_level *level)
{
    const sfgp_model *model = whole->model;
    int64_t *index = NULL;
    sfgp_status status = sfgp_allocate(whole->context, count, &index);
    if (status == SFGP_OK)
        status = choose(whole, (uint64_t)whole->settings.seed, model->count, model->prior_mean, count, index);
    if (status == SFGP_OK)
        status = sfgp_model_select(whole->context, model, count, index, &level->model);
    sfgp_free(index);
    return status;
}

static sfgp_status take_target(const sfgp_solver *whole, const sfgp_mesh *target, int64_t count,
                               sfgp_level *level)
{
    int64_t *index = NULL;
    sfgp_status status = sfgp_allocate(whole->context, count, &index);
    if (status == SFGP_OK)
        status =
            choose(whole, (uint64_t)whole->settings.seed + 1, target->count, target->points, count, index);
    if (status == SFGP_OK)
        status = sfgp_mesh_select(whole->context, target, count, index, &level->target);
    sfgp_free(index);
    return status;
}

/* The same columns, so the same sums: the part uses those of the whole. */
static void lend_landmarks(const sfgp_solver *whole, sfgp_solver *part)
{
    part->landmarks = whole->landmarks;
    part->posterior.landmarks = whole->posterior.landmarks;
}

static sfgp_status start(const sfgp_solver *whole, sfgp_level *level)
{
    sfgp_settings settings = whole->settings;
    snprintf(settings.kernel, sizeof settings.kernel, "auto"); /* the model is what counts */
    settings.pmin = settings.prune = 0;
    sfgp_status status = sfgp_solver_new(whole->context, level->model, &settings, &level->solver);
    if (status != SFGP_OK)
        return status;
    lend_landmarks(whole, level->solver);
    level->solver->comparable = whole->comparable;
    return sfgp_solver_take_target(level->solver, level->target);
}

sfgp_status sfgp_level_new(sfgp_solver *whole, const sfgp_mesh *target, sfgp_level *level)
{
    const int64_t points = sfgp_level_points(whole->model->count),
                  targets = sfgp_level_targets(whole->model->count, points, target->count);
    *level = (sfgp_level){0};
    sfgp_status status = take_model(whole, points, level);
    if (status == SFGP_OK)
        status = take_target(whole, target, targets, level);
    return status == SFGP_OK ? start(whole, level) : status;
}

void sfgp_level_clear(sfgp_level *level)
{
    if (level->solver) { /* borrowed */
        level->solver->landmarks = (sfgp_landmark_rows){0};
        level->solver->posterior.landmarks = NULL;
    }
    sfgp_solver_free(level->solver);
    sfgp_mesh_free(level->target);
    sfgp_model_free(level->model);
    *level = (sfgp_level){0};
}

/* ---- and the whole ---------------------------------------------------------------------------------- */

/* The point of the part next to the middle of each cell of the whole. */
static sfgp_status find_nearest(const sfgp_level *level, const sfgp_solver *whole, int64_t *nearest)
{
    const sfgp_model *model = level->model;
    const sfgp_regions *regions = &whole->regions;
    sfgp_kdtree *tree = NULL;
    double distance2;
    sfgp_status status =
        sfgp_kdtree_new(whole->context, model->count, model->dimension, model->prior_mean, &tree);
    for (int64_t c = 0; status == SFGP_OK && c < regions->count; c++)
        nearest[c] = sfgp_kdtree_nearest(
            tree, whole->model->prior_mean + regions->centre[c] * model->dimension, &distance2);
    sfgp_kdtree_free(tree);
    return status;
}

/* Values of the part at the points of the whole, cell by cell. */
static void carry_values(const sfgp_regions *regions, const int64_t *nearest, const double *part,
                         double *whole)
{
    for (int64_t i = 0; i < regions->points; i++)
        whole[i] = part[nearest[regions->cell[i]]];
}

/* rbar and v, c being the same */
static void carry_points(const sfgp_solver *part, sfgp_solver *whole)
{
    const size_t n = (size_t)whole->model->count, d = (size_t)whole->model->dimension;
    sfgp_posterior *posterior = &whole->posterior;
    memcpy(posterior->lane_normals, part->posterior.lane_normals,
           (size_t)posterior->normal_size * sizeof(double));
    posterior->solved = true;
    posterior->summed = false;
    posterior->covariance = part->posterior.covariance;
    sfgp_posterior_place(posterior);
    memcpy(whole->fitted, posterior->mean, n * d * sizeof(double));
    memcpy(whole->coefficients, sfgp_posterior_coefficients(posterior),
           (size_t)sfgp_coefficients_size(whole->model) * sizeof(double));
    for (size_t i = 0; i < n; i++)
        whole->noise[i] = part->noise[0];
    whole->held_noise = part->noise[0];
    whole->divergence = part->divergence;
}

/* pi, p and what is stated */
static sfgp_status carry_all_values(const sfgp_level *level, sfgp_solver *whole)
{
    const sfgp_solver *part = level->solver;
    int64_t *nearest = NULL;
    sfgp_status status = sfgp_allocate(whole->context, whole->regions.count, &nearest);
    if (status == SFGP_OK)
        status = find_nearest(level, whole, nearest);
    if (status == SFGP_OK) {
        carry_values(&whole->regions, nearest, part->mixing, whole->mixing);
        carry_values(&whole->regions, nearest, part->posterior.variance, whole->posterior.variance);
        carry_values(&whole->regions, nearest, part->carried ? part->stated : part->variance, whole->stated);
        memcpy(whole->variance, whole->posterior.variance, (size_t)whole->model->count * sizeof(double));
    }
    sfgp_free(nearest);
    return status;
}

sfgp_status sfgp_level_carry(const sfgp_level *level, sfgp_solver *whole)
{
    const sfgp_solver *part = level->solver;
    sfgp_status status = SFGP_OK;
    if (!whole->stated &&
        (status = sfgp_allocate(whole->context, whole->model->count, &whole->stated)) != SFGP_OK)
        return status;
    whole->begun = part->begun;
    whole->pose = part->pose;
    whole->rule.omega = part->rule.omega;
    whole->rule.reach = SFGP_LEVEL_REACH;
    whole->carried = true;
    whole->settled = false;
    whole->age = 0;
    whole->scatter = part->carried ? part->scatter : sqrt(part->noise[0]);
    whole->coarseness = part->carried ? part->coarseness : part->spacing;
    carry_points(part, whole);
    sfgp_squarem_begin(whole);
    status = carry_all_values(level, whole);
    return status == SFGP_OK ? sfgp_thinning_resume(whole, part) : status;
}
