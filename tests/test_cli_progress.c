/* The progress bar: what a terminal sees. */
#include "test_cli.h"
#include "support/terminal.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything that a terminal gets from a fit; option and last are one more each, or NULL. Returns the exit
 * code. */
static int fit_on_terminal(const char *option, const char *last, char *seen, size_t room)
{
    test_shapes *shapes = test_shapes_new(300, 3, 0, 1);
    const char *reference = cli_points("reference.txt", 300, 3, shapes->reference),
               *target = cli_points("target.txt", shapes->m, 3, shapes->target),
               *fitted = test_path("fitted.ply");
    const char *const words[] = {"register", reference, target, "-o", fitted, option, last, NULL};
    test_shapes_free(shapes);
    return test_terminal_run(words, room, seen);
}

static void a_terminal_sees_a_bar_that_is_cleared(void **state)
{
    static char seen[1 << 18];
    (void)state;
    assert_int_equal(fit_on_terminal(NULL, NULL, seen, sizeof seen), 0);
    const char *bar = strstr(seen, " %  iteration "), *end = strstr(seen, "sfgp: converged after");
    assert_true(bar && strstr(bar, "missing") && strstr(bar, "s left"));
    assert_non_null(end);
    assert_true(end > bar && end[-1] == '\r' && end[-2] == ' '); /* blanks over the bar, then the words */
}

/* Percentages that never fall, and that get beyond the search. */
static void the_bar_says_how_much_is_done(void **state)
{
    static char seen[1 << 18];
    double before = 0, done = 0;
    (void)state;
    assert_int_equal(fit_on_terminal(NULL, NULL, seen, sizeof seen), 0);
    for (const char *bar = seen; (bar = strchr(bar, '\r')); before = done)
        if (sscanf(++bar, "%lf %%  iteration", &done) == 1)
            assert_true(done >= before && done <= 100);
    assert_true(done > 20);
}

/* One iteration is said to be enough: the library warns of the residual while the bar stands. */
static void a_warning_takes_the_place_of_the_bar(void **state)
{
    static char seen[1 << 12];
    (void)state;
    assert_int_equal(fit_on_terminal("--method=sfgp-scalar", "--tolerance=1", seen, sizeof seen), 0);
    const char *warning = strstr(seen, "sfgp: warning: residual");
    assert_non_null(warning);
    assert_true(warning > seen && warning[-1] == '\r' && warning[-2] == ' ');
}

static void quiet_keeps_the_terminal_clean(void **state)
{
    static char seen[1 << 12];
    (void)state;
    assert_int_equal(fit_on_terminal("--quiet", NULL, seen, sizeof seen), 0);
    assert_string_equal(seen, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bar_says_how_much_is_done),
        cmocka_unit_test(a_terminal_sees_a_bar_that_is_cleared),
        cmocka_unit_test(a_warning_takes_the_place_of_the_bar),
        cmocka_unit_test(quiet_keeps_the_terminal_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
