/* Low-rank factor of a scalar kernel on the reference: K ~ BB' with a certified residual. Terms in space are factorised by
 * one of the methods below, terms along the surface by surface_factor.h.
 *
 * Every method leaves K - BB' positive semi-definite, so |K - BB'|_ij <= sqrt(d_i d_j) with d the diagonal of
 * the residual, and the largest d bounds every entry. All methods stop when that bound is below the accuracy.
 */
#ifndef SFGP_LOWRANK_LOWRANK_H
#define SFGP_LOWRANK_LOWRANK_H

#include "kernel/kernel.h"

#include <stdbool.h>

typedef struct sfgp_factor {
    int64_t rows;    /* points */
    int64_t rank;    /* columns */
    double *values;  /* rows x rank: B, row i is the feature vector of point i */
    double residual; /* no entry of K - BB' is larger in absolute value */
    int64_t
        surface; /* the last so many columns are of the field along the surface (surface_factor.h), the others of space */
    int64_t *
        pivots; /* rank - surface: row pivots[k] is exact from column k on (cholesky); NULL for other methods */
} sfgp_factor;

typedef struct sfgp_factor_request {
    double accuracy; /* residual that is wanted */
    int64_t rank;    /* largest number of columns */
    uint64_t seed;   /* of ARPACK's start vector */
    bool mean; /* along the surface: the accuracy is that of the mean over the area, not of every point */
} sfgp_factor_request;

typedef struct sfgp_lowrank_method {
    const char *name;
    sfgp_status (*factorise)(sfgp_context *context, const sfgp_covariance *covariance,
                             const sfgp_factor_request *request, sfgp_factor *factor);
} sfgp_lowrank_method;

extern const sfgp_lowrank_method sfgp_lowrank_eigen, sfgp_lowrank_nystrom, sfgp_lowrank_cholesky;

/* Row of the table by its name. SFGP_ERROR_PARAMETER. */
sfgp_status sfgp_lowrank_find(sfgp_context *context, const char *name, const sfgp_lowrank_method **method);
/* Appends the columns of `last`, a factor of the same rows: the sum of both kernels. last is empty afterwards.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_factor_append(sfgp_context *context, sfgp_factor *factor, sfgp_factor *last);
/* The fewest columns, but not 0 of some, so that no row loses more than this variance with the others; *loss: the most that a row
 * loses. All methods order the columns by importance, the most important first. O(rows rank). */
int64_t sfgp_factor_needs(const sfgp_factor *factor, double accuracy, double *loss);
/* Keeps these columns. The residual grows by the loss. */
void sfgp_factor_truncate(double accuracy, sfgp_factor *factor);
/* Keeps the first `rank` columns, if there are more. The residual stays. */
void sfgp_factor_keep(int64_t rank, sfgp_factor *factor);
void sfgp_factor_clear(sfgp_factor *factor);

#endif
