/* Trails: a start that is another one again ends early, and one that is not goes all the way. */
#include "support/scene.h"
#include "support/corrupt.h"
#include "fit/trail.h"

#include <math.h>

enum { N = 500 };

typedef struct walk {
    test_scene scene;
    sfgp_trail trail;
    sfgp_start start;
} walk;

static walk walk_new(sfgp_context *context, int d, int training)
{
    walk w = {.scene = test_scene_new(context, N, d, training)};
    w.start = w.scene.solver->begun;
    sfgp_assert_ok(context, sfgp_trail_new(context, w.scene.model, &w.trail));
    return w;
}

static void walk_free(walk *w)
{
    sfgp_trail_clear(&w->trail);
    test_scene_free(&w->scene);
}

/* Whether the fit from the start is the first one again. */
static bool is_same(sfgp_context *context, walk *w, const sfgp_start *start)
{
    bool same = true;
    sfgp_outcome outcome;
    sfgp_assert_ok(context, sfgp_trail_fit(w->scene.solver, start, &w->trail, true, &same, &outcome));
    return same;
}

static sfgp_start turned(const sfgp_start *start, double angle)
{
    sfgp_start other = *start;
    other.pose.rotation[0] = cos(angle), other.pose.rotation[1] = -sin(angle);
    other.pose.rotation[3] = sin(angle), other.pose.rotation[4] = cos(angle);
    return other;
}

static void a_start_is_itself_again_and_so_is_one_next_to_it(void **state)
{
    for (int training = 0; training <= 6; training += 6) {
        walk w = walk_new(*state, 3, training);
        sfgp_start near = w.start;
        near.pose.shift[0] = 1e-3;
        assert_false(is_same(*state, &w, &w.start));
        assert_true(w.scene.solver->age > 10);
        assert_true(is_same(*state, &w, &w.start));
        assert_int_equal(w.scene.solver->age, 10);
        assert_true(is_same(*state, &w, &near));
        walk_free(&w);
    }
}

/* The trail is the first's, also after others have gone by. */
static void another_start_goes_all_the_way(void **state)
{
    walk w = walk_new(*state, 3, 0);
    const sfgp_start other = turned(&w.start, 2);
    assert_false(is_same(*state, &w, &w.start));
    const int64_t age = w.scene.solver->age;
    for (int again = 0; again < 2; again++) {
        assert_false(is_same(*state, &w, &other));
        assert_true(w.scene.solver->age > 10);
    }
    assert_true(is_same(*state, &w, &w.start));
    w.trail.laid = false;
    assert_false(is_same(*state, &w, &w.start));
    assert_int_equal(w.scene.solver->age, age);
    walk_free(&w);
}

/* Points in the same place that are labelled from farther away are another state. */
static void the_variance_counts(void **state)
{
    walk w = walk_new(*state, 3, 0);
    assert_false(is_same(*state, &w, &w.start));
    w.trail.noise *= 1.05;
    assert_true(is_same(*state, &w, &w.start));
    w.trail.noise *= 1.1;
    assert_false(is_same(*state, &w, &w.start));
    walk_free(&w);
}

/* Poses are poses of the same frame: a shape that a pose has turned is compared as it is turned. */
static void fits_are_compared_where_the_target_is(void **state)
{
    walk w = walk_new(*state, 3, 0);
    const sfgp_start other = turned(&w.start, 0.4);
    const double *fitted = w.scene.solver->fitted;
    double apart = 0;
    assert_false(is_same(*state, &w, &w.start));
    sfgp_trail_clear(&w.trail);
    sfgp_assert_ok(*state, sfgp_trail_new(*state, w.scene.model, &w.trail));
    assert_false(is_same(*state, &w, &other));
    for (int i = 0; i < N; i++) {
        const double x = cos(0.4) * fitted[3 * i] - sin(0.4) * fitted[3 * i + 1];
        apart += fabs(x - w.trail.points[3 * i]) / N;
    }
    assert_true(apart < 0.2); /* ten iterations or the whole fit, but turned */
    assert_true(is_same(*state, &w, &other));
    walk_free(&w);
}

static void a_fit_that_ends_early_leaves_no_trail(void **state)
{
    walk w = walk_new(*state, 2, 0);
    w.scene.solver->settings.max_iterations = 9;
    assert_false(is_same(*state, &w, &w.start));
    assert_int_equal(w.scene.solver->age, 9);
    w.scene.solver->settings.max_iterations = 30;
    assert_false(is_same(*state, &w, &w.start));
    assert_int_equal(w.scene.solver->age, 30);
    assert_true(is_same(*state, &w, &w.start));
    walk_free(&w);
}

static void without_a_trail_a_fit_is_a_fit(void **state)
{
    walk w = walk_new(*state, 3, 0);
    bool same = true;
    sfgp_outcome outcome;
    assert_false(is_same(*state, &w, &w.start));
    const int64_t age = w.scene.solver->age;
    sfgp_assert_ok(*state, sfgp_trail_fit(w.scene.solver, &w.start, NULL, true, &same, &outcome));
    assert_false(same);
    assert_int_equal(outcome, SFGP_CONVERGED);
    assert_int_equal(w.scene.solver->age, age);
    walk_free(&w);
}

static sfgp_status make_once(sfgp_context *context, void *user)
{
    const walk *w = user;
    sfgp_trail trail;
    const sfgp_status status = sfgp_trail_new(context, w->scene.model, &trail);
    sfgp_trail_clear(&trail);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    walk w = walk_new(*state, 2, 0);
    assert_int_equal(sfgp_sweep_allocations(*state, make_once, &w), 1);
    walk_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_start_is_itself_again_and_so_is_one_next_to_it),
        sfgp_unit_test(another_start_goes_all_the_way),
        sfgp_unit_test(the_variance_counts),
        sfgp_unit_test(fits_are_compared_where_the_target_is),
        sfgp_unit_test(a_fit_that_ends_early_leaves_no_trail),
        sfgp_unit_test(without_a_trail_a_fit_is_a_fit),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
