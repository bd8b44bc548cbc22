/* Duplicates: a start that leads to the fit of another one ends early, and one that does not goes all the
 * way. */
#include "search/duplicate.h"
#include "support/corrupt.h"
#include "support/scene.h"

#include <math.h>

enum { N = 500 };

typedef struct comparison {
    test_scene scene;
    sfgp_em *em; /* of the scene's solver */
    sfgp_duplicate duplicate;
    sfgp_em_start start;
} comparison;

static comparison comparison_new(sfgp_context *context, int d, int training)
{
    comparison c = {.scene = test_scene_new(context, N, d, training)};
    c.em = c.scene.solver->em;
    c.start = c.em->state.start;
    sfgp_assert_ok(context, sfgp_duplicate_new(context, &c.scene.model->basis, &c.duplicate));
    return c;
}

static void comparison_free(comparison *c)
{
    sfgp_duplicate_clear(&c->duplicate);
    test_scene_free(&c->scene);
}

/* Whether the fit from the start is a duplicate of the first one. */
static bool is_same(sfgp_context *context, comparison *c, const sfgp_em_start *start)
{
    bool same = true;
    sfgp_outcome outcome;
    sfgp_assert_ok(context,
                   sfgp_duplicate_run(c->em, start, c->em->max_iterations, &c->duplicate, &same, &outcome));
    return same;
}

static sfgp_em_start turned(const sfgp_em_start *start, double angle)
{
    sfgp_em_start other = *start;
    other.pose.rotation[0] = cos(angle), other.pose.rotation[1] = -sin(angle);
    other.pose.rotation[3] = sin(angle), other.pose.rotation[4] = cos(angle);
    return other;
}

static void a_start_is_a_duplicate_of_itself_and_of_one_next_to_it(void **state)
{
    for (int training = 0; training <= 6; training += 6) {
        comparison c = comparison_new(*state, 3, training);
        sfgp_em_start near = c.start;
        near.pose.shift[0] = 1e-3;
        assert_false(is_same(*state, &c, &c.start));
        assert_true(c.em->state.iteration > 10);
        assert_true(is_same(*state, &c, &c.start));
        assert_int_equal(c.em->state.iteration, 10);
        assert_true(is_same(*state, &c, &near));
        comparison_free(&c);
    }
}

/* The first fit is what others are compared with, also after others have been run. */
static void another_start_goes_all_the_way(void **state)
{
    comparison c = comparison_new(*state, 3, 0);
    const sfgp_em_start other = turned(&c.start, 2);
    assert_false(is_same(*state, &c, &c.start));
    const int64_t iteration = c.em->state.iteration;
    for (int again = 0; again < 2; again++) {
        assert_false(is_same(*state, &c, &other));
        assert_true(c.em->state.iteration > 10);
    }
    assert_true(is_same(*state, &c, &c.start));
    c.duplicate.set = false;
    assert_false(is_same(*state, &c, &c.start));
    assert_int_equal(c.em->state.iteration, iteration);
    comparison_free(&c);
}

/* Points in the same place with another sigma2 are another state. */
static void sigma2_counts(void **state)
{
    comparison c = comparison_new(*state, 3, 0);
    assert_false(is_same(*state, &c, &c.start));
    c.duplicate.sigma2 *= 1.05;
    assert_true(is_same(*state, &c, &c.start));
    c.duplicate.sigma2 *= 1.1;
    assert_false(is_same(*state, &c, &c.start));
    comparison_free(&c);
}

/* Poses are poses of the same frame: a shape that a pose has turned is compared as it is turned. */
static void fits_are_compared_in_the_frame_of_the_target(void **state)
{
    comparison c = comparison_new(*state, 3, 0);
    const sfgp_em_start other = turned(&c.start, 0.4);
    const double *points = c.em->state.points;
    double apart = 0;
    assert_false(is_same(*state, &c, &c.start));
    sfgp_duplicate_clear(&c.duplicate);
    sfgp_assert_ok(*state, sfgp_duplicate_new(*state, &c.scene.model->basis, &c.duplicate));
    assert_false(is_same(*state, &c, &other));
    for (int i = 0; i < N; i++) {
        const double x = cos(0.4) * points[3 * i] - sin(0.4) * points[3 * i + 1];
        apart += fabs(x - c.duplicate.points[3 * i]) / N;
    }
    assert_true(apart < 0.2); /* ten iterations or the whole fit, but turned */
    assert_true(is_same(*state, &c, &other));
    comparison_free(&c);
}

static void a_fit_that_ends_before_the_comparison_sets_no_duplicate(void **state)
{
    comparison c = comparison_new(*state, 2, 0);
    c.em->max_iterations = 9;
    assert_false(is_same(*state, &c, &c.start));
    assert_int_equal(c.em->state.iteration, 9);
    assert_false(c.duplicate.set);
    c.em->max_iterations = 30;
    assert_false(is_same(*state, &c, &c.start));
    assert_int_equal(c.em->state.iteration, 30);
    assert_true(is_same(*state, &c, &c.start));
    comparison_free(&c);
}

static void without_a_duplicate_every_fit_runs_to_its_end(void **state)
{
    comparison c = comparison_new(*state, 3, 0);
    bool same = true;
    sfgp_outcome outcome;
    assert_false(is_same(*state, &c, &c.start));
    const int64_t iteration = c.em->state.iteration;
    sfgp_assert_ok(*state, sfgp_duplicate_run(c.em, &c.start, c.em->max_iterations, NULL, &same, &outcome));
    assert_false(same);
    assert_int_equal(outcome, SFGP_CONVERGED);
    assert_int_equal(c.em->state.iteration, iteration);
    comparison_free(&c);
}

static sfgp_status make_once(sfgp_context *context, void *user)
{
    const comparison *c = user;
    sfgp_duplicate duplicate;
    const sfgp_status status = sfgp_duplicate_new(context, &c->scene.model->basis, &duplicate);
    sfgp_duplicate_clear(&duplicate);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    comparison c = comparison_new(*state, 2, 0);
    assert_int_equal(sfgp_sweep_allocations(*state, make_once, &c), 1);
    comparison_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_start_is_a_duplicate_of_itself_and_of_one_next_to_it),
        sfgp_unit_test(another_start_goes_all_the_way),
        sfgp_unit_test(sigma2_counts),
        sfgp_unit_test(fits_are_compared_in_the_frame_of_the_target),
        sfgp_unit_test(a_fit_that_ends_before_the_comparison_sets_no_duplicate),
        sfgp_unit_test(without_a_duplicate_every_fit_runs_to_its_end),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
