/* Curves: which of two priors is better, and what is noise. */
#include "search/curve.h"
#include "geom/measure.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>

/* The stiff fit of a curve has to lose no more than its smaller divergence counts: T - 1 times, T the number of points over 100, and less
 * than 1 never. Nothing counts if the scan holds the vertices; noise of more than 0.6 spacings asks for 20 nats beside that. */
static void a_stiff_curve_is_better_by_what_labels_count(void **state)
{
    static const struct {
        int points;
        double sigma, threshold; /* sigma: in spacings of the target below 0, of the reference above */
    } cases[] = {{80, 0.5, 0}, {250, 0.5, -15}, {250, -0.09, 0}, {250, -0.11, -15}, {250, 0.61, 5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_scene s = test_scene_new(*state, cases[k].points, 2, 0);
        sfgp_em *em = s.solver->em;
        const sfgp_basis *basis = em->problem->basis;
        const double spacing = cases[k].sigma < 0 ? -em->problem->target.spacing
                                                  : sfgp_points_spacing(basis->count, 2, basis->mean),
                     sigma = cases[k].sigma * spacing;
        const sfgp_curve_fit as_is = {100, 30}, worse = {100 + cases[k].threshold - 1e-9, 20},
                             better = {100 + cases[k].threshold + 1e-9, 20};
        sfgp_em_state_set_sigma2(basis->count, sigma * sigma, &em->state);
        assert_false(sfgp_curve_prefers_stiff(em, &worse, &as_is));
        assert_true(sfgp_curve_prefers_stiff(em, &better, &as_is));
        test_scene_free(&s);
    }
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
        sfgp_unit_test(a_curve_may_be_noisy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
