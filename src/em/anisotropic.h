/* Anisotropic labels: the last step of a cold fit of a surface.
 *
 * A scan tells where a surface lies, but hardly which point of it is which: labels err more along the surface than across
 * it. So the settled fit goes on with labels of two variances, v_n along the normals of the fitted points and v_t across
 * them, both learned, and the prior decides more of how points slide. Each iteration is
 *
 *     E-step     of density N(s_j; rbar_i, v_n n_i n_i' + v_t (I - n_i n_i'))   correspond/correspond.h
 *     M-step     towards the maximum a posteriori of the coefficients c,       gpr/anisotropic.h
 *                h <- 0.8 h + step, c <- c + h, h = 0 at first;
 *                beyond the rim of the scan labels do not pull along the surface     em/rim.h
 *     variances  v_n = sum_ij P_ij (n_i'u_ij)^2 / sum nu,   v_t = sum_ij P_ij (|u_ij|^2 - (n_i'u_ij)^2) / (2 sum nu),
 *                with least v_t <= v_n <= v_t
 *     omega and mixing weights as in any iteration (mixing.h)
 *
 * Points slide along the surface by a little in each of many iterations. So a part of the last change is added to the next one (heavy ball;
 * Polyak, USSR Comput. Math. Math. Phys. 4(5), 1964). The fit ends with one variance again: sigma2 of the labels of its points as they now
 * are, and the posterior variance that belongs to it. The bound and the divergence stay those of the fit before these iterations: scores
 * compare fits without them. ADR 0050. */
#ifndef SFGP_EM_ANISOTROPIC_H
#define SFGP_EM_ANISOTROPIC_H

#include "em/em.h"

typedef struct sfgp_em_anisotropy {
    int64_t iterations; /* at most; 0: none */
    int neighbours;     /* of a point, that give its normal */
    double least;       /* v_n is at least this part of v_t */
    double rim;         /* limit of em/rim.h; 0: all labels pull along the surface */
} sfgp_em_anisotropy;

/* For a fit that has converged. O(iterations (entries of P + N m) + N m^2 + m^3). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC;
 * SFGP_CANCELLED. */
sfgp_status sfgp_em_anisotropic_refine(sfgp_em *em, const sfgp_em_anisotropy *anisotropy);

#endif
