/* Subset: some points of both shapes, and the problem to fit the ones to the others under the same prior. */
#ifndef SFGP_SEARCH_SUBSET_H
#define SFGP_SEARCH_SUBSET_H

#include "em/em.h"

typedef struct sfgp_subset_request {
    int64_t points;  /* of the reference; all of them if there are fewer */
    int64_t targets; /* of the target, likewise */
    bool even; /* spread evenly (geom/spread.h) instead of at random, unless the subset is dense itself */
    double accuracy;  /* columns of the prior that change no point by more are left out; 0: none */
    double tolerance; /* of the fits */
    bool landmarks;   /* the fits see the landmarks */
} sfgp_subset_request;

typedef struct sfgp_subset {
    sfgp_basis basis;
    sfgp_mesh *mesh; /* points of the scan */
    sfgp_em_problem problem;
    bool complete;  /* it holds all points of the reference */
    int64_t *index; /* basis.count: which points of the reference these are */
} sfgp_subset;

/* Points of the target for so many `of` the points of the reference: as many in proportion. */
int64_t sfgp_subset_targets(int64_t points, int64_t of, int64_t targets);
/* The problem of the whole must outlive it; do not move it. The points depend on the seed of the problem
 * only. O(N m), evenly O(N log N). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_subset_new(sfgp_context *context, const sfgp_em_problem *whole,
                            const sfgp_subset_request *request, sfgp_subset *subset);
/* The same points of the reference, and points of the target that the whole has now. What depends on the reference only stays. */
sfgp_status sfgp_subset_take_target(sfgp_context *context, const sfgp_em_problem *whole,
                                    const sfgp_subset_request *request, sfgp_subset *subset);
void sfgp_subset_clear(sfgp_subset *subset);

#endif
