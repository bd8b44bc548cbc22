/* State: all that one iteration hands to the next. It is one block of numbers, so that a snapshot, an
 * extrapolation and the next level copy it whole. */
#ifndef SFGP_EM_STATE_H
#define SFGP_EM_STATE_H

#include "geom/similarity.h"
#include "lowrank/basis.h"

/* The prior of a fit: that of the factor of the problem, or one with smaller or larger variances (gpr/prior.h). */
typedef enum sfgp_em_prior {
    SFGP_PRIOR_AS_IS,
    SFGP_PRIOR_STIFF,
    SFGP_PRIOR_LOOSE,
    SFGP_PRIORS
} sfgp_em_prior;

/* Where a fit starts. */
typedef struct sfgp_em_start {
    sfgp_similarity pose; /* of the reference */
    double sigma2;        /* registration variance */
    double omega;         /* outlier weight */
    bool regional;        /* mixing weights are learned: points may be missing in regions */
    bool late_mixing;     /* they and the outlier weight are learned later (schedule) */
    sfgp_em_prior prior;  /* of the coefficients */
} sfgp_em_start;

typedef struct sfgp_em_state {
    int64_t size;         /* numbers in `values` */
    double *values;       /* the block; the five arrays lie in it in this order */
    double *points;       /* N x d: rbar = mean + B c, before the pose */
    double *coefficients; /* d m_s + m_p: c */
    double *variance;     /* N: p, posterior variance per axis; 0 before the first M-step */
    double *sigma2;       /* N: registration variance */
    double *mixing;       /* N: pi_i N_R; NULL: all 1 */
    double omega;         /* outlier weight */
    sfgp_similarity pose; /* the fitted shape is pose(points): the target is seen from there */
    sfgp_em_start start;  /* where the fit started */
    double divergence;    /* Kullback-Leibler divergence of the posterior from the prior */
    double bound;         /* evidence bound: log likelihood of the last E-step less the divergence */
    int64_t thinning;     /* one target point in so many is in use */
    int64_t iteration;    /* since the start */
} sfgp_em_state;

/* Room for a fit with this basis; with_mixing: mixing weights too. SFGP_ERROR_MEMORY. Clear also after an
 * error. */
sfgp_status sfgp_em_state_new(sfgp_context *context, const sfgp_basis *basis, bool with_mixing,
                              sfgp_em_state *state);
void sfgp_em_state_clear(sfgp_em_state *state);
/* The prior mean at a start. */
void sfgp_em_state_begin(const sfgp_basis *basis, const sfgp_em_start *start, sfgp_em_state *state);
/* Both have the same basis. O(N d + m). */
void sfgp_em_state_copy(const sfgp_em_state *from, sfgp_em_state *to);

/* The part that an extrapolation moves, x = (points, c, ln sigma2), one sigma2 for all points. */
int64_t sfgp_em_state_path_size(const sfgp_basis *basis);
void sfgp_em_state_to_path(const sfgp_basis *basis, const sfgp_em_state *state, double *x);
void sfgp_em_state_from_path(const sfgp_basis *basis, const double *x, sfgp_em_state *state);
/* One sigma2 for all points. */
void sfgp_em_state_set_sigma2(int64_t count, double sigma2, sfgp_em_state *state);

#endif
