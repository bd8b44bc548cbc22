/* The spacing of points is that of a search without blocks of the cache. */
#include "support/corrupt.h"
#include "base/quantile.h"
#include "base/random.h"
#include "geom/measure.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 101 }; /* points whose nearest neighbour is looked for (measure.c) */

static double to_nearest(int count, int d, const double *x, int i)
{
    double least = HUGE_VAL;
    for (int j = 0; j < count; j++) {
        double square = 0;
        for (int a = 0; a < d; a++)
            square += (x[j * d + a] - x[i * d + a]) * (x[j * d + a] - x[i * d + a]);
        least = j != i && square < least ? square : least;
    }
    return sqrt(least);
}

static void compare(int count, int d)
{
    double distances[SAMPLES], *x = calloc((size_t)(count * d), sizeof *x);
    const int samples = count < SAMPLES ? count : SAMPLES;
    sfgp_random random = sfgp_random_of((uint64_t)(count + d));
    for (int k = 0; k < count * d; k++)
        x[k] = sfgp_random_uniform(&random);
    for (int k = 0; k < samples; k++)
        distances[k] = to_nearest(count, d, x, (int)((int64_t)k * count / samples));
    sfgp_sort(samples, distances);
    for (int k = 0; k < samples; k++) {
        const double share = samples > 1 ? (double)k / (samples - 1) : 0,
                     expected = sfgp_quantile(samples, distances, share);
        /* a multiply-add of one of the two is a rounding of the square */
        assert_true(fabs(sfgp_points_spacing_quantile(count, d, x, share) - expected) <= 4e-16 * expected);
    }
    free(x);
}

/* Counts around the eight points that are compared side by side, and the 2048 of a block. */
static void every_sample_finds_its_nearest_point(void **state)
{
    static const int COUNTS[] = {2, 3, 7, 8, 9, 10, 17, 101, 2047, 2048, 2049, 2050, 5000};
    (void)state;
    for (size_t k = 0; k < sizeof COUNTS / sizeof *COUNTS; k++)
        for (int d = 2; d <= 3; d++)
            compare(COUNTS[k], d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_sample_finds_its_nearest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
