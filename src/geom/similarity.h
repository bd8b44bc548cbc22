/* Similarity x = s R u + b (sfgp_similarity; rigid: s = 1) from weighted pairs: least squares in closed form.
 *
 *     R = the rotation nearest to S_xu,   s = trace(R'S_xu) / (trace(S_uu) + d sum_i w_i sigma_i^2)
 *
 * (Hirose, IEEE TPAMI 43(7), 2021, section 4.5; with variance 0 Myronenko, Song, IEEE TPAMI 32(12), 2010,
 * fig. 2; sums and b as in pairs.h). sfgp_similarity_apply is public. */
#ifndef SFGP_GEOM_SIMILARITY_H
#define SFGP_GEOM_SIMILARITY_H

#include "geom/pairs.h"
#include "sfgp/sfgp.h"

/* The best map of this kind. False, and similarity unchanged, when the pairs do not determine one: no weight,
 * no extent, not finite. */
bool sfgp_similarity_fit(sfgp_align_kind kind, const sfgp_pairs *pairs, sfgp_similarity *similarity);

sfgp_similarity sfgp_similarity_identity(int dimension);
bool sfgp_similarity_is_identity(const sfgp_similarity *similarity);
/* The inverse of sfgp_similarity_apply: out = R'(in - b) / s. count x d; out may be in. The identity changes
 * no bit, in either direction. */
void sfgp_similarity_undo(const sfgp_similarity *similarity, int64_t count, const double *in, double *out);

#endif
