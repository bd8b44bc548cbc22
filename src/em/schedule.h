/* Schedule: the constants of one fit. There are four, the columns of the table in search/tuning.h, which says for every
 * constant its unit and where it was measured.
 *
 *     paper           the methods of the paper: plain EM until the points rest
 *     curve, surface  a cold fit, from a start: the points have still to come to the target
 *     warm            a fit that continues from the fit of a subset of its points: only details are left */
#ifndef SFGP_EM_SCHEDULE_H
#define SFGP_EM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sfgp_em_schedule {
    /* Sizes (problem.c, geom/regions.c). */
    int64_t dense;              /* shapes of more points are fitted by levels and smoothed by cells */
    int64_t cells;              /* cells of a dense shape */
    int64_t neighbours;         /* points or cells of a neighbourhood */
    int64_t neighbours_divisor; /* a neighbourhood is no more than this part of the shape */
    int64_t pairs;              /* most pairs that have a responsibility, */
    int64_t pairs_each;         /* or so many for each reference point if that is more */

    /* When a fit rests (loop.c). */
    double rest_step;      /* the mean motion is below this part of sigma, */
    double rest_tolerance; /* and below so many times the tolerance */
    double rest_sigma2;    /* sigma2 changes by less than this part of itself */

    /* Registration variance (sigma2.c). */
    double sigma2_least;      /* sigma2 does not fall below */
    double sigma2_most;       /* sigma2 does not rise above */
    double sigma2_most_after; /* iterations before that limit counts */
    double sigma2_fall_end;   /* the slow fall ends at this part of the squared target spacing */

    /* Responsibilities (estep.c, thinning.c). */
    double reach;       /* labels are searched within this many sigma; 0: as far as the pruning bound says */
    double reach_least; /* but at least within so many spacings of the target */
    double
        tiles_sigma_least; /* sigma below this part of the target spacing needs responsibilities in double precision */
    double label_density; /* target points for one of the reference on the same area; more count as so many */
    double labels_at_rest; /* the target is thinned to so many labels a point at rest; infinity: it is not */

    /* Outlier weight and mixing weights (mixing.c). */
    double mixing_after;      /* iterations before they are learned */
    double mixing_after_late; /* the same for a start with late_mixing */
    double mixing_least;      /* least mixing weight, part of the mass of a labelled point */
    double omega_least;       /* least outlier weight */
    double omega_most;        /* largest outlier weight, so that a fit never runs out of labels */
    double omega_fit;         /* a fit with a larger outlier weight has explained nothing */

    /* Quasi-Newton M-step (mstep.c). */
    double gram_drift;      /* B'WB is made again when this part of the weight has moved */
    double gram_distrust;   /* factor on gram_drift after each fall of the bound */
    double variance_change; /* the posterior variance is made again when sigma2 has changed by this part */
    double variance_small;  /* or is not, while it is below this part of sigma2 */
    double variance_final;  /* a fit ends only with the variance of sigma2 to this part */

    /* Extrapolation (extrapolation.c). */
    double extrapolate_after; /* iterations before the first extrapolation */
    bool extrapolate_thinned; /* also while the target is thinned */
    double extrapolate_slow;  /* only while sigma2 changes by less than this part of itself in an iteration */
    double extrapolation_first; /* longest first step length */
    double extrapolation_most;  /* longest step length */
    double extrapolation_grow;  /* factor on the longest step after a success, divisor after a failure */
    double extrapolation_wild;  /* ratio of the motions after and before a step that counts as a failure */
    double extrapolation_loss;  /* most loss of the bound, nats for each target point */
    double extrapolation_sigma; /* most change of ln sigma2 */
} sfgp_em_schedule;

#endif
