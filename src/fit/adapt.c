/* Chooses an adapted shape, and fits it. Rule in adapt.h. */
#include "fit/adapt.h"
#include "base/memory.h"
#include "fit/adapt_test.h"
#include "fit/first.h"
#include "fit/some_points.h"
#include "fit/try.h"
#include "search/effort.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOUBLINGS = 2 }; /* of the strength */

static bool applies(const sfgp_solver *solver, sfgp_outcome outcome)
{
    return solver->settings.adapt && solver->model->dimension == 3 && solver->model->basis.pca.modes == 0 &&
           !solver->problem.landmarks && solver->problem.effort->sides && outcome == SFGP_CONVERGED &&
           sfgp_try_may_follow(solver);
}

/* ---- the mean of the prior ------------------------------------------------------------------------------ */

static void use_basis(sfgp_solver *solver, const sfgp_basis *basis)
{
    solver->problem.basis = basis;
    sfgp_em_use_basis(solver->em);
    sfgp_level_clear(&solver->level); /* they have the other mean */
    sfgp_posed_clear(&solver->posed);
}

static void restore_mean(sfgp_solver *solver)
{
    use_basis(solver, solver->unadapted);
    solver->unadapted = NULL;
    sfgp_free(solver->adapted.mean);
    solver->adapted = (sfgp_basis){0};
    solver->adaptation = (sfgp_adaptation){0};
}

/* The workspace is made again, as its neighbourhoods are those of the other mean. */
sfgp_status sfgp_adapt_undo(sfgp_solver *solver)
{
    if (!solver->unadapted)
        return SFGP_OK;
    restore_mean(solver);
    sfgp_em *made;
    const sfgp_status status = sfgp_em_new(solver->context, &solver->problem, &made);
    if (status != SFGP_OK)
        return status;
    sfgp_em_free(solver->em);
    solver->em = made;
    return SFGP_OK;
}

/* All but the mean is that of the prior as it was. */
static sfgp_status use_moves(sfgp_solver *solver, const double *moves)
{
    const sfgp_basis *from = solver->problem.basis;
    const size_t size = 3 * (size_t)from->count * sizeof(double);
    solver->adapted = *from;
    solver->adapted.mean = NULL;
    sfgp_status status = sfgp_allocate(solver->context, 3 * from->count, &solver->adapted.mean);
    if (status != SFGP_OK)
        return status;
    solver->unadapted = from;
    memcpy(solver->adapted.mean, from->mean, size);
    status = sfgp_adapt_shape_carry(&solver->shape, moves, solver->adapted.mean);
    use_basis(solver, &solver->adapted);
    return status;
}

/* ---- comparisons ---------------------------------------------------------------------------------------- */

typedef struct comparison {
    sfgp_solver *solver;
    sfgp_some_points points;
    sfgp_similarity pose;
    sfgp_em_prior prior;
    double *mean;  /* points x 3: of the prior as it is */
    double *moves; /* of the shape */
    double own;    /* score of that */
    sfgp_adaptation best;
    double gain; /* over it */
} comparison;

static void comparison_clear(comparison *c)
{
    sfgp_some_points_clear(&c->points);
    sfgp_free(c->mean);
    sfgp_free(c->moves);
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

static sfgp_status comparison_new(sfgp_solver *solver, comparison *c)
{
    *c = (comparison){.solver = solver, .prior = solver->em->state.start.prior, .own = -HUGE_VAL};
    sfgp_status status = sfgp_some_points_new(solver, &c->points);
    const int64_t size = status == SFGP_OK ? 3 * c->points.subset.basis.count : 0;
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, size, &c->mean);
    if (status == SFGP_OK)
        status = sfgp_allocate(solver->context, 3 * solver->shape.surface.count, &c->moves);
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

/* The kinds of adaptations, by themselves. */
static sfgp_status compare_kinds(comparison *c, const sfgp_tuning *tuning)
{
    const sfgp_adaptation kind[] = {
        {tuning->adapt_smooth, 0}, {0, tuning->adapt_offset}, {0, -tuning->adapt_offset}};
    sfgp_status status = SFGP_OK;
    bool ignored;
    for (int k = 0; k < (c->solver->shape.has_outside ? 3 : 1) && status == SFGP_OK; k++)
        status = compare(c, kind[k], 0, &ignored);
    return status;
}

static sfgp_status make_stronger(comparison *c)
{
    sfgp_status status = SFGP_OK;
    bool better = c->gain > 0;
    for (int k = 0; k < DOUBLINGS && better && status == SFGP_OK; k++)
        status = compare(c, (sfgp_adaptation){2 * c->best.smooth, 2 * c->best.offset}, 0, &better);
    return status;
}

/* Of the other kind as much as in the first comparison. */
static sfgp_status add_other_kind(comparison *c, const sfgp_tuning *tuning)
{
    const sfgp_adaptation best = c->best;
    sfgp_status status = SFGP_OK;
    bool better;
    if (!(c->gain > 0))
        return SFGP_OK;
    if (best.smooth == 0)
        return compare(c, (sfgp_adaptation){tuning->adapt_smooth, best.offset}, tuning->adapt_margin,
                       &better);
    for (int sign = -1; sign <= 1 && c->solver->shape.has_outside && status == SFGP_OK; sign += 2)
        status = compare(c, (sfgp_adaptation){best.smooth, sign * tuning->adapt_offset}, tuning->adapt_margin,
                         &better);
    return status;
}

/* c->gain and c->best; c->moves are those of the best one. */
static sfgp_status choose(comparison *c)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&c->solver->model->basis);
    sfgp_status status = compare_kinds(c, tuning);
    if (status == SFGP_OK)
        status = make_stronger(c);
    if (status == SFGP_OK && c->gain > tuning->adapt_margin)
        status = add_other_kind(c, tuning);
    return status == SFGP_OK ? sfgp_adapt_shape_moves(&c->solver->shape, &c->best, c->moves) : status;
}

/* What was done with the surface of the reference, for a warning. */
static void describe(const sfgp_adaptation *made, double unit, size_t size, char *text)
{
    int at = 0;
    if (made->smooth > 0)
        at = snprintf(text, size, "smoothed over %.3g", made->smooth * unit);
    if (made->offset != 0)
        snprintf(text + at, size - (size_t)at, "%smoved %s by %.3g", at > 0 ? " and " : "",
                 made->offset > 0 ? "outwards" : "inwards", fabs(made->offset) * unit);
}

static void warn(const sfgp_solver *solver, double gain)
{
    char text[96] = "";
    describe(&solver->adaptation, solver->model->frame.scale, sizeof text, text);
    sfgp_warn(
        solver->context,
        "adapted: the scan is explained better (by %.0f nats) by a reference whose surface is %s: what it shows is worn, smoothed, "
        "thicker or thinner; the fit begins from that (--adapt 0 takes the reference as it is)",
        gain, text);
}

/* c->best is what short fits prefer. */
static sfgp_status compare_all(sfgp_solver *solver, comparison *c)
{
    sfgp_status status = comparison_new(solver, c);
    if (status == SFGP_OK && c->own > -HUGE_VAL)
        status = choose(c);
    if (status != SFGP_ERROR_NUMERIC)
        return status;
    c->gain = 0; /* the reference stays as it is */
    return SFGP_OK;
}

/* ---- whether to compare --------------------------------------------------------------------------------- */

/* Of both kinds alone. */
static sfgp_status test(sfgp_solver *solver, double *gain)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    const sfgp_adapt_shape *shape = &solver->shape;
    double *moves[2] = {NULL, NULL};
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < (shape->has_outside ? 2 : 1) && status == SFGP_OK; k++) {
        const sfgp_adaptation kind = {k == 0 ? tuning->adapt_smooth : 0, k == 1 ? tuning->adapt_offset : 0};
        status = sfgp_allocate(solver->context, 3 * shape->surface.count, &moves[k]);
        if (status == SFGP_OK)
            status = sfgp_adapt_shape_moves(shape, &kind, moves[k]);
    }
    if (status == SFGP_OK)
        status = sfgp_adapt_test(solver, (const double *[2]){moves[0], moves[1]}, gain);
    sfgp_free(moves[0]);
    sfgp_free(moves[1]);
    return status;
}

/* Of a shape of many points the short fits cost less than the test. */
static sfgp_status is_asked_for(sfgp_solver *solver, bool *asked)
{
    const sfgp_mesh reference = sfgp_model_mesh(solver->model);
    double gain = HUGE_VAL;
    sfgp_status status = SFGP_OK;
    if (solver->shape.surface.points == 0)
        status = sfgp_adapt_shape_new(solver->context, &reference, &solver->shape);
    if (status == SFGP_OK && !solver->shape.surface.index)
        status = test(solver, &gain);
    *asked = status == SFGP_OK && gain > sfgp_tuning_of(&solver->model->basis)->adapt_test;
    return status;
}

/* ---- the fit -------------------------------------------------------------------------------------------- */

/* The whole fit has to be better, too; else the first one comes back. */
static sfgp_status fit_adapted(sfgp_solver *solver, const comparison *c, sfgp_outcome *outcome)
{
    sfgp_first first = sfgp_first_of(solver, *outcome);
    double before, after = -HUGE_VAL;
    sfgp_status status = sfgp_search_score(solver->em, &before);
    if (status == SFGP_OK)
        status = use_moves(solver, c->moves);
    if (status == SFGP_OK)
        status = sfgp_first_search_again(solver, &first, outcome);
    if (status == SFGP_OK && *outcome == SFGP_CONVERGED)
        status = sfgp_search_score(solver->em, &after);
    if (status == SFGP_OK && after > before + sfgp_tuning_of(&solver->model->basis)->adapt_margin) {
        solver->adaptation = c->best;
        warn(solver, after - before);
    } else if (status == SFGP_OK) {
        restore_mean(solver);
        status = sfgp_first_return(solver, &first, outcome);
    }
    sfgp_first_clear(&first);
    return status;
}

static sfgp_status compare_and_fit(sfgp_solver *solver, sfgp_outcome *outcome)
{
    comparison c;
    sfgp_status status = compare_all(solver, &c);
    sfgp_some_points_clear(&c.points); /* its memory is free for the fit */
    if (status == SFGP_OK && c.gain > sfgp_tuning_of(&solver->model->basis)->adapt_margin)
        status = fit_adapted(solver, &c, outcome);
    comparison_clear(&c);
    return status;
}

sfgp_status sfgp_adapt_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    bool asked;
    if (!applies(solver, *outcome))
        return SFGP_OK;
    const sfgp_status status = is_asked_for(solver, &asked);
    if (status == SFGP_ERROR_NUMERIC) /* of the flow: the reference stays as it is */
        return SFGP_OK;
    return status == SFGP_OK && asked ? compare_and_fit(solver, outcome) : status;
}

void sfgp_adapt_tell(const sfgp_solver *solver, sfgp_result *result)
{
    const double unit = result->outcome == SFGP_NO_OVERLAP ? 0 : solver->model->frame.scale;
    result->adapted_smooth = unit * solver->adaptation.smooth;
    result->adapted_offset = unit * solver->adaptation.offset;
}
