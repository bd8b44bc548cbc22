/* Updates of the registration variance. Equations in sigma2.h. */
#include "em/sigma2.h"
#include "base/lanes.h"
#include "base/parallel.h"

#include <math.h>

#define GRAIN 64 /* points that a thread takes at a time */

/* About the new point. */
static double spread(const sfgp_em *em, int64_t i)
{
    return sfgp_responsibilities_spread(&em->responsibilities, i, em->state.points, em->posterior.mean);
}

/* Without any mass, the posterior over labels is the nearest target point: its limit for small sigma2. */
static double nearest_spread(const sfgp_em *em, int64_t i)
{
    double distance2;
    sfgp_kdtree_nearest(em->view.tree, em->posterior.mean + i * em->problem->basis->dimension, &distance2);
    return distance2;
}

static void update_some(const void *data, int64_t first, int64_t end)
{
    const sfgp_em *em = data;
    const int d = em->problem->basis->dimension;
    const sfgp_responsibilities *r = &em->responsibilities;
    const double least = em->schedule->sigma2_least;
    for (int64_t i = first; i < end; i++) {
        const double mean_square = r->mass[i] > 0 ? spread(em, i) / r->mass[i] : nearest_spread(em, i);
        em->state.sigma2[i] = fmax(mean_square / d + em->posterior.variance[i], least);
    }
}

void sfgp_sigma2_update_each(sfgp_em *em)
{
    sfgp_parallel_for(em->responsibilities.count, GRAIN, update_some, em);
}

static double sum_of_squares(const void *data, int64_t first, int64_t end)
{
    const sfgp_em *em = data;
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        sum += spread(em, i) / em->problem->basis->dimension +
               em->responsibilities.mass[i] * em->posterior.variance[i];
    return sum;
}

static double shared_sigma2(const sfgp_em *em)
{
    const int64_t n = em->responsibilities.count;
    return sfgp_lanes_sum(n, sum_of_squares, em) / sfgp_lanes_total(n, em->responsibilities.mass);
}

void sfgp_sigma2_update_shared(sfgp_em *em)
{
    const double sigma2 = fmax(shared_sigma2(em), em->schedule->sigma2_least);
    sfgp_em_state_set_sigma2(em->responsibilities.count, sigma2, &em->state);
}

void sfgp_sigma2_update_annealed(sfgp_em *em)
{
    const sfgp_em_schedule *s = em->schedule;
    const double last = em->state.sigma2[0], spacing = em->problem->target.spacing,
                 end = s->sigma2_fall_end * spacing * spacing;
    double sigma2 = shared_sigma2(em);
    if (last > end)
        sigma2 = fmax(sigma2, em->problem->sigma2_fall * last);
    if ((double)em->state.iteration > s->sigma2_most_after)
        sigma2 = fmin(sigma2, s->sigma2_most);
    sfgp_em_state_set_sigma2(em->responsibilities.count, fmax(sigma2, s->sigma2_least), &em->state);
}

void sfgp_sigma2_keep(sfgp_em *em)
{
    (void)em;
}
