/* One fit from one start: expectation maximisation of the evidence bound.
 *
 *     E-step         responsibilities of the target points               estep.h          paper, eq. 12
 *     guard          an approximate step that lost the bound is undone   guard.h          ADR 0014, 0016
 *     M-step         posterior of the coefficients, points, variance     mstep.h          paper, eq. 6
 *     sigma2         registration variance                               sigma2.h         paper, Proposition 3
 *     mixing         outlier weight, mixing weights                      mixing.h         ADR 0013
 *     extrapolation  along the last three iterations                     extrapolation.h  ADR 0014
 *     thinning       more target points as sigma2 falls                  thinning.h       ADR 0007, 0015
 *
 * loop.h repeats them. The problem and the schedule are const; all that changes is in this workspace, and
 * what one iteration hands to the next is in its state. */
#ifndef SFGP_EM_EM_H
#define SFGP_EM_EM_H

#include "em/extrapolation.h"
#include "em/guard.h"
#include "em/problem.h"
#include "geom/regions.h"
#include "em/state.h"
#include "gpr/posterior.h"

/* The target points in use, seen from the pose, and what finds the near ones among them. */
typedef struct sfgp_em_view {
    bool exact;        /* these are the points before rounding, problem->exact: in some last steps */
    double *points;    /* responsibilities.targets x d */
    int64_t capacity;  /* points that fit into it */
    sfgp_kdtree *tree; /* over them; NULL while tiles do without */
    sfgp_tiles *tiles; /* over them and the reference; NULL unless problem->tiles */
} sfgp_em_view;

/* What a warm start brings from the fit of a subset (warm.h). */
typedef struct sfgp_em_coarse {
    double *variance;     /* N: variance by its information */
    double sigma;         /* registration deviation of the smallest subset */
    double spacing;       /* target spacing of the smallest subset */
    double point_spacing; /* sfgp_em_spacing of the smallest subset */
} sfgp_em_coarse;

/* What is known of a fit that the loop does not need: the layers above set it and read it. */
typedef struct sfgp_em_facts {
    double pose_margin; /* nats a target point by which others are worse (search/rivals.h); infinite: none */
    double unreached;   /* share of the scan that is a surface away from the fit (search/unreached.h) */
    double rigid_score; /* the best one of the rigid search (search/poses.h); 0: there was none */
    double mirror_gain; /* nats by which the mirror image is better (fit/sides.h); -infinity: not compared */
    double inside; /* share of what is left over that lies over the inside (search/inside.h); 0: not asked */
} sfgp_em_facts;

/* The priors under which a search fits, where the problem has a stiff one. */
typedef enum sfgp_searched_priors {
    SFGP_SEARCHED_BOTH,
    SFGP_SEARCHED_STIFF,
    SFGP_SEARCHED_AS_IS
} sfgp_searched_priors;

struct sfgp_em {
    sfgp_context *context;
    const sfgp_em_problem *problem;
    const sfgp_em_schedule *schedule; /* problem->cold or problem->warm */
    double label_weight;              /* of each target point (problem.h) */
    sfgp_em_state state;
    sfgp_em_view view;
    sfgp_responsibilities responsibilities; /* of the last E-step */
    sfgp_posterior posterior;               /* of the last M-step */
    sfgp_searched_priors searched;          /* of the search that runs */
    sfgp_prior rescaled[SFGP_PRIORS];       /* empty: not in use, or c ~ N(0, I) */
    const double *priors_of[SFGP_PRIORS];   /* problem->rescaled that they were made of */
    double *weights;                        /* N: W, input of the M-step; free between steps */
    double *deltas;                         /* N x d: the other input; free between steps */
    double *landmark_labels;                /* landmarks x d: the same for landmarks; NULL: none */
    double *density;                     /* N: mean mass of a neighbourhood; NULL unless the variant learns */
    sfgp_regions regions;                /* neighbourhoods, likewise */
    sfgp_em_extrapolation extrapolation; /* likewise */
    sfgp_em_guard guard;
    sfgp_em_coarse coarse;
    double *between;        /* N: variance between the fits under two priors (search/curve.h); NULL: none */
    const double *normals;  /* N x d: while labels are anisotropic (anisotropic.h); else NULL */
    double stretch;         /* with them: t of correspond/correspond.h */
    double variance_sigma2; /* sigma2 that the posterior variance was made for; 0: make it again */
    double change;          /* mean motion of the points in the last iteration, radii */
    bool settled;           /* all of the target that will be used is in use, and the points are at rest */
    sfgp_em_facts facts;
    int64_t max_iterations; /* of this fit; problem->max_iterations unless the caller says otherwise */
    int64_t iterations;     /* of all fits since the target was brought in */
    int64_t starts;         /* of fits, likewise */
};

/* Workspace for fits of a problem, whose basis, variant, landmarks and tiles are set; its target may come
 * later and change. The problem must outlive it. Allocates for the basis. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_new(sfgp_context *context, const sfgp_em_problem *problem, sfgp_em **em);
void sfgp_em_free(sfgp_em *em); /* NULL is allowed */
/* Exchanges the memory of P of two workspaces of one problem. Its entries are lost: no fit that has ended needs them. The sums of P stay. O(1). */
void sfgp_em_swap_room(sfgp_em *one, sfgp_em *other);
/* Room for the landmarks of the problem, which have changed. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_set_landmarks(sfgp_em *em);
/* The priors of the problem, if they are others than before: em->rescaled. O(m^3) then. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_em_take_priors(sfgp_em *em);
/* The problem has another basis, which differs from the one before in its mean only. */
void sfgp_em_use_basis(sfgp_em *em);
/* Room for the target of the problem, its priors, and the standard start. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC of priors. */
sfgp_status sfgp_em_take_target(sfgp_em *em);
/* The start in place, with the sigma2 and the outlier weight of the problem. */
sfgp_em_start sfgp_em_standard_start(const sfgp_em_problem *problem);
/* Begins at a start, with the target that is in. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC of landmarks. */
sfgp_status sfgp_em_begin(sfgp_em *em, const sfgp_em_start *start);
/* Continues from a snapshot of a fit of this problem: one step makes its posterior again, and does not count
 * against the limit of iterations. Errors of a step. */
sfgp_status sfgp_em_restore(sfgp_em *em, const sfgp_em_state *snapshot);
/* From here on the fit sees the points of the target before rounding. problem->exact is not NULL. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_see_exactly(sfgp_em *em);
/* The prior that the start of the state asks for. */
void sfgp_em_use_prior(sfgp_em *em);
/* Whether the fit continues from the fit of a subset. */
bool sfgp_em_is_warm(const sfgp_em *em);
/* The points rest when their mean motion is below this: the tolerance, of a warm fit three times the tolerance. RMS radii. */
double sfgp_em_rest_motion(const sfgp_em *em);
/* The rigid motion from the mean of the prior to the points of the fit, by least squares; false: there is none. Overwrites
 * em->deltas. O(N). */
bool sfgp_em_motion(sfgp_em *em, sfgp_similarity *motion);
/* How far the fit bends the mean of the prior: root mean square distance of its points from the nearest similar shape, in
 * RMS radii of that one. 0: there is none. Overwrites em->deltas. O(N). */
double sfgp_em_bend(sfgp_em *em);

#endif
