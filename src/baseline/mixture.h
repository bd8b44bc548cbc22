/* Coherent point drift, Bayesian or not: one loop for the whole family.
 *
 * The reference points are the centres of a Gaussian mixture that the target points were drawn from, plus
 * outliers of constant density. One iteration of expectation maximisation (CPD) or of variational inference
 * (BCPD), with y = T(u) the moved reference, u = reference + v:
 *
 *     P_ij          posterior that target j belongs to centre i             correspond/soft.c
 *     xhat_i        = sum_j P_ij x_j / nu_i,  nu_i = sum_j P_ij
 *     v, sigma_i^2  Gaussian process posterior given T^-1(xhat), with the
 *                   variance sigma^2 / (s^2 nu_i) each                      gpr/posterior.c
 *     alpha_i       mixing weights
 *     T             similarity or affine, of u onto xhat                    geom/similarity.c, affine.c
 *     sigma^2       = sum_ij P_ij |x_j - T(u_i)|^2 / (d N) + s^2 sum_i nu_i sigma_i^2 / N,  N = sum_i nu_i
 *
 * The E-step is that of SFGP with p_i = s^2 sigma_i^2 - (2 sigma^2 / d) ln(alpha_i N_R): equal mixing weights
 * leave s^2 sigma_i^2, and CPD leaves 0.
 *
 * The terms with sigma_i^2 are in the BCPD paper. The BCPD program leaves them out unless option -a is given (and
 * then they differ a little from the paper). With all of them the scale s shrinks while the prior is still wide, and
 * many fits never recover: on Fish, outliers level 2, the mean error is 1.05 RMS radii, and 0.018 without them. So
 * the rows of mixture_methods.c leave them out, as the program does; sigma_i^2 is only the uncertainty in the result.
 *
 * The smooth methods solve with the factor B of their kernel, which for the exact ones is the kernel but for
 * 1e-10 of its variance. The rows of the methods are in mixture_methods.c.
 *
 * Frames: the loop sees the reference through the frame `from` and the target through `to` (setting normalise). y
 * and the results are in `to`. BCPD divides by the root mean square per axis, so that beta and lambda have the
 * values of its papers.
 *
 * It stops when sigma moves by less than the tolerance, after SFGP_MIXTURE_LEAST iterations at least, because
 * sigma may stay constant for a while before a fit finds the target. This is the rule of the BCPD program,
 * version 0.98, where the first iteration that may stop is number 32.
 *
 * Memory: the exact methods hold all of P and refuse more than 1e8 pairs. The others prune P. Where it would
 * still exceed the budget, they start with one target point in `thinning`, each with that weight. */
#ifndef SFGP_BASELINE_MIXTURE_H
#define SFGP_BASELINE_MIXTURE_H

#include "geom/affine.h"
#include "geom/similarity.h"
#include "correspond/correspond.h"
#include "gpr/posterior.h"
#include "model/model.h"

#define SFGP_MIXTURE_LEAST 32

typedef enum sfgp_mixture_map {
    SFGP_MIXTURE_IDENTITY,
    SFGP_MIXTURE_SIMILARITY,
    SFGP_MIXTURE_AFFINE
} sfgp_mixture_map;

typedef struct sfgp_mixture_method {
    const char *name;
    bool bayesian;  /* BCPD: variance of v, mixing weights, outlier density by volume, gamma; else CPD */
    bool variances; /* sigma_i^2 counts in P, s and sigma^2; else it is only stated */
    bool smooth;    /* v is a Gaussian process; else 0 */
    bool exact;     /* all of P, the whole kernel */
    bool subset;    /* larger shapes: of a subset, interpolated to all points */
    sfgp_mixture_map map; /* what T is */
} sfgp_mixture_method;

/* The input of a fit. */
typedef struct sfgp_mixture_task {
    const sfgp_mixture_method *method;
    const sfgp_settings *settings; /* resolved */
    const sfgp_basis *basis;       /* in the frame `from`; kernel none for a method that is not smooth */
    int64_t targets;
    const double *target; /* targets x d, in the frame `to` */
} sfgp_mixture_task;

typedef struct sfgp_mixture {
    sfgp_context *context;
    sfgp_mixture_task task;
    sfgp_estep_rule rule;
    sfgp_responsibilities labels;
    sfgp_posterior posterior; /* smooth methods */
    sfgp_similarity map;      /* T; of an affine method the identity */
    sfgp_affine affine;       /* T of an affine method */
    double sigma2;            /* sigma^2 */
    double sigma2_start;      /* sigma^2 at the start */
    double *smooth;           /* N x d: u */
    double *fitted;           /* N x d: y */
    double *moved;            /* N x d: the next y */
    double *variance;         /* N: sigma_i^2; 0 for CPD */
    double *mixing;           /* N: ln(alpha_i N_R) */
    double *labelled;         /* N x d: xhat */
    double *point_variance;   /* N: p_i for the E-step */
    double *point_sigma2;     /* N: sigma^2 for the E-step */
    double *weights;          /* N: weights of the posterior */
    double *deltas;           /* N x d: labels of the posterior */
    double *target;           /* targets x d, shuffled when thinned */
    int64_t *order;           /* index of each in the task's target; NULL: in the order of the task */
    sfgp_kdtree *tree;        /* over the target points in use */
    int64_t thinning;         /* one target point in so many is in use */
    int64_t budget;           /* most entries of P while thinned */
    int64_t iterations;
    double change;  /* mean motion in the last iteration, lengths of `to` */
    bool settled;   /* sigma moves by less than the tolerance */
    bool collapsed; /* there is no label, or a value is not finite: there is no fit */
} sfgp_mixture;

/* The task's parts must outlive it. SFGP_ERROR_MEMORY, also for too many pairs. Clear also after an error. */
sfgp_status sfgp_mixture_new(sfgp_context *context, const sfgp_mixture_task *task, sfgp_mixture *mixture);
void sfgp_mixture_clear(sfgp_mixture *mixture);
/* One iteration; allocates only when P needs more room. SFGP_ERROR_MEMORY, _NUMERIC. */
sfgp_status sfgp_mixture_step(sfgp_mixture *mixture);
/* Iterates until the fit has settled or collapsed, or max_iterations. unit: the unit of `to` in RMS radii, for
 * progress. */
sfgp_status sfgp_mixture_run(double unit, sfgp_mixture *mixture);
/* P for the present state, of all target points if they fit the budget. */
sfgp_status sfgp_mixture_label_all(sfgp_mixture *mixture);

/* ---- parts -------------------------------------------------------------------------------------------- */

/* P for the present state. */
sfgp_status sfgp_mixture_label(sfgp_mixture *mixture);
/* Sets u to the posterior mean given xhat and T. */
sfgp_status sfgp_mixture_deform(sfgp_mixture *mixture);
/* Mixing weights: ln alpha_i = psi(kappa + nu_i) - psi(kappa N_R + N). mixture_mixing.c */
void sfgp_mixture_mix(double kappa, double thinning, const sfgp_responsibilities *labels, double *mixing);
/* Digamma function of x > 0, error below 1e-14 of max(1, |psi|). */
double sfgp_mixture_digamma(double x);
/* thin chooses how many target points are used; refine uses more of them when P is small enough. mixture_target.c */
sfgp_status sfgp_mixture_thin(sfgp_mixture *mixture);
sfgp_status sfgp_mixture_refine(sfgp_mixture *mixture, bool *refined);

#endif
