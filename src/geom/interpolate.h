/* Interpolation of values that are known at scattered points only: ordinary kriging in the neighbourhood.
 *
 * At x the 16 nearest points r_i speak, with weights that add up to 1 and minimise the error of a Matern 5/2
 * process of length twice the radius R of the neighbourhood (R: distance of the 17th). As |x - r_i| comes
 * near R, a noise that grows beyond all bounds is added to r_i, so that a point leaves the neighbourhood
 * with weight 0 and weights are continuous in x (Rivoirard, Romary, Math. Geosci. 43, 2011). At r_i the
 * weight is 1 and all others 0, exactly. All lengths are in R: nothing depends on the unit. Points far from
 * all others get a mean of the nearest.
 *
 * Ear modes known at every second of 3000 points come back at the others to 0.7 % of their size
 * (docs/apply.md). */
#ifndef SFGP_GEOM_INTERPOLATE_H
#define SFGP_GEOM_INTERPOLATE_H

#include "geom/kdtree.h"

#define SFGP_NEIGHBOURS 16

typedef struct sfgp_interpolator {
    int64_t count;
    int dimension;
    double start2; /* squared radius where a search starts */
    const double *points;
    sfgp_kdtree *tree;
} sfgp_interpolator;

/* What the neighbours say about x: value(x) = sum of weight[k] value(index[k]). */
typedef struct sfgp_neighbourhood {
    int count;
    int64_t index[SFGP_NEIGHBOURS];
    double weight[SFGP_NEIGHBOURS];
    double left; /* kriging variance at x of a process of variance 1 */
    double
        factor[SFGP_NEIGHBOURS * SFGP_NEIGHBOURS]; /* Cholesky factor of its covariance, lower, count wide */
} sfgp_neighbourhood;

/* points (count x dimension, not owned) must outlive it. O(n log n). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_interpolator_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                                  sfgp_interpolator *interpolator);
void sfgp_interpolator_clear(sfgp_interpolator *interpolator);
/* Scratch: index and distance2 have room for count. */
void sfgp_interpolator_at(const sfgp_interpolator *interpolator, const double *x, int32_t *index,
                          double *distance2, sfgp_neighbourhood *neighbourhood);

#endif
