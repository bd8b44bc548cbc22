/* Chooses some points of both shapes, at random (seeded) or evenly, and makes their problem. */
#include "search/subset.h"
#include "base/memory.h"
#include "base/random.h"
#include "geom/mesh.h"
#include "geom/spread.h"
#include "search/tuning.h"

#include <math.h>

int64_t sfgp_subset_targets(int64_t points, int64_t of, int64_t targets)
{
    return (int64_t)fmin((double)targets * (double)points / (double)of, 0x1p62);
}

/* Points of a cloud, evenly only where they are few: at random is cheaper where they are many. */
typedef struct choice {
    int64_t count, wanted;
    int dimension;
    const double *points;
    uint64_t seed;
    bool even;
} choice;

/* Their indices, ascending if at random; sfgp_free. Returns how many in *chosen. */
static sfgp_status choose(sfgp_context *context, const choice *of, int64_t **index, int64_t *chosen)
{
    const int64_t wanted = of->wanted < of->count ? of->wanted : of->count;
    const sfgp_status status = sfgp_allocate(context, of->count, index);
    if (status != SFGP_OK)
        return status;
    if (of->even && !sfgp_schedule_is_dense(wanted)) {
        *chosen = wanted;
        return sfgp_points_spread(context, of->count, of->dimension, of->points, wanted, *index, NULL);
    }
    *chosen = sfgp_random_some(of->seed, of->count, of->wanted, *index);
    return SFGP_OK;
}

static sfgp_status choose_reference(sfgp_context *context, const sfgp_em_problem *whole,
                                    const sfgp_subset_request *request, sfgp_subset *subset)
{
    const sfgp_basis *basis = whole->basis;
    const choice of = {basis->count, request->points, basis->dimension,
                       basis->mean,  whole->seed,     request->even};
    int64_t count = 0;
    sfgp_status status = choose(context, &of, &subset->index, &count);
    if (status == SFGP_OK)
        status = sfgp_basis_select(context, basis, count, subset->index, &subset->basis);
    subset->complete = count == basis->count;
    return status;
}

static sfgp_status choose_target(sfgp_context *context, const sfgp_em_problem *whole,
                                 const sfgp_subset_request *request, sfgp_subset *subset)
{
    const sfgp_mesh *mesh = whole->mesh;
    const choice of = {mesh->count,  request->targets, mesh->dimension,
                       mesh->points, whole->seed + 1,  request->even};
    int64_t *index = NULL, count = 0;
    sfgp_status status = choose(context, &of, &index, &count);
    if (status == SFGP_OK)
        status = sfgp_mesh_select(context, mesh, count, index, &subset->mesh);
    sfgp_free(index);
    return status;
}

/* The problem of the whole, on these points. A small shape is exact without tiles. */
static sfgp_status make_problem(sfgp_context *context, const sfgp_em_problem *whole,
                                const sfgp_subset_request *request, sfgp_subset *subset)
{
    sfgp_em_problem *problem = &subset->problem;
    *problem = *whole;
    problem->basis = &subset->basis;
    problem->landmarks = request->landmarks ? whole->landmarks : NULL;
    problem->mesh = subset->mesh;
    problem->exact = NULL;
    problem->target = (sfgp_target){0};
    problem->tiles = whole->tiles || !subset->complete;
    problem->pmin = 1 / (double)subset->basis.count;
    problem->prune = sfgp_em_prune(problem->variant, problem->pmin);
    problem->tolerance = request->tolerance;
    return sfgp_em_problem_load(context, problem);
}

sfgp_status sfgp_subset_new(sfgp_context *context, const sfgp_em_problem *whole,
                            const sfgp_subset_request *request, sfgp_subset *subset)
{
    *subset = (sfgp_subset){0};
    const sfgp_status status = choose_reference(context, whole, request, subset);
    if (status == SFGP_OK && request->accuracy > 0)
        sfgp_factor_truncate(request->accuracy, &subset->basis.scalar);
    return status == SFGP_OK ? sfgp_subset_take_target(context, whole, request, subset) : status;
}

sfgp_status sfgp_subset_take_target(sfgp_context *context, const sfgp_em_problem *whole,
                                    const sfgp_subset_request *request, sfgp_subset *subset)
{
    sfgp_target_clear(&subset->problem.target);
    sfgp_mesh_free(subset->mesh);
    subset->mesh = NULL;
    const sfgp_status status = choose_target(context, whole, request, subset);
    return status == SFGP_OK ? make_problem(context, whole, request, subset) : status;
}

void sfgp_subset_clear(sfgp_subset *subset)
{
    sfgp_target_clear(&subset->problem.target);
    sfgp_mesh_free(subset->mesh);
    sfgp_basis_clear(&subset->basis);
    sfgp_free(subset->index);
    *subset = (sfgp_subset){0};
}
