/* The kernel "surface": a Matern field along the surface, not through space. It solves
 *
 *     tau (kappa^2 - Delta)^(alpha / 2) u = white noise
 *
 * on a surface (dimension D = 2) or curve (D = 1) with Neumann borders (Lindgren, Rue, Lindstrom, JRSS B 73(4), 2011, eq. 2).
 * With alpha = smoothness + 1, nu = alpha - D / 2 and kappa = sqrt(2 nu) / length, its correlation at a geodesic distance r
 * is that of the Matern kernel of nu and length wherever the surface is flat and its borders are far. Its variance is
 *
 *     V = Gamma(nu) / (Gamma(alpha) (4 pi)^(D / 2) kappa^(2 nu) tau^2)                                          (eq. 3)
 *
 * there. At a straight border it is 2 V, and at a length from the border almost V again. */
#ifndef SFGP_KERNEL_SURFACE_H
#define SFGP_KERNEL_SURFACE_H

#include "kernel/kernel.h"

/* kappa^2 of a term on a manifold of dimension 1 or 2. */
double sfgp_surface_kappa2(const struct sfgp_kernel_term *term, int dimension);
/* 1 / tau^2: the spectral density at the eigenvalue lambda of -Delta is (1 / tau^2) (kappa^2 + lambda)^-alpha. */
double sfgp_surface_strength(const struct sfgp_kernel_term *term, int dimension);
double sfgp_surface_density(const struct sfgp_kernel_term *term, int dimension, double lambda);

#endif
