/* A fit that is kept while its scan is searched again (fit/first.h). */
#include "base/memory.h"
#include "fit/detail.h"
#include "fit/first.h"
#include "fit/one_search.h"
#include "outcome/result.h"
#include "support/fit.h"

#include <string.h>

/* ---- two fits of one scan ----------------------------------------------------------------------------------- */

typedef struct pair {
    test_fit plain, again; /* the second one is searched again */
    sfgp_outcome outcome;
} pair;

static test_fit fitted(sfgp_context *context, sfgp_outcome *outcome)
{
    test_fit fit = test_fit_moved_ear(context, 6, 0);
    sfgp_assert_ok(context, sfgp_one_search(fit.solver, true, outcome));
    assert_int_equal(*outcome, SFGP_CONVERGED);
    fit.em->facts.mirror_gain = -5;
    return fit;
}

static pair pair_new(sfgp_context *context)
{
    pair p;
    p.plain = fitted(context, &p.outcome);
    p.again = fitted(context, &p.outcome);
    return p;
}

static void pair_free(pair *p)
{
    test_fit_free(&p->plain);
    test_fit_free(&p->again);
}

/* With outliers as dense as the scan, of which a part is left out: all that a fit has is another one. */
static sfgp_outcome search_again(sfgp_context *context, sfgp_solver *solver, sfgp_first *first)
{
    sfgp_outcome outcome;
    solver->problem.beside = true;
    solver->problem.area *= 0.9;
    sfgp_assert_ok(context, sfgp_first_search_again(solver, first, &outcome));
    return outcome;
}

/* The points of the solver's scan but the first 40, while it is searched. */
static void search_a_part(sfgp_context *context, sfgp_solver *solver, sfgp_first *first)
{
    sfgp_mesh part = *solver->problem.mesh;
    part.points += 3 * 40;
    part.count -= 40;
    solver->problem.mesh = &part;
    search_again(context, solver, first);
}

/* ---- what comes back ---------------------------------------------------------------------------------------- */

static void assert_equal(int64_t count, const double *one, const double *other)
{
    assert_memory_equal(one, other, (size_t)count * sizeof(double));
}

static void assert_same_labels(const sfgp_responsibilities *one, const sfgp_responsibilities *other)
{
    assert_int_equal(one->targets, other->targets);
    assert_int_equal(one->missing, other->missing);
    assert_int_equal(one->pairs, other->pairs);
    assert_equal(one->count, one->mass, other->mass);
    assert_equal(one->count, one->weight, other->weight);
    assert_equal(3 * one->count, one->shift, other->shift);
    assert_equal(one->count, one->best, other->best);
    assert_memory_equal(one->best_target, other->best_target, (size_t)one->count * sizeof(int32_t));
    assert_equal(one->targets, one->explained, other->explained);
    assert_true(one->log_likelihood == other->log_likelihood);
}

static void assert_same_fit(const sfgp_em *one, const sfgp_em *other)
{
    assert_equal(one->state.size, one->state.values, other->state.values);
    assert_true(one->state.bound == other->state.bound && one->state.omega == other->state.omega);
    assert_true(one->state.start.prior == other->state.start.prior && one->change == other->change);
    assert_memory_equal(&one->state.pose, &other->state.pose, sizeof one->state.pose);
    assert_memory_equal(&one->facts, &other->facts, sizeof one->facts);
    assert_equal(one->posterior.normal_size, one->posterior.lane_normals, other->posterior.lane_normals);
    assert_equal(one->responsibilities.count, one->posterior.variance, other->posterior.variance);
    assert_same_labels(&one->responsibilities, &other->responsibilities);
    assert_equal(3 * one->responsibilities.targets, one->view.points, other->view.points);
}

static void assert_same_problem(const sfgp_em_problem *one, const sfgp_em_problem *other)
{
    assert_true(one->beside == other->beside && one->area == other->area && one->clutter == other->clutter);
    assert_int_equal(one->target.count, other->target.count);
    assert_equal(3 * one->target.count, one->target.points, other->target.points);
    assert_true(one->target.spacing == other->target.spacing && one->target.density == other->target.density);
    assert_null(other->target.clutter);
}

/* The rest of a run: the field, the result and its mask. */
static sfgp_result *finish(sfgp_context *context, const test_fit *fit, sfgp_outcome outcome)
{
    sfgp_result *result;
    sfgp_assert_ok(context, sfgp_result_new(context, fit->model, &result));
    *result->settings = fit->solver->settings;
    result->outcome = outcome;
    sfgp_assert_ok(context, sfgp_fit_detail(fit->solver, result));
    sfgp_result_fill(fit->solver->em, fit->model, result);
    sfgp_assert_ok(context, sfgp_result_mask(fit->solver->em, result));
    return result;
}

static void assert_same_result(const sfgp_result *one, const sfgp_result *other)
{
    assert_int_equal(one->outcome, other->outcome);
    assert_true(one->evidence == other->evidence && one->sigma == other->sigma);
    assert_equal(3 * one->count, one->points, other->points);
    assert_equal(one->count, one->sd, other->sd);
    assert_equal(one->count, one->probability, other->probability);
    assert_memory_equal(one->missing, other->missing, (size_t)one->count);
    assert_memory_equal(one->target, other->target, (size_t)one->count * sizeof *one->target);
}

static void assert_same_end(sfgp_context *context, const pair *p)
{
    sfgp_result *plain = finish(context, &p->plain, p->outcome),
                *again = finish(context, &p->again, p->outcome);
    assert_same_result(plain, again);
    sfgp_result_free(plain);
    sfgp_result_free(again);
}

/* Two other searches, the last of other points, leave all bits of the first fit and of what follows from it. */
static void a_fit_comes_back_with_its_bits(void **state)
{
    pair p = pair_new(*state);
    sfgp_solver *solver = p.again.solver;
    sfgp_first first = sfgp_first_of(solver, p.outcome);
    sfgp_outcome outcome = search_again(*state, solver, &first);
    assert_true(solver->em != p.again.em && solver->problem.target.clutter);
    assert_memory_not_equal(solver->em->state.points, p.plain.em->state.points,
                            (size_t)(3 * p.plain.n) * sizeof(double));
    search_a_part(*state, solver, &first);
    assert_int_equal(solver->problem.target.count, p.plain.solver->problem.target.count - 40);
    outcome = SFGP_MAX_ITERATIONS;
    sfgp_assert_ok(*state, sfgp_first_return(solver, &first, &outcome));
    assert_true(solver->em == p.again.em && outcome == p.outcome);
    assert_same_fit(p.plain.em, p.again.em);
    assert_same_problem(&p.plain.solver->problem, &solver->problem);
    sfgp_first_clear(&first);
    assert_same_end(*state, &p);
    pair_free(&p);
}

/* P has its memory again, and nothing of the other fit is left: the next targets are fitted as by a new solver. */
static void a_solver_goes_on_after_either(void **state)
{
    for (int returns = 0; returns < 2; returns++) {
        pair p = pair_new(*state);
        sfgp_result *plain, *again;
        sfgp_first first = sfgp_first_of(p.again.solver, p.outcome);
        sfgp_outcome outcome = search_again(*state, p.again.solver, &first);
        if (returns)
            sfgp_assert_ok(*state, sfgp_first_return(p.again.solver, &first, &outcome));
        sfgp_first_clear(&first);
        assert_int_equal(sfgp_sparse_capacity(&p.again.solver->em->responsibilities.matrix),
                         sfgp_sparse_capacity(&p.plain.em->responsibilities.matrix));
        sfgp_assert_ok(*state, sfgp_solver_run(p.plain.solver, p.plain.target, &plain));
        sfgp_assert_ok(*state, sfgp_solver_run(p.again.solver, p.again.target, &again));
        assert_same_result(plain, again);
        sfgp_result_free(plain);
        sfgp_result_free(again);
        pair_free(&p);
    }
}

static void all_iterations_and_starts_count(void **state)
{
    sfgp_outcome outcome;
    test_fit fit = fitted(*state, &outcome);
    sfgp_first first = sfgp_first_of(fit.solver, outcome);
    const int64_t iterations = fit.em->iterations, starts = fit.em->starts;
    fit.em->max_iterations = 12;
    search_again(*state, fit.solver, &first);
    const sfgp_em *other = fit.solver->em;
    assert_int_equal(other->max_iterations, 12);
    assert_true(other->iterations > iterations && other->starts > starts);
    const int64_t all = other->iterations, all_starts = other->starts;
    sfgp_assert_ok(*state, sfgp_first_return(fit.solver, &first, &outcome));
    assert_true(fit.em->iterations == all && fit.em->starts == all_starts);
    sfgp_first_clear(&first);
    test_fit_free(&fit);
}

/* P moves: the other workspace allocates no second one. */
static void memory_of_labels_is_taken_once(void **state)
{
    sfgp_outcome outcome;
    test_fit fit = fitted(*state, &outcome);
    sfgp_first first = sfgp_first_of(fit.solver, outcome);
    const double *room = sfgp_sparse_value(&fit.em->responsibilities.matrix);
    search_again(*state, fit.solver, &first);
    assert_ptr_equal(sfgp_sparse_value(&fit.solver->em->responsibilities.matrix), room);
    assert_int_equal(sfgp_sparse_capacity(&fit.em->responsibilities.matrix), 0);
    sfgp_first_clear(&first);
    test_fit_free(&fit);
}

/* Each allocation of a workspace that fails leaves the fit in the solver. */
static void without_memory_the_fit_stays(void **state)
{
    sfgp_outcome outcome;
    test_fit fit = fitted(*state, &outcome);
    sfgp_first first = sfgp_first_of(fit.solver, outcome);
    for (int k = 0; k < 10; k++) {
        sfgp_memory_counters.fail_at = k;
        sfgp_assert_status(*state, sfgp_first_search_again(fit.solver, &first, &outcome), SFGP_ERROR_MEMORY);
        assert_true(fit.solver->em == fit.em && !first.em && fit.solver->problem.target.points);
    }
    sfgp_memory_counters.fail_at = -1;
    sfgp_first_clear(&first);
    test_fit_free(&fit);
}

/* ---- dense shapes ------------------------------------------------------------------------------------------- */

/* In the same workspace. The fits of all points are short. */
static void a_dense_shape_is_fitted_again(void **state)
{
    test_fit fit = test_fit_dense_ear(*state, 0, 1);
    sfgp_outcome outcome, ended;
    double *points;
    sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
    fit.em->max_iterations = 2;
    sfgp_assert_ok(*state, sfgp_one_search(fit.solver, true, &ended));
    fit.em->facts.mirror_gain = -5;
    sfgp_assert_ok(*state, sfgp_allocate(*state, 3 * fit.n, &points));
    memcpy(points, fit.em->state.points, (size_t)(3 * fit.n) * sizeof *points);
    sfgp_first first = sfgp_first_of(fit.solver, ended);
    search_again(*state, fit.solver, &first);
    assert_null(first.em);
    const int64_t iterations = fit.em->iterations;
    sfgp_assert_ok(*state, sfgp_first_return(fit.solver, &first, &outcome));
    assert_true(fit.solver->em == fit.em && outcome == ended && fit.em->iterations > iterations);
    assert_equal(3 * fit.n, points, fit.em->state.points);
    assert_true(fit.em->facts.mirror_gain == -5);
    assert_true(!fit.solver->problem.beside && !fit.solver->problem.target.clutter);
    sfgp_first_clear(&first);
    sfgp_free(points);
    test_fit_free(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_fit_comes_back_with_its_bits),  sfgp_unit_test(a_solver_goes_on_after_either),
        sfgp_unit_test(all_iterations_and_starts_count), sfgp_unit_test(memory_of_labels_is_taken_once),
        sfgp_unit_test(without_memory_the_fit_stays),    sfgp_unit_test(a_dense_shape_is_fitted_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
