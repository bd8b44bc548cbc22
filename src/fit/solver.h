/* The fit: E-step, M-step and variance update until the points rest. */
#ifndef SFGP_FIT_SOLVER_H
#define SFGP_FIT_SOLVER_H

#include "baseline/baseline.h"
#include "correspond/correspond.h"
#include "fit/regions.h"
#include "geom/pose.h"
#include "gpr/posterior.h"

#include <stdbool.h>

/* A method of the SFGP family is a way to label and a way to update the registration variance; any other has
 * a loop of its own (baseline). One row of the table in method.c each. */
typedef struct sfgp_method {
    sfgp_method_info info;
    sfgp_baseline baseline; /* NULL: the loop of this layer, with the fields below */
    sfgp_status (*correspond)(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                              const double *target, sfgp_state state, sfgp_labels *labels);
    void (*update_noise)(sfgp_solver *solver);
    bool search;      /* learns strays and missing regions (strays.h), and looks for its start (search.h) */
    bool threshold;   /* pmin counts */
    double variance0; /* start of the registration variance without and with training shapes */
    double variance0_trained;
} sfgp_method;

/* SFGP_ERROR_PARAMETER. */
sfgp_status sfgp_method_find(sfgp_context *context, const char *name, const sfgp_method **method);

/* Where a fit starts: the pose of the reference, what the labels scatter by, and which share of the target is
 * strays. coherent: what is missing is missing in regions; slow: the share is learned late (strays.h). */
typedef struct sfgp_start {
    sfgp_pose pose;
    double noise, omega;
    bool coherent, slow;
} sfgp_start;

/* Landmarks (landmarks.h), prior.count of them; 0: none. */
typedef struct sfgp_landmark_rows {
    sfgp_model prior; /* prior_mean, scalar and pca at the reference's landmarks */
    double *target;   /* count x d in the frame */
    double *labels;   /* count x d: the same seen from the pose, less the prior mean */
    double *weights;  /* count: 1 / variance */
} sfgp_landmark_rows;

/* What an extrapolation needs (squarem.h). */
typedef struct sfgp_squarem {
    double *path[3];           /* x0, x1, x2 */
    int taken;                 /* of these */
    bool leapt;                /* the fit is where a leap went */
    double longest;            /* leap that may be made */
    double bound;              /* of x1 */
    double divergence, motion; /* of x2, and in the step to it */
} sfgp_squarem;

struct sfgp_solver {
    sfgp_context *context;
    const sfgp_model *model;
    const sfgp_method *method;
    sfgp_settings settings; /* resolved but for what depends on the target */
    sfgp_label_rule rule;
    sfgp_posterior posterior;
    sfgp_landmark_rows landmarks;
    sfgp_labels labels;
    double *fitted;           /* N x d: rbar = prior mean + B c */
    double *coefficients;     /* c */
    double *variance;         /* N: p, 0 before the first M-step */
    double *noise;            /* N: v */
    double *weights, *deltas; /* N and N x d: input of the M-step */
    sfgp_start begun;         /* where the fit started */
    sfgp_pose pose;           /* fitted points are pose(rbar): the target is seen from there */
    double *scan;             /* N_S x d in the frame, in the order of `order` */
    double *target;           /* the same seen from the pose */
    int32_t *order;           /* index of each in the caller's target, NULL: as it came */
    int64_t target_capacity, scan_capacity, target_count;
    double spacing;      /* of the target's points */
    int64_t thinning;    /* one target point in so many is in use (thinning.h) */
    int64_t pair_budget; /* most entries of P while thinned */
    sfgp_kdtree *tree;   /* over those, NULL while tiles do without */
    sfgp_tiles *tiles;   /* likewise, and over the reference: of a method that searches, unless it is small */
    bool comparable;     /* target and reference are of one size */
    bool settled;        /* the last iteration saw every target point and moved less than the tolerance */
    double change;       /* mean motion in the last iteration */
    int64_t age;         /* iterations since the start */
    double *mixing;      /* N: pi_i N_R, NULL unless the method searches */
    double *density;     /* N: label mass over the neighbourhood, likewise */
    sfgp_regions regions;
    sfgp_squarem squarem;
    bool carried;         /* begun where the fit of a part of the points ended (level.h): */
    double *stated;       /* N: variance by its information, NULL unless carried */
    double scatter;       /* deviation of the labels of the smallest part, */
    double coarseness;    /* and the spacing of its target */
    double held_noise;    /* v when the variance was last made, 0: make it */
    double divergence;    /* of the last posterior from the prior */
    double last_evidence; /* the one before, not known after a jump */
    double trust;         /* in old sums: part of the drift that is allowed (move.c) */
    double evidence;      /* lower bound on the log likelihood of the state before the last M-step */
};

/* Most variance of a method that searches, once the points had time to come: more is a fit to nothing. */
#define SFGP_SEARCH_NOISE_MOST 0.1

/* Registration variance per point, shared, shared and falling slowly, and fixed. Paper, Proposition 3, and
 * BCPD's scalar. */
void sfgp_noise_update_each(sfgp_solver *solver);
void sfgp_noise_update_shared(sfgp_solver *solver);
void sfgp_noise_update_annealed(sfgp_solver *solver);
void sfgp_noise_keep(sfgp_solver *solver);

/* SFGP_ERROR_DATA unless the target has the model's dimension and can be fitted; warnings. */
sfgp_status sfgp_solver_check_target(const sfgp_solver *solver, const sfgp_mesh *target);
/* Labels by tiles, which shapes of fewer than SFGP_SEARCH_POINTS points otherwise do without, to be exact; of
 * a method that searches, before a target is brought in. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_solver_use_tiles(sfgp_solver *solver);
/* Brings a target in and begins at the prior mean. For run and for the tests of single steps. */
sfgp_status sfgp_solver_start(sfgp_solver *solver, const sfgp_mesh *target);
/* The same for a target that has been checked, and without a word. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_solver_take_target(sfgp_solver *solver, const sfgp_mesh *target);
/* Begins again at another place, with the target that is in. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_solver_begin(sfgp_solver *solver, const sfgp_start *start);
/* Steps until the points rest, or as often as the settings allow. quiet: without reports of progress. */
sfgp_status sfgp_solver_iterate(sfgp_solver *solver, bool quiet, sfgp_outcome *outcome);
/* The same, but no further than to an age. */
sfgp_status sfgp_solver_iterate_to(sfgp_solver *solver, int64_t age, bool quiet, sfgp_outcome *outcome);
/* E-step: labels at the points, variances and noise as they are; with P, for what asks for its entries, or as
 * the method makes them (tiles). */
sfgp_status sfgp_solver_label(sfgp_solver *solver);
sfgp_status sfgp_solver_label_whole(sfgp_solver *solver);
/* M-step: posterior given the labels. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_solver_move(sfgp_solver *solver);
/* Whether the variance is that of v, or near; asks for it otherwise. */
bool sfgp_solver_is_fresh(sfgp_solver *solver);
/* One iteration. When no point has a label it only sets labels.missing = count. */
sfgp_status sfgp_solver_step(sfgp_solver *solver);

#endif
