#include "support/corrupt.h"
#include "io/format.h"
#include "io/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Stands in front of that of the C library and fails on demand. */
static struct faults {
    int interrupts, reason; /* so many EINTR, then this errno unless 0 */
    size_t most;            /* bytes a call gives, 0 = all */
} faults;

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset)
{
    if (faults.interrupts > 0) {
        faults.interrupts--;
        return errno = EINTR, -1;
    }
    if (faults.reason)
        return errno = faults.reason, -1;
    if (faults.most > 0 && size > faults.most)
        size = faults.most;
    return syscall(SYS_pread64, descriptor, bytes, size, offset);
}

static void rows_2_to_6_what_is_not_a_readable_file(void **state)
{
    char deep[6000];
    memset(deep, 'a', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(symlink("/nowhere/file", test_path("dangling")), 0);
    assert_int_equal(symlink("loop", test_path("loop")), 0);
    assert_int_equal(mkfifo(test_path("pipe"), 0666), 0);
    const struct {
        const char *path, *words;
    } inputs[] = {{sfgp_test_folder(), "folder"},
                  {test_path("missing"), "No such file"},
                  {test_path("dangling"), "No such file"},
                  {test_path("loop"), "loop: "},
                  {test_path("pipe"), "not a regular file"},
                  {"/dev/zero", "not a regular file"},
                  {"/dev/null", "not a regular file"},
                  {"", "No such file"},
                  {deep, "too long"}};
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
        sfgp_mesh *mesh = (sfgp_mesh *)1;
        sfgp_assert_status(*state, sfgp_mesh_read(*state, inputs[k].path, &mesh), SFGP_ERROR_READ);
        assert_null(mesh);
        sfgp_assert_has(sfgp_context_error(*state), inputs[k].words);
    }
    sfgp_mesh *mesh = NULL;
    sfgp_assert_status(*state, sfgp_mesh_read(*state, NULL, &mesh), SFGP_ERROR_PARAMETER);
}

static void row_4_permission_denied(void **state)
{
    const char *path = test_path("secret.txt");
    int status = 0;
    sfgp_test_write(path, "1 2 3\n", 6);
    assert_int_equal(chmod(path, 0), 0);
    pid_t child = fork();
    if (child == 0) {
        sfgp_mesh *mesh = NULL;
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        sfgp_status got = sfgp_mesh_read(*state, path, &mesh);
        _exit(strstr(sfgp_context_error(*state), "Permission denied") ? (int)got : 98);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SFGP_ERROR_READ);
}

static void interrupts_and_short_reads_are_gone_through(void **state)
{
    sfgp_mesh *mesh = NULL;
    faults = (struct faults){3, 0, 1};
    sfgp_status status = sfgp_read_text(*state, "slow.txt", "1 2 3\n4 5 6\n", &mesh);
    faults = (struct faults){0, 0, 0};
    sfgp_assert_ok(*state, status);
    assert_true(mesh->count == 2 && mesh->points[5] == 6);
    sfgp_mesh_free(mesh);
    faults = (struct faults){0, EIO, 0};
    status = sfgp_try_text(*state, "broken.txt", "1 2 3\n");
    faults = (struct faults){0, 0, 0};
    sfgp_assert_error(*state, status, SFGP_ERROR_READ, strerror(EIO));
}

static void a_read_that_fails_is_no_empty_file(void **state)
{
    const char *path = test_path("broken.txt");
    sfgp_source source;
    sfgp_test_write(path, "1 2 3\n", 6);
    sfgp_assert_ok(*state, sfgp_source_open(*state, path, &source));
    faults = (struct faults){0, EIO, 0};
    const sfgp_status status = sfgp_format_refuse_foreign(&source);
    faults = (struct faults){0, 0, 0};
    sfgp_assert_status(*state, status, SFGP_ERROR_READ);
    sfgp_source_close(&source);
}

static void shrink(void *user)
{
    assert_int_equal(truncate(user, 10), 0);
}

static void extend(void *user)
{
    FILE *file = fopen(user, "ab");
    fputs("7 8 9\n", file);
    fclose(file);
}

static void row_36_a_file_that_changes_its_size_is_refused(void **state)
{
    void (*changes[])(void *) = {shrink, extend};
    sfgp_context *context = sfgp_bounded_context(1 << 20);
    char path[256];
    (void)state;
    snprintf(path, sizeof path, "%s", test_path("changing.txt"));
    for (int k = 0; k < 2; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_test_write(path, "1 2 3\n4 5 6\n", 12);
        sfgp_bounded_on_allocation(changes[k], path);
        sfgp_assert_status(context, sfgp_mesh_read(context, path, &mesh), SFGP_ERROR_FORMAT);
        assert_null(mesh);
        sfgp_assert_has(sfgp_context_error(context), "changed its size of 12 bytes");
    }
    sfgp_context_free(context);
}

/* ---- files above 4 GiB, sparse ---- */

enum { GIB = 1 << 30 };

static sfgp_status try_sparse(sfgp_context *context, const char *name, const void *start, size_t length,
                              int64_t size)
{
    const char *path = test_path(name);
    sfgp_mesh *mesh = NULL;
    sfgp_test_write(path, start, length);
    if (truncate(path, size) != 0)
        skip(); /* a file system without large files */
    sfgp_status status = sfgp_mesh_read(context, path, &mesh);
    assert_true(mesh == NULL || mesh->count == 10);
    sfgp_mesh_free(mesh);
    unlink(path);
    return status;
}

static void row_36_files_above_4_gib_never_wrap(void **state)
{
    const char *ply = "ply\nformat binary_little_endian 1.0\nelement vertex %s\nproperty double x\n"
                      "property double y\nproperty double z\nend_header\n";
    const int64_t triangles = 107374182;
    char text[512], stl[84] = "";
    sfgp_context *context = sfgp_bounded_context(64 << 20);
    clock_t start = clock();
    (void)state;
    int length = snprintf(text, sizeof text, ply, "10");
    sfgp_assert_ok(context, try_sparse(context, "ten.ply", text, (size_t)length, 5LL * GIB));
    assert_int_equal(sfgp_context_warnings(context), 1);
    length = snprintf(text, sizeof text, ply, "223696213");
    sfgp_assert_status(context,
                       try_sparse(context, "all.ply", text, (size_t)length, length + 24LL * 223696213),
                       SFGP_ERROR_MEMORY);
    length = snprintf(text, sizeof text, ply, "223696214");
    sfgp_assert_status(context,
                       try_sparse(context, "more.ply", text, (size_t)length, length + 24LL * 223696213),
                       SFGP_ERROR_FORMAT);
    for (int k = 0; k < 4; k++)
        stl[80 + k] = (char)(triangles >> 8 * k);
    sfgp_assert_status(context, try_sparse(context, "all.stl", stl, 84, 84 + 50 * triangles),
                       SFGP_ERROR_MEMORY);
    sfgp_assert_status(context, try_sparse(context, "wrap.stl", stl, 84, 84 + 50 * triangles + (4LL * GIB)),
                       SFGP_ERROR_FORMAT);
    sfgp_assert_status(context, try_sparse(context, "points.txt", "1 2 3\n", 6, 5LL * GIB),
                       SFGP_ERROR_FORMAT);
    assert_true((double)(clock() - start) < 20.0 * CLOCKS_PER_SEC);
    sfgp_context_free(context);
}

/* ---- lines and bytes ---- */

static void lines_longer_than_the_window_are_whole(void **state)
{
    const int64_t lengths[] = {0, 1, 262143, 262144, 262145, 1000000, 3};
    const char *path = test_path("lines");
    for (int end = 0; end < 3; end++) {
        const char *ends[] = {"\n", "\r\n", "\r"};
        FILE *file = fopen(path, "wb");
        for (int k = 0; k < 7; k++) {
            for (int64_t c = 0; c < lengths[k]; c++)
                fputc('a' + (int)(c % 26), file);
            fputs(ends[end], file);
        }
        fclose(file);
        sfgp_source source;
        sfgp_text line;
        sfgp_assert_ok(*state, sfgp_source_open(*state, path, &source));
        for (int k = 0; k < 7; k++) {
            sfgp_assert_ok(*state, sfgp_source_line(&source, &line));
            assert_int_equal(line.length, lengths[k]);
            assert_int_equal(source.line, k + 1);
            for (int64_t c = 0; c < line.length; c++)
                if (line.start[c] != 'a' + c % 26)
                    fail_msg("line %d differs at %lld", k + 1, (long long)c);
        }
        sfgp_assert_ok(*state, sfgp_source_line(&source, &line));
        assert_null(line.start);
        sfgp_source_close(&source);
    }
}

static void bytes_are_taken_skipped_and_looked_at_in_any_mixture(void **state)
{
    const int64_t size = 1000000;
    unsigned char *content = malloc((size_t)size);
    const char *path = test_path("bytes");
    sfgp_source source;
    for (int64_t k = 0; k < size; k++)
        content[k] = (unsigned char)(k * 31 >> 3);
    sfgp_test_write(path, content, (size_t)size);
    sfgp_assert_ok(*state, sfgp_source_open(*state, path, &source));
    int64_t place = 0;
    for (int64_t step = 1; place + 2 * step <= size; step = step * 3 / 2 + 1) {
        const unsigned char *bytes;
        int64_t got;
        sfgp_assert_ok(*state, sfgp_source_look(&source, step, &bytes, &got));
        assert_true(got >= step);
        sfgp_assert_ok(*state, sfgp_source_take(&source, step, &bytes));
        assert_memory_equal(bytes, content + place, (size_t)step);
        sfgp_assert_ok(*state, sfgp_source_skip(&source, step));
        place += 2 * step;
        assert_int_equal(source.offset, place);
    }
    const unsigned char *bytes;
    sfgp_assert_status(*state, sfgp_source_take(&source, size, &bytes), SFGP_ERROR_FORMAT);
    sfgp_assert_status(*state, sfgp_source_skip(&source, INT64_MAX), SFGP_ERROR_FORMAT);
    sfgp_assert_ok(*state, sfgp_source_skip(&source, size - place));
    sfgp_assert_ok(*state, sfgp_source_take(&source, 0, &bytes));
    sfgp_source_close(&source);
    free(content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(rows_2_to_6_what_is_not_a_readable_file),
        sfgp_unit_test(row_4_permission_denied),
        sfgp_unit_test(interrupts_and_short_reads_are_gone_through),
        sfgp_unit_test(a_read_that_fails_is_no_empty_file),
        sfgp_unit_test(row_36_a_file_that_changes_its_size_is_refused),
        sfgp_unit_test(row_36_files_above_4_gib_never_wrap),
        sfgp_unit_test(lines_longer_than_the_window_are_whole),
        sfgp_unit_test(bytes_are_taken_skipped_and_looked_at_in_any_mixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
