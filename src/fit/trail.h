/* Trail: whether a fit goes the way of another.
 *
 * Where the prior leaves rigid motions nearly free, in place and at the centroid are one start: after some
 * iterations both fits have the same points, and from there on the same labels. The second need not go on.
 * Fits from really different starts are a label's deviation apart by then. */
#ifndef SFGP_FIT_TRAIL_H
#define SFGP_FIT_TRAIL_H

#include "fit/solver.h"

typedef struct sfgp_trail {
    double *points; /* N x d: where the first fit was, in the frame of the target, */
    double noise;   /* and v there */
    bool laid;
} sfgp_trail;

/* Of fits of a model. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_trail_new(sfgp_context *context, const sfgp_model *model, sfgp_trail *trail);
void sfgp_trail_clear(sfgp_trail *trail);
/* Fits from a start. Without a trail (NULL) that is all. The first fit lays it; a later one that is where
 * that was, in the mean within a twentieth of a label's deviation (a seventh with training shapes), ends
 * there: it is the same. Errors of sfgp_solver_begin and of the steps. */
sfgp_status sfgp_trail_fit(sfgp_solver *solver, const sfgp_start *start, sfgp_trail *trail, bool quiet,
                           bool *same, sfgp_outcome *outcome);

#endif
