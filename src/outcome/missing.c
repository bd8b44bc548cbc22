/* Classifies points as missing by the mass of the responsibilities around them (ADR 0013). */
#include "outcome/missing.h"
#include "em/mixing.h"
#include "geom/measure.h"
#include "search/tuning.h"

#include <math.h>

/* What a label finds around its point: sum density^2 / sum density; 0 without labels. */
static double density_at_labels(const sfgp_em *em)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < em->problem->basis->count; i++) {
        sum += em->density[i];
        squares += em->density[i] * em->density[i];
    }
    return sum > 0 ? squares / sum : 0;
}

/* absent[i]: the mass around point i is small. */
static void mark_by_mass(sfgp_em *em, int ring, double *absent)
{
    sfgp_mixing_smooth(em, ring);
    const double least = sfgp_tuning_of(em->problem->basis)->missing * fmin(1, density_at_labels(em));
    for (int64_t i = 0; i < em->problem->basis->count; i++)
        absent[i] = em->density[i] < least;
}

/* near[i]: the best label of point i is within so many spacings of the targets in use, by the area of the scan. */
static void mark_near(const sfgp_em *em, double spacings, double *near)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    const int64_t d = r->dimension;
    const double reach = spacings * sqrt(em->problem->area / (double)r->targets);
    for (int64_t i = 0; i < r->count; i++)
        near[i] =
            r->best_target[i] >= 0 && sfgp_points_distance((int)d, em->view.points + r->best_target[i] * d,
                                                           em->state.points + i * d) < reach;
}

void sfgp_missing_classify(sfgp_em *em)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    sfgp_responsibilities *r = &em->responsibilities;
    const int ring = (int)fmin(tuning->missing_ring, em->regions.neighbours.size);
    double *absent = em->weights, *near = em->deltas; /* free between steps */
    mark_by_mass(em, ring, absent);
    mark_near(em, tuning->missing_near, near);
    sfgp_regions_smooth(&em->regions, ring, near, em->density);
    r->missing = 0;
    for (int64_t i = 0; i < r->count; i++) {
        if (absent[i] > 0 && em->density[i] <= 0.5)
            r->weight[i] = 0;
        r->missing += r->weight[i] == 0;
    }
}
