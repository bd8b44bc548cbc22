/* The oracle of BCPD and CPD: figure 1 of the BCPD paper and figures 2 to 4 of the CPD paper, dense and in
 * long double, for at most a few dozen points. It shares no code with the library: no tree, no factor,
 * inverses written out, its own frames. */
#ifndef SFGP_TESTS_ORACLE_BCPD_H
#define SFGP_TESTS_ORACLE_BCPD_H

#include "support/oracle.h"

typedef enum oracle_mixture_map { ORACLE_NO_MAP, ORACLE_SIMILARITY, ORACLE_AFFINE } oracle_mixture_map;

typedef struct oracle_mixture {
    bool bayesian, variances, smooth;
    oracle_mixture_map map;
    const char *normalise;
    real omega, lambda, beta, gamma, kappa; /* kappa 0: infinite */
    int n, m, d;                            /* reference points, target points, axes */
    real from_centre[3], from_scale, to_centre[3], to_scale;
    real *y, *x;                   /* n d, m d: both shapes in their frames */
    real *u, *v, *fitted;          /* n d: y + v, v, T(u) */
    real *variance, *alpha, *mass; /* n */
    real *p;                       /* n x m */
    real scale, linear[9], shift[3];
    real noise; /* sigma^2 */
} oracle_mixture;

/* Sizes, shapes and the fields up to kappa are the caller's; the rest is made here. */
void oracle_mixture_start(oracle_mixture *o, const double *reference, const double *target);
void oracle_mixture_step(oracle_mixture *o);
/* P for the present state. */
void oracle_mixture_label(oracle_mixture *o);
void oracle_mixture_clear(oracle_mixture *o);

/* U diag(1, .., det(UV')) V' of the singular value decomposition of s (d x d). */
void oracle_rotation(int d, const real *s, real *rotation);
real oracle_digamma(real x);

#endif
