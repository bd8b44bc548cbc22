/* Where the time went: the stages against clocks of the test's own. */
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static void rest(double seconds)
{
    const double end = now() + seconds;
    while (now() < end)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

/* At least so many seconds, of CPU time and on the wall: the two clocks differ by microseconds. */
static void burn(double seconds)
{
    const double end = now() + seconds, end_cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds;
    while (now() < end || seconds_of(CLOCK_PROCESS_CPUTIME_ID) < end_cpu)
        continue;
}

/* The parts add up to the whole, but for rounding. */
static void assert_sums(const sfgp_profile *profile)
{
    double wall = 0, cpu = 0;
    for (int k = 0; k < SFGP_STAGES; k++) {
        const sfgp_stage_time *spent = &profile->stages[k];
        assert_true(spent->wall >= 0 && spent->cpu >= 0 && spent->total >= spent->wall - 1e-9);
        assert_true(spent->calls > 0 || (spent->wall == 0 && spent->cpu == 0 && spent->total == 0));
        wall += spent->wall;
        cpu += spent->cpu;
    }
    assert_true(fabs(wall - profile->wall) < 1e-9 && fabs(cpu - profile->cpu) < 1e-6);
}

static void stages_within_stages_are_told_apart(void **state)
{
    sfgp_profile profile;
    const double start = now(); /* before the first clock of the profile is read */
    sfgp_profile_start(*state);
    const sfgp_mark fit = sfgp_profile_enter(*state, SFGP_STAGE_FIT);
    rest(0.02);
    for (int k = 0; k < 3; k++) {
        const sfgp_mark search = sfgp_profile_enter(*state, SFGP_STAGE_SEARCH);
        const sfgp_mark again = sfgp_profile_enter(*state, SFGP_STAGE_SEARCH); /* counts once */
        const sfgp_mark estep = sfgp_profile_enter(*state, SFGP_STAGE_ESTEP);
        burn(0.01);
        sfgp_profile_leave(*state, estep);
        rest(0.005);
        sfgp_profile_leave(*state, again);
        sfgp_profile_leave(*state, search);
    }
    sfgp_profile_leave(*state, fit);
    rest(0.01);
    sfgp_profile_read(*state, &profile);
    const double whole = now() - start, slack = whole - 0.075; /* what waiting took too long */
    assert_sums(&profile);
    const sfgp_stage_time *s = profile.stages;
    assert_true(slack >= 0 && profile.wall >= 0.075 && profile.wall <= whole);
    assert_true(s[SFGP_STAGE_FIT].calls == 1 && s[SFGP_STAGE_SEARCH].calls == 3 &&
                s[SFGP_STAGE_ESTEP].calls == 3 && s[SFGP_STAGE_OTHER].calls == 1);
    assert_true(s[SFGP_STAGE_ESTEP].wall >= 0.03 && s[SFGP_STAGE_ESTEP].wall <= 0.03 + slack);
    assert_true(s[SFGP_STAGE_SEARCH].wall >= 0.015 && s[SFGP_STAGE_SEARCH].wall <= 0.015 + slack);
    assert_true(s[SFGP_STAGE_FIT].wall >= 0.02 && s[SFGP_STAGE_FIT].wall <= 0.02 + slack);
    assert_true(s[SFGP_STAGE_OTHER].wall >= 0.01 && s[SFGP_STAGE_OTHER].wall <= 0.01 + slack);
    assert_true(s[SFGP_STAGE_ESTEP].cpu >= 0.03 - 1e-6);
    assert_true(s[SFGP_STAGE_ESTEP].cpu > s[SFGP_STAGE_SEARCH].cpu); /* waiting takes little CPU time */
    assert_true(fabs(s[SFGP_STAGE_SEARCH].total - s[SFGP_STAGE_SEARCH].wall - s[SFGP_STAGE_ESTEP].wall) <
                1e-9);
    assert_true(fabs(s[SFGP_STAGE_FIT].total - s[SFGP_STAGE_FIT].wall - s[SFGP_STAGE_SEARCH].total) < 1e-9);
    assert_true(fabs(s[SFGP_STAGE_OTHER].total - profile.wall) < 1e-9);
}

static void nothing_is_measured_unasked(void **state)
{
    static const sfgp_profile NOTHING;
    sfgp_profile profile;
    const sfgp_mark early = sfgp_profile_enter(*state, SFGP_STAGE_READ);
    sfgp_profile_leave(*state, sfgp_profile_enter(*state, SFGP_STAGE_WRITE));
    sfgp_profile_read(*state, &profile);
    assert_memory_equal(&profile, &NOTHING, sizeof profile);
    sfgp_profile_start(*state);
    sfgp_profile_leave(*state, early); /* entered before the start */
    sfgp_profile_read(*state, &profile);
    assert_sums(&profile);
    assert_int_equal(profile.stages[SFGP_STAGE_READ].calls, 0);
}

static void an_open_stage_is_told_up_to_now(void **state)
{
    sfgp_profile before, after;
    sfgp_profile_start(*state);
    const sfgp_mark mark = sfgp_profile_enter(*state, SFGP_STAGE_FIT);
    rest(0.01);
    sfgp_profile_read(*state, &before);
    assert_true(before.stages[SFGP_STAGE_FIT].wall >= 0.01 && before.stages[SFGP_STAGE_FIT].total >= 0.01);
    sfgp_profile_leave(*state, mark);
    const double again = now();
    sfgp_profile_start(*state); /* again from 0 */
    sfgp_profile_read(*state, &after);
    assert_true(after.stages[SFGP_STAGE_FIT].calls == 0 && after.wall <= now() - again);
    assert_sums(&after);
}

static sfgp_result *fit(sfgp_context *context, const char *method, const char *lowrank)
{
    test_shapes *shapes = test_shapes_new(150, 3, 0, 3);
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    strcpy(settings.lowrank, lowrank);
    settings.symmetry = 0; /* one search */
    sfgp_result *result = test_shapes_fit(context, shapes, &settings);
    test_shapes_free(shapes);
    return result;
}

static void a_fit_is_measured_and_stays_the_same(void **state)
{
    static const char *const METHODS[] = {"auto", "sfgp-scalar", "closest-point", "cpd"};
    static const char *const FACTORS[] = {"cholesky", "nystrom", "eigen", "cholesky"};
    for (int k = 0; k < 4; k++) {
        sfgp_context *plain = NULL;
        sfgp_profile profile;
        assert_int_equal(sfgp_context_new(NULL, &plain), SFGP_OK);
        sfgp_result *expected = fit(plain, METHODS[k], FACTORS[k]);
        sfgp_profile_start(*state);
        sfgp_result *result = fit(*state, METHODS[k], FACTORS[k]);
        sfgp_profile_read(*state, &profile);
        const sfgp_stage_time *s = profile.stages;
        assert_sums(&profile);
        assert_memory_equal(result->points, expected->points,
                            (size_t)(result->count * result->dimension) * sizeof(double));
        assert_memory_equal(result->sd, expected->sd, (size_t)result->count * sizeof(double));
        assert_true(s[SFGP_STAGE_FACTOR].calls >= 1 && s[SFGP_STAGE_FIT].calls == 1);
        assert_true(s[SFGP_STAGE_FIT].total <= result->seconds + 1e-3);
        if (k < 3) {
            assert_true(s[SFGP_STAGE_ESTEP].calls >= result->iterations);
            assert_true(s[SFGP_STAGE_MSTEP].calls >= result->iterations);
            assert_true(s[SFGP_STAGE_ESTEP].wall > 0 && s[SFGP_STAGE_TARGET].calls > 0);
        }
        assert_int_equal(s[SFGP_STAGE_SEARCH].calls, k == 0);
        assert_int_equal(s[SFGP_STAGE_UNCERTAINTY].calls, k == 0);
        sfgp_result_free(result);
        sfgp_result_free(expected);
        sfgp_context_free(plain);
    }
}

/* A stage that fails is left as well. */
static void an_error_leaves_no_stage_open(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, 0, 3);
    sfgp_mesh *mesh = test_mesh(*state, shapes->n, shapes->d, shapes->reference);
    sfgp_profile profile, later;
    sfgp_model *model = NULL;
    sfgp_settings settings = test_settings();
    sfgp_profile_start(*state);
    for (int k = 0; k < 60; k++) {
        sfgp_memory_counters.fail_at = k;
        sfgp_status status = sfgp_model_new(*state, mesh, NULL, 0, &settings, &model);
        sfgp_memory_counters.fail_at = -1;
        sfgp_profile_read(*state, &profile);
        rest(0.002);
        sfgp_profile_read(*state, &later);
        assert_true(later.stages[SFGP_STAGE_FACTOR].wall == profile.stages[SFGP_STAGE_FACTOR].wall);
        assert_true(later.stages[SFGP_STAGE_OTHER].wall > profile.stages[SFGP_STAGE_OTHER].wall);
        sfgp_model_free(model);
        if (status == SFGP_OK)
            break;
    }
    assert_true(later.stages[SFGP_STAGE_FACTOR].calls > 1);
    sfgp_mesh_free(mesh);
    test_shapes_free(shapes);
}

static void stages_have_names(void **state)
{
    (void)state;
    for (int k = 0; k < SFGP_STAGES; k++)
        for (int other = 0; other < k; other++)
            assert_string_not_equal(sfgp_stage_name(k), sfgp_stage_name(other));
    assert_string_equal(sfgp_stage_name(SFGP_STAGE_ESTEP), "estep");
    assert_null(sfgp_stage_name(SFGP_STAGES));
    assert_null(sfgp_stage_name(-1));
}

/* A program that knows no stages yet. */
static void a_shorter_profile_is_not_written_past_its_end(void **state)
{
    double block[3] = {0, 0, -1}; /* wall, cpu, and what is not the library's */
    sfgp_profile_start(*state);
    burn(0.001);
    sfgp_profile_read_sized(*state, (sfgp_profile *)(void *)block, 2 * sizeof *block);
    assert_true(block[0] >= 0.001 && block[2] == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(stages_within_stages_are_told_apart),
        sfgp_unit_test(nothing_is_measured_unasked),
        sfgp_unit_test(an_open_stage_is_told_up_to_now),
        sfgp_unit_test(a_fit_is_measured_and_stays_the_same),
        sfgp_unit_test(an_error_leaves_no_stage_open),
        sfgp_unit_test(stages_have_names),
        sfgp_unit_test(a_shorter_profile_is_not_written_past_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
