/* What belongs to what after a fit of BCPD: probabilities of every pair of a target point and a source point. */
#ifndef SFGP_REPORT_MATCHES_H
#define SFGP_REPORT_MATCHES_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

/* Matches of a fit, by the probability that target point n belongs to source point m:
 *
 *     P_mn = a_m g_mn / (c + sum_k a_k g_kn),   g_mn = exp(-|x_n - y_m|^2 / (2 sigma^2))
 *     c    = (2 pi sigma^2)^(d/2) omega / ((1 - omega) volume)
 *
 * with the box of the target as volume (Hirose, IEEE TPAMI 43(7), 2021, figure 1, without the variance of y). As in BCPD
 * the sum is over the points within 7 sigma, or the nearest one where there is none. */
typedef struct report_matches {
    const sfgp_result *result;
    const sfgp_mesh *target;
    double outlier;   /* c; 0 without outliers */
    double radius;    /* 7 sigma */
    int64_t *order;   /* source points by their first coordinate */
    double *key;      /* these coordinates */
    double *mixing;   /* M: a_m */
    double *weight;   /* M: nu_m = sum_n P_mn */
    double *labelled; /* M x d: sum_n P_mn x_n / nu_m; the fit itself where nu_m = 0 */
    double *row;      /* M: P_mn of one n, in the order of `order` */
    int64_t first;    /* row: from here */
    int64_t end;      /* row: up to here */
    double total;     /* sum_n,m P_mn */
} report_matches;

/* outliers: whether there may be any. kappa: how equal the mixing weights are.
 * Clear also after an error. SFGP_ERROR_MEMORY. */
sfgp_status report_matches_new(const sfgp_result *result, const sfgp_mesh *target, bool outliers,
                               double kappa, report_matches *matches);
void report_matches_clear(report_matches *matches);
/* Fills row, first and end for one target point. Returns the probability that it is an outlier. */
double report_match(report_matches *matches, int64_t n);

#endif
