/* The oracle of PCA_ANISO: dense, in long double, from the formulas of the method alone: covariances as
 * matrices that are inverted one by one, all N x N_S probabilities, neighbourhoods by sorting. */
#ifndef SFGP_TESTS_ORACLE_ANISO_H
#define SFGP_TESTS_ORACLE_ANISO_H

#include "support/oracle_map.h"

typedef struct oracle_aniso {
    oracle_map *linear; /* B, mean, target, sizes */
    long double anisotropy, omega, density, variance;
    int *neighbours;               /* n x 12, in the reference */
    long double *points, *normals; /* n d */
    long double *c, *p;            /* size, n x m */
    long double *covariance;       /* n d d: C_i */
} oracle_aniso;

/* variance0 0: mean squared distance of all pairs / d. */
oracle_aniso *oracle_aniso_new(const sfgp_model *model, int m, const double *target, double anisotropy,
                               double omega, double variance0);
void oracle_aniso_free(oracle_aniso *o);
/* One iteration: P, coefficients, variance, normals. */
void oracle_aniso_step(oracle_aniso *o);
/* ln of what the iteration raises while normals stay: likelihood of the target, and the prior of c. */
long double oracle_aniso_objective(const oracle_aniso *o);

#endif
