/* Proposals: a fit that has ended gets better or stays, by REHEAT, REPOSE and TURN. */
#include "search/proposals.h"
#include "em/loop.h"
#include "geom/rotations.h"
#include "search/halving.h"
#include "search/score.h"
#include "search/tuning.h"
#include "support/curve.h"
#include "support/fit.h"

#include <math.h>
#include <string.h>

enum { N = TEST_CURVE };

/* A curve turned by so many degrees, and a fit in place that has converged, mostly next to the right
 * labels. */
static test_curve converged(sfgp_context *context, double degrees, double sigma2, bool regional,
                            sfgp_outcome *outcome)
{
    test_curve s = test_curve_new(context, (test_curve_scan){degrees, 0.4 * degrees, 0, TEST_CURVE_OUTLIERS});
    sfgp_assert_ok(context, sfgp_solver_load(s.solver, s.mesh));
    sfgp_em_start start = s.em->state.start;
    start.sigma2 = sigma2, start.omega = 0.1, start.regional = regional;
    sfgp_assert_ok(context, sfgp_em_begin(s.em, &start));
    sfgp_assert_ok(context, sfgp_em_run(s.em, outcome));
    assert_int_equal(*outcome, SFGP_CONVERGED);
    return s;
}

static void assert_same_state(const sfgp_em *a, const sfgp_em *b)
{
    assert_int_equal(a->state.size, b->state.size);
    assert_memory_equal(a->state.values, b->state.values, (size_t)a->state.size * sizeof(double));
    assert_memory_equal(a->state.pose.rotation, b->state.pose.rotation, sizeof a->state.pose.rotation);
    assert_memory_equal(a->state.pose.shift, b->state.pose.shift, sizeof a->state.pose.shift);
    assert_true(a->state.omega == b->state.omega);
    assert_true(a->state.bound == b->state.bound);
}

/* ---- REHEAT ------------------------------------------------------------------------------------------ */

/* The fit gets better or stays, the state is that of the bound, and once is enough. 1e-3 nats: mixing
 * weights, which are smoothed, follow the responsibilities, but are no maximum of the bound. */
static void reheating_does_not_lower_the_bound(void **state)
{
    double gained = 0;
    for (int k = 0; k < 10; k++) {
        sfgp_outcome outcome;
        test_curve s = converged(*state, 5.0 * k, 0.01, true, &outcome);
        const double before = s.em->state.bound;
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REHEAT, &outcome));
        assert_true(s.em->state.bound >= before - 1e-3);
        gained = fmax(gained, s.em->state.bound - before);
        const double once = s.em->state.bound;
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REHEAT, &outcome));
        assert_true(k == 0 || s.em->state.bound < once + 1); /* exact data: the bound has no maximum */
        test_curve_free(&s);
    }
    assert_true(gained > 1);
}

/* The iterations before lead to where it does not start: an extrapolation of them would take it back
 * there. */
static void reheating_forgets_the_path_of_the_extrapolation(void **state)
{
    for (int k = 1; k < (SFGP_TEST_SLOW ? 3 : 6); k++) {
        sfgp_outcome outcome;
        test_curve s = converged(*state, 5 * k, 0.01, true, &outcome),
                   twin = converged(*state, 5 * k, 0.01, true, &outcome);
        sfgp_em_extrapolation *extrapolation = &s.em->extrapolation;
        extrapolation->pending = true;
        extrapolation->bound = INFINITY;
        memset(extrapolation->path[2], 0, 2 * N * sizeof(double));
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REHEAT, &outcome));
        sfgp_assert_ok(*state, sfgp_proposals_run(twin.em, SFGP_PROPOSE_REHEAT, &outcome));
        assert_same_state(s.em, twin.em);
        assert_int_equal(s.em->state.iteration, twin.em->state.iteration);
        test_curve_free(&s);
        test_curve_free(&twin);
    }
}

/* Neither a proposal that finds nothing better (15 degrees), nor one that does but has not converged when the
 * iterations end (10): after both factors the state is the snapshot and an iteration for each. */
static void rejected_reheating_leaves_no_trace(void **state)
{
    for (int k = 0; k < 2; k++) {
        sfgp_outcome outcome;
        test_curve s = converged(*state, k == 0 ? 15 : 10, 0.01, true, &outcome);
        test_curve twin = converged(*state, k == 0 ? 15 : 10, 0.01, true, &outcome);
        if (k == 1)
            s.em->max_iterations = s.em->state.iteration + 12;
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REHEAT, &outcome));
        assert_int_equal(outcome, SFGP_CONVERGED);
        assert_true(s.em->state.iteration > twin.em->state.iteration + 10); /* something was tried */
        for (int factor = 0; factor < 2; factor++)
            sfgp_assert_ok(*state, sfgp_em_step(twin.em));
        assert_same_state(s.em, twin.em);
        test_curve_free(&s);
        test_curve_free(&twin);
    }
}

/* Iterations of heated fits, none of which is better: of an ear under the stiff prior, or under the prior as it is. */
static int64_t count_heated(sfgp_context *context, bool stiff)
{
    test_fit s = test_fit_moved_ear(context, 1, 0);
    sfgp_em_start start = sfgp_em_standard_start(&s.solver->problem);
    sfgp_outcome outcome;
    start.prior = stiff ? SFGP_PRIOR_STIFF : SFGP_PRIOR_AS_IS;
    sfgp_assert_ok(context, sfgp_em_begin(s.em, &start));
    sfgp_assert_ok(context, sfgp_em_run(s.em, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    const int64_t before = s.em->iterations;
    sfgp_assert_ok(context, sfgp_proposals_run(s.em, SFGP_PROPOSE_REHEAT, &outcome));
    const int64_t count = s.em->iterations - before;
    test_fit_free(&s);
    return count;
}

/* By 8 under the stiff prior: 10 iterations, by 80 it would take 20. By 80 under the other one: 17. */
static void a_stiff_surface_is_heated_less(void **state)
{
    const int64_t stiff = count_heated(*state, true), as_is = count_heated(*state, false);
    assert_true(0 < stiff && stiff < as_is);
}

static void a_fit_that_has_not_converged_is_not_reheated(void **state)
{
    sfgp_outcome outcome;
    test_curve s = converged(*state, 10, 0.01, true, &outcome);
    const int64_t iterations = s.em->iterations;
    outcome = SFGP_MAX_ITERATIONS;
    sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REHEAT, &outcome));
    assert_int_equal(s.em->iterations, iterations);
    assert_int_equal(outcome, SFGP_MAX_ITERATIONS);
    test_curve_free(&s);
}

/* ---- REPOSE ------------------------------------------------------------------------------------------ */

/* The rigid motion from the prior mean to a fit, in closed form. */
static sfgp_similarity motion_of(const sfgp_em *em)
{
    const double *from = em->problem->basis->mean;
    double to[2 * N], mean[4] = {0}, along = 0, across = 0;
    sfgp_similarity pose = sfgp_similarity_identity(2);
    sfgp_similarity_apply(&em->state.pose, N, em->state.points, to);
    for (int k = 0; k < 2 * N; k++) {
        mean[k % 2] += from[k] / N;
        mean[2 + k % 2] += to[k] / N;
    }
    for (int i = 0; i < N; i++) {
        const double x = from[2 * i] - mean[0], y = from[2 * i + 1] - mean[1], u = to[2 * i] - mean[2],
                     v = to[2 * i + 1] - mean[3];
        along += x * u + y * v;
        across += x * v - y * u;
    }
    pose.rotation[0] = pose.rotation[3] = along / hypot(along, across);
    pose.rotation[2] = across / hypot(along, across);
    pose.rotation[1] = -pose.rotation[2];
    for (int a = 0; a < 2; a++)
        pose.shift[a] = mean[2 + a] - pose.rotation[2 * a] * mean[0] - pose.rotation[2 * a + 1] * mean[1];
    return pose;
}

/* Fits, each from the motion of the last, at most three and as long as their scores grow by 0.5: the best
 * score, its pose, and how many were accepted. After a rejected one the best has taken one more iteration. The
 * fit ends anywhere. */
static int best_of_chain(sfgp_context *context, sfgp_em *em, double *best, sfgp_similarity *pose)
{
    int accepted = 0;
    sfgp_assert_ok(context, sfgp_search_score(em, best));
    *pose = em->state.pose;
    for (double score, continued; accepted < 3; accepted++) {
        sfgp_outcome outcome;
        const sfgp_em_start start = {motion_of(em), 0.1, 0.1, em->state.start.regional, false, false};
        sfgp_assert_ok(context, sfgp_em_step(em));
        sfgp_assert_ok(context, sfgp_search_score(em, &continued));
        sfgp_assert_ok(context, sfgp_em_begin(em, &start));
        sfgp_assert_ok(context, sfgp_em_run(em, &outcome));
        sfgp_assert_ok(context, sfgp_search_score(em, &score));
        if (score <= *best + 0.5) {
            *best = continued;
            break;
        }
        *best = score;
        *pose = start.pose;
    }
    return accepted;
}

/* Nothing is accepted at 30 degrees, one or two fits at 5 and 10, and three at 35, where a fourth would be
 * better. 0.1: maxima differ by more, and a fit that has converged is nearer to its own. */
static void reposing_keeps_the_best_of_its_chain(void **state)
{
    static const double degrees[] = {5, 10, 20, 30, 35};
    int accepted[4] = {0};
    for (int k = 0; k < 10; k++) {
        sfgp_outcome outcome;
        sfgp_similarity pose;
        double best, score;
        test_curve s = converged(*state, degrees[k / 2], 0.1, k % 2, &outcome);
        test_curve twin = converged(*state, degrees[k / 2], 0.1, k % 2, &outcome);
        accepted[best_of_chain(*state, twin.em, &best, &pose)]++;
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REPOSE, &outcome));
        sfgp_assert_ok(*state, sfgp_search_score(s.em, &score));
        if (!(fabs(score - best) < 0.1))
            fail_msg("%g degrees: %g, the best of the chain is %g", degrees[k / 2], score, best);
        assert_int_equal(outcome, SFGP_CONVERGED);
        assert_int_equal(s.em->state.start.regional, k % 2);
        for (int a = 0; a < 4; a++)
            assert_true(fabs(s.em->state.pose.rotation[a] - pose.rotation[a]) < 1e-3);
        for (int a = 0; a < 2; a++)
            assert_true(fabs(s.em->state.pose.shift[a] - pose.shift[a]) < 1e-3);
        test_curve_free(&s);
        test_curve_free(&twin);
    }
    assert_true(accepted[0] > 0 && accepted[1] > 0 && accepted[2] > 0 && accepted[3] > 0);
}

/* 30 degrees: the state is the snapshot and one step, also of the start. */
static void rejected_reposing_leaves_no_trace(void **state)
{
    for (int regional = 0; regional < 2; regional++) {
        sfgp_outcome outcome;
        test_curve s = converged(*state, 30, 0.1, regional, &outcome),
                   twin = converged(*state, 30, 0.1, regional, &outcome);
        const int64_t iterations = s.em->iterations;
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_REPOSE, &outcome));
        assert_int_equal(outcome, SFGP_CONVERGED);
        assert_int_equal(s.em->starts, twin.em->starts + 1); /* something was tried */
        assert_true(s.em->iterations > iterations + 10);
        sfgp_assert_ok(*state, sfgp_em_step(twin.em));
        assert_same_state(s.em, twin.em);
        assert_int_equal(s.em->state.iteration, twin.em->state.iteration - 1); /* to restore is none */
        assert_memory_equal(s.em->state.start.pose.rotation, twin.em->state.start.pose.rotation,
                            sizeof twin.em->state.start.pose.rotation);
        assert_true(s.em->state.start.sigma2 == twin.em->state.start.sigma2);
        test_curve_free(&s);
        test_curve_free(&twin);
    }
}

/* A fit in place of an ear that is turned by so many degrees, and what REPOSE gains. */
static double gain_of_reposing(sfgp_context *context, test_fit *s)
{
    const sfgp_em_start start = sfgp_em_standard_start(s->em->problem);
    sfgp_outcome outcome;
    double before, after;
    sfgp_assert_ok(context, sfgp_solver_load(s->solver, s->target));
    sfgp_assert_ok(context, sfgp_em_begin(s->em, &start));
    sfgp_assert_ok(context, sfgp_em_run(s->em, &outcome));
    sfgp_assert_ok(context, sfgp_search_score(s->em, &before));
    sfgp_assert_ok(context, sfgp_proposals_run(s->em, SFGP_PROPOSE_REPOSE, &outcome));
    sfgp_assert_ok(context, sfgp_search_score(s->em, &after));
    return after - before;
}

/* A shape of many points goes on from its rigid motion where the fit has turned it by more than 10 degrees. */
static void a_fit_that_has_left_its_pose_is_reposed(void **state)
{
    static const double degrees[] = {4, 30};
    for (int far = 0; far < 2; far++) {
        test_fit s = test_fit_ear(*state, 2, degrees[far], 0.004, true);
        const double gain = gain_of_reposing(*state, &s);
        if (far ? !(gain > 50) : gain != 0)
            fail_msg("turned by %g: %g nats", degrees[far], gain);
        assert_int_equal(s.em->starts > 1, far);
        assert_int_equal(sfgp_rotation_cosine(s.em->state.pose.rotation, 3) < 0.95, far);
        test_fit_free(&s);
    }
}

/* ---- TURN -------------------------------------------------------------------------------------------- */

/* A fit in place of a scan that is turned: the proposal finds the turn. */
static void a_whole_with_a_large_residual_is_turned(void **state)
{
    static const double degrees[] = {135, 165};
    for (int k = 0; k < (SFGP_TEST_SLOW ? 1 : 2); k++) {
        test_fit s = test_fit_ear(*state, 2, degrees[k], 0.004, true);
        const sfgp_em_start start = sfgp_em_standard_start(s.em->problem);
        sfgp_outcome outcome;
        double before, after;
        sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.target));
        sfgp_assert_ok(*state, sfgp_em_begin(s.em, &start));
        sfgp_assert_ok(*state, sfgp_em_run(s.em, &outcome));
        sfgp_assert_ok(*state, sfgp_search_score(s.em, &before));
        assert_false(test_fit_is_turned(&s));
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_TURN, &outcome));
        sfgp_assert_ok(*state, sfgp_search_score(s.em, &after));
        assert_true(test_fit_is_turned(&s) && after > before);
        assert_true(sfgp_em_motion(s.em, &s.em->state.pose)); /* the motion that the truth has */
        const double turned = acos(sfgp_rotation_cosine(s.em->state.pose.rotation, 3)) * 180 / acos(-1);
        if (!(fabs(turned - degrees[k]) < 10))
            fail_msg("turned by %g, found %g degrees", degrees[k], turned);
        test_fit_free(&s);
    }
}

/* A reference that is coarser than the scan has labels that scatter by more than the spacing of the scan. */
static void the_coarser_shape_says_what_is_scattered(void **state)
{
    test_fit s = test_fit_moved_ear(*state, 6, 0);
    sfgp_em_problem *problem = &s.solver->problem;
    const double spacing = 3 * problem->target.spacing,
                 most = sfgp_tuning_of(&s.model->basis)->doubtful_sigma * spacing;
    sfgp_outcome outcome = SFGP_CONVERGED;
    problem->shape_area = (double)s.n * spacing * spacing, problem->area = 0;
    for (int above = 0; above < 2; above++) {
        sfgp_assert_ok(*state, sfgp_em_step(s.em));
        sfgp_em_state_set_sigma2(s.n, pow(most * (above ? 1.01 : 0.99), 2), &s.em->state);
        const int64_t before = s.em->starts;
        sfgp_assert_ok(*state, sfgp_proposals_run(s.em, SFGP_PROPOSE_TURN, &outcome));
        assert_int_equal(s.em->starts > before, above);
    }
    test_fit_free(&s);
}

/* A noisy scan is no nearer when it is turned: the first fit is restored, and is no worse for it. */
static void what_is_no_better_turned_stays(void **state)
{
    test_fit s = test_fit_ear(*state, 3, 0, 0.05, false);
    const double most = sfgp_tuning_of(&s.model->basis)->residual_most;
    sfgp_shortlist list;
    bool turned;
    sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.target));
    sfgp_assert_ok(*state, sfgp_halving_run(s.em, &list, &turned));
    assert_false(turned);
    sfgp_result *r = test_run(*state, s.solver, s.target);
    assert_true(sqrt(s.em->state.sigma2[0]) > most * s.em->problem->target.spacing);
    assert_false(test_fit_is_turned(&s));
    assert_true(test_fit_error(&s, r->points) < 3);
    assert_int_equal(r->outcome, SFGP_DOUBTFUL); /* noise of 5 % of the radius */
    sfgp_result_free(r);
    test_fit_free(&s);
}

/* Unturned it ends where the search says. */
static void a_good_fit_is_left_alone(void **state)
{
    test_fit s = test_fit_ear(*state, 3, 0, 0.004, false);
    sfgp_result *r = test_run(*state, s.solver, s.target);
    assert_false(test_fit_is_turned(&s));
    assert_true(test_fit_error(&s, r->points) < 1.5);
    sfgp_result_free(r);
    test_fit_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(reheating_does_not_lower_the_bound),
        sfgp_unit_test(reheating_forgets_the_path_of_the_extrapolation),
        sfgp_unit_test(rejected_reheating_leaves_no_trace),
        sfgp_unit_test(a_stiff_surface_is_heated_less),
        sfgp_unit_test(a_fit_that_has_not_converged_is_not_reheated),
        sfgp_long_test(reposing_keeps_the_best_of_its_chain),
        sfgp_unit_test(rejected_reposing_leaves_no_trace),
        sfgp_unit_test(a_fit_that_has_left_its_pose_is_reposed),
        sfgp_unit_test(a_whole_with_a_large_residual_is_turned),
        sfgp_unit_test(the_coarser_shape_says_what_is_scattered),
        sfgp_long_test(what_is_no_better_turned_stays),
        sfgp_long_test(a_good_fit_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
