/* Curves: which of two priors is better, the variance between both fits, and what is noise. */
#include "search/curve.h"
#include "base/memory.h"
#include "em/information.h"
#include "em/loop.h"
#include "geom/measure.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static void assert_near(double x, double expected, double most)
{
    assert_true(fabs(x - expected) <= most);
}

/* sigma: in spacings of the target below 0, of the reference above. */
static void set_sigma(sfgp_em *em, double sigma)
{
    const sfgp_basis *basis = em->problem->basis;
    const double spacing = sigma < 0 ? em->problem->target.spacing
                                     : sfgp_points_spacing(basis->count, basis->dimension, basis->mean);
    sfgp_em_state_set_sigma2(basis->count, sigma * sigma * spacing * spacing, &em->state);
}

/* The stiff fit of a curve has to lose no more than its smaller divergence counts: T - 1 times, T the number of points over 100, and less
 * than 1 never, and less than 100 (T - 1) nats beside that. Nothing counts if the scan holds the vertices; noise of more than 0.6 spacings asks for 20
 * nats beside that. */
static void a_stiff_curve_is_better_by_what_labels_count(void **state)
{
    static const struct {
        int points;
        double sigma, gain;
    } cases[] = {{80, 0.5, 0}, {250, 0.5, 165}, {250, -0.09, 0}, {250, -0.11, 165}, {250, 0.61, 165 - 20}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_scene s = test_scene_new(*state, cases[k].points, 2, 0);
        const sfgp_curve_fit as_is = {100, 30}, stiff = {97, 20};
        set_sigma(s.solver->em, cases[k].sigma);
        assert_near(sfgp_curve_gain_of_stiff(s.solver->em, &stiff, &as_is), cases[k].gain - 3, 1e-9);
        test_scene_free(&s);
    }
}

/* A scene of which the fit under the other prior lies beside the one it has, and is worse by so many nats. */
typedef struct beside {
    test_scene scene;
    sfgp_em *em;
    double shift[2];
} beside;

static beside beside_new(sfgp_context *context, int d, double sigma, double gain)
{
    beside b = {.scene = test_scene_new(context, 80, d, 0), .shift = {0.3, -0.1}};
    sfgp_em_state stiff;
    b.em = b.scene.solver->em;
    set_sigma(b.em, sigma);
    b.em->state.pose.scale = 2;
    sfgp_assert_ok(context, sfgp_em_state_new(context, b.em->problem->basis, true, &stiff));
    sfgp_em_state_copy(&b.em->state, &stiff);
    for (int a = 0; a < 2; a++)
        stiff.pose.shift[a] += b.shift[a];
    sfgp_assert_ok(context, sfgp_curve_set_between(b.em, &stiff, gain));
    sfgp_em_state_clear(&stiff);
    return b;
}

/* N / 10 = 8 nats are one of the odds. The pose is twice as large, so that the fit is half as far away. */
static void the_other_fit_of_a_sampled_curve_counts_by_its_odds(void **state)
{
    static const double gains[] = {0, -8, -80};
    for (size_t k = 0; k < sizeof gains / sizeof *gains; k++) {
        beside b = beside_new(*state, 2, 0.5, gains[k]);
        const double square = (b.shift[0] * b.shift[0] + b.shift[1] * b.shift[1]) / 4;
        for (int i = 0; i < 80; i++)
            assert_near(b.em->between[i], square / 2 / (1 + exp(-gains[k] / 8)), 1e-12);
        sfgp_assert_ok(*state, sfgp_em_take_target(b.em));
        assert_null(b.em->between);
        test_scene_free(&b.scene);
    }
}

/* Of a surface, of a curve whose vertices are shown, of a noisy one, and where either fit explains nothing. */
static void of_others_it_does_not_count(void **state)
{
    static const struct {
        int d;
        double sigma, gain;
    } cases[] = {{3, 0.5, 0}, {2, -0.09, 0}, {2, 0.61, 0}, {2, 0.5, -INFINITY}, {2, 0.5, NAN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        beside b = beside_new(*state, cases[k].d, cases[k].sigma, cases[k].gain);
        assert_null(b.em->between);
        test_scene_free(&b.scene);
    }
}

/* To that by the information. */
static void it_is_added_to_the_variance(void **state)
{
    test_scene s = test_scene_new(*state, 80, 2, 0);
    sfgp_em *em = s.solver->em;
    sfgp_outcome outcome;
    double posterior[80], before[80];
    sfgp_assert_ok(*state, sfgp_em_run(em, &outcome));
    memcpy(posterior, em->state.variance, sizeof posterior);
    sfgp_assert_ok(*state, sfgp_em_information_variance(em, 2));
    memcpy(before, em->state.variance, sizeof before);
    sfgp_assert_ok(*state, sfgp_allocate(*state, 80, &em->between));
    for (int i = 0; i < 80; i++)
        em->between[i] = 0.01 * i;
    memcpy(em->state.variance, posterior, sizeof posterior);
    sfgp_assert_ok(*state, sfgp_em_information_variance(em, 2));
    for (int i = 0; i < 80; i++)
        assert_near(em->state.variance[i], before[i] + 0.01 * i, 1e-9);
    test_scene_free(&s);
}

/* By 0.6 spacings of the reference; a surface never is. */
static void a_curve_may_be_noisy(void **state)
{
    for (int d = 2; d <= 3; d++) {
        test_scene s = test_scene_new(*state, 80, d, 0);
        sfgp_em *em = s.solver->em;
        const double spacing = sfgp_points_spacing(80, d, em->problem->basis->mean);
        sfgp_em_state_set_sigma2(80, pow(0.59 * spacing, 2), &em->state);
        assert_false(sfgp_curve_is_noisy(em));
        sfgp_em_state_set_sigma2(80, pow(0.61 * spacing, 2), &em->state);
        assert_int_equal(sfgp_curve_is_noisy(em), d == 2);
        test_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_stiff_curve_is_better_by_what_labels_count),
        sfgp_unit_test(the_other_fit_of_a_sampled_curve_counts_by_its_odds),
        sfgp_unit_test(of_others_it_does_not_count),
        sfgp_unit_test(it_is_added_to_the_variance),
        sfgp_unit_test(a_curve_may_be_noisy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
