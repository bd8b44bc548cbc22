/* Rough fits: the best of them go on with all points from where they stand. */
#include "search/rough.h"
#include "em/loop.h"
#include "search/score.h"
#include "search/tuning.h"
#include "search/whole.h"
#include "support/corrupt.h"
#include "support/scene.h"

#include <math.h>
#include <string.h>

enum { N = 1900, PART = 1000, AFTER = 20 };

typedef struct lot {
    test_scene scene;
    sfgp_em *em; /* of the scene's solver: all points */
    sfgp_em_start start;
    sfgp_rough rough;
} lot;

static void lot_new(sfgp_context *context, lot *l)
{
    *l = (lot){.scene = test_scene_new(context, N, 3, 0)};
    l->em = l->scene.solver->em;
    l->start = l->em->state.start;
    sfgp_assert_ok(context, sfgp_rough_new(l->em, &l->rough));
    assert_int_equal(sfgp_tuning_of(l->em->problem->basis)->rough_points, PART);
}

static void lot_free(lot *l)
{
    sfgp_rough_clear(l->em, &l->rough);
    test_scene_free(&l->scene);
}

static sfgp_em_start turned(const sfgp_em_start *start, double angle)
{
    sfgp_em_start other = *start;
    other.pose.rotation[0] = other.pose.rotation[4] = cos(angle);
    other.pose.rotation[1] = -sin(angle), other.pose.rotation[3] = sin(angle);
    return other;
}

static void run(sfgp_context *context, lot *l, double angle)
{
    const sfgp_em_start start = turned(&l->start, angle);
    sfgp_assert_ok(context, sfgp_rough_run(&start, &l->rough));
}

static void small_shapes_curves_trained_ones_clutter_and_landmarks_have_none(void **state)
{
    for (int k = 0; k < 4; k++) {
        const int n = k == 0 ? 1700 : N, d = k == 1 ? 2 : 3, training = k == 2 ? 6 : 0;
        test_scene scene = test_scene_new(*state, n, d, training);
        assert_int_equal(sfgp_rough_applies(scene.solver->em), k == 3);
        if (k == 3) {
            scene.solver->em->max_iterations = AFTER;
            assert_false(sfgp_rough_applies(scene.solver->em));
            scene.solver->em->max_iterations = AFTER + 1;
            assert_true(sfgp_rough_applies(scene.solver->em));
            scene.solver->problem.clutter = 0.3;
            assert_false(sfgp_rough_applies(scene.solver->em));
            scene.solver->problem.clutter = 0;
            sfgp_assert_ok(*state, sfgp_solver_set_landmarks(scene.solver, 4, scene.shapes->reference,
                                                             scene.shapes->truth, 0));
            assert_false(sfgp_rough_applies(scene.solver->em));
        }
        test_scene_free(&scene);
    }
}

/* Some points, the first columns, and the iterations of the loop. */
static void a_rough_fit_is_that_of_the_loop_on_a_part(void **state)
{
    lot l;
    double score;
    sfgp_outcome outcome;
    lot_new(*state, &l);
    sfgp_em *part = l.rough.em;
    assert_int_equal(part->problem->basis->count, PART);
    assert_in_range(part->problem->basis->scalar.rank, 10, l.em->problem->basis->scalar.rank - 1);
    run(*state, &l, 0);
    assert_int_equal(l.rough.count, 1);
    sfgp_assert_ok(*state, sfgp_em_begin(part, &l.start));
    sfgp_assert_ok(*state, sfgp_em_run_to(part, AFTER, &outcome));
    sfgp_assert_ok(*state, sfgp_search_tempered_score(part, &score));
    const sfgp_rough_fit *fit = &l.rough.fit[0];
    assert_true(fit->score == score);
    assert_memory_equal(fit->state.points, part->state.points, 3 * PART * sizeof(double));
    lot_free(&l);
}

/* The same coefficients give the same points, and no column that is left out moves any. */
static void the_whole_goes_on_where_the_rough_fit_stands(void **state)
{
    lot l;
    lot_new(*state, &l);
    run(*state, &l, 0.3);
    const sfgp_em_state *from = &l.rough.fit[0].state, *to = &l.em->state;
    const int64_t starts = l.em->starts;
    assert_int_equal(sfgp_rough_next(&l.rough), 0);
    sfgp_assert_ok(*state, sfgp_rough_go_on(&l.rough, 0, l.em));
    int same = 0;
    double worst = 0;
    for (int i = 0; i < N; i++) {
        const int64_t k = l.rough.nearest[i];
        const double *mean = l.em->problem->basis->mean + 3 * i;
        if (memcmp(mean, l.rough.subset.basis.mean + 3 * k, 3 * sizeof *mean) != 0)
            continue;
        same++;
        for (int axis = 0; axis < 3; axis++)
            worst = fmax(worst, fabs(to->points[3 * i + axis] - from->points[3 * k + axis]));
        assert_true(to->mixing[i] == from->mixing[k] && to->variance[i] == from->variance[k]);
    }
    assert_int_equal(same, PART);
    assert_true(worst < 1e-12);
    assert_true(to->sigma2[N - 1] == from->sigma2[0] && to->omega == from->omega);
    assert_memory_equal(&to->pose, &from->pose, sizeof to->pose);
    assert_int_equal(to->iteration, AFTER);
    assert_int_equal(l.em->starts, starts);
    lot_free(&l);
}

static void assert_best_first(const sfgp_rough *rough)
{
    for (int k = 1; k < rough->count; k++)
        assert_true(rough->fit[k - 1].score >= rough->fit[k].score);
}

/* Fits apart, not far behind, under these priors and from these turns; then which go on, ended by -1. */
static void assert_go_on(lot *l, const bool *stiff, const double *angles, const int *expected)
{
    for (int k = 0; k < l->rough.count; k++) {
        sfgp_rough_fit *fit = &l->rough.fit[k];
        fit->score = 10 - k;
        fit->state.sigma2[0] = pow(2, k);
        fit->state.start = turned(&l->start, angles[k]);
        fit->state.start.prior = stiff[k] ? SFGP_PRIOR_STIFF : SFGP_PRIOR_AS_IS;
    }
    for (int k = 0; k == 0 || expected[k - 1] >= 0; k++)
        assert_int_equal(sfgp_rough_next(&l->rough), expected[k]);
}

static void the_best_of_each_prior_goes_on_whatever_their_order(void **state)
{
    const double angles[] = {0, 0.15, 0.3, 0.45}, in_place[4] = {0};
    const bool stiff[2][4] = {{true, true, false, false}, {false, true, true, false}};
    const int expected[2][3] = {{0, 2, -1}, {0, 1, -1}};
    double best[2];
    for (int backwards = 0; backwards < 2; backwards++) {
        lot l;
        lot_new(*state, &l);
        for (int k = 0; k < 4; k++)
            run(*state, &l, angles[backwards ? 3 - k : k]);
        assert_best_first(&l.rough);
        assert_int_equal(l.rough.count, 4);
        best[backwards] = l.rough.fit[0].score;
        assert_go_on(&l, stiff[backwards], in_place, expected[backwards]);
        lot_free(&l);
    }
    assert_true(best[0] == best[1]);
}

/* Beside one of each prior, one of each that began at another turn than all is still asked: it may be a rival. */
static void the_best_of_another_turn_goes_on_as_well(void **state)
{
    const double angles[] = {0, 0.01, 0.02, 0.5, 0.51, 1, 1.5};
    const bool stiff[] = {true, false, true, true, false, false, true}; /* the last is a third one */
    const int expected[] = {0, 1, 3, 5, -1};
    lot l;
    lot_new(*state, &l);
    for (int k = 0; k < 7; k++)
        run(*state, &l, 0.1 * k);
    assert_int_equal(l.rough.count, 7);
    assert_go_on(&l, stiff, angles, expected);
    lot_free(&l);
}

/* It began at another turn, and has come to the same place. */
static void a_fit_that_stands_where_another_does_is_left_out(void **state)
{
    lot l;
    lot_new(*state, &l);
    for (int k = 0; k < 3; k++) {
        l.rough.duplicate[SFGP_PRIOR_AS_IS].set = false; /* each runs all its iterations */
        run(*state, &l, k == 1 ? 1e-4 : 0);
    }
    assert_int_equal(l.rough.count, 3);
    for (int k = 1; k < 3; k++)
        l.rough.fit[k].state.start = turned(&l.start, 0.5);
    l.rough.fit[2].state.sigma2[0] *= 1.2; /* another state */
    assert_int_equal(sfgp_rough_next(&l.rough), 0);
    assert_int_equal(sfgp_rough_next(&l.rough), 2);
    lot_free(&l);
}

static void a_duplicate_is_not_run_to_its_end(void **state)
{
    lot l;
    lot_new(*state, &l);
    run(*state, &l, 0);
    run(*state, &l, 1e-4);
    assert_int_equal(l.rough.count, 1);
    assert_false(l.rough.duplicate[SFGP_PRIOR_STIFF].set);
    l.start.prior = SFGP_PRIOR_STIFF; /* under another prior the same start counts again */
    run(*state, &l, 0);
    assert_true(l.rough.duplicate[SFGP_PRIOR_STIFF].set);
    assert_int_equal(l.rough.count, 2);
    lot_free(&l);
}

static void a_fit_that_is_far_behind_does_not_go_on(void **state)
{
    lot l;
    lot_new(*state, &l);
    for (double angle = 0; angle < 0.5; angle += 0.4)
        run(*state, &l, angle);
    assert_int_equal(l.rough.count, 2);
    const sfgp_tuning *tuning = sfgp_tuning_of(&l.rough.subset.basis);
    const double margin =
        fmax(tuning->pace_least, tuning->rough_behind * (double)l.rough.em->problem->target.count);
    l.rough.fit[1].state.start.prior = SFGP_PRIOR_STIFF;
    l.rough.fit[1].score = l.rough.fit[0].score - 1.01 * margin;
    assert_int_equal(sfgp_rough_next(&l.rough), 0);
    assert_int_equal(sfgp_rough_next(&l.rough), -1);
    l.rough.fit[1].score = l.rough.fit[0].score - 0.99 * margin;
    assert_int_equal(sfgp_rough_next(&l.rough), 1);
    lot_free(&l);
}

/* Wide and narrow under the stiff prior, wide under the other; without a stiff prior wide and narrow. */
static void the_starts_under_both_priors_are_fitted(void **state)
{
    for (int both = 0; both < 2; both++) {
        test_scene scene = test_scene_new(*state, N, 3, 0);
        sfgp_em *em = scene.solver->em;
        sfgp_findings found = {0};
        sfgp_outcome outcome;
        const int64_t starts = em->starts;
        assert_non_null(scene.solver->problem.rescaled[SFGP_PRIOR_STIFF]);
        if (!both)
            scene.solver->problem.rescaled[SFGP_PRIOR_STIFF] = NULL;
        sfgp_assert_ok(*state, sfgp_whole_run(em, &found, &outcome));
        assert_int_equal(outcome, SFGP_CONVERGED);
        assert_int_equal(em->starts - starts, both ? 3 : 2);
        test_scene_free(&scene);
    }
}

/* The report tells all iterations and starts. */
static void its_iterations_are_counted(void **state)
{
    lot l;
    lot_new(*state, &l);
    const int64_t iterations = l.em->iterations, starts = l.em->starts;
    run(*state, &l, 0);
    run(*state, &l, 0.4);
    sfgp_rough_clear(l.em, &l.rough);
    assert_int_equal(l.em->iterations - iterations, 2 * AFTER);
    assert_int_equal(l.em->starts - starts, 2);
    lot_free(&l);
}

static sfgp_status run_once(sfgp_context *context, void *user)
{
    lot *l = user;
    sfgp_rough rough;
    (void)context;
    sfgp_status status = sfgp_rough_new(l->em, &rough);
    if (status == SFGP_OK)
        status = sfgp_rough_run(&l->start, &rough);
    sfgp_rough_clear(l->em, &rough);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    lot l;
    lot_new(*state, &l);
    assert_in_range(sfgp_sweep_allocations(*state, run_once, &l), 20, 500);
    lot_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(small_shapes_curves_trained_ones_clutter_and_landmarks_have_none),
        sfgp_unit_test(a_rough_fit_is_that_of_the_loop_on_a_part),
        sfgp_unit_test(the_whole_goes_on_where_the_rough_fit_stands),
        sfgp_unit_test(the_best_of_each_prior_goes_on_whatever_their_order),
        sfgp_unit_test(the_best_of_another_turn_goes_on_as_well),
        sfgp_unit_test(a_fit_that_stands_where_another_does_is_left_out),
        sfgp_unit_test(a_duplicate_is_not_run_to_its_end),
        sfgp_unit_test(a_fit_that_is_far_behind_does_not_go_on),
        sfgp_unit_test(the_starts_under_both_priors_are_fitted),
        sfgp_unit_test(its_iterations_are_counted),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
