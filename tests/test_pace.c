/* Pace: a fit that is far behind the best one so far ends there, and any other one is that of the loop. */
#include "search/pace.h"
#include "em/loop.h"
#include "search/score.h"
#include "search/tuning.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 500, MANY = 2500, AFTER = 30 };

typedef struct race {
    test_scene scene;
    sfgp_em *em; /* of the scene's solver */
    sfgp_em_start start;
    double margin; /* nats */
} race;

static race race_new(sfgp_context *context, int n)
{
    race r = {.scene = test_scene_new(context, n, 3, 0)};
    r.em = r.scene.solver->em;
    r.start = r.em->state.start;
    const sfgp_tuning *tuning = sfgp_tuning_of(&r.scene.model->basis);
    const double targets = (double)r.em->problem->target.count;
    assert_int_equal(tuning->pace_after, AFTER);
    assert_true((tuning->pace_margin * targets < tuning->pace_least) == (n == N));
    r.margin = n == N ? tuning->pace_least : tuning->pace_margin * targets;
    return r;
}

static void turn(double angle, sfgp_em_start *start)
{
    start->pose.rotation[0] = start->pose.rotation[4] = cos(angle);
    start->pose.rotation[1] = -sin(angle), start->pose.rotation[3] = sin(angle);
}

static sfgp_pace run(sfgp_context *context, race *r, const sfgp_pace *best)
{
    sfgp_pace pace;
    sfgp_assert_ok(context, sfgp_pace_run(r->em, &r->start, NULL, best, &pace));
    return pace;
}

/* Of the loop: the points, and the score after some iterations. */
static double run_loop(sfgp_context *context, race *r, int64_t iterations, double *points)
{
    double score;
    sfgp_outcome outcome;
    sfgp_assert_ok(context, sfgp_em_begin(r->em, &r->start));
    sfgp_assert_ok(context, sfgp_em_run_to(r->em, iterations, &outcome));
    sfgp_assert_ok(context, sfgp_search_score_start(r->em, &score));
    memcpy(points, r->em->state.points, 3 * N * sizeof *points);
    return score;
}

static void the_first_fit_is_that_of_the_loop(void **state)
{
    race r = race_new(*state, N);
    static double points[3 * N];
    for (int stiff = 0; stiff < 2; stiff++) {
        double tempered;
        r.start.prior = stiff ? SFGP_PRIOR_STIFF : SFGP_PRIOR_AS_IS;
        turn(stiff ? 0.8 : 0, &r.start); /* more iterations */
        const double then = run_loop(*state, &r, AFTER, points),
                     score = run_loop(*state, &r, r.em->max_iterations, points);
        sfgp_assert_ok(*state, sfgp_search_tempered_score(r.em, &tempered));
        const sfgp_pace pace = run(*state, &r, &sfgp_pace_none);
        assert_memory_equal(points, r.em->state.points, sizeof points);
        assert_int_equal(pace.outcome, SFGP_CONVERGED);
        assert_true(pace.then == then && pace.score == score && pace.tempered == tempered);
        assert_true(then != score && r.em->state.iteration > AFTER);
        assert_true((score == tempered) == stiff);
    }
    test_scene_free(&r.scene);
}

/* Behind by the margin is still in; by more is out. */
static void a_fit_that_is_far_behind_is_given_up(void **state)
{
    for (int n = N; n <= MANY; n += MANY - N) {
        race r = race_new(*state, n);
        const sfgp_pace whole = run(*state, &r, &sfgp_pace_none);
        sfgp_pace best = {.then = whole.then + 0.99 * r.margin, .score = 500};
        const sfgp_pace near = run(*state, &r, &best);
        assert_true(near.score == whole.score && near.tempered == whole.tempered);
        best.then = whole.then + 1.01 * r.margin;
        const sfgp_pace behind = run(*state, &r, &best);
        assert_int_equal(r.em->state.iteration, AFTER);
        assert_true(behind.then == whole.then && behind.score == -HUGE_VAL && behind.tempered == -HUGE_VAL);
        test_scene_free(&r.scene);
    }
}

/* Landmarks may contradict what the points say, so that they are not asked. */
static void with_landmarks_no_fit_is_given_up(void **state)
{
    race r = race_new(*state, N);
    const test_shapes *shapes = r.scene.shapes;
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(r.scene.solver, 4, shapes->reference, shapes->truth, 0));
    sfgp_assert_ok(*state, sfgp_solver_load(r.scene.solver, r.scene.target));
    r.start = r.em->state.start;
    turn(1, &r.start);
    const sfgp_pace best = {.then = 1e9}, pace = run(*state, &r, &best);
    assert_true(pace.score > -HUGE_VAL && pace.then == -HUGE_VAL);
    assert_true(r.em->state.iteration > AFTER);
    test_scene_free(&r.scene);
}

/* A fit that ends before is not compared. */
static void a_short_fit_has_a_score(void **state)
{
    race r = race_new(*state, N);
    const sfgp_pace best = {.then = 1e9};
    for (int limit = AFTER - 1; limit <= AFTER; limit++) {
        r.em->max_iterations = limit;
        const sfgp_pace pace = run(*state, &r, &best);
        assert_int_equal(r.em->state.iteration, limit);
        assert_int_equal(pace.outcome, SFGP_MAX_ITERATIONS);
        assert_true(pace.score > -HUGE_VAL && pace.then == -HUGE_VAL);
    }
    test_scene_free(&r.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_first_fit_is_that_of_the_loop),
        sfgp_unit_test(a_fit_that_is_far_behind_is_given_up),
        sfgp_unit_test(with_landmarks_no_fit_is_given_up),
        sfgp_unit_test(a_short_fit_has_a_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
