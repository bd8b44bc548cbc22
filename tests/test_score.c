/* Score: what a fit counts. */
#include "search/score.h"
#include "em/landmarks.h"
#include "em/loop.h"
#include "em/mixing.h"
#include "support/curve.h"

#include <math.h>
#include <string.h>

enum { N = TEST_CURVE };

/* bound - BIC of the mixing weights - 10 (1 - cos) - misfit of the landmarks / 2; nothing is no fit. */
static void a_score_is_the_bound_less_what_speaks_against_it(void **state)
{
    test_curve s = test_curve_new(*state, (test_curve_scan){.outliers = TEST_CURVE_OUTLIERS});
    sfgp_em *em = s.em;
    double score, misfit;
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 4, s.reference, s.truth, 0));
    sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.mesh));
    for (int k = 0; k < 4; k++) {
        sfgp_em_start start = em->state.start;
        const double c = cos(0.9 * (k & 1)), n = sin(0.9 * (k & 1));
        memcpy(start.pose.rotation, (double[]){c, -n, n, c}, 4 * sizeof(double));
        start.regional = k >> 1;
        sfgp_assert_ok(*state, sfgp_em_begin(em, &start));
        sfgp_assert_ok(*state, sfgp_em_step(em));
        sfgp_assert_ok(*state, sfgp_landmarks_misfit(em, &start.pose, &misfit));
        const double bic = sfgp_mixing_bic(em), turning = 10 * (1 - c);
        assert_true((k & 1) == 0 || (misfit > 1 && turning > 1));
        assert_true((bic > 1) == start.regional);
        sfgp_assert_ok(*state, sfgp_search_score(em, &score));
        assert_true(fabs(score - (em->state.bound - bic - turning - 0.5 * misfit)) < 1e-9 * fabs(score));
    }
    const double omega = em->state.omega;
    em->state.omega = 0.8; /* nearly all are outliers */
    sfgp_assert_ok(*state, sfgp_search_score(em, &score));
    assert_true(score == -HUGE_VAL);
    em->state.omega = omega;
    em->responsibilities.missing = N;
    sfgp_assert_ok(*state, sfgp_search_score(em, &score));
    assert_true(score == -HUGE_VAL);
    test_curve_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_score_is_the_bound_less_what_speaks_against_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
