/* Whether anything speaks for a fit: a fit is doubtful if its labels scatter too far (ADR 0038), or by what else speaks against it. */
#include "outcome/overlap.h"
#include "base/memory.h"
#include "em/estep.h"
#include "em/loop.h"
#include "em/warm.h"
#include "outcome/result.h"
#include "search/effort.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 450 };

/* 0.75 of sqrt(area / points), of the reference or of the scan, whichever is larger. */
static void a_surface_is_doubtful_when_its_labels_scatter(void **state)
{
    static const double areas[][2] = {{9, 2}, {2, 9}}; /* of the reference and of the scan */
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em_problem *problem = &s.solver->problem;
    sfgp_assert_ok(*state, sfgp_em_estep(s.solver->em));
    for (int k = 0; k < 2; k++) {
        problem->shape_area = areas[k][0], problem->area = areas[k][1];
        const double limit = 0.75 * sqrt(9 / (double)(k ? problem->target.count : N));
        for (int above = 0; above < 2; above++) {
            sfgp_em_state_set_sigma2(N, pow(limit * (above ? 1.01 : 0.99), 2), &s.solver->em->state);
            assert_int_equal(sfgp_overlap_is_far(s.solver->em), above);
        }
    }
    problem->shape_area = problem->area = 0; /* not measured */
    assert_false(sfgp_overlap_is_far(s.solver->em));
    s.solver->em->schedule = problem->warm; /* the smallest level counts */
    s.solver->em->coarse.point_spacing = 1;
    for (int above = 0; above < 2; above++) {
        s.solver->em->coarse.sigma = above ? 0.76 : 0.74;
        assert_int_equal(sfgp_overlap_is_far(s.solver->em), above);
    }
    test_scene_free(&s);
}

static void a_curve_is_not(void **state)
{
    test_scene s = test_scene_new(*state, N, 2, 0);
    sfgp_assert_ok(*state, sfgp_em_estep(s.solver->em));
    s.solver->problem.shape_area = s.solver->problem.area = 9;
    sfgp_em_state_set_sigma2(N, 4, &s.solver->em->state);
    assert_false(sfgp_overlap_is_far(s.solver->em));
    test_scene_free(&s);
}

/* By all doubts: a surface with a measured spacing, by a method that learns, with an effort that compares the mirror image. */
static void some_fits_are_judged(void **state)
{
    for (int d = 2; d <= 3; d++) {
        test_scene s = test_scene_new(*state, N, d, 0);
        sfgp_em_problem *problem = &s.solver->problem;
        sfgp_em_variant other = *problem->variant;
        problem->shape_area = problem->area = 9;
        assert_int_equal(sfgp_overlap_is_judged(s.solver->em), d == 3);
        other.learns = false;
        problem->variant = &other;
        assert_false(sfgp_overlap_is_judged(s.solver->em));
        other.learns = true;
        assert_int_equal(sfgp_overlap_is_judged(s.solver->em), d == 3);
        sfgp_assert_ok(*state, sfgp_effort_find(*state, "quick", &problem->effort));
        assert_false(sfgp_overlap_is_judged(s.solver->em));
        test_scene_free(&s);
    }
}

/* Fits of other poses that are worse by less than 0.25 nats a target point, of surfaces; a level below tells the one above. An expected
 * error of more than 0.17 radii, of surfaces, curves under the stiff prior and methods that learn. A mirror image that is better. */
static void an_open_pose_is_a_doubt(void **state)
{
    for (int d = 2; d <= 3; d++) {
        test_scene s = test_scene_new(*state, N, d, 0);
        sfgp_em *em = s.solver->em, below;
        assert_true(isinf(em->facts.pose_margin) && em->facts.pose_margin > 0);
        assert_true(isinf(em->facts.mirror_gain) && em->facts.mirror_gain < 0);
        sfgp_assert_ok(*state, sfgp_em_step(em));
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        s.solver->problem.shape_area = s.solver->problem.area = 0;
        assert_int_equal(sfgp_overlap_doubts(em, 0.169), 0);
        em->facts.pose_margin = 0.26;
        assert_int_equal(sfgp_overlap_doubts(em, 0.169), 0);
        em->facts.pose_margin = 0.24;
        assert_int_equal(sfgp_overlap_doubts(em, 0.169), d == 3 ? SFGP_DOUBT_POSE : 0);
        s.solver->problem.shape_area = s.solver->problem.area = 9;
        sfgp_em_state_set_sigma2(N, 4, &em->state);
        assert_int_equal(sfgp_overlap_doubts(em, 0.169), d == 3 ? SFGP_DOUBT_POSE + SFGP_DOUBT_DISTANCE : 0);
        assert_int_equal(sfgp_overlap_doubts(em, 0.171),
                         d == 3 ? SFGP_DOUBT_POSE + SFGP_DOUBT_DISTANCE + SFGP_DOUBT_ERROR : 0);
        em->state.start.prior = SFGP_PRIOR_STIFF;
        assert_true(sfgp_overlap_doubts(em, 0.171) & SFGP_DOUBT_ERROR);
        assert_false(sfgp_overlap_doubts(em, 0.169) & SFGP_DOUBT_ERROR);
        em->facts.mirror_gain = 19;
        assert_false(sfgp_overlap_doubts(em, 0.169) & SFGP_DOUBT_MIRROR);
        em->facts.mirror_gain = 101;
        assert_true(sfgp_overlap_doubts(em, 0.169) & SFGP_DOUBT_MIRROR);
        below = *em, below.facts.pose_margin = 0.1;
        sfgp_assert_ok(*state, sfgp_em_warm_start(em, &below));
        assert_true(em->facts.pose_margin == 0.1);
        test_scene_free(&s);
    }
}

/* A curve is asked with training shapes, and with a variance between the fits under two priors. */
static void some_curves_expect_an_error(void **state)
{
    for (int training = 0; training <= 3; training += 3) {
        test_scene s = test_scene_new(*state, N, 2, training);
        sfgp_em *em = s.solver->em;
        sfgp_assert_ok(*state, sfgp_em_step(em));
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        assert_int_equal(sfgp_overlap_doubts(em, 0.171), training ? SFGP_DOUBT_ERROR : 0);
        if (!training)
            sfgp_assert_ok(*state, sfgp_allocate(*state, N, &em->between));
        assert_int_equal(sfgp_overlap_doubts(em, 0.169), 0);
        assert_int_equal(sfgp_overlap_doubts(em, 0.171), SFGP_DOUBT_ERROR);
        test_scene_free(&s);
    }
}

static int count_residuals(void)
{
    return sfgp_test_count(sfgp_test_warning(), "residual: ");
}

/* A converged fit gets that outcome, unless it may not be rejected. One that is not asked is warned of for its scatter. */
static void only_converged_fits_become_doubtful(void **state)
{
    static const struct {
        sfgp_outcome before;
        int reject;
        double area;
        sfgp_outcome after;
        int warnings;
    } cases[] = {{SFGP_CONVERGED, 1, 1, SFGP_DOUBTFUL, 0},
                 {SFGP_CONVERGED, 0, 1, SFGP_CONVERGED, 1},
                 {SFGP_MAX_ITERATIONS, 1, 1, SFGP_MAX_ITERATIONS, 2},
                 {SFGP_CONVERGED, 1, 0, SFGP_CONVERGED, 3}}; /* 0: not measured */
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_assert_ok(*state, sfgp_em_step(em));
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    for (int k = 0; k < 4; k++) {
        sfgp_result *r;
        s.solver->problem.shape_area = s.solver->problem.area = cases[k].area;
        sfgp_assert_ok(*state, sfgp_result_new(*state, s.model, &r));
        sfgp_settings_default(r->settings);
        r->settings->reject = cases[k].reject;
        r->outcome = cases[k].before;
        em->state.sigma2[0] = 0.01;
        sfgp_result_fill(em, s.model, r);
        assert_int_equal(r->outcome, cases[k].after);
        assert_int_equal(r->doubts, cases[k].after == SFGP_DOUBTFUL ? SFGP_DOUBT_DISTANCE : 0);
        assert_int_equal(count_residuals(), cases[k].warnings);
        assert_true(isinf(r->pose_margin));
        sfgp_result_free(r);
    }
    test_scene_free(&s);
}

/* Of a dense scan both numbers are those of the smallest level, a part of the scan: its spacing is not the one that sfgp info tells. */
static void the_warning_says_whose_spacing_it_is(void **state)
{
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    s.solver->problem.target.spacing = 1;
    sfgp_em_state_set_sigma2(N, 0.64, &em->state);
    sfgp_overlap_warn(em, 10);
    sfgp_assert_has(sfgp_test_warning(), "scatter by 8, 0.8 times the spacing of the target; ");
    em->schedule = s.solver->problem.warm;
    em->coarse.sigma = 1.8, em->coarse.spacing = 2;
    sfgp_overlap_warn(em, 10);
    assert_non_null(
        strstr(sfgp_test_warning(),
               "scatter by 18, 0.9 times the spacing of the part of the target that is fitted first; "));
    test_scene_free(&s);
}

/* Each target point counts in full there, so that references with other numbers of points can be compared. */
static void the_evidence_does_not_depend_on_the_weight_of_labels(void **state)
{
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    double evidence[2];
    sfgp_assert_ok(*state, sfgp_em_step(em));
    for (int k = 0; k < 2; k++) {
        sfgp_result *r;
        em->label_weight = k == 0 ? 1 : 0.25;
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        sfgp_assert_ok(*state, sfgp_result_new(*state, s.model, &r));
        sfgp_settings_default(r->settings);
        sfgp_result_fill(em, s.model, r);
        evidence[k] = r->evidence;
        sfgp_result_free(r);
    }
    assert_true(isfinite(evidence[0]) && fabs(evidence[0] - evidence[1]) < 1e-9 * fabs(evidence[0]));
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_surface_is_doubtful_when_its_labels_scatter),
        sfgp_unit_test(a_curve_is_not),
        sfgp_unit_test(some_fits_are_judged),
        sfgp_unit_test(an_open_pose_is_a_doubt),
        sfgp_unit_test(some_curves_expect_an_error),
        sfgp_unit_test(only_converged_fits_become_doubtful),
        sfgp_unit_test(the_warning_says_whose_spacing_it_is),
        sfgp_unit_test(the_evidence_does_not_depend_on_the_weight_of_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
