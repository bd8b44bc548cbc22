/* Part: some of the points of both shapes at random, and solvers that fit the ones to the others from many
 * starts, for what need not be known precisely. */
#ifndef SFGP_FIT_PART_H
#define SFGP_FIT_PART_H

#include "fit/trials.h"

typedef struct sfgp_part {
    sfgp_model *model;
    sfgp_trials trials;
    bool complete; /* the part is all there is of the reference */
} sfgp_part;

/* So many reference points, or all if they are fewer, and of the target (brought in by the whole) as many in
 * proportion; of 50 to 1600. The whole must outlive it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_part_new(sfgp_solver *whole, const sfgp_mesh *target, int64_t points, sfgp_part *part);
void sfgp_part_clear(sfgp_part *part);

#endif
