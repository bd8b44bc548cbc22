/* What a study says about a fit, against answers that are known: shares inside the 95 % region, recall and precision,
 * mean errors. */
#include "study/parts.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { POINTS = 6 };

/* Share of a standard normal distribution in d dimensions within x of its centre. */
static double ball_share(int d, double x)
{
    const double pi = 3.14159265358979323846;
    return d == 2 ? 1 - exp(-x * x / 2) : erf(x / sqrt(2.0)) - sqrt(2 / pi) * x * exp(-x * x / 2);
}

/* Radius of the ball that holds 95 %, by bisection. */
static double ball_radius(int d)
{
    double low = 0, high = 10;
    for (int k = 0; k < 60; k++) {
        const double middle = (low + high) / 2;
        *(ball_share(d, middle) < 0.95 ? &low : &high) = middle;
    }
    return low;
}

/* A fit at the origin whose true points lie so many radii away, in directions that differ. */
typedef struct known {
    double points[3 * POINTS], truth[3 * POINTS], sd[POINTS];
    unsigned char found[POINTS], missing[POINTS];
    sfgp_mesh mesh;
    sfgp_result result;
    study_case c;
} known;

static void make_known(known *k, int d, const double radii[POINTS])
{
    *k = (known){.missing = {0, 1, 0, 1, 0, 0}, .found = {1, 1, 0, 0, 1, 0}};
    for (int i = 0; i < POINTS; i++) {
        double direction[3] = {1, i, i * i - 3.0}, length = 0;
        for (int a = 0; a < d; a++)
            length += direction[a] * direction[a];
        k->sd[i] = 0.1 + i;
        for (int a = 0; a < d; a++)
            k->truth[i * d + a] = radii[i] * ball_radius(d) * k->sd[i] * direction[a] / sqrt(length);
    }
    k->mesh = (sfgp_mesh){.count = POINTS, .dimension = d, .points = k->truth};
    k->result =
        (sfgp_result){.count = POINTS, .dimension = d, .points = k->points, .sd = k->sd, .missing = k->found};
    k->c = (study_case){.truth = &k->mesh, .missing = k->missing};
}

/* The radius of the plane is 2.448, that of space 2.795: points a thousandth off either one tell them apart. */
static void the_region_of_95_percent_is_that_of_the_dimension(void **state)
{
    static const double RADII[POINTS] = {0.999, 1.001, 1.001, 0.999, 0.999, 0};
    (void)state;
    assert_true(fabs(ball_radius(2) - sqrt(-2 * log(0.05))) < 1e-12);
    for (int d = 2; d <= 3; d++) {
        known k;
        make_known(&k, d, RADII);
        study_row row = study_row_unknown((study_key){0});
        study_measure_regions(&k.c, &k.result, &row);
        assert_true(row.inside_observed == 0.75); /* of points 0, 2, 4, 5 all but 2 */
        assert_true(row.inside_missing == 0.5);   /* of points 1, 3 the second */
    }
}

static void what_is_not_stated_is_not_known(void **state)
{
    static const double RADII[POINTS] = {0};
    known k;
    (void)state;
    make_known(&k, 3, RADII);
    study_row row = study_row_unknown((study_key){0});
    for (int i = 0; i < POINTS; i++)
        k.sd[i] = 0;
    study_measure_regions(&k.c, &k.result, &row);
    assert_true(isnan(row.inside_observed) && isnan(row.inside_missing));
    k.c.missing = NULL;
    study_measure_mask(&k.c, &k.result, &row);
    assert_true(isnan(row.recall) && isnan(row.precision));
}

/* Missing are 1 and 3; found are 0, 1 and 4. */
static void recall_is_of_the_missing_and_precision_of_the_found(void **state)
{
    static const double RADII[POINTS] = {0};
    known k;
    (void)state;
    make_known(&k, 2, RADII);
    study_row row = study_row_unknown((study_key){0});
    study_measure_mask(&k.c, &k.result, &row);
    assert_true(row.recall == 0.5 && row.precision == 1.0 / 3);
}

static void errors_are_means_of_the_distances(void **state)
{
    static const double RADII[POINTS] = {1, 2, 3, 4, 5, 6};
    const double rounding = 1e-14; /* of a root and six sums, relative */
    double sums[2] = {0, 0};
    study s = {0};
    known k;
    make_known(&k, 3, RADII);
    const sfgp_mesh fitted = {.count = POINTS, .dimension = 3, .points = k.points};
    study_row row = study_row_unknown((study_key){0});
    for (int i = 0; i < POINTS; i++)
        sums[k.missing[i]] += RADII[i] * ball_radius(3) * k.sd[i];
    assert_int_equal(study_measure_errors(&s, *state, &k.c, &fitted, &row), SFGP_OK);
    assert_true(fabs(row.observed - sums[0] / 4) <= rounding * row.observed);
    assert_true(fabs(row.missing - sums[1] / 2) <= rounding * row.missing);
    assert_true(fabs(row.error - (sums[0] + sums[1]) / 6) <= rounding * row.error);
}

static void a_truth_of_another_size_is_named(void **state)
{
    static study s;
    double points[6] = {0};
    sfgp_mesh fitted = {.count = 3, .dimension = 2, .points = points},
              truth = {.count = 2, .dimension = 2, .points = points};
    const study_case c = {.truth = &truth};
    study_row row;
    assert_int_equal(study_measure_errors(&s, *state, &c, &fitted, &row), SFGP_ERROR_DATA);
    assert_int_equal(strncmp(s.error, "truth: ", 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_truth_of_another_size_is_named),
        cmocka_unit_test(the_region_of_95_percent_is_that_of_the_dimension),
        cmocka_unit_test(what_is_not_stated_is_not_known),
        cmocka_unit_test(recall_is_of_the_missing_and_precision_of_the_found),
        sfgp_unit_test(errors_are_means_of_the_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
