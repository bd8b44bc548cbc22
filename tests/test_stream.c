/* A stream into memory: it holds what was written, or says that it does not. */
#include "base/platform_stream.h"
#include "support/failing_memory.h"
#include "support/support.h"

#include <string.h>

enum { MANY = 20000 };

static void it_holds_what_was_written(void **state)
{
    char *text = NULL;
    size_t size = 1;
    (void)state;
    FILE *out = sfgp_stream_into_memory(&text, &size);
    assert_non_null(out);
    for (int k = 0; k < MANY; k++)
        fputc('a' + k % 26, out);
    fflush(out);
    assert_int_equal(size, MANY);
    fprintf(out, "%s", "end");
    assert_int_equal(fclose(out), 0);
    assert_int_equal(size, MANY + 3);
    assert_int_equal(strlen(text), MANY + 3);
    for (int k = 0; k < MANY; k++)
        assert_int_equal(text[k], 'a' + k % 26);
    assert_string_equal(text + MANY, "end");
    free(text);
}

static void of_nothing_it_holds_an_empty_text(void **state)
{
    char *text = NULL;
    size_t size = 1;
    (void)state;
    assert_int_equal(fclose(sfgp_stream_into_memory(&text, &size)), 0);
    assert_string_equal(text, "");
    assert_int_equal(size, 0);
    free(text);
}

/* glibc's own stream says 0 and lacks characters then. */
static void no_failing_allocation_loses_a_character(void **state)
{
    long failures = 0;
    (void)state;
    for (bool failed = true; failed;) {
        char *text = NULL;
        size_t size = 0;
        failing_memory_start(failures);
        FILE *out = sfgp_stream_into_memory(&text, &size);
        for (int k = 0; out && k < MANY; k++)
            fputc('x', out);
        const bool whole = out && fclose(out) == 0;
        failed = failing_memory_stop();
        assert_true(whole || failed);
        assert_true(whole ? size == MANY && strlen(text) == MANY : text == NULL);
        free(text);
        failures += failed;
    }
#ifndef __SANITIZE_ADDRESS__
    assert_in_range(failures, 4, 20);
#endif
}

/* Each character by itself: nothing is left to be written at the end. */
static void a_stream_that_failed_once_ends_as_failed(void **state)
{
    char *text = NULL;
    size_t size = 0;
    (void)state;
    FILE *out = sfgp_stream_into_memory(&text, &size);
    setvbuf(out, NULL, _IONBF, 0);
    failing_memory_start(0);
    for (int k = 0; k < MANY; k++)
        fputc('x', out);
    const bool failed = failing_memory_stop();
    const bool whole = fclose(out) == 0;
    assert_true(whole ? !failed && size == MANY : text == NULL);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(it_holds_what_was_written),
        sfgp_unit_test(of_nothing_it_holds_an_empty_text),
        sfgp_unit_test(no_failing_allocation_loses_a_character),
        sfgp_unit_test(a_stream_that_failed_once_ends_as_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
