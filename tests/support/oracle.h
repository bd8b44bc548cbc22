/* The oracle: SFGP as the paper writes it, dense, exact and in long double, for at most a few hundred points.
 * It shares no code with the library: no tree, no pruning, no factor, full N d x N d covariance, plain loops.
 */
#ifndef SFGP_TESTS_ORACLE_H
#define SFGP_TESTS_ORACLE_H

#include <stdbool.h>

typedef long double real;

typedef enum oracle_method { ORACLE_FULL, ORACLE_SCALAR, ORACLE_NOTHRESHOLD, ORACLE_CLOSEST } oracle_method;

typedef struct oracle {
    oracle_method method;
    int n, m, d; /* reference points, target points, axes */
    real omega, density, pmin, variance0, max_distance;
    real *reference;                 /* n d, in the frame of the reference */
    real *mean;                      /* n d, prior mean of the displacement */
    real *covariance;                /* n d x n d */
    real *target;                    /* m d, in the frame of the reference */
    real *fitted, *variance, *noise; /* n d, n, n */
    real *p;                         /* n x m */
    real *mass, *weight;             /* n */
    bool *missing;                   /* n */
} oracle;

/* Axes of the frame (rows), and the step that coordinates in it are rounded to. */
typedef struct oracle_axes {
    const double *axes;
    double step;
} oracle_axes;

/* Points are given in their own unit; the oracle finds the frame itself, but for its axes (NULL: those of the file, not rounded). training: count shapes or NULL.
 * Terms are length, variance pairs of squared exponentials. */
oracle *oracle_new(oracle_method method, int n, int m, int d, const double *reference, const double *target,
                   const double *const *training, int training_count, const double (*terms)[2],
                   int term_count, const oracle_axes *axes);
void oracle_step(oracle *o);
void oracle_free(oracle *o);

#endif
