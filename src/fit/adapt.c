/* Chooses an adapted shape, and fits it. Rule in adapt.h. */
#include "fit/adapt.h"
#include "base/memory.h"
#include "fit/adapt_choose.h"
#include "fit/adapt_gain.h"
#include "fit/first.h"
#include "search/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the mean of the prior ------------------------------------------------------------------------------ */

static void use_basis(sfgp_solver *solver, const sfgp_basis *basis)
{
    solver->problem.basis = basis;
    sfgp_em_use_basis(solver->em);
    sfgp_level_clear(&solver->level); /* they have the other mean */
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
        status = sfgp_adapt_gain(solver, (const double *[2]){moves[0], moves[1]}, gain);
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
    *asked = status == SFGP_OK && gain > sfgp_tuning_of(&solver->model->basis)->adapt_gain;
    return status;
}

/* ---- the fit -------------------------------------------------------------------------------------------- */

/* What was done with the surface of the reference, for a warning. */
static void describe(const sfgp_adaptation *made, double unit, size_t size, char *text)
{
    int at = 0;
    if (made->smooth != 0)
        at = snprintf(text, size, "%s over %.3g", made->smooth > 0 ? "smoothed" : "sharpened",
                      fabs(made->smooth) * unit);
    if (made->offset != 0)
        snprintf(text + at, size - (size_t)at, "%smoved %s by %.3g", at > 0 ? " and " : "",
                 made->offset > 0 ? "outwards" : "inwards", fabs(made->offset) * unit);
}

static void warn(const sfgp_solver *solver, double gain)
{
    char text[96] = "";
    describe(&solver->adaptation, solver->frame.scale, sizeof text, text);
    sfgp_warn(
        solver->context,
        "adapted: the scan is explained better (by %.0f nats) by a reference whose surface is %s: what it shows is smoother, rougher, "
        "thicker or thinner; the fit begins from that (--adapt 0 takes the reference as it is)",
        gain, text);
}

static double margin_of(const sfgp_solver *solver, const sfgp_adaptation *adaptation)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    return adaptation->smooth < 0 ? tuning->adapt_sharpened : tuning->adapt_margin;
}

/* The whole fit has to be better, too; else the first one comes back. */
static sfgp_status fit_adapted(sfgp_solver *solver, const sfgp_adaptation *best, const double *moves,
                               sfgp_outcome *outcome)
{
    sfgp_first first = sfgp_first_of(solver, *outcome);
    double gain = 0;
    sfgp_status status = use_moves(solver, moves);
    if (status == SFGP_OK)
        status = sfgp_first_search_for_gain(solver, &first, outcome, &gain);
    if (status == SFGP_OK && gain > margin_of(solver, best)) {
        solver->adaptation = *best;
        warn(solver, gain);
    } else if (status == SFGP_OK) {
        restore_mean(solver);
        status = sfgp_first_return(solver, &first, outcome);
    }
    sfgp_first_clear(&first);
    return status;
}

static sfgp_status choose_and_fit(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_adaptation best;
    double *moves = NULL;
    sfgp_status status = sfgp_allocate(solver->context, 3 * solver->shape.surface.count, &moves);
    if (status == SFGP_OK)
        status = sfgp_adapt_choose(solver, &best, moves);
    if (status == SFGP_OK && (best.smooth != 0 || best.offset != 0))
        status = fit_adapted(solver, &best, moves, outcome);
    sfgp_free(moves);
    return status;
}

sfgp_status sfgp_adapt_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    bool asked;
    if (solver->model->basis.pca.modes > 0)
        return SFGP_OK;
    const sfgp_status status = is_asked_for(solver, &asked);
    if (status == SFGP_ERROR_NUMERIC) /* the test was not solved: the reference stays as it is */
        return SFGP_OK;
    return status == SFGP_OK && asked ? choose_and_fit(solver, outcome) : status;
}

void sfgp_adapt_tell(const sfgp_solver *solver, sfgp_result *result)
{
    const double unit = result->outcome == SFGP_NO_OVERLAP ? 0 : solver->frame.scale;
    result->adapted_smooth = unit * solver->adaptation.smooth;
    result->adapted_offset = unit * solver->adaptation.offset;
}
