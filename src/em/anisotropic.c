/* The loop of anisotropic labels. Equations in anisotropic.h. */
#include "em/anisotropic.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "em/estep.h"
#include "em/loop.h"
#include "em/mixing.h"
#include "em/mstep.h"
#include "em/rim.h"
#include "geom/measure.h"
#include "geom/normals.h"
#include "gpr/anisotropic.h"

#include <math.h>

#define GRAIN 1024   /* points that a thread takes at a time */
#define SETTLE 30    /* most updates of sigma2 at the end */
#define MOMENTUM 0.8 /* 40 iterations come as far as some 160 without it (ADR 0086) */
#define RIM 10       /* iterations with one rim: with one each, femurs err the same (ADR 0123) */

typedef struct refinement {
    sfgp_em *em;
    const sfgp_em_anisotropy *anisotropy;
    sfgp_neighbours neighbours;
    sfgp_rim rim;
    double *normals; /* N x d */
    double *change;  /* m: the last one of the coefficients */
    sfgp_anisotropic step;
    double along, across; /* v_n, v_t */
} refinement;

static void refinement_clear(refinement *r)
{
    sfgp_neighbours_clear(&r->neighbours);
    sfgp_rim_clear(&r->rim);
    sfgp_anisotropic_clear(&r->step);
    sfgp_free(r->normals);
    sfgp_free(r->change);
    r->em->normals = NULL;
}

static sfgp_status refinement_new(sfgp_em *em, const sfgp_em_anisotropy *anisotropy, refinement *r)
{
    const sfgp_basis *basis = em->problem->basis;
    const int64_t n = basis->count, d = basis->dimension;
    sfgp_status status = SFGP_OK;
    *r = (refinement){
        .em = em, .anisotropy = anisotropy, .along = em->state.sigma2[0], .across = em->state.sigma2[0]};
    if ((status = sfgp_regions_nearest(em->context, &em->regions, (int)d, basis->mean, anisotropy->neighbours,
                                       &r->neighbours)) == SFGP_OK &&
        (status = sfgp_rim_new(em, &r->neighbours, anisotropy->rim, &r->rim)) == SFGP_OK &&
        (status = sfgp_allocate(em->context, n * d, &r->normals)) == SFGP_OK &&
        (status = sfgp_allocate(em->context, sfgp_basis_size(basis), &r->change)) == SFGP_OK)
        status = sfgp_anisotropic_new(em->context, &em->posterior, &r->step);
    em->normals = r->normals;
    return status;
}

/* ---- one iteration -------------------------------------------------------------------------------------- */

static sfgp_status estep(refinement *r)
{
    sfgp_em *em = r->em;
    sfgp_normals_estimate(&r->neighbours, em->state.points, r->normals);
    em->stretch = r->across / r->along - 1;
    sfgp_em_state_set_sigma2(em->problem->basis->count, r->across, &em->state);
    return sfgp_em_estep_whole(em);
}

/* W_i and W_i (q_i (I - n_i n_i') + (1 + t) n_i n_i')(label_i - rbar_i), q_i = pull_i of em/rim.h. A target point counts as in em/mstep.c. */
static void weigh(const void *data, int64_t first, int64_t end)
{
    const refinement *r = data;
    const sfgp_em *em = r->em;
    const int d = em->problem->basis->dimension;
    const double scale = (double)em->state.thinning * em->label_weight / r->across;
    for (int64_t i = first; i < end; i++) {
        const double *shift = em->responsibilities.shift + i * d, *normal = r->normals + i * d;
        const double pull = sfgp_rim_pull(&r->rim, i);
        double along = 0;
        for (int a = 0; a < d; a++)
            along += normal[a] * shift[a];
        em->weights[i] = scale * em->responsibilities.weight[i];
        for (int a = 0; a < d; a++)
            em->deltas[i * d + a] =
                scale * (pull * (shift[a] - along * normal[a]) + (1 + em->stretch) * along * normal[a]);
    }
}

/* h <- 0.8 h + step, c <- c + h */
static void move(refinement *r, const double *step)
{
    double *coefficients = r->em->state.coefficients;
    for (int64_t k = 0; k < sfgp_basis_size(r->em->problem->basis); k++) {
        r->change[k] = MOMENTUM * r->change[k] + step[k];
        coefficients[k] += r->change[k];
    }
    sfgp_posterior_set_coefficients(coefficients, &r->em->posterior);
}

static sfgp_status mstep(refinement *r)
{
    sfgp_em *em = r->em;
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_anisotropic_weights weights = {em->weights, r->normals, em->stretch};
    sfgp_parallel_for(basis->count, GRAIN, weigh, r);
    const double *step;
    const sfgp_status status =
        sfgp_anisotropic_step(em->context, &weights, em->deltas, em->state.coefficients, &r->step, &step);
    if (status != SFGP_OK)
        return status;
    move(r, step);
    em->change = sfgp_points_apart(basis->count, basis->dimension, em->posterior.mean, em->state.points);
    sfgp_lanes_copy(basis->count * basis->dimension, em->posterior.mean, em->state.points);
    return SFGP_OK;
}

/* (n_i'u)^2 and |u|^2 of a target point. */
typedef struct squares {
    double along, whole;
} squares;

static squares squares_of(const refinement *r, int64_t i, int64_t j)
{
    const sfgp_em *em = r->em;
    const int d = em->problem->basis->dimension;
    double along = 0, whole = 0;
    for (int a = 0; a < d; a++) {
        const double u = em->view.points[j * d + a] - em->state.points[i * d + a];
        along += r->normals[i * d + a] * u;
        whole += u * u;
    }
    return (squares){along * along, whole};
}

typedef struct spread {
    const refinement *r;
    squares *lanes; /* SFGP_LANES */
} spread;

/* A lane's share of sum_ij P_ij (n_i'u_ij)^2 and sum_ij P_ij |u_ij|^2. */
static void add_squares(const void *data, int lane, int64_t first, int64_t end)
{
    const spread *all = data;
    const sfgp_sparse *matrix = &all->r->em->responsibilities.matrix;
    const int32_t *start = sfgp_sparse_start(matrix), *index = sfgp_sparse_index(matrix);
    const double *p = sfgp_sparse_value(matrix);
    squares sum = {0, 0};
    for (int64_t i = first; i < end; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            const squares each = squares_of(all->r, i, index[k]);
            sum.along += p[k] * each.along;
            sum.whole += p[k] * each.whole;
        }
    all->lanes[lane] = sum;
}

static squares sum_squares(const refinement *r)
{
    squares lanes[SFGP_LANES], sum = {0, 0};
    const spread all = {r, lanes};
    sfgp_lanes_run(r->em->problem->basis->count, add_squares, &all);
    for (int lane = 0; lane < SFGP_LANES; lane++) {
        sum.along += lanes[lane].along;
        sum.whole += lanes[lane].whole;
    }
    return sum;
}

/* v_n and v_t; where they are out of order, the one variance that both have. */
static void learn_variances(refinement *r)
{
    const sfgp_em *em = r->em;
    const int64_t n = em->problem->basis->count, d = em->problem->basis->dimension;
    const squares sum = sum_squares(r);
    const double mass = sfgp_lanes_total(n, em->responsibilities.mass), least = r->anisotropy->least,
                 along = sum.along / mass, across = (sum.whole / mass - along) / (double)(d - 1),
                 part = fmin(fmax(along / across, least), 1),
                 both = (along / part + (double)(d - 1) * across) / (double)d;
    r->across = fmax(both, em->schedule->sigma2_least);
    r->along = part * r->across;
}

static sfgp_status iterate(refinement *r, int64_t k)
{
    sfgp_em *em = r->em;
    sfgp_status status = estep(r);
    if (status != SFGP_OK || em->responsibilities.missing == em->responsibilities.count)
        return status;
    if (k % RIM == 0)
        sfgp_rim_find(&r->rim);
    if ((status = mstep(r)) != SFGP_OK)
        return status;
    learn_variances(r);
    sfgp_mixing_learn(em);
    em->state.iteration++;
    em->iterations++;
    return sfgp_em_report(em);
}

static bool rests(const refinement *r)
{
    const sfgp_em *em = r->em;
    return em->change < fmin(em->problem->tolerance, em->schedule->rest_step * sqrt(r->along));
}

/* ---- the end --------------------------------------------------------------------------------------------- */

/* One sigma2 again, until it rests; the points stay. */
static sfgp_status settle_sigma2(sfgp_em *em, double sigma2)
{
    double last = HUGE_VAL;
    sfgp_status status = SFGP_OK;
    sfgp_em_state_set_sigma2(em->problem->basis->count, sigma2, &em->state);
    for (int k = 0; k < SETTLE && fabs(sigma2 - last) > em->schedule->rest_sigma2 * sigma2; k++) {
        if ((status = sfgp_em_estep(em)) != SFGP_OK)
            return status;
        em->problem->variant->update_sigma2(em);
        last = sigma2, sigma2 = em->state.sigma2[0];
    }
    return status;
}

/* The posterior of one sigma2, with the coefficients as they are. */
static sfgp_status end(refinement *r)
{
    sfgp_em *em = r->em;
    em->normals = NULL;
    em->posterior.has_gram = false;
    em->variance_sigma2 = 0;
    sfgp_status status = settle_sigma2(em, (r->along + 2 * r->across) / 3);
    if (status == SFGP_OK)
        status = sfgp_em_mstep(em);
    if (status == SFGP_OK) {
        sfgp_posterior_set_coefficients(em->state.coefficients, &em->posterior);
        sfgp_lanes_copy(em->problem->basis->count, em->posterior.variance, em->state.variance);
    }
    return status;
}

sfgp_status sfgp_em_anisotropic_refine(sfgp_em *em, const sfgp_em_anisotropy *anisotropy)
{
    const double bound = em->state.bound;
    refinement r;
    if (anisotropy->iterations == 0)
        return SFGP_OK;
    sfgp_status status = refinement_new(em, anisotropy, &r);
    for (int64_t k = 0; k < anisotropy->iterations && status == SFGP_OK; k++) {
        status = iterate(&r, k);
        if ((k > 0 && rests(&r)) || sfgp_progress_is_late(em->context))
            break;
    }
    if (status == SFGP_OK)
        status = end(&r);
    em->state.bound = bound;
    refinement_clear(&r);
    return status;
}
