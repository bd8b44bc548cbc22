/* Search: where a fit starts, decided by the evidence.
 *
 * The loop climbs to the next maximum of the bound
 *     F = sum_j ln(w p_out + (1 - w) sum_i pi_i phi_ij) - KL(posterior, prior),
 * and which one that is depends on the start. So a few hundred points of either shape are fitted from several
 * starts: in place and at the target's centroid, with a wide and a narrow variance, few and many strays,
 * everything seen or regions missing. If all of them end with nothing but strays, again with a share that is
 * learned late. If none explains the target well, or a glance with still fewer points finds better all
 * around, turned by rotations too.
 * The start with the largest bound wins, less the price of its weights and a cost of turning.
 *
 * These fits do not see the landmarks. Their logarithmic prior density at the pose (landmarks.h) is added to
 * the bound instead. When they contradict a pose without a turn, the one that they ask for is tried as well,
 * and whatever contradicts them does not end the search. Landmarks of no weight contradict nothing. */
#ifndef SFGP_FIT_SEARCH_H
#define SFGP_FIT_SEARCH_H

#include "fit/solver.h"

/* Points of the reference that a search sees: smaller shapes are searched whole. */
#define SFGP_SEARCH_POINTS 400
/* Of a glance. */
#define SFGP_GLANCE_POINTS 150

#define SFGP_SEARCH_LIST 3

/* The starts that led to the best maxima, which differ, best first; of a part of the shapes only the best of
 * a pose, as its maxima are not those of the whole: one, or those in place and at the centroid where a part
 * cannot tell which of them is better. */
typedef struct sfgp_shortlist {
    int count;
    bool turned; /* turns were tried */
    struct sfgp_candidate {
        sfgp_start start;
        double score;
    } best[SFGP_SEARCH_LIST];
} sfgp_shortlist;

/* The starts for a target that has been brought in; an empty list when none finds a label. Of the whole
 * solver only the sums are used: it must begin again. About 16 fits of a few hundred points, many more when
 * none is good. Errors: SFGP_ERROR_MEMORY, those of sfgp_solver_start. */
sfgp_status sfgp_search_starts(sfgp_solver *solver, const sfgp_mesh *target, sfgp_shortlist *list);

/* The same for turned starts only, all around. About 90 short fits. */
sfgp_status sfgp_search_turned(sfgp_solver *solver, const sfgp_mesh *target, sfgp_shortlist *list);

/* What a fit counts: its bound, less the price of its weights, the cost of its turn and what the landmarks
 * say against its pose; -HUGE_VAL when nothing is left of it. Errors: those of the landmarks. */
sfgp_status sfgp_search_score(sfgp_solver *solver, double *score);

#endif
