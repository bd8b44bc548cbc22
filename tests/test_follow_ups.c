/* When each question after the first fit is asked (fit/follow_ups.h). */
#include "fit/follow_ups.h"
#include "search/effort.h"
#include "support/fit.h"
#include "support/support.h"

#include <stddef.h>
#include <string.h>

#define SETTING(name) offsetof(sfgp_settings, name)
enum { NONE = 0 }; /* where the size of the struct stands */

/* A letter for what keeps it from being asked: u not converged, t a limit of time, c clutter, a an area that is not known, r a scan that was not rounded,
 * l landmarks, q effort quick. */
static const struct {
    sfgp_follow_up row;
    size_t setting;
    const char *kept_by;
} ROWS[] = {
    {SFGP_FOLLOW_UP_CLUTTER, NONE, ""},
    {SFGP_FOLLOW_UP_WALLS, SETTING(walls), "utcar"},
    {SFGP_FOLLOW_UP_FUZZY, SETTING(fuzzy), "utcar"},
    {SFGP_FOLLOW_UP_ASYMMETRY, SETTING(symmetry), "utcal"},
    {SFGP_FOLLOW_UP_ADAPT, SETTING(adapt), "utcalq"},
    {SFGP_FOLLOW_UP_CLOSURES, SETTING(closures), "utcar"},
    {SFGP_FOLLOW_UP_SIDES, NONE, "q"},
    {SFGP_FOLLOW_UP_BESIDE, SETTING(reject), "utcaq"},
    {SFGP_FOLLOW_UP_SIZE, SETTING(reject), "lq"},
};
enum { COUNT = sizeof ROWS / sizeof *ROWS };

static int64_t *setting_of(sfgp_solver *solver, int k)
{
    return (int64_t *)((char *)&solver->settings + ROWS[k].setting);
}

static void change(sfgp_context *context, char what, sfgp_solver *solver)
{
    static const sfgp_em_landmarks SOME = {.weights = NULL};
    sfgp_em_problem *problem = &solver->problem;
    if (what == 't')
        solver->settings.max_time = 1e6;
    else if (what == 'c')
        problem->clutter = 0.6;
    else if (what == 'a')
        problem->area = 0;
    else if (what == 'r')
        solver->scan.first = NULL;
    else if (what == 'l')
        problem->landmarks = &SOME;
    else if (what == 'q')
        sfgp_assert_ok(context, sfgp_effort_find(context, "quick", &problem->effort));
}

static void each_row_is_asked_in_its_conditions(void **state)
{
    test_fit fit = test_fit_moved_ear(*state, 6, 0);
    sfgp_solver *solver = fit.solver;
    const sfgp_solver before = *solver;
    for (const char *what = " utcarlq"; *what; what++) {
        change(*state, *what, solver);
        for (int k = 0; k < COUNT; k++) {
            const bool kept = strchr(ROWS[k].kept_by, *what) != NULL;
            const sfgp_outcome outcome = *what == 'u' ? SFGP_MAX_ITERATIONS : SFGP_CONVERGED;
            assert_int_equal(sfgp_follow_up_applies(ROWS[k].row, solver, outcome), !kept);
        }
        *solver = before;
    }
    test_fit_free(&fit);
}

/* By its own setting, and by no other one. */
static void each_setting_switches_its_rows_off(void **state)
{
    test_fit fit = test_fit_moved_ear(*state, 6, 0);
    for (int k = 0; k < COUNT; k++)
        if (ROWS[k].setting)
            *setting_of(fit.solver, k) = 0;
    for (int k = 0; k < COUNT; k++) {
        const bool applies = sfgp_follow_up_applies(ROWS[k].row, fit.solver, SFGP_CONVERGED);
        assert_int_equal(applies, !ROWS[k].setting);
        if (applies)
            continue;
        *setting_of(fit.solver, k) = 1;
        assert_true(sfgp_follow_up_applies(ROWS[k].row, fit.solver, SFGP_CONVERGED));
        *setting_of(fit.solver, k) = 0;
    }
    test_fit_free(&fit);
}

static void every_row_is_there_once(void **state)
{
    (void)state;
    assert_int_equal(COUNT, SFGP_FOLLOW_UPS);
    for (int k = 0; k < COUNT; k++)
        assert_int_equal(ROWS[k].row, k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(each_row_is_asked_in_its_conditions),
        sfgp_unit_test(each_setting_switches_its_rows_off),
        sfgp_unit_test(every_row_is_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
