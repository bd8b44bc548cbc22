/* Outlier weight and mixing weights: what is learned from the responsibilities of an E-step. */
#include "em/mixing.h"
#include "support/curve.h"

#include <math.h>
#include <string.h>

enum { N = TEST_CURVE };

/* Means of nu over a third of the shape and a hundredth of a label, scaled to the mean 1. */
static void mixing_weights_follow_the_mass_of_the_neighbourhood(void **state)
{
    test_curve s = test_curve_with_masses(*state, true);
    sfgp_em_state *fit = &s.em->state;
    double means[N];
    for (fit->iteration = 9; fit->iteration < 11; fit->iteration++) {
        sfgp_mixing_learn(s.em);
        if (fit->iteration == 9)
            for (int i = 0; i < N; i++)
                assert_true(fit->mixing[i] == 1); /* of the start for 10 iterations */
        assert_true(fit->iteration > 9 || fit->omega == 0.3);
    }
    test_curve_smooth(&s, N / 3, s.em->responsibilities.mass, means);
    for (int i = 0; i < N; i++)
        means[i] += 0.01;
    const double all = test_curve_total(means) / N;
    for (int i = 0; i < N; i++)
        assert_true(fabs(fit->mixing[i] - means[i] / all) < 1e-13);
    assert_true(fabs(test_curve_total(fit->mixing) / N - 1) < 1e-14);
    assert_true(fit->mixing[20] < 0.6 && fit->mixing[50] > 1.2);
    test_curve_free(&s);
}

/* omega = 1 - sum nu / N_S, between 0.001 and 0.8; with equal masses the mixing weights rest. */
static void the_outlier_weight_is_the_share_without_mass(void **state)
{
    for (int regional = 0; regional < 2; regional++) {
        test_curve s = test_curve_with_masses(*state, regional);
        sfgp_em_state *fit = &s.em->state;
        double *mass = s.em->responsibilities.mass;
        const double share = 1 - test_curve_total(mass) / s.targets;
        fit->iteration = 10;
        sfgp_mixing_learn(s.em);
        assert_true(fabs(fit->omega - share) < 1e-14 && share > 0.1);
        assert_int_equal(fit->mixing[20] == 1 && fit->mixing[50] == 1, !regional);
        assert_false(sfgp_mixing_all_outliers(s.em));
        for (int i = 0; i < N; i++)
            mass[i] = (double)s.targets / N;
        sfgp_mixing_learn(s.em);
        assert_true(fit->omega == 1e-3);
        memset(mass, 0, N * sizeof(double));
        sfgp_mixing_learn(s.em);
        assert_true(fit->omega == 0.8 && sfgp_mixing_all_outliers(s.em));
        test_curve_free(&s);
    }
}

/* Clutter of 0.9 leaves a tenth of the scan, of which the limits are 0 and 0.8. */
static void clutter_belongs_to_the_outliers(void **state)
{
    test_curve s = test_curve_with_masses(*state, false);
    sfgp_em_state *fit = &s.em->state;
    double *mass = s.em->responsibilities.mass;
    s.solver->problem.clutter = 0.9;
    fit->iteration = 10;
    sfgp_mixing_learn(s.em);
    assert_true(fit->omega == 0.9); /* the masses are more than a tenth */
    assert_false(sfgp_mixing_all_outliers(s.em));
    memset(mass, 0, N * sizeof(double));
    sfgp_mixing_learn(s.em);
    assert_true(fabs(fit->omega - 0.98) < 1e-15 && sfgp_mixing_all_outliers(s.em));
    const sfgp_em_start start = sfgp_em_standard_start(&s.solver->problem);
    sfgp_assert_ok(*state, sfgp_em_begin(s.em, &start));
    assert_true(start.omega < 0.9 && fit->omega == 0.9);
    test_curve_free(&s);
}

/* A start with late mixing keeps its weights for 40 iterations. */
static void late_mixing_is_learned_after_forty_iterations(void **state)
{
    test_curve s = test_curve_with_masses(*state, true);
    sfgp_em_state *fit = &s.em->state;
    fit->start.late_mixing = true;
    fit->iteration = 39;
    sfgp_mixing_learn(s.em);
    assert_true(fit->omega == 0.3 && fit->mixing[20] == 1);
    fit->iteration = 40;
    sfgp_mixing_learn(s.em);
    assert_true(fit->omega != 0.3 && fit->mixing[20] < 0.6);
    test_curve_free(&s);
}

static void regional_mixing_weights_cost_three_neighbourhoods(void **state)
{
    test_curve s = test_curve_with_masses(*state, true);
    const double cost = sfgp_mixing_bic(s.em);
    assert_true(cost > 0 && fabs(cost / (0.5 * log((double)s.targets)) - 3) < 0.2);
    s.em->state.start.regional = false;
    assert_true(sfgp_mixing_bic(s.em) == 0);
    test_curve_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(mixing_weights_follow_the_mass_of_the_neighbourhood),
        sfgp_unit_test(the_outlier_weight_is_the_share_without_mass),
        sfgp_unit_test(clutter_belongs_to_the_outliers),
        sfgp_unit_test(late_mixing_is_learned_after_forty_iterations),
        sfgp_unit_test(regional_mixing_weights_cost_three_neighbourhoods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
