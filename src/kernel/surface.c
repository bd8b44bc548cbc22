/* The spectral density of a Matern field along the surface. Equations in surface.h. */
#include "kernel/surface.h"

#include <math.h>

#define PI 3.14159265358979323846

static double nu_of(const struct sfgp_kernel_term *term, int dimension)
{
    return term->smoothness + 1 - 0.5 * dimension;
}

double sfgp_surface_kappa2(const struct sfgp_kernel_term *term, int dimension)
{
    return 2 * nu_of(term, dimension) / (term->length * term->length);
}

double sfgp_surface_strength(const struct sfgp_kernel_term *term, int dimension)
{
    const double nu = nu_of(term, dimension), kappa2 = sfgp_surface_kappa2(term, dimension);
    return term->variance * tgamma(term->smoothness + 1) / tgamma(nu) * pow(4 * PI, 0.5 * dimension) *
           pow(kappa2, nu);
}

double sfgp_surface_density(const struct sfgp_kernel_term *term, int dimension, double lambda)
{
    return sfgp_surface_strength(term, dimension) *
           pow(sfgp_surface_kappa2(term, dimension) + lambda, -term->smoothness - 1);
}

const sfgp_kernel_type sfgp_kernel_surface = {"surface", NULL};
