/* A field along the surface before it has columns: its elements, its spectral density, and a bound of its variance at every point.
 * The equations stand in surface_factor.h. */
#ifndef SFGP_LOWRANK_SURFACE_FIELD_H
#define SFGP_LOWRANK_SURFACE_FIELD_H

#include "geom/laplacian.h"
#include "linalg/ldl.h"
#include "lowrank/lowrank.h"

typedef struct sfgp_surface_field {
    const sfgp_kernel *kernel; /* terms "surface" only */
    const sfgp_factor_request *request;
    sfgp_laplacian laplacian;
    sfgp_ldl *ldl;   /* of some G + s C */
    double *total;   /* N: bound of the variance of each point, before any pair is subtracted */
    double *left;    /* N: of what the factor leaves out */
    double rounding; /* of total, relative to its largest value: what the solver was measured to err */
} sfgp_surface_field;

/* Elements, ordering and room; total is 0. Neither kernel nor request is copied. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_surface_field_new(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                   const sfgp_factor_request *request, sfgp_surface_field *field);
void sfgp_surface_field_clear(sfgp_surface_field *field);

/* S(lambda), the sum over the terms. */
double sfgp_surface_field_density(const sfgp_surface_field *field, double lambda);
/* What a pair of lambda with phi(i)^2 = 1 adds to the bound: at least S(lambda). */
double sfgp_surface_field_bound(const sfgp_surface_field *field, double lambda);
/* Sets total and rounding: alpha factorisations and selected inverses for each term. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_surface_field_bound_variance(sfgp_context *context, sfgp_surface_field *field);
/* About how many pairs the accuracy of the request needs. */
int64_t sfgp_surface_field_guess(const sfgp_surface_field *field);

#endif
