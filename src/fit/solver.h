/* The fit: E-step, M-step and variance update until the points rest. */
#ifndef SFGP_FIT_SOLVER_H
#define SFGP_FIT_SOLVER_H

#include "baseline/baseline.h"
#include "correspond/correspond.h"
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
    bool threshold;   /* pmin counts */
    double variance0; /* start of the registration variance without and with training shapes */
    double variance0_trained;
} sfgp_method;

/* SFGP_ERROR_PARAMETER. */
sfgp_status sfgp_method_find(sfgp_context *context, const char *name, const sfgp_method **method);

struct sfgp_solver {
    sfgp_context *context;
    const sfgp_model *model;
    const sfgp_method *method;
    sfgp_settings settings; /* resolved but for what depends on the target */
    sfgp_label_rule rule;
    sfgp_posterior posterior;
    sfgp_labels labels;
    double *fitted;           /* N x d: rbar */
    double *variance;         /* N: p, 0 before the first M-step */
    double *noise;            /* N: v */
    double *weights, *deltas; /* N and N x d: input of the M-step */
    double *target;           /* N_S x d in the frame, in the order of `order` */
    int32_t *order;           /* index of each in the caller's target, NULL: as it came */
    int64_t target_capacity, target_count;
    int64_t thinning;    /* one target point in so many is in use (thinning.h) */
    int64_t pair_budget; /* most entries of P while thinned */
    sfgp_kdtree *tree;   /* over those */
    bool comparable;     /* target and reference are of one size */
    bool settled;        /* the last iteration saw every target point and moved less than the tolerance */
    double change;       /* mean motion in the last iteration */
};

/* Registration variance per point, shared, and fixed. Paper, Proposition 3, and BCPD's scalar. */
void sfgp_noise_update_each(sfgp_solver *solver);
void sfgp_noise_update_shared(sfgp_solver *solver);
void sfgp_noise_keep(sfgp_solver *solver);

/* SFGP_ERROR_DATA unless the target has the model's dimension and can be fitted; warnings. */
sfgp_status sfgp_solver_check_target(const sfgp_solver *solver, const sfgp_mesh *target);
/* Brings a target in and resets the state to the prior mean. For run and for the tests of single steps. */
sfgp_status sfgp_solver_start(sfgp_solver *solver, const sfgp_mesh *target);
/* One iteration. When no point has a label it only sets labels.missing = count. */
sfgp_status sfgp_solver_step(sfgp_solver *solver);

#endif
