/* Missing points: those whose ring has too little mass of responsibilities. */
#include "outcome/missing.h"
#include "geom/measure.h"
#include "support/curve.h"
#include "support/fit.h"
#include "support/scene.h"

#include <math.h>
#include <string.h>

enum { N = TEST_CURVE };

/* Missing are: no label at all, or rings of three with less than half of the mass that a label finds around
 * it, at most half a label a point. Thin scans count as dense ones; one that is dense in places does not
 * make others missing. */
static void points_in_rings_without_mass_are_missing(void **state)
{
    static const double factors[] = {0.2, 1, 30};
    for (int k = 0; k < 4; k++) {
        test_curve s = test_curve_with_masses(*state, true);
        sfgp_responsibilities *r = &s.em->responsibilities;
        double means[N], squares = 0;
        r->mass[s.first + 8] = 0.9; /* one label in the hole is none, */
        r->mass[50] = 0.01;         /* and a point with next to no mass is seen, */
        r->mass[45] = 0;            /* but for that no label can tell */
        for (int i = 0; i < N; i++) {
            r->mass[i] *= k < 3 ? factors[k] : i >= N / 2 ? 30 : 1;
            r->weight[i] = r->mass[i];
            r->best_target[i] = r->mass[i] > 0 ? 0 : -1;
        }
        test_curve_smooth(&s, 3, r->mass, means);
        for (int i = 0; i < N; i++)
            squares += means[i] * means[i];
        const double least = 0.5 * fmin(1, squares / test_curve_total(means));
        int missing = 0;
        assert_int_equal(sfgp_missing_classify(s.em), SFGP_OK);
        for (int i = 0; i < N; i++) {
            assert_int_equal(r->weight[i] == 0, means[i] < least || r->mass[i] == 0);
            assert_true(r->weight[i] == 0 || r->weight[i] == r->mass[i]);
            if (k != 2 && i != s.first - 1 && i != s.end) /* rings there hold much of the hole */
                assert_int_equal(r->weight[i] == 0, (i >= s.first && i < s.end) || i == 45);
            missing += r->weight[i] == 0;
        }
        assert_int_equal(r->missing, missing);
        test_curve_free(&s);
    }
}

enum { POINTS = 450 };

/* A scene of a scan with this area. Half of its points have little mass. Of three points so many have a label `near` spacings of the scan away, the
 * others one `far` spacings away. */
static test_scene scene_with_labels(sfgp_context *context, double area, int of_three, double near, double far)
{
    test_scene s = test_scene_new(context, POINTS, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_responsibilities *r = &em->responsibilities;
    const double spacing = sqrt(9.0 / (double)r->targets);
    s.solver->problem.area = area;
    for (int64_t i = 0; i < POINTS; i++) {
        r->best_target[i] = (int32_t)(i % r->targets);
        r->weight[i] = r->mass[i] = em->state.points[3 * i] > 0 ? 1 : 0.01;
        for (int64_t a = 0; a < 3; a++)
            em->state.points[3 * i + a] = em->view.points[3 * r->best_target[i] + a];
        em->state.points[3 * i + 1] += (i % 3 < of_three ? near : far) * spacing;
    }
    return s;
}

/* On a surface, also where reference points lie so densely that each has little mass: a label within 0.7 spacings of
 * the scan speaks against missing. Without an area it is not asked. */
static void points_with_labels_near_by_are_not_missing(void **state)
{
    static const struct {
        double area, spacings;
        bool missing;
    } cases[] = {{9, 0.65, false}, {9, 0.75, true}, {0, 0.65, true}};
    for (int k = 0; k < 3; k++) {
        test_scene s = scene_with_labels(*state, cases[k].area, 3, cases[k].spacings, 0);
        sfgp_responsibilities *r = &s.solver->em->responsibilities;
        assert_int_equal(sfgp_missing_classify(s.solver->em), SFGP_OK);
        if (cases[k].missing)
            assert_in_range(r->missing, POINTS / 4, 3 * POINTS / 4);
        else
            assert_int_equal(r->missing, 0);
        test_scene_free(&s);
    }
}

/* What has little mass is missing if no more than half of its ring of eight has a label near by. */
static void half_of_a_ring_decides(void **state)
{
    for (int of_three = 1; of_three <= 2; of_three++) {
        test_scene s = scene_with_labels(*state, 9, of_three, 0.65, 0.75);
        assert_int_equal(sfgp_missing_classify(s.solver->em), SFGP_OK);
        if (of_three == 1)
            assert_in_range(s.solver->em->responsibilities.missing, POINTS / 4, 3 * POINTS / 4);
        else
            assert_in_range(s.solver->em->responsibilities.missing, 0, POINTS / 4 - 1);
        test_scene_free(&s);
    }
}

/* Points at targets and points far from all of them, none with a label, under a scan whose points stand for `thin` points of the
 * reference each. */
static test_scene scene_without_labels(sfgp_context *context, double thin, double far)
{
    test_scene s = test_scene_new(context, POINTS, 3, 0);
    sfgp_responsibilities *r = &s.solver->em->responsibilities;
    s.solver->problem.area = 9;
    s.solver->problem.shape_area = 9.0 * POINTS / (thin * (double)r->targets);
    for (int64_t i = 0; i < POINTS; i++) {
        r->best_target[i] = -1;
        r->weight[i] = r->mass[i] = r->best[i] = 0;
        for (int64_t a = 0; a < 3; a++)
            s.solver->em->state.points[3 * i + a] =
                s.solver->em->view.points[3 * (i % r->targets) + a] + (a == 0 ? far : 0);
    }
    for (int64_t j = 0; j < r->targets; j++)
        r->explained[j] = 1;
    return s;
}

/* A dense scan of which every second point is in use is not a thin one: each point has labels enough. */
static void thinning_makes_no_scan_thin(void **state)
{
    test_scene s = scene_without_labels(*state, 1.9, 0);
    sfgp_responsibilities *r = &s.solver->em->responsibilities;
    s.solver->em->state.thinning = 2;
    r->targets /= 2;
    assert_int_equal(sfgp_missing_classify(s.solver->em), SFGP_OK);
    assert_int_equal(r->missing, r->count);
    test_scene_free(&s);
}

/* Of a thin scan what lies near its points is seen, with a label or without; far away nothing is, and where all targets are
 * outliers nothing is near. */
static void points_between_those_of_a_thin_scan_are_seen(void **state)
{
    static const struct {
        double thin, far, explained;
        bool seen;
    } cases[] = {{2.1, 0, 1, true}, {1.9, 0, 1, false}, {2.1, 100, 1, false}, {2.1, 0, 0.4, false}};
    for (int k = 0; k < 4; k++) {
        test_scene s = scene_without_labels(*state, cases[k].thin, cases[k].far);
        sfgp_responsibilities *r = &s.solver->em->responsibilities;
        for (int64_t j = 0; j < r->targets; j++)
            r->explained[j] = cases[k].explained;
        assert_int_equal(sfgp_missing_classify(s.solver->em), SFGP_OK);
        assert_int_equal(r->missing, cases[k].seen ? 0 : r->count);
        for (int64_t i = 0; i < r->count; i++) {
            assert_int_equal(r->best_target[i], cases[k].seen ? i % r->targets : -1);
            assert_true(r->weight[i] == 0 && r->best[i] == 0);
        }
        test_scene_free(&s);
    }
}

/* Mean distance of the `size` points that are nearest to point i, itself included, from point 0. */
static double mean_of_ring(int64_t count, const double *points, int64_t i, int size)
{
    double reach = 0, sum = 0;
    for (int taken = 0; taken < size; taken++) { /* the next nearest, one after the other */
        int64_t next = i;
        double least = HUGE_VAL;
        for (int64_t k = 0; k < count; k++) {
            const double distance = sfgp_points_distance(3, points + 3 * i, points + 3 * k);
            if ((distance > reach || (taken == 0 && k == i)) && distance < least)
                least = distance, next = k;
        }
        reach = least;
        sum += sfgp_points_distance(3, points, points + 3 * next);
    }
    return sum / size;
}

/* One target that is no outlier, at point 0. A spacing of 0.5 and 2.1 points of the reference for one of the scan are a ring of
 * 7 * 2.1 = 14 points. */
static void points_far_from_those_of_a_thin_scan_are_missing(void **state)
{
    test_scene s = scene_without_labels(*state, 2.1, 0);
    sfgp_em *em = s.solver->em;
    sfgp_responsibilities *r = &em->responsibilities;
    memcpy(em->state.points, em->problem->basis->mean, (size_t)(3 * r->count) * sizeof(double));
    s.solver->problem.area = 0.25 * (double)r->targets; /* spacing 0.5 */
    s.solver->problem.shape_area = s.solver->problem.area * (double)r->count / (2.1 * (double)r->targets);
    for (int64_t j = 1; j < r->targets; j++)
        r->explained[j] = 0;
    memcpy(em->view.points, em->problem->basis->mean, 3 * sizeof(double));
    for (int64_t i = 0; i < r->count; i++)
        r->weight[i] = r->best[i] = 0.9, r->best_target[i] = 1;
    assert_int_equal(sfgp_missing_classify(em), SFGP_OK);
    for (int64_t i = 0; i < r->count; i++) {
        const bool missing = mean_of_ring(r->count, em->problem->basis->mean, i, 14) > 0.8 * 0.5;
        assert_int_equal(r->best_target[i], missing ? -1 : 1);
        assert_true(r->weight[i] == (missing ? 0 : 0.9) && r->best[i] == r->weight[i]);
    }
    assert_in_range(r->missing, 1, r->count - 1);
    test_scene_free(&s);
}

/* Every 14th point of the scan of an ear is enough to fit it, and to know where its holes are: before ADR 0055 it was no
 * overlap. */
static void a_thin_scan_is_fitted(void **state)
{
    test_fit fit = test_fit_ear(*state, 4, 0, 0.002, false);
    int64_t both = 0, truly = 0;
    fit.target->count /= 14;
    for (int64_t k = 0; k < 3 * fit.target->count; k++)
        fit.target->points[k] = fit.target->points[14 * (k / 3) * 3 + k % 3];
    sfgp_result *result = test_run(*state, fit.solver, fit.target);
    for (int64_t i = 0; i < fit.n; i++)
        both += fit.missing[i] && result->missing[i], truly += fit.missing[i];
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_true(test_fit_error(&fit, result->points) < 0.5);
    assert_true((double)both > 0.65 * (double)truly && (double)both > 0.5 * (double)result->missing_count);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(points_in_rings_without_mass_are_missing),
        sfgp_unit_test(points_with_labels_near_by_are_not_missing),
        sfgp_unit_test(half_of_a_ring_decides),
        sfgp_unit_test(points_between_those_of_a_thin_scan_are_seen),
        sfgp_unit_test(thinning_makes_no_scan_thin),
        sfgp_unit_test(points_far_from_those_of_a_thin_scan_are_missing),
        sfgp_long_test(a_thin_scan_is_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
