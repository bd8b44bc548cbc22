/* Duplicates: two starts that lead to one fit.
 *
 * Where the prior leaves rigid motions nearly free, in place and at the centroid are one start: after some
 * iterations both fits have the same points, and from there on the same responsibilities. The second is given
 * up. Fits from really different starts are a sigma apart by then. ADR 0017. */
#ifndef SFGP_SEARCH_DUPLICATE_H
#define SFGP_SEARCH_DUPLICATE_H

#include "em/em.h"

/* Where the first fit was after `duplicate_after` iterations. */
typedef struct sfgp_duplicate {
    double *points; /* N x d: its points, in the target's frame */
    double sigma2;
    bool set; /* there was such a fit */
} sfgp_duplicate;

/* SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_duplicate_new(sfgp_context *context, const sfgp_basis *basis, sfgp_duplicate *duplicate);
void sfgp_duplicate_clear(sfgp_duplicate *duplicate);
/* Sets the duplicate to where a fit stands. O(N). */
void sfgp_duplicate_remember(const sfgp_basis *basis, const sfgp_em_state *state, sfgp_duplicate *duplicate);
/* Whether a fit stands there, too: the mean distance of the points is less than `near` sigma, and ln sigma2 differs by
 * `duplicate_sigma2` at most. room: N x d, overwritten. O(N). */
bool sfgp_duplicate_is_near(const sfgp_basis *basis, const sfgp_em_state *state,
                            const sfgp_duplicate *duplicate, double near, double *room);
/* Fits from a start, with so many iterations at most. The first fit sets the duplicate; a later one that comes to it ends
 * there, and *same is set. duplicate NULL: every fit goes on. Errors of sfgp_em_begin and of the steps. */
sfgp_status sfgp_duplicate_run(sfgp_em *em, const sfgp_em_start *start, int64_t iterations,
                               sfgp_duplicate *duplicate, bool *same, sfgp_outcome *outcome);

#endif
