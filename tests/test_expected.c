/* The expected error of a fit is the mean length of deviations as large as those that it states. */
#include "outcome/expected.h"
#include "base/random.h"
#include "support/support.h"

#include <math.h>

enum { DRAWS = 200000 };

/* The mean length of normal deviations; its standard error is below 0.2 % of it. */
static double mean_length(int dimension, double sd)
{
    double sum = 0;
    sfgp_random random = sfgp_random_of(7);
    for (int k = 0; k < DRAWS; k++) {
        double square = 0;
        for (int a = 0; a < dimension; a++)
            square += pow(sd * sfgp_random_normal(&random), 2);
        sum += sqrt(square);
    }
    return sum / DRAWS;
}

static void it_is_the_mean_length_of_the_deviations(void **state)
{
    double sd[] = {0.5, 2, 0.5, 2};
    unsigned char missing[] = {0, 1, 0, 0};
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const double few = mean_length(d, 0.5), many = mean_length(d, 2);
        sfgp_result r = {.count = 4, .dimension = d, .sd = sd, .missing = missing, .missing_count = 1};
        sfgp_result_expect(&r);
        assert_true(fabs(r.expected_error - (few + many) / 2) < 0.01 * many);
        assert_true(fabs(r.expected_error_observed - (2 * few + many) / 3) < 0.01 * many);
        assert_true(fabs(r.expected_error_missing - many) < 0.01 * many);
    }
}

/* No number where there is no point. */
static void of_no_points_it_is_no_number(void **state)
{
    double sd[] = {0, 2};
    unsigned char missing[] = {0, 0};
    sfgp_result r = {.count = 2, .dimension = 3, .sd = sd, .missing = missing};
    (void)state;
    sfgp_result_expect(&r);
    assert_true(r.expected_error > 0 && r.expected_error_observed > 0 && isnan(r.expected_error_missing));
    missing[0] = missing[1] = 1, r.missing_count = 2;
    sfgp_result_expect(&r);
    assert_true(r.expected_error > 0 && isnan(r.expected_error_observed) && r.expected_error_missing > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(it_is_the_mean_length_of_the_deviations),
        sfgp_unit_test(of_no_points_it_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
