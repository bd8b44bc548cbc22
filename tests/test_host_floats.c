/* The floating-point environment of the program that calls the library: fits do not depend on it, and give it back. */
#include "support/shapes.h"
#include "support/support.h"

#include <fenv.h>
#include <string.h>

enum { POINTS = 60, TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static sfgp_result *fit(sfgp_context *context, const test_shapes *shapes, const char *method)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    settings.threads = 2;
    return test_shapes_fit(context, shapes, &settings);
}

static void rounding_up(void)
{
    fesetround(FE_UPWARD);
}

static bool rounds_up(void)
{
    return fegetround() == FE_UPWARD;
}

static void traps(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(TRAPS);
}

static bool has_traps(void)
{
    return fegetexcept() == TRAPS;
}

static const struct host {
    void (*set)(void);
    bool (*is_set)(void);
} HOSTS[] = {{rounding_up, rounds_up}, {traps, has_traps}};

/* With traps a fit ended by SIGFPE, and rounded up it was another one. */
static void the_environment_of_the_host_changes_no_bit(void **state)
{
    static const char *const METHODS[] = {"auto", "sfgp-full", "sfgp-scalar", "closest-point", "bcpd", "cpd"};
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 1);
    for (size_t m = 0; m < sizeof METHODS / sizeof *METHODS; m++) {
        sfgp_result *plain = fit(*state, shapes, METHODS[m]);
        for (size_t k = 0; k < sizeof HOSTS / sizeof *HOSTS; k++) {
            HOSTS[k].set();
            sfgp_result *result = fit(*state, shapes, METHODS[m]);
            const bool kept = HOSTS[k].is_set();
            fesetenv(FE_DFL_ENV);
            assert_true(kept);
            assert_memory_equal(result->points, plain->points, POINTS * 3 * sizeof *plain->points);
            assert_memory_equal(result->sd, plain->sd, POINTS * sizeof *plain->sd);
            sfgp_result_free(result);
        }
        sfgp_result_free(plain);
    }
    test_shapes_free(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_environment_of_the_host_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
