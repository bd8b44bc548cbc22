#include "fit/strays.h"
#include "base/lanes.h"
#include "base/memory.h"

#include <math.h>

#define NEIGHBOURS 60      /* four spacings around on a surface, */
#define NEIGHBOURS_SHARE 3 /* but no more than this part of the shape */
#define PATIENCE 10        /* iterations with the share and weights of the start, */
#define PATIENCE_SLOW 40   /* and of a slow one */
#define WEIGHT_LEAST 0.01  /* of the mass of a labelled point */
#define OMEGA_LEAST 1e-3
#define OMEGA_MOST 0.8 /* so that a fit never runs out of labels */
#define OMEGA_FIT 0.79
#define MISSING 0.5 /* of the mass where labels are */
#define RING_SURFACE 8
#define RING_CURVE 3

sfgp_status sfgp_strays_new(sfgp_solver *solver)
{
    const sfgp_model *model = solver->model;
    const int64_t share = (model->count + NEIGHBOURS_SHARE - 1) / NEIGHBOURS_SHARE;
    const int size = (int)(share < NEIGHBOURS ? share : NEIGHBOURS);
    sfgp_status status = sfgp_allocate(solver->context, model->count, &solver->mixing);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, model->count, &solver->density);
    if (status == SFGP_OK)
        status = sfgp_regions_new(solver->context, model->count, model->dimension, model->prior_mean, size,
                                  &solver->regions);
    return status;
}

void sfgp_strays_begin(sfgp_solver *solver, const sfgp_start *start)
{
    solver->rule.omega = start->omega;
    solver->rule.mixing = solver->mixing;
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->mixing[i] = 1;
}

/* density_i = mean of nu over the `size` cells nearest to point i, its own included */
static void smooth(sfgp_solver *solver, int size)
{
    sfgp_regions_smooth(&solver->regions, size, solver->labels.mass, solver->density);
}

static double total(const sfgp_solver *solver, const double *x)
{
    return sfgp_lanes_total(solver->model->count, x);
}

void sfgp_strays_learn(sfgp_solver *solver)
{
    const int64_t n = solver->model->count;
    const sfgp_labels *labels = &solver->labels;
    if (solver->age < (solver->begun.slow ? PATIENCE_SLOW : PATIENCE))
        return;
    const double share = 1 - total(solver, labels->mass) / (double)labels->targets;
    solver->rule.omega = fmin(fmax(share, OMEGA_LEAST), OMEGA_MOST);
    if (!solver->begun.coherent)
        return;
    smooth(solver, solver->regions.neighbours.size);
    const double sum = total(solver, solver->density) + WEIGHT_LEAST * (double)n;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++)
        solver->mixing[i] = (solver->density[i] + WEIGHT_LEAST) * ((double)n / sum);
}

bool sfgp_strays_all(const sfgp_solver *solver)
{
    return solver->rule.omega > OMEGA_FIT;
}

double sfgp_strays_price(const sfgp_solver *solver)
{
    const double regions = (double)solver->regions.count / (solver->regions.neighbours.size + 1);
    return solver->begun.coherent ? 0.5 * regions * log((double)solver->labels.targets) : 0;
}

/* What a label finds around its point: sum density^2 / sum density; 0 without labels. */
static double density_at_labels(const sfgp_solver *solver)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < solver->model->count; i++) {
        sum += solver->density[i];
        squares += solver->density[i] * solver->density[i];
    }
    return sum > 0 ? squares / sum : 0;
}

void sfgp_strays_judge(sfgp_solver *solver)
{
    sfgp_labels *labels = &solver->labels;
    const int ring = solver->model->dimension == 3 ? RING_SURFACE : RING_CURVE,
              most = solver->regions.neighbours.size;
    smooth(solver, ring < most ? ring : most);
    const double least = MISSING * fmin(1, density_at_labels(solver));
    labels->missing = 0;
    for (int64_t i = 0; i < labels->count; i++) {
        if (solver->density[i] < least)
            labels->weight[i] = 0;
        labels->missing += labels->weight[i] == 0;
    }
}
