/* Classifies points as missing by the mass of the responsibilities around them (ADR 0013). */
#include "outcome/missing.h"
#include "em/mixing.h"
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

void sfgp_missing_classify(sfgp_em *em)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    sfgp_responsibilities *r = &em->responsibilities;
    const int ring = (int)tuning->missing_ring, most = em->regions.neighbours.size;
    sfgp_mixing_smooth(em, ring < most ? ring : most);
    const double least = tuning->missing * fmin(1, density_at_labels(em));
    r->missing = 0;
    for (int64_t i = 0; i < r->count; i++) {
        if (em->density[i] < least)
            r->weight[i] = 0;
        r->missing += r->weight[i] == 0;
    }
}
