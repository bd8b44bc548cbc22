/* What a page shows of a fit beside the result itself: how far every point is from the reference and from the scan. */
#ifndef SFGP_PAGE_FIT_VALUES_H
#define SFGP_PAGE_FIT_VALUES_H

#include "sfgp/sfgp.h"

/* A number of every point. The means are NaN where there is no point. */
typedef struct fit_quantity {
    const char *name;
    double *values;                 /* NULL: not known */
    double mean, observed, missing; /* of all points, of the observed and of the missing ones */
    double p95, largest;
    double top; /* end of its scale: 98 % of the points are below, rounded up to two digits */
} fit_quantity;

enum { FIT_SD, FIT_DEVIATION, FIT_DISTANCE, FIT_QUANTITIES };

typedef struct fit_values {
    sfgp_similarity motion; /* the rigid motion that takes the reference nearest to the fit */
    double turn;            /* its angle, degrees */
    double shift;           /* how far it moves the centroid of the reference */
    double *reference;      /* points of the reference after this motion */
    double *missing;        /* 0 or 1 */
    fit_quantity quantities[FIT_QUANTITIES];
} fit_values;

/* Deviation: from the reference after the motion. Distance: to the surface of the scan, or its nearest point where it has
 * no faces. Errors: those of sfgp_distances, SFGP_ERROR_MEMORY. Clear in any case. */
sfgp_status fit_values_make(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *scan,
                            const sfgp_result *result, fit_values *values);
void fit_values_clear(fit_values *values);

#endif
