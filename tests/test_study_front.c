/* The figure of the front: its line joins the methods that nothing cheaper equals. */
#include "study/figures_draw.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 7, SAMPLES = 3, POINTS = 8 };

/* Median CPU seconds and error of each. The last one fails on two of three samples. */
static const double COST[METHODS] = {2, 1, 4, 8, 16, 32, 0.5}, ERROR[METHODS] = {4, 8, 5, 4, 2, 3, 1};

static char *draw(int levels)
{
    static study_method methods[METHODS];
    static study_set set = {.unit = "mm"};
    static const char *const names[METHODS] = {"a", "b", "c", "d", "e", "f", "g"};
    study s = {.method_count = METHODS, .methods = methods, .set_count = 1, .sets = &set};
    study_rows rows = {0};
    study_summary summary;
    char *svg = NULL;
    set.level_count = levels;
    for (int m = 0; m < METHODS; m++)
        for (int k = 0; k < SAMPLES; k++) {
            const double off = k == 0 ? 1 : k == 1 ? 0.1 : 100; /* the median is not the mean */
            const study_row row = {.key = {m, -1, 0, 0, k},
                                   .success = m < METHODS - 1 || k == 0,
                                   .cpu_seconds = COST[m] * off,
                                   .error = ERROR[m] * off};
            methods[m].name = names[m];
            assert_int_equal(study_rows_add(&rows, &row), SFGP_OK);
        }
    study_rows_sort(&rows);
    assert_int_equal(study_summarise(&s, &rows, &summary), SFGP_OK);
    const study_drawing of = {&s, 0, &rows, &summary};
    const study_figure figure = {.label = "time"};
    assert_int_equal(study_draw_front(&of, &figure, &svg), SFGP_OK);
    study_summary_clear(&summary);
    study_rows_clear(&rows);
    return svg;
}

/* Points of the one line that has joints in the plot; how many. */
static int read_line(const char *svg, double x[POINTS], double y[POINTS])
{
    const char *at = strstr(svg, "stroke=\"#7f7f7f\" stroke-width=\"1.6\"");
    int count = 0, read = 0;
    assert_non_null(at);
    while (strncmp(at, "<path d=\"", 9) != 0)
        at--;
    for (at += 9; count < POINTS && sscanf(at, "%*[ML]%lg %lg%n", &x[count], &y[count], &read) == 2; count++)
        at += read;
    return count;
}

/* Both axes are logarithmic: one pixel for each factor. */
static void the_line_is_a_staircase_of_what_is_best_for_its_cost(void **state)
{
    static const double costs[] = {1, 2, 2, 16, 16, 32, 32}, errors[] = {8, 8, 4, 4, 2, 2, 2};
    double x[POINTS], y[POINTS];
    char *svg = draw(1);
    (void)state;
    assert_non_null(svg);
    assert_int_equal(read_line(svg, x, y), 7);
    const double right = (x[3] - x[0]) / log(16), down = (y[4] - y[0]) / log(4);
    assert_true(right > 10 && down > 10);
    for (int k = 0; k < 7; k++) {
        assert_true(fabs(x[k] - x[0] - right * log(costs[k])) < 0.03); /* coordinates have two decimals */
        assert_true(fabs(y[k] - y[0] - down * log(8 / errors[k])) < 0.03);
    }
    sfgp_assert_has(svg, ">f<");
    assert_null(strstr(svg, ">g<")); /* one sample of three */
    free(svg);
}

static void a_set_with_levels_has_no_front(void **state)
{
    (void)state;
    assert_null(draw(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_is_a_staircase_of_what_is_best_for_its_cost),
        cmocka_unit_test(a_set_with_levels_has_no_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
