/* The function that MAP registration minimises (Luethi, Gerig, Jud, Vetter, IEEE TPAMI 40(8), 2018:
 * distance to the closest target point, regularised by the norm of the process),
 *
 *     f(c) = 1/N sum_i |rbar_i - s_i|^2 + lambda |c|^2,   rbar = prior mean + B c,   s_i = closest to rbar_i
 *     grad f = 2/N B'(rbar - s) + 2 lambda c.
 *
 * Where the closest point is unique the gradient is exact: s_i does not change nearby. An evaluation costs
 * O(N (m + log N_S)), runs in lanes and allocates nothing. */
#ifndef SFGP_BASELINE_MAP_OBJECTIVE_H
#define SFGP_BASELINE_MAP_OBJECTIVE_H

#include "geom/kdtree.h"
#include "model/model.h"

typedef struct sfgp_map_estimate {
    const sfgp_model *model;
    double lambda;
    int64_t size;      /* of c */
    int64_t targets;   /* N_S */
    double *target;    /* N_S x d, in the frame */
    sfgp_kdtree *tree; /* over the target */
    /* results of the last evaluation: */
    double *points;         /* N x d: rbar */
    double *residual;       /* N x d: 2/N (rbar - s) */
    double *distance2;      /* N: |rbar_i - s_i|^2 */
    int32_t *closest;       /* N: index of s_i */
    double *lane_gradients; /* SFGP_LANES x size */
} sfgp_map_estimate;

/* The model must outlive it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_map_estimate_new(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                  double lambda, sfgp_map_estimate *map);
void sfgp_map_estimate_clear(sfgp_map_estimate *map);
/* f(c) and its gradient (size); map is a sfgp_map_estimate (linalg/minimise.h). */
double sfgp_map_estimate_objective(void *map, const double *c, double *gradient);

#endif
