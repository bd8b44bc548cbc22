/* Short fits of adapted references. Rule in adapt_choose.h. */
#include "fit/adapt_choose.h"
#include "base/memory.h"
#include "fit/some_points.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum { DOUBLINGS = 2 };         /* of the strength */
#define ROOT 1.4142135623730951 /* of 2 */

typedef struct comparison {
    const sfgp_solver *solver;
    sfgp_some_points points;
    sfgp_similarity pose;
    sfgp_em_prior prior;
    double *mean;  /* points x 3: of the prior as it is */
    double *moves; /* surface.count x 3: the caller's */
    double own;    /* score of the reference as it is */
    sfgp_adaptation best;
    double gain; /* of the best one over it */
} comparison;

static void comparison_clear(comparison *c)
{
    sfgp_some_points_clear(&c->points);
    sfgp_free(c->mean);
}

/* The mean of the subset moves as its cells do. */
static void set_mean(comparison *c)
{
    const sfgp_coarse_surface *surface = &c->solver->shape.surface;
    double *mean = c->points.subset.basis.mean;
    for (int64_t k = 0; k < c->points.subset.basis.count; k++) {
        const int64_t cell = sfgp_coarse_surface_cell(surface, sfgp_some_points_index(&c->points, k));
        for (int a = 0; a < 3; a++)
            mean[3 * k + a] = c->mean[3 * k + a] + c->moves[3 * cell + a];
    }
}

static sfgp_status score_of(comparison *c, sfgp_adaptation adaptation, double *score)
{
    *score = -HUGE_VAL;
    const sfgp_status status = sfgp_adapt_shape_moves(&c->solver->shape, &adaptation, c->moves);
    if (status != SFGP_OK)
        return status;
    set_mean(c);
    return sfgp_some_points_fit(&c->points, &c->pose, c->prior, score);
}

static sfgp_status comparison_new(const sfgp_solver *solver, double *moves, comparison *c)
{
    *c = (comparison){
        .solver = solver, .prior = solver->em->state.start.prior, .moves = moves, .own = -HUGE_VAL};
    sfgp_status status = sfgp_some_points_new(solver, &c->points);
    const int64_t size = status == SFGP_OK ? 3 * c->points.subset.basis.count : 0;
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, size, &c->mean);
    if (status != SFGP_OK)
        return status;
    memcpy(c->mean, c->points.subset.basis.mean, (size_t)size * sizeof(double));
    c->pose = sfgp_some_points_pose(&c->points);
    return sfgp_some_points_fit(&c->points, &c->pose, c->prior, &c->own);
}

/* *better: it is the best one from here on. */
static sfgp_status compare(comparison *c, sfgp_adaptation adaptation, double margin, bool *better)
{
    double score;
    const sfgp_status status = score_of(c, adaptation, &score);
    *better = status == SFGP_OK && score - c->own > c->gain + margin;
    if (*better) {
        c->best = adaptation;
        c->gain = score - c->own;
    }
    return status;
}

/* The reference after `from` with so much of one kind more: out and in where there is an outside, or smoothed and sharpened. */
static sfgp_status compare_kind(comparison *c, sfgp_adaptation from, bool moves, double margin)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&c->solver->model->basis);
    sfgp_status status = SFGP_OK;
    bool ignored;
    if (moves && !c->solver->shape.has_outside)
        return SFGP_OK;
    for (int sign = 1; sign >= -1 && status == SFGP_OK; sign -= 2) {
        sfgp_adaptation with = from;
        if (moves)
            with.offset = sign * tuning->adapt_offset;
        else
            with.smooth = sign * tuning->adapt_smooth;
        status = compare(c, with, margin, &ignored);
    }
    return status;
}

/* By themselves. */
static sfgp_status compare_kinds(comparison *c)
{
    const sfgp_adaptation none = {0};
    const sfgp_status status = compare_kind(c, none, false, 0);
    return status == SFGP_OK ? compare_kind(c, none, true, 0) : status;
}

static sfgp_status scale(comparison *c, double factor, bool *better)
{
    return compare(c, (sfgp_adaptation){factor * c->best.smooth, factor * c->best.offset}, 0, better);
}

/* Doublings as long as the score rises, then once by their root, up or down. */
static sfgp_status find_strength(comparison *c)
{
    sfgp_status status = SFGP_OK;
    bool better = c->gain > 0;
    if (!better)
        return SFGP_OK;
    for (int k = 0; k < DOUBLINGS && better && status == SFGP_OK; k++)
        status = scale(c, 2, &better);
    if (status == SFGP_OK)
        status = scale(c, ROOT, &better);
    return status == SFGP_OK && !better ? scale(c, 1 / ROOT, &better) : status;
}

/* c->gain and c->best; c->moves are those of the best one. */
static sfgp_status choose(comparison *c)
{
    const double margin = sfgp_tuning_of(&c->solver->model->basis)->adapt_margin;
    sfgp_status status = compare_kinds(c);
    if (status == SFGP_OK)
        status = find_strength(c);
    if (status == SFGP_OK && c->gain > margin) /* of the other kind as much as at first */
        status = compare_kind(c, c->best, c->best.offset == 0, margin);
    return status == SFGP_OK ? sfgp_adapt_shape_moves(&c->solver->shape, &c->best, c->moves) : status;
}

sfgp_status sfgp_adapt_choose(const sfgp_solver *solver, sfgp_adaptation *best, double *moves)
{
    comparison c;
    *best = (sfgp_adaptation){0};
    sfgp_status status = comparison_new(solver, moves, &c);
    if (status == SFGP_OK && c.own > -HUGE_VAL)
        status = choose(&c);
    if (status == SFGP_OK && c.gain > sfgp_tuning_of(&solver->model->basis)->adapt_margin)
        *best = c.best;
    comparison_clear(&c);
    return status;
}
