/* Covariogram: variance and length of a field on a surface, from noisy values of it at pairs of points (method of moments; Cressie,
 * Statistics for Spatial Data, 1993, section 2.4). The noise of two points is independent, so it adds nothing to the mean product of
 * their values,
 *
 *     C(r) = V rho(r / L),   rho(x) = z K_1(z), z = sqrt(2) x:
 *
 * Matern of smoothness 1 in the plane. Distances are known in spacings of the points: pairs have one of some lengths L. */
#ifndef SFGP_GEOM_COVARIOGRAM_H
#define SFGP_GEOM_COVARIOGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum { SFGP_COVARIOGRAM_BINS = 8 };   /* of half a spacing each; farther pairs are left out */
#define SFGP_COVARIOGRAM_SHORTEST 1.5 /* L, in spacings: elements have no shorter field */

typedef struct sfgp_covariogram {
    double spacing;
    double pairs[SFGP_COVARIOGRAM_BINS];    /* sum of the weights */
    double distance[SFGP_COVARIOGRAM_BINS]; /* weighted sum */
    double product[SFGP_COVARIOGRAM_BINS];
    double squares; /* sum of the squared products */
} sfgp_covariogram;

/* A pair of points: product of their values, which is weight C(distance) on average. */
void sfgp_covariogram_add(double distance, double product, double weight, sfgp_covariogram *sums);
/* V and L by least squares; false: the mean product is not above 0 by 4 standard deviations. */
bool sfgp_covariogram_fit(const sfgp_covariogram *sums, double *variance, double *length);

#endif
