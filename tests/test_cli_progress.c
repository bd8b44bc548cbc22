/* The progress bar: the estimate of what is left, and what a terminal sees. */
#include "test_cli.h"

#include "cli/estimate.c"

#include <errno.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

static cli_moment moment(int64_t iteration, double change, double seconds)
{
    return (cli_moment){{iteration, 500, change, 1e-4, 0.25}, seconds};
}

static void halving_motion_is_extrapolated(void **state)
{
    /* 0.1 at 10, 0.1 / 2^8 at 18; 1e-4 is log2(0.1 / 2^8 / 1e-4) = 1.97 halvings on, at a second each */
    const cli_moment before = moment(10, 0.1, 100), now = moment(18, 0.1 / 256, 108);
    (void)state;
    assert_true(cli_estimate_iterations(&before, &now) == 2);
    assert_true(cli_estimate_seconds(&before, &now) == 2);
}

static void the_estimate_is_capped_by_the_iterations(void **state)
{
    const cli_moment before = moment(10, 0.1, 0), slow = moment(18, 0.0999999, 8), worse = moment(18, 0.2, 8),
                     last = moment(500, 0.05, 9), done = moment(18, 1e-5, 8);
    (void)state;
    assert_true(cli_estimate_iterations(&before, &slow) == 482);
    assert_true(cli_estimate_iterations(&before, &worse) == 482);
    assert_true(cli_estimate_iterations(&before, &last) == 0);
    assert_true(cli_estimate_iterations(&before, &done) == 0);
    assert_true(cli_estimate_iterations(&before, &before) == 490);
    assert_true(cli_estimate_seconds(&before, &before) == 0);
}

/* Everything that a terminal gets from a fit; option and last are one more each, or NULL. Returns the exit
 * code. */
static int fit_on_terminal(const char *option, const char *last, char *seen, size_t room)
{
    test_shapes *shapes = test_shapes_new(300, 3, 0, 1);
    const char *reference = cli_points("reference.txt", 300, 3, shapes->reference),
               *target = cli_points("target.txt", shapes->m, 3, shapes->target),
               *fitted = cli_path("fitted.ply");
    int terminal, status = 0;
    size_t length = 0;
    test_shapes_free(shapes);
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child < 0) {
        print_message("skipped: this machine has no pseudo terminals\n");
        skip();
    }
    if (child == 0) {
        execl(SFGP_PROGRAM, SFGP_PROGRAM, "register", reference, target, "-o", fitted, option, last,
              (char *)NULL);
        _exit(127);
    }
    for (ssize_t got = 1; got > 0 && length<room - 1; length += got> 0 ? (size_t)got : 0)
        got = read(terminal, seen + length, room - 1 - length); /* EIO at the end */
    seen[length] = '\0';
    close(terminal);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void a_terminal_sees_a_bar_that_is_cleared(void **state)
{
    static char seen[1 << 18];
    (void)state;
    assert_int_equal(fit_on_terminal(NULL, NULL, seen, sizeof seen), 0);
    const char *bar = strstr(seen, "\riteration 1  change "), *end = strstr(seen, "sfgp: converged after");
    assert_true(bar && strstr(bar, "missing") && strstr(bar, "s left"));
    assert_non_null(end);
    assert_true(end > bar && end[-1] == '\r' && end[-2] == ' '); /* blanks over the bar, then the words */
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
        cmocka_unit_test(halving_motion_is_extrapolated),
        cmocka_unit_test(the_estimate_is_capped_by_the_iterations),
        cmocka_unit_test(a_terminal_sees_a_bar_that_is_cleared),
        cmocka_unit_test(a_warning_takes_the_place_of_the_bar),
        cmocka_unit_test(quiet_keeps_the_terminal_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
