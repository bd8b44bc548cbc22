/* Sorting (base/quantile.h): few values are counted, many go through qsort. */
#include "base/quantile.h"
#include "base/random.h"
#include "support/support.h"

#include <math.h>

enum { MOST = 130 };

/* How many of them equal x. */
static int count_of(int64_t count, const double *values, double x)
{
    int equal = 0;
    for (int64_t i = 0; i < count; i++)
        equal += values[i] == x;
    return equal;
}

/* With many equal values, and infinite ones. */
static void values_come_in_order_and_none_is_lost(void **state)
{
    double given[MOST], sorted[MOST];
    (void)state;
    sfgp_random random = sfgp_random_of(3);
    for (int64_t count = 0; count <= MOST; count++) {
        for (int64_t i = 0; i < count; i++)
            given[i] = sorted[i] = i % 17 == 5 ? HUGE_VAL : floor(20 * sfgp_random_uniform(&random)) - 10;
        sfgp_sort(count, sorted);
        for (int64_t i = 0; i < count; i++) {
            assert_true(i == 0 || sorted[i - 1] <= sorted[i]);
            assert_int_equal(count_of(count, sorted, given[i]), count_of(count, given, given[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(values_come_in_order_and_none_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
