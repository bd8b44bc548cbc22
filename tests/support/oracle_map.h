/* The oracle of MAP registration: the objective and its minimum by dense loops in long double. B is made from
 * the model's own factors, everything after that is independent. */
#ifndef SFGP_TESTS_ORACLE_MAP_H
#define SFGP_TESTS_ORACLE_MAP_H

#include "model/model.h"

typedef struct oracle_map {
    int n, m, d, size;     /* reference points, target points, axes, coefficients */
    long double *b, *mean; /* n d x size, n d */
    long double *target;   /* m d, in the frame of the model */
    long double lambda;
} oracle_map;

oracle_map *oracle_map_new(const sfgp_model *model, int m, const double *target, double lambda);
void oracle_map_free(oracle_map *o);
/* n d points of coefficients c; the closest target point of each into closest (may be NULL). */
void oracle_map_place(const oracle_map *o, const long double *c, long double *points, int *closest);
long double oracle_map_objective(const oracle_map *o, const long double *c);
/* Index of the target point nearest to x (d), the first of several. */
int oracle_map_closest(const oracle_map *o, const long double *x);
/* c of the minimum while every point belongs to the target point in closest (n). */
void oracle_map_solve(const oracle_map *o, const int *closest, long double *c);

/* For this oracle and that of PCA_ANISO: count zeros, and x = A \ x by Gauss without pivots, A (n x n)
 * positive definite. */
long double *oracle_reals(int count);
void oracle_solve(int n, const long double *matrix, long double *x);

#endif
