/* Missing points of a finished fit: those in holes of the scan. */
#include "outcome/holes.h"
#include "em/thinning.h"
#include "geom/blocks.h"
#include "geom/spread.h"
#include "outcome/result.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 441 };
#define STEP 0.4 /* between points, at most */

/* Points all over a disc, and targets on a circle 0.9 inside its border: a hole of this radius. Spacing 1, no point has a label. */
static test_scene hole_of_radius(sfgp_context *context, double radius)
{
    test_scene s = test_scene_new(context, POINTS, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_responsibilities *r = &em->responsibilities;
    s.solver->problem.area = s.solver->problem.shape_area = (double)r->targets;
    sfgp_em_state_set_sigma2(POINTS, 1e-6, &em->state);
    for (int64_t i = 0; i < POINTS; i++) {
        const double distance = (radius + 0.9) * sqrt((double)i / (POINTS - 1)), turn = 2.399963 * (double)i;
        em->state.points[3 * i] = distance * cos(turn), em->state.points[3 * i + 1] = distance * sin(turn);
        em->state.points[3 * i + 2] = 0;
        r->best_target[i] = -1;
        r->weight[i] = r->best[i] = 0;
    }
    for (int64_t j = 0; j < r->targets; j++) {
        const double angle = 2 * acos(-1) * (double)j / (double)r->targets;
        em->view.points[3 * j] = radius * cos(angle), em->view.points[3 * j + 1] = radius * sin(angle);
        em->view.points[3 * j + 2] = 0;
        r->explained[j] = 1;
    }
    return s;
}

static void put_target(sfgp_em *em, int64_t j, double x, double y, double explained)
{
    em->view.points[3 * j] = x, em->view.points[3 * j + 1] = y;
    em->responsibilities.explained[j] = explained;
}

static double from_middle(const sfgp_em *em, int64_t i)
{
    return hypot(em->state.points[3 * i], em->state.points[3 * i + 1]);
}

static int64_t count_missing(sfgp_context *context, test_scene *s)
{
    sfgp_assert_ok(context, sfgp_holes_classify(s->solver->em));
    return s->solver->em->responsibilities.missing;
}

/* A hole is missing up to a rim of 0.25 spacings, if more than 1.75 spacings are around its middle. What is farther out is not. */
static void a_hole_of_1_75_spacings_is_missing_but_for_its_rim(void **state)
{
    test_scene s = hole_of_radius(*state, 1.74);
    assert_int_equal(count_missing(*state, &s), 0);
    test_scene_free(&s);
    s = hole_of_radius(*state, 3.5);
    assert_true(count_missing(*state, &s) > 0);
    for (int64_t i = 0; i < POINTS; i++) {
        const double distance = from_middle(s.solver->em, i);
        const bool missing = s.solver->em->responsibilities.best_target[i] < 0;
        assert_true(!missing || distance < 3.5 - 0.25 + 1e-9);
        assert_true(missing || distance > 3.5 - 0.25 - 0.25 * STEP);
    }
    test_scene_free(&s);
}

/* A point with a label in a hole loses it. One that is seen keeps its label, or gets the nearest target with probability 0. */
static void labels_follow_the_mask(void **state)
{
    test_scene s = hole_of_radius(*state, 3.5);
    sfgp_responsibilities *r = &s.solver->em->responsibilities;
    const double *last = s.solver->em->state.points + (size_t)3 * (POINTS - 1);
    put_target(s.solver->em, 5, last[0], last[1], 1);
    for (int64_t i = 0; i < POINTS - 1; i++)
        r->weight[i] = r->best[i] = 0.75, r->best_target[i] = 7;
    const int64_t missing = count_missing(*state, &s);
    for (int64_t i = 0; i < POINTS - 1; i++) {
        const bool inside = from_middle(s.solver->em, i) < 1.75;
        assert_true(!inside || r->best_target[i] == -1);
        assert_true(r->best_target[i] == -1 || r->best_target[i] == 7);
        assert_true(r->weight[i] == (r->best_target[i] < 0 ? 0 : 0.75) && r->best[i] == r->weight[i]);
    }
    assert_int_equal(r->best_target[POINTS - 1], 5);
    assert_true(r->weight[POINTS - 1] == 0 && r->best[POINTS - 1] == 0);
    assert_in_range(missing, 1, POINTS - 2);
    test_scene_free(&s);
}

/* A target in the middle leaves no room for a ball; an outlier does. */
static void outliers_in_a_hole_are_not_seen(void **state)
{
    for (int k = 0; k < 2; k++) {
        test_scene s = hole_of_radius(*state, 3.4);
        const int64_t before = count_missing(*state, &s);
        put_target(s.solver->em, 0, 0, 0, k == 0 ? 0.4 : 0.6);
        for (int64_t i = 0; i < POINTS; i++)
            s.solver->em->responsibilities.best_target[i] = -1;
        const int64_t after = count_missing(*state, &s);
        assert_true(before > 0 && (k == 0 ? after == before : after == 0));
        test_scene_free(&s);
    }
}

/* Where labels scatter by a spacing, one target in four is as far from the next as they scatter twice: a hole is twice as large,
 * and others in it do not count. Where they scatter by less than half of one, all count. */
static void scatter_makes_one_target_of_some(void **state)
{
    static const struct {
        double sigma, radius;
        int64_t stray;
        bool hole;
    } cases[] = {{0.999, 3.4, -1, false}, {0.999, 3.6, -1, true}, {0.999, 3.6, 1, true},
                 {0.999, 3.6, 4, false},  {0.499, 1.8, -1, true}, {0.499, 3.4, 1, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_scene s = hole_of_radius(*state, cases[k].radius);
        sfgp_em_state_set_sigma2(POINTS, cases[k].sigma * cases[k].sigma, &s.solver->em->state);
        if (cases[k].stray >= 0)
            put_target(s.solver->em, cases[k].stray, 0, 0, 1);
        assert_int_equal(count_missing(*state, &s) > 0, cases[k].hole);
        test_scene_free(&s);
    }
}

/* The k-th of count even points on the half of the unit disc on one side of the second axis. */
static void half_disc(int64_t k, int64_t count, double side, double point[3])
{
    const double distance = sqrt(((double)k + 0.5) / (double)count),
                 angle = fmod(2.399963 * (double)k, acos(-1)) - acos(0);
    point[0] = side * distance * cos(angle), point[1] = distance * sin(angle);
    point[2] = 0;
}

static bool is_near(const double point[3], double x, double y, double radius)
{
    return hypot(point[0] - x, point[1] - y) < radius;
}

/* Of the side with a twentieth of the targets. */
static double sparse_spacing(const sfgp_em *em)
{
    return sqrt(acos(0) / (0.05 * (double)em->responsibilities.targets));
}

/* Targets in the order in space that those of a scan have. */
static void sort_targets(sfgp_em *em)
{
    const int64_t count = em->responsibilities.targets;
    double *points = malloc((size_t)count * 3 * sizeof *points);
    int32_t *order = malloc((size_t)count * sizeof *order);
    memcpy(points, em->view.points, (size_t)count * 3 * sizeof *points);
    sfgp_assert_ok(em->context, sfgp_points_order(em->context, count, 3, points, SFGP_BLOCK, order));
    for (int64_t j = 0; j < count; j++)
        memcpy(em->view.points + 3 * j, points + 3 * (int64_t)order[j], 3 * sizeof *points);
    free(order);
    free(points);
}

/* A disc with 19 of 20 targets on one side of it, in which there is a hole with a radius of 0.2. On the other side
 * are two, with radii of 1.1 and 2.3 of the spacings there. */
static test_scene uneven_disc(sfgp_context *context, int count)
{
    test_scene s = test_scene_new(context, count, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_responsibilities *r = &em->responsibilities;
    sfgp_assert_ok(context, sfgp_thinning_use(em, 1));
    const int64_t dense = r->targets * 19 / 20, sparse = r->targets - dense;
    const double spacing = sparse_spacing(em);
    s.solver->problem.area = s.solver->problem.shape_area = acos(-1);
    sfgp_em_state_set_sigma2(count, 1e-8, &em->state);
    for (int64_t j = 0; j < r->targets; j++)
        half_disc(j < dense ? j : j - dense, j < dense ? dense : sparse, j < dense ? -1 : 1,
                  em->view.points + 3 * j);
    sort_targets(em);
    for (int64_t j = 0; j < r->targets; j++)
        r->explained[j] = !is_near(em->view.points + 3 * j, -0.5, 0, 0.2) &&
                          !is_near(em->view.points + 3 * j, 0.5, -0.4, 1.1 * spacing) &&
                          !is_near(em->view.points + 3 * j, 0.5, 0.4, 2.3 * spacing);
    for (int64_t i = 0; i < count; i++) {
        half_disc(i / 2, (count + 1) / 2, i % 2 ? -1 : 1, em->state.points + 3 * i);
        r->best_target[i] = 3;
    }
    return s;
}

/* Gaps between sparse points are none, nor is the smallest hole; the others are. Of 7600 targets all are measured, of 20300 one in three. */
static void what_is_sparse_is_not_missing(void **state)
{
    static const int COUNTS[] = {9000, 24000};
    for (int k = 0; k < (SFGP_TEST_SLOW ? 1 : 2); k++) {
        test_scene s = uneven_disc(*state, COUNTS[k]);
        const double spacing = sparse_spacing(s.solver->em);
        assert_true(count_missing(*state, &s) > 0);
        for (int64_t i = 0; i < COUNTS[k]; i++) {
            const double *point = s.solver->em->state.points + 3 * i;
            const bool missing = s.solver->em->responsibilities.best_target[i] < 0;
            assert_true(missing || !is_near(point, -0.5, 0, 0.15));
            assert_true(missing || !is_near(point, 0.5, 0.4, spacing));
            assert_true(!missing || is_near(point, 0.5, 0.4, 3.3 * spacing) ||
                        !(point[0] > 0.45 && is_near(point, 0, 0, 0.85)));
        }
        test_scene_free(&s);
    }
}

/* Without an area, of a thin scan, and where no target is explained, the mask is that of the labels. */
static void other_scans_keep_what_labels_say(void **state)
{
    for (int k = 0; k < 4; k++) {
        test_scene s = hole_of_radius(*state, 3.5);
        sfgp_responsibilities *r = &s.solver->em->responsibilities;
        s.solver->problem.area *= k == 1 ? 0 : 1;
        s.solver->problem.shape_area *= k == 2 ? (double)POINTS / (2.1 * (double)r->targets) : 1;
        for (int64_t j = 0; j < r->targets && k == 3; j++)
            r->explained[j] = 0.4;
        for (int64_t i = 0; i < POINTS; i++)
            r->best_target[i] = 3;
        r->missing = -1;
        assert_int_equal(count_missing(*state, &s) > 0, k == 0);
        assert_true(k == 0 || r->missing == -1);
        test_scene_free(&s);
    }
}

/* A straight curve, and targets with a spacing of 1 along it, but for a hole; three of five lie far away with a spacing of 0.1. sigma in
 * spacings of the scan of the scene. */
static test_scene curve_with_hole(sfgp_context *context, double radius, double sigma)
{
    test_scene s = test_scene_new(context, POINTS, 2, 0);
    sfgp_em *em = s.solver->em;
    sfgp_responsibilities *r = &em->responsibilities;
    sigma *= s.solver->problem.target.spacing;
    sfgp_em_state_set_sigma2(POINTS, sigma * sigma, &em->state);
    for (int64_t i = 0; i < POINTS; i++) {
        em->state.points[2 * i] = 0.1 * (double)(i - POINTS / 2), em->state.points[2 * i + 1] = 0;
        r->best_target[i] = 3;
    }
    for (int64_t j = 0; j < r->targets; j++) {
        const double side = j % 2 ? 1 : -1, far = 0.6 * (double)r->targets;
        em->view.points[2 * j] =
            (double)j < far ? 1000 + 0.1 * (double)j : side * (radius + floor(0.5 * ((double)j - far)));
        em->view.points[2 * j + 1] = 0;
        r->explained[j] = 1;
    }
    return s;
}

/* Three spacings around its middle, and half of one inside; none if the scan holds the vertices. */
static void a_hole_of_a_curve_has_three_spacings(void **state)
{
    test_scene s = curve_with_hole(*state, 2.99, 0.2);
    assert_int_equal(count_missing(*state, &s), 0);
    test_scene_free(&s);
    s = curve_with_hole(*state, 5.04, 0.2);
    assert_true(count_missing(*state, &s) > 0);
    for (int64_t i = 0; i < POINTS; i++) {
        const bool inside = fabs(s.solver->em->state.points[2 * i]) < 5.04 - 0.5;
        assert_int_equal(s.solver->em->responsibilities.best_target[i] < 0, inside);
    }
    test_scene_free(&s);
    s = curve_with_hole(*state, 5.04, 0.09);
    s.solver->em->responsibilities.missing = -1;
    assert_int_equal(count_missing(*state, &s), -1);
    test_scene_free(&s);
}

/* Points, deviations and outcome are those that labels gave. Only what is missing changes, and the errors that are expected of it. */
static void the_mask_changes_no_fit(void **state)
{
    test_scene s = hole_of_radius(*state, 3.5);
    sfgp_em *em = s.solver->em;
    sfgp_result *with = NULL, *without = NULL;
    em->state.iteration = 1;
    for (int64_t i = 0; i < POINTS; i++)
        em->responsibilities.best_target[i] = 3, em->state.variance[i] = 1e-4 * (1 + from_middle(em, i));
    sfgp_assert_ok(*state, sfgp_result_new(*state, s.model, &with));
    sfgp_assert_ok(*state, sfgp_result_new(*state, s.model, &without));
    with->outcome = without->outcome = SFGP_CONVERGED;
    *with->settings = *without->settings = s.solver->settings;
    sfgp_result_fill(em, s.model, without);
    sfgp_result_fill(em, s.model, with);
    sfgp_assert_ok(*state, sfgp_result_mask(em, with));
    assert_int_equal(without->missing_count, 0);
    assert_in_range(with->missing_count, 1, POINTS - 1);
    for (int64_t i = 0; i < POINTS; i++) {
        assert_int_equal(with->missing[i], with->target[i] < 0);
        assert_true(with->sd[i] == without->sd[i]);
        for (int a = 0; a < 3; a++)
            assert_true(with->points[3 * i + a] == without->points[3 * i + a]);
    }
    assert_int_equal(with->outcome, without->outcome);
    assert_true(fabs(with->expected_error - without->expected_error) < 1e-12 * with->expected_error);
    assert_true(with->expected_error_missing <
                with->expected_error_observed); /* in the middle, as set above */
    with->outcome = SFGP_NO_OVERLAP, with->missing[0] = 2;
    sfgp_assert_ok(*state, sfgp_result_mask(em, with));
    assert_int_equal(with->missing[0], 2);
    sfgp_result_free(with), sfgp_result_free(without);
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_hole_of_1_75_spacings_is_missing_but_for_its_rim),
        sfgp_unit_test(labels_follow_the_mask),
        sfgp_unit_test(outliers_in_a_hole_are_not_seen),
        sfgp_unit_test(scatter_makes_one_target_of_some),
        sfgp_unit_test(what_is_sparse_is_not_missing),
        sfgp_unit_test(other_scans_keep_what_labels_say),
        sfgp_unit_test(a_hole_of_a_curve_has_three_spacings),
        sfgp_unit_test(the_mask_changes_no_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
