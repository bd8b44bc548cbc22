/* Affine map x = A u + b from weighted pairs: A = S_xu S_uu^-1 (Myronenko, Song, IEEE TPAMI 32(12), 2010,
 * fig. 3), sums and b as in pairs.h. */
#ifndef SFGP_GEOM_AFFINE_H
#define SFGP_GEOM_AFFINE_H

#include "geom/pairs.h"

typedef struct sfgp_affine {
    int dimension;
    double linear[9]; /* A, d x d */
    double shift[3];  /* b */
} sfgp_affine;

/* The best map, in least squares. False, and affine unchanged, when the pairs do not determine one: no
 * weight, no extent, not finite. Directions without extent keep the map that affine has. */
bool sfgp_affine_fit(const sfgp_pairs *pairs, sfgp_affine *affine);
sfgp_affine sfgp_affine_identity(int dimension);
/* x -> S x, of A = R S with the rotation R that is nearest to A, and S symmetric unless A mirrors; no shift. */
sfgp_affine sfgp_affine_stretch(const sfgp_affine *affine);
/* out = A in + b, count x d; out may be in. */
void sfgp_affine_apply(const sfgp_affine *affine, int64_t count, const double *in, double *out);

#endif
