/* Files that are read whole: regular ones, up to a size. */
#include "report/file.h"
#include "base/platform_folder.h"
#include "support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_regular_file_is_read_whole(void **state)
{
    static const char BYTES[] = "one\0two\n"; /* with its zero */
    report_file file;
    (void)state;
    sfgp_test_write(test_path("plain"), BYTES, sizeof BYTES);
    assert_true(report_file_read(test_path("plain"), sizeof BYTES, &file));
    assert_int_equal(file.size, sizeof BYTES);
    assert_memory_equal(file.text, BYTES, sizeof BYTES);
    assert_int_equal(file.text[file.size], 0);
    assert_null(file.problem);
    free(file.text);
    sfgp_test_write(test_path("empty"), "", 0);
    assert_true(report_file_read(test_path("empty"), 0, &file));
    assert_string_equal(file.text, "");
    free(file.text);
}

static void others_are_refused_with_a_reason(void **state)
{
    static const struct {
        const char *path, *words;
    } ROWS[] = {{"none", "No such file"},
                {"pipe", "is not a regular file"},
                {"/dev/zero", "is not a regular file"},
                {"folder", "is a folder"},
                {"ten", "is larger than such a file may be"}};
    report_file file;
    const char *problem;
    (void)state;
    assert_int_equal(mkfifo(test_path("pipe"), 0666), 0);
    assert_int_equal(mkdir(test_path("folder"), 0777), 0);
    sfgp_test_write(test_path("ten"), "0123456789", 10);
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        const char *path = ROWS[k].path[0] == '/' ? ROWS[k].path : test_path(ROWS[k].path);
        assert_false(report_file_read(path, 9, &file));
        assert_null(file.text);
        sfgp_assert_has(file.problem, ROWS[k].words);
        FILE *stream = report_file_open(path, &problem);
        if (stream) /* a stream has no limit */
            assert_int_equal(fclose(stream), 0);
        else
            sfgp_assert_has(problem, ROWS[k].words);
        assert_int_equal(stream != NULL, strcmp(ROWS[k].path, "ten") == 0);
    }
}

static void folders_are_made_once(void **state)
{
    (void)state;
    assert_true(sfgp_folder_make(test_path("made")));
    assert_true(sfgp_folder_make(test_path("made/inner")));
    assert_false(sfgp_folder_make(test_path("made")));
    assert_int_equal(errno, EEXIST);
    assert_false(sfgp_folder_make(test_path("none/inner")));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(chdir(sfgp_test_folder()), 0);
    assert_true(sfgp_folder_make("here"));
    assert_int_equal(access(test_path("here"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regular_file_is_read_whole),
        cmocka_unit_test(others_are_refused_with_a_reason),
        cmocka_unit_test(folders_are_made_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
