/* Warm start: what is carried over is that of the subset, and the fit goes on from there. */
#include "em/warm.h"
#include "base/memory.h"
#include "em/loop.h"
#include "search/levels.h"
#include "search/score.h"
#include "search/subset.h"
#include "search/tuning.h"
#include "support/corrupt.h"
#include "support/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The next smaller level of a fit, and its workspace. */
typedef struct level {
    sfgp_subset subset;
    sfgp_em *em;
} level;

static sfgp_status level_new(sfgp_context *context, const sfgp_em_problem *whole, level *made)
{
    const int64_t points = sfgp_levels_points(whole->effort, whole->basis->count);
    const sfgp_subset_request request = {
        .points = points,
        .targets = sfgp_levels_targets(whole->effort, whole->basis->count, points, whole->mesh->count),
        .even = true,
        .tolerance = whole->tolerance,
        .landmarks = true};
    made->em = NULL;
    sfgp_status status = sfgp_subset_new(context, whole, &request, &made->subset);
    if (status == SFGP_OK)
        status = sfgp_em_new(context, &made->subset.problem, &made->em);
    return status == SFGP_OK ? sfgp_em_take_target(made->em) : status;
}

static void level_clear(level *made)
{
    sfgp_em_free(made->em);
    sfgp_subset_clear(&made->subset);
}

/* A loaded fit and the level below it, after some iterations and shifted. */
static void coarse_new(sfgp_context *context, test_fit *s, level *coarse)
{
    sfgp_assert_ok(context, sfgp_solver_load(s->solver, s->target));
    sfgp_assert_ok(context, level_new(context, s->em->problem, coarse));
    for (int k = 0; k < 15; k++)
        sfgp_assert_ok(context, sfgp_em_step(coarse->em));
    coarse->em->state.pose.shift[0] = 0.01;
}

/* Index in the whole of each point of the subset: their means are the same. */
static int64_t *indices_of_subset(const sfgp_basis *whole, const sfgp_basis *subset)
{
    const int64_t d = whole->dimension;
    int64_t *index = calloc((size_t)subset->count, sizeof *index);
    assert_non_null(index);
    for (int64_t k = 0; k < subset->count; k++)
        while (memcmp(subset->mean + k * d, whole->mean + index[k] * d, (size_t)d * sizeof(double)) != 0)
            assert_true(++index[k] < whole->count);
    return index;
}

static void assert_values_are_those_of_the_subset(const sfgp_em *em, const sfgp_em *subset)
{
    const sfgp_basis *basis = em->problem->basis, *coarse = subset->problem->basis;
    const sfgp_em_state *fine = &em->state;
    const int64_t d = basis->dimension;
    int64_t *index = indices_of_subset(basis, coarse);
    for (int64_t k = 0; k < coarse->count; k++) {
        const int64_t i = index[k];
        for (int64_t a = 0; a < d; a++)
            assert_true(fabs(fine->points[i * d + a] - subset->state.points[k * d + a]) < 1e-12);
        assert_true(fabs(fine->variance[i] - subset->state.variance[k]) < 1e-12 * subset->state.variance[k]);
    }
    for (int64_t c = 0; c < em->regions.count; c++) { /* cells are around the points of the subset */
        const int64_t i = em->regions.centre[c];
        assert_memory_equal(coarse->mean + c * d, basis->mean + i * d, (size_t)d * sizeof(double));
        assert_true(fine->mixing[i] == subset->state.mixing[c] &&
                    em->coarse.variance[i] == subset->state.variance[c]);
    }
    for (int64_t i = 0; i < basis->count; i++)
        assert_true(fine->mixing[i] == fine->mixing[em->regions.centre[em->regions.cell[i]]]);
    free(index);
}

static void what_is_carried_over_is_that_of_the_subset(void **state)
{
    for (int d = 2; d <= 3; d++) {
        test_fit s =
            d == 2 ? test_fit_dense_curve(*state, 7001, INT64_MAX) : test_fit_dense_ear(*state, 0, 1);
        level coarse;
        coarse_new(*state, &s, &coarse);
        const sfgp_em *em = s.em, *subset = coarse.em;
        const int64_t cells = sfgp_schedule_surface.cells, m = sfgp_basis_size(&s.model->basis);
        assert_int_equal(subset->problem->basis->count, cells);
        assert_int_equal(coarse.subset.mesh->count,
                         sfgp_levels_targets(s.em->problem->effort, s.n, cells, s.target->count));
        sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, subset));
        assert_values_are_those_of_the_subset(em, subset);
        assert_memory_equal(em->state.coefficients, subset->state.coefficients, (size_t)m * sizeof(double));
        assert_true(d == 3 || em->state.sigma2[0] == subset->state.sigma2[0]);
        assert_true(em->state.sigma2[s.n - 1] == em->state.sigma2[0]);
        assert_true(em->state.omega == subset->state.omega &&
                    em->state.divergence == subset->state.divergence);
        assert_true(em->state.pose.shift[0] == 0.01 &&
                    em->state.start.regional == subset->state.start.regional);
        assert_true(em->state.iteration == 0 && sfgp_em_is_warm(em) && !em->settled);
        assert_true(em->variance_sigma2 == subset->state.sigma2[0] &&
                    em->posterior.covariance == subset->posterior.covariance);
        assert_ptr_equal(em->schedule, em->problem->warm);
        assert_ptr_equal(subset->schedule, subset->problem->cold);
        assert_true(em->coarse.sigma == sqrt(subset->state.sigma2[0]) &&
                    em->coarse.spacing == subset->problem->target.spacing);
        level_clear(&coarse);
        test_fit_free(&s);
    }
}

/* sigma2 of an ear falls by what its points are nearer to each other, to a quarter at most. Of a curve no area is known. */
static void sigma2_is_that_of_nearer_points(void **state)
{
    test_fit s = test_fit_dense_ear(*state, 0, 1);
    level coarse;
    coarse_new(*state, &s, &coarse);
    const double far = sfgp_em_spacing(coarse.em->problem), near = sfgp_em_spacing(s.em->problem),
                 fall = 0.13 * (far * far - near * near), sigma2[] = {10 * fall, 1.2 * fall, 0.5 * fall};
    assert_true(far > 1.3 * near);
    for (int k = 0; k < 3; k++) {
        sfgp_em_state_set_sigma2(coarse.em->problem->basis->count, sigma2[k], &coarse.em->state);
        sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, coarse.em));
        const double expected = k == 0 ? 9 * fall : sigma2[k] / 4;
        assert_true(fabs(s.em->state.sigma2[0] - expected) < 1e-12 * expected);
    }
    level_clear(&coarse);
    test_fit_free(&s);
}

/* A subset that has itself been started warm hands on what it was given. */
static void what_the_smallest_level_knows_is_handed_on(void **state)
{
    test_fit s = test_fit_dense_curve(*state, 7001, INT64_MAX);
    level coarse;
    coarse_new(*state, &s, &coarse);
    sfgp_em *em = coarse.em;
    em->schedule = em->problem->warm;
    em->coarse.sigma = 0.25, em->coarse.spacing = 0.5;
    sfgp_assert_ok(*state, sfgp_allocate(*state, em->problem->basis->count, &em->coarse.variance));
    for (int64_t k = 0; k < em->problem->basis->count; k++)
        em->coarse.variance[k] = 1 + (double)k;
    sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, em));
    assert_true(s.em->coarse.sigma == 0.25 && s.em->coarse.spacing == 0.5);
    for (int64_t c = 0; c < s.em->regions.count; c++)
        assert_true(s.em->coarse.variance[s.em->regions.centre[c]] == 1 + (double)c);
    level_clear(&coarse);
    test_fit_free(&s);
}

/* The first iteration is an EM step from there: its bound is that of the state that was carried over, and
 * as all of the target is in use, it is a step of the likelihood of all points. A warm fit rests at three times the tolerance. */
static void the_fit_goes_on_from_there(void **state)
{
    test_fit s = test_fit_dense_ear(*state, 0, 1);
    level coarse;
    coarse_new(*state, &s, &coarse);
    coarse.em->state.pose.shift[0] = 0;
    sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, coarse.em));
    double last = -HUGE_VAL;
    for (int k = 0; k < 6; k++) {
        const int64_t thinning = s.em->state.thinning;
        sfgp_assert_ok(*state, sfgp_em_step(s.em));
        assert_true(k == 0 || thinning != s.em->state.thinning || s.em->state.bound > last);
        last = s.em->state.bound;
    }
    assert_true(s.em->change < 0.01);
    assert_true(sfgp_em_rest_motion(s.em) == 3 * s.em->problem->tolerance);
    assert_true(sfgp_em_rest_motion(coarse.em) == s.em->problem->tolerance);
    level_clear(&coarse);
    test_fit_free(&s);
}

/* Without pairs nobody knows how many labels there will be: as many as there are target points. */
static void a_subset_without_pairs_leaves_few_targets(void **state)
{
    test_fit s = test_fit_dense_ear(*state, 0, 1);
    level coarse;
    coarse_new(*state, &s, &coarse);
    coarse.em->responsibilities.pairs = 0;
    sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, coarse.em));
    assert_in_range(s.em->responsibilities.targets, 129, 256);
    level_clear(&coarse);
    test_fit_free(&s);
}

/* Landmarks on the true shape, and a level that has been scored, as every search ends. */
static void scored_level_new(sfgp_context *context, test_fit *s, level *coarse)
{
    double from[9], to[9], score;
    for (int k = 0; k < 3; k++) {
        memcpy(from + 3 * k, s->reference->points + 3 * (k * s->n / 3), 3 * sizeof(double));
        memcpy(to + 3 * k, s->truth->points + 3 * (k * s->n / 3), 3 * sizeof(double));
    }
    sfgp_assert_ok(context, sfgp_solver_set_landmarks(s->solver, 3, from, to, 0.5));
    coarse_new(context, s, coarse);
    sfgp_assert_ok(context, sfgp_search_score(coarse->em, &score));
}

/* The score sees the landmarks, and leaves the coefficients those of the fit. */
static void with_landmarks_it_begins_where_the_level_has_ended(void **state)
{
    test_fit s = test_fit_dense_ear(*state, 0, 1);
    level coarse;
    scored_level_new(*state, &s, &coarse);
    assert_non_null(coarse.em->problem->landmarks);
    sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, coarse.em));
    assert_values_are_those_of_the_subset(s.em, coarse.em);
    assert_memory_equal(s.em->state.coefficients, coarse.em->state.coefficients,
                        (size_t)sfgp_basis_size(&s.model->basis) * sizeof(double));
    assert_true(s.em->posterior.solved);
    level_clear(&coarse);
    test_fit_free(&s);
}

/* A level that has made no step has no factors to hand on: a saved fit of it states the prior. */
static void a_level_without_a_step_hands_on_no_factors(void **state)
{
    test_fit s = test_fit_dense_curve(*state, 7001, 700);
    level coarse;
    sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.target));
    sfgp_assert_ok(*state, level_new(*state, s.em->problem, &coarse));
    sfgp_assert_ok(*state, sfgp_em_warm_start(s.em, coarse.em));
    assert_false(s.em->posterior.solved);
    level_clear(&coarse);
    test_fit_free(&s);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* All that a fit by levels does but its iterations. */
static sfgp_status make_level_and_start(sfgp_context *context, void *user)
{
    const test_fit *s = user;
    level coarse = {0};
    sfgp_solver *solver;
    sfgp_status status = sfgp_solver_new(context, s->model, &s->settings, &solver);
    if (status == SFGP_OK)
        status = sfgp_solver_load(solver, s->target);
    if (status == SFGP_OK)
        status = level_new(context, solver->em->problem, &coarse);
    if (status == SFGP_OK)
        status = sfgp_em_step(coarse.em);
    if (status == SFGP_OK)
        status = sfgp_em_warm_start(solver->em, coarse.em);
    level_clear(&coarse);
    sfgp_solver_free(solver);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    test_fit s = test_fit_dense_curve(*state, 7001, 700);
    assert_true(sfgp_sweep_allocations(*state, make_level_and_start, &s) >= 60);
    test_fit_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(what_is_carried_over_is_that_of_the_subset),
        sfgp_unit_test(sigma2_is_that_of_nearer_points),
        sfgp_unit_test(what_the_smallest_level_knows_is_handed_on),
        sfgp_unit_test(the_fit_goes_on_from_there),
        sfgp_unit_test(a_subset_without_pairs_leaves_few_targets),
        sfgp_unit_test(with_landmarks_it_begins_where_the_level_has_ended),
        sfgp_unit_test(a_level_without_a_step_hands_on_no_factors),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
