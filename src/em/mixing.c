/* Updates of the outlier weight and of the mixing weights. Equations in mixing.h. */
#include "em/mixing.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <math.h>

#define GRAIN 4096 /* points that a thread takes at a time */

sfgp_status sfgp_mixing_regions(sfgp_context *context, const sfgp_em_problem *problem, sfgp_regions *regions)
{
    const sfgp_em_schedule *s = problem->cold;
    const sfgp_basis *basis = problem->basis;
    const int64_t most = (basis->count + s->neighbours_divisor - 1) / s->neighbours_divisor;
    const sfgp_region_size size = {.dense = s->dense,
                                   .cells = s->cells,
                                   .neighbours = (int)(most < s->neighbours ? most : s->neighbours)};
    return sfgp_regions_new(context, basis->count, basis->dimension, basis->mean, &size, regions);
}

void sfgp_mixing_smooth(sfgp_em *em, int size)
{
    sfgp_regions_smooth(&em->regions, size, em->responsibilities.mass, em->density);
}

typedef struct mixing {
    const sfgp_em *em;
    double scale; /* N / sum (density + least) */
} mixing;

static void set_mixing(const void *data, int64_t first, int64_t end)
{
    const mixing *m = data;
    const sfgp_em *em = m->em;
    for (int64_t i = first; i < end; i++)
        em->state.mixing[i] = (em->density[i] + em->schedule->mixing_least) * m->scale;
}

/* pi_i N_R = (density_i + least) N / sum (density + least) */
static void learn_mixing(sfgp_em *em)
{
    const int64_t n = em->problem->basis->count;
    const double least = em->schedule->mixing_least;
    sfgp_mixing_smooth(em, em->regions.neighbours.size);
    const double sum = sfgp_lanes_total(n, em->density) + least * (double)n;
    const mixing all = {em, (double)n / sum};
    sfgp_parallel_for(n, GRAIN, set_mixing, &all);
}

/* Clutter, and a share of what is not clutter. */
static double of_the_rest(const sfgp_em_problem *problem, double share)
{
    return problem->clutter + (1 - problem->clutter) * share;
}

void sfgp_mixing_learn(sfgp_em *em)
{
    const sfgp_em_schedule *s = em->schedule;
    const sfgp_responsibilities *r = &em->responsibilities;
    const double after = em->state.start.late_mixing ? s->mixing_after_late : s->mixing_after;
    if ((double)em->state.iteration < after)
        return;
    const double share = 1 - sfgp_lanes_total(r->count, r->mass) / (double)r->targets;
    em->state.omega = fmin(fmax(share, fmax(s->omega_least, em->problem->clutter)),
                           of_the_rest(em->problem, s->omega_most));
    if (em->state.start.regional)
        learn_mixing(em);
}

bool sfgp_mixing_all_outliers(const sfgp_em *em)
{
    return em->state.omega > of_the_rest(em->problem, em->schedule->omega_fit);
}

double sfgp_mixing_bic(const sfgp_em *em)
{
    const double regions = (double)em->regions.count / (em->regions.neighbours.size + 1);
    return em->state.start.regional ? 0.5 * regions * log((double)em->responsibilities.targets) : 0;
}
