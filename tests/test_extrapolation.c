/* Extrapolation: where it goes, its bound, how it is retracted, and that fits end where those of plain EM end,
 * sooner. */
#include "em/extrapolation.h"
#include "em/estep.h"
#include "em/loop.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 90, D = 2 };

/* What a step leaves. */
typedef struct point {
    double points[N * D], sigma2, divergence, bound;
    bool extrapolated;
} point;

static point step(sfgp_context *context, sfgp_em *em)
{
    point x;
    sfgp_assert_ok(context, sfgp_em_step(em));
    memcpy(x.points, em->state.points, sizeof x.points);
    x.sigma2 = em->state.sigma2[0];
    x.divergence = em->state.divergence;
    x.bound = em->state.bound;
    x.extrapolated = em->extrapolation.pending;
    return x;
}

/* Steps to the first extrapolation that may be so long; x0 and x1 are those of the path, and x2 is where the
 * posterior is. */
static point extrapolation_after(sfgp_context *context, sfgp_em *em, double longest, point *x0, point *x1)
{
    point x = {0};
    for (int k = 0; k < 300; k++) {
        const double allowed = em->extrapolation.most;
        *x0 = *x1;
        *x1 = x;
        x = step(context, em);
        if (x.extrapolated && allowed >= longest)
            return x;
        assert_false(em->settled);
    }
    fail_msg("no extrapolation in 300 steps");
    return x;
}

/* x = x0 + 2 a r + a^2 w with one a > 1 for all coordinates and, within its limit, ln sigma2. */
static void it_continues_along_the_steps(void **state)
{
    for (int training = 0; training <= 5; training += 5) {
        test_scene s = test_scene_new(*state, N, D, training);
        const sfgp_em *em = s.solver->em;
        point x0 = {0}, x1 = {0};
        const point x = extrapolation_after(*state, s.solver->em, 4, &x0, &x1);
        const double *x2 = em->posterior.mean;
        double rr = 0, ww = 0;
        for (int k = 0; k < N * D; k++) {
            const double r = x1.points[k] - x0.points[k], w = x2[k] - x1.points[k] - r;
            rr += r * r;
            ww += w * w;
        }
        const double a = fmin(fmax(sqrt(rr / ww), 1), 4);
        assert_true(a > 1);
        for (int k = 0; k < N * D; k++) {
            const double r = x1.points[k] - x0.points[k], w = x2[k] - x1.points[k] - r;
            assert_true(fabs(x.points[k] - (x0.points[k] + 2 * a * r + a * a * w)) < 1e-12);
        }
        for (int i = 0; i < N; i++)
            assert_true(em->state.sigma2[i] == x.sigma2);
        assert_false(em->settled);
        test_scene_free(&s);
    }
}

/* Its points have coefficients, and with the covariance of x2 a divergence from the prior. */
static void it_has_a_bound(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 5);
    const sfgp_em *em = s.solver->em;
    point x0 = {0}, x1 = {0};
    const point x = extrapolation_after(*state, s.solver->em, 4, &x0, &x1);
    const int64_t m = sfgp_basis_size(&s.model->basis);
    const double *c = em->extrapolation.path[0] + N * D, *c2 = em->extrapolation.path[2] + N * D;
    double points[N * D], more = 0;
    sfgp_basis_multiply(&s.model->basis, c, 0, N, points);
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(points[k] - x.points[k]) < 1e-12);
    for (int64_t k = 0; k < m; k++)
        more += 0.5 * (c[k] * c[k] - c2[k] * c2[k]);
    assert_true(fabs(more) > 1e-6);
    assert_true(fabs(x.divergence - sfgp_posterior_divergence(&em->posterior) - more) <
                1e-9 * fabs(x.divergence));
    test_scene_free(&s);
}

/* Rejected (guard.h), it goes back to x2, and the next may be a quarter as long. */
static void retracted_it_is_x2(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    point x0 = {0}, x1 = {0};
    const point x = extrapolation_after(*state, em, 1, &x0, &x1);
    const double longest = em->extrapolation.most, before = em->extrapolation.divergence;
    const double *x2 = em->extrapolation.path[2];
    assert_true(fabs(x.divergence - before) > 1e-9 && em->extrapolation.bound == x.bound);
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    sfgp_extrapolation_retract(em);
    assert_false(em->extrapolation.pending);
    assert_memory_equal(em->state.points, em->posterior.mean, N * D * sizeof(double));
    assert_memory_equal(em->state.coefficients, sfgp_posterior_coefficients(&em->posterior),
                        (size_t)sfgp_basis_size(&s.model->basis) * sizeof(double));
    assert_true(em->state.divergence == before);
    assert_true(fabs(em->state.sigma2[0] / exp(x2[N * D + sfgp_basis_size(&s.model->basis)]) - 1) < 1e-14);
    assert_true(em->extrapolation.most == fmax(longest / 4, 1));
    test_scene_free(&s);
}

static void one_that_loses_little_stays(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    point x0 = {0}, x1 = {0};
    const point x = extrapolation_after(*state, em, 1, &x0, &x1);
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    em->state.bound = x.bound - 0.09 * s.shapes->m;
    assert_false(sfgp_guard_rejects(em));
    em->label_weight = 0.5; /* two count as one */
    assert_true(sfgp_guard_rejects(em));
    em->state.bound = x.bound - 0.04 * s.shapes->m;
    assert_false(sfgp_guard_rejects(em));
    assert_memory_equal(em->state.points, x.points, sizeof x.points);
    test_scene_free(&s);
}

/* Plain EM: the path is forgotten before each step. Returns how many there were. */
static int fit(sfgp_context *context, sfgp_em *em, bool plain)
{
    int steps = 0;
    for (em->settled = false; !em->settled && steps < 3000; steps++) {
        if (plain)
            sfgp_extrapolation_reset(em);
        sfgp_assert_ok(context, sfgp_em_step(em));
    }
    return steps;
}

/* Steps of a fit that rests are a thousandth of sigma: many of them add up. */
static void fits_end_where_plain_ones_do(void **state)
{
    int sum[2] = {0};
    for (int training = 0; training <= 5; training += 5) {
        test_scene plain = test_scene_new(*state, N, D, training),
                   quick = test_scene_new(*state, N, D, training);
        const sfgp_em *slow = plain.solver->em, *fast = quick.solver->em;
        sum[0] += fit(*state, plain.solver->em, true);
        sum[1] += fit(*state, quick.solver->em, false);
        assert_true(slow->settled && fast->settled);
        const double sigma = sqrt(fast->state.sigma2[0]);
        double most = 0;
        for (int k = 0; k < N * D; k++)
            most = fmax(most, fabs(slow->state.points[k] - fast->state.points[k]));
        if (!(most < 0.05 * sigma))
            fail_msg("%d shapes: %g sigma apart", training, most / sigma);
        assert_true(fast->state.bound > slow->state.bound - 0.1);
        test_scene_free(&plain);
        test_scene_free(&quick);
    }
    if (!(sum[1] < 0.8 * sum[0]))
        fail_msg("%d steps, %d of plain EM", sum[1], sum[0]);
}

/* The last step that is allowed ends at a posterior. */
static void a_fit_never_ends_with_one(void **state)
{
    for (int most = 21; most < 40; most++) {
        test_scene s = test_scene_new(*state, N, D, 0);
        sfgp_em *em = s.solver->em;
        sfgp_outcome outcome;
        em->max_iterations = most;
        sfgp_assert_ok(*state, sfgp_em_run(em, &outcome));
        assert_memory_equal(em->state.points, em->posterior.mean, N * D * sizeof(double));
        test_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(it_continues_along_the_steps), sfgp_unit_test(it_has_a_bound),
        sfgp_unit_test(retracted_it_is_x2),           sfgp_unit_test(one_that_loses_little_stays),
        sfgp_unit_test(fits_end_where_plain_ones_do), sfgp_unit_test(a_fit_never_ends_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
