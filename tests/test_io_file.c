#include "support/corrupt.h"
#include "base/platform_write.h"
#include "io/buffer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* These stand in front of those of the C library and fail on demand. */
static struct faults {
    int interrupts;           /* so many calls of write give EINTR */
    size_t most;              /* bytes a call of write takes, 0 = all */
    long room;                /* bytes until ENOSPC, -1 = endless */
    int close, rename, chmod; /* errno to fail with, 0 = work */
    int sync, sync_folder;    /* likewise: fsync of a file, of a folder */
    int unnamed, link;        /* likewise: open of a file without a name, giving it one */
    int signal;               /* ends the process in the first write */
} faults = {.room = -1};

/* Calls in their order: w write, s sync of a file, l link, c close, r rename, S sync of a folder. */
static char calls[64];

static void note(char call)
{
    const size_t used = strlen(calls);
    if (used + 1 < sizeof calls && (used == 0 || calls[used - 1] != call)) {
        calls[used] = call;
        calls[used + 1] = '\0';
    }
}

static bool is_folder(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

int fsync(int descriptor)
{
    const bool folder = is_folder(descriptor);
    const int reason = folder ? faults.sync_folder : faults.sync;
    note(folder ? 'S' : 's');
    if (reason)
        return errno = reason, -1;
    return (int)syscall(SYS_fsync, descriptor);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    note('l');
    if (faults.link)
        return errno = faults.link, -1;
    return (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (faults.unnamed && (flags & O_TMPFILE) == O_TMPFILE)
        return errno = faults.unnamed, -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t size)
{
    note('w');
    if (faults.signal)
        raise(faults.signal);
    if (faults.interrupts > 0) {
        faults.interrupts--;
        return errno = EINTR, -1;
    }
    if (faults.most > 0 && size > faults.most)
        size = faults.most;
    if (faults.room >= 0 && size > (size_t)faults.room)
        size = (size_t)faults.room;
    if (faults.room == 0)
        return errno = ENOSPC, -1;
    if (faults.room > 0)
        faults.room -= (long)size;
    return syscall(SYS_write, descriptor, bytes, size);
}

int close(int descriptor)
{
    if (!is_folder(descriptor))
        note('c');
    int result = (int)syscall(SYS_close, descriptor), reason = faults.close;
    return reason ? (errno = reason, -1) : result;
}

int rename(const char *from, const char *to)
{
    note('r');
    if (faults.rename)
        return errno = faults.rename, -1;
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fchmod(int descriptor, mode_t mode)
{
    if (faults.chmod)
        return errno = faults.chmod, -1;
    return (int)syscall(SYS_fchmod, descriptor, mode);
}

static int count_entries(const char *path)
{
    DIR *folder = opendir(path);
    int count = -2;
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void assert_content(const char *path, const char *expected)
{
    char *text = sfgp_test_read(path, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static sfgp_status write_text(sfgp_context *context, const char *path, const char *text)
{
    return sfgp_file_write(context, path, text, strlen(text));
}

static void new_and_old_files_are_written_whole(void **state)
{
    const char *path = test_path("plain");
    sfgp_assert_ok(*state, write_text(*state, path, "first"));
    assert_content(path, "first");
    sfgp_assert_ok(*state, write_text(*state, path, "second, longer"));
    assert_content(path, "second, longer");
    sfgp_assert_ok(*state, sfgp_file_write(*state, path, NULL, 0));
    assert_content(path, "");
    assert_int_equal(chdir(sfgp_test_folder()), 0);
    sfgp_assert_ok(*state, write_text(*state, "plain", "relative"));
    assert_content(path, "relative");
    assert_int_equal(count_entries(sfgp_test_folder()), 1);
}

static void permissions_are_those_of_the_umask_or_of_the_old_file(void **state)
{
    struct stat status;
    const char *path = test_path("mode");
    mode_t before = umask(027);
    sfgp_assert_ok(*state, write_text(*state, path, "a"));
    umask(before);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_int_equal(chmod(path, 0604), 0);
    sfgp_assert_ok(*state, write_text(*state, path, "b"));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0604);
    faults.chmod = EPERM;
    sfgp_assert_status(*state, write_text(*state, path, "c"), SFGP_ERROR_WRITE);
    faults.chmod = 0;
    assert_content(path, "b");
}

static void rows_73_75_targets_that_cannot_be_written(void **state)
{
    char deep[6000];
    memset(deep, 'a', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    assert_int_equal(mkdir(test_path("folder"), 0777), 0);
    assert_int_equal(mkfifo(test_path("pipe"), 0666), 0);
    assert_int_equal(symlink("/nowhere/file", test_path("dangling")), 0);
    const char *paths[] = {"/dev/full", "/nowhere/file",  test_path("folder"),   test_path("pipe"),   "",
                           deep,        "/dev/null/file", test_path("dangling"), test_path("folder/")};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        int before = count_entries(sfgp_test_folder());
        sfgp_assert_error(*state, write_text(*state, paths[k], "text"), SFGP_ERROR_WRITE, "cannot write");
        assert_int_equal(count_entries(sfgp_test_folder()), before);
    }
    sfgp_assert_ok(*state, write_text(*state, "/dev/null", "text"));
    sfgp_assert_status(*state, write_text(*state, NULL, "text"), SFGP_ERROR_PARAMETER);
    sfgp_assert_status(*state, sfgp_file_write(*state, "a", NULL, 1), SFGP_ERROR_PARAMETER);
}

/* There is no room for the name of a temporary file beside it. */
static void the_longest_path_is_written_where_files_need_no_other_name(void **state)
{
    char longest[4095];
    memset(longest, '/', sizeof longest);
    memcpy(longest, sfgp_test_folder(), strlen(sfgp_test_folder()));
    strcpy(longest + sizeof longest - 5, "aaaa");
    faults = (struct faults){.room = -1, .unnamed = EOPNOTSUPP};
    const sfgp_status status = write_text(*state, longest, "text");
    faults = (struct faults){.room = -1};
    sfgp_assert_status(*state, status, SFGP_ERROR_WRITE);
    sfgp_assert_ok(*state, write_text(*state, longest, "text"));
    assert_content(test_path("aaaa"), "text");
}

static void links_stay_links(void **state)
{
    struct stat status;
    sfgp_test_write(test_path("real"), "old", 3);
    assert_int_equal(symlink("real", test_path("link")), 0);
    sfgp_assert_ok(*state, write_text(*state, test_path("link"), "new"));
    assert_content(test_path("real"), "new");
    assert_int_equal(lstat(test_path("link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void a_pipe_with_a_reader_is_written_into(void **state)
{
    char text[5] = "";
    const char *path = test_path("read-pipe");
    assert_int_equal(mkfifo(path, 0666), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    sfgp_assert_ok(*state, write_text(*state, path, "text"));
    assert_int_equal(read(reader, text, 4), 4);
    assert_string_equal(text, "text");
    close(reader);
}

/* Row 78; the old file stays, no temporary stays. */
static void failing_calls_leave_the_old_file(void **state)
{
    const struct faults broken[] = {{.room = 0},
                                    {.room = 3},
                                    {.room = -1, .close = EIO},
                                    {.room = 2, .close = EIO},
                                    {.room = -1, .sync = EIO},
                                    {.room = -1, .unnamed = EOPNOTSUPP, .sync = ENOSPC},
                                    {.room = -1, .unnamed = EOPNOTSUPP, .close = EIO},
                                    {.room = -1, .link = EACCES, .sync = EIO},
                                    {.room = -1, .rename = EXDEV}};
    const char *path = test_path("kept");
    sfgp_test_write(path, "old", 3);
    int entries = count_entries(sfgp_test_folder());
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        faults = broken[k];
        sfgp_status status = write_text(*state, path, "new text");
        faults = (struct faults){.room = -1};
        sfgp_assert_status(*state, status, SFGP_ERROR_WRITE);
        assert_content(path, "old");
        assert_int_equal(count_entries(sfgp_test_folder()), entries);
    }
    sfgp_assert_has(sfgp_context_error(*state), strerror(EXDEV));
}

static int wait_for(pid_t child)
{
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* A name stands for bytes that are on the disk, and is itself on the disk before the call is over: whatever is cut off
 * the end of this sequence, there is the old file or the new one. */
static void a_power_cut_leaves_the_old_file_or_the_new_one(void **state)
{
    static const struct {
        bool stands; /* there is a file of that name */
        struct faults faults;
        const char *calls;
    } ROWS[] = {{false, {.room = -1}, "wslcS"},
                {true, {.room = -1}, "wslcrS"},
                {true, {.room = -1, .unnamed = EOPNOTSUPP}, "wscrS"},
                {false, {.room = -1, .unnamed = EOPNOTSUPP}, "wscrS"},
                {true, {.room = -1, .link = ENOENT}, "wslcwscrS"}, /* no /proc: again, under a name */
                {false, {.room = -1, .link = ENOENT}, "wslcwscrS"}};
    const char *path = test_path("durable");
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        if (!ROWS[k].stands)
            unlink(path);
        faults = ROWS[k].faults;
        calls[0] = '\0';
        sfgp_status status = write_text(*state, path, k % 2 ? "odd" : "even");
        faults = (struct faults){.room = -1};
        sfgp_assert_ok(*state, status);
        assert_string_equal(calls, ROWS[k].calls);
        assert_content(path, k % 2 ? "odd" : "even");
    }
    faults.sync_folder = EIO; /* the new name may be lost */
    sfgp_assert_status(*state, write_text(*state, path, "even"), SFGP_ERROR_WRITE);
    faults.sync_folder = EINVAL; /* this file system makes no promise */
    faults.sync = EINVAL;
    sfgp_assert_ok(*state, write_text(*state, path, "even"));
    faults = (struct faults){.room = -1};
}

/* 79; where files without a name cannot be, there is one to clean up. */
static void a_signal_in_the_middle_leaves_nothing(void **state)
{
    const char *path = test_path("signalled");
    sfgp_test_write(path, "old", 3);
    int descriptor = open(sfgp_test_folder(), O_TMPFILE | O_WRONLY, 0666);
    if (descriptor < 0)
        skip();
    close(descriptor);
    const int entries = count_entries(sfgp_test_folder()), signals[] = {SIGINT, SIGTERM, SIGKILL};
    for (int k = 0; k < 3; k++) {
        pid_t child = fork();
        if (child == 0) {
            faults.signal = signals[k];
            _exit((int)write_text(*state, path, "new text"));
        }
        assert_int_equal(wait_for(child), 1000 + signals[k]);
        assert_content(path, "old");
        assert_int_equal(count_entries(sfgp_test_folder()), entries);
    }
}

static void interrupts_and_short_writes_are_gone_through(void **state)
{
    const char *path = test_path("slow");
    faults = (struct faults){.interrupts = 3, .most = 1, .room = -1, .close = EINTR};
    sfgp_status status = write_text(*state, path, "every byte");
    faults = (struct faults){.room = -1};
    sfgp_assert_ok(*state, status);
    assert_content(path, "every byte");
}

static void row_77_a_file_size_limit_at_every_byte_leaves_the_old_file(void **state)
{
    const char *path = test_path("limited"), text[] = "0123456789";
    sfgp_test_write(path, "old", 3);
    int entries = count_entries(sfgp_test_folder());
    for (rlim_t limit = 0; limit <= 10; limit++) {
        pid_t child = fork();
        if (child == 0) {
            const struct rlimit most = {limit, limit};
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &most);
            _exit((int)write_text(*state, path, text));
        }
        assert_int_equal(wait_for(child), limit < 10 ? SFGP_ERROR_WRITE : SFGP_OK);
        assert_content(path, limit < 10 ? "old" : text);
        assert_int_equal(count_entries(sfgp_test_folder()), entries);
    }
}

static int write_unprivileged(sfgp_context *context, const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        _exit((int)write_text(context, path, "new"));
    }
    return wait_for(child);
}

static void row_74_folders_and_files_without_permission_are_left_alone(void **state)
{
    char file[256], other[256];
    const char *folder = test_path("read-only");
    assert_int_equal(mkdir(folder, 0755), 0);
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    sfgp_test_write(file, "old", 3);
    assert_int_equal(chmod(folder, 0555), 0);
    assert_int_equal(write_unprivileged(*state, file), SFGP_ERROR_WRITE);
    assert_int_equal(write_unprivileged(*state, other), SFGP_ERROR_WRITE);
    assert_content(file, "old");
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(chmod(file, 0444), 0);
    assert_int_equal(write_unprivileged(*state, file), SFGP_ERROR_WRITE);
    assert_content(file, "old");
    assert_int_equal(write_unprivileged(*state, other), SFGP_OK);
    assert_content(other, "new");
}

/* The system would let root write it. */
static void row_74_root_spares_files_that_their_owner_may_not_write(void **state)
{
    const char *path = test_path("protected");
    sfgp_test_write(path, "old", 3);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(write_text(*state, path, "new"), SFGP_ERROR_WRITE);
    errno = 0;
    assert_int_equal(sfgp_platform_open_append(path), -1);
    assert_int_equal(errno, EACCES);
    assert_content(path, "old");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(write_text(*state, path, "new"), SFGP_OK);
    assert_content(path, "new");
}

static void row_76_output_may_be_the_input(void **state)
{
    const char *path = test_path("same.ply");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3), *back = NULL, *again = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, back, NULL, 0));
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &again));
    sfgp_assert_meshes_equal(mesh, again);
    sfgp_mesh_free(mesh);
    sfgp_mesh_free(back);
    sfgp_mesh_free(again);
}

/* Once, at the end: nothing is written after an earlier failure, and the buffer is empty in any case. */
static void a_buffer_is_saved_or_says_why_not(void **state)
{
    static const sfgp_status EARLIER[] = {SFGP_ERROR_DATA, SFGP_OK, SFGP_OK};
    static const sfgp_status OWN[] = {SFGP_OK, SFGP_ERROR_MEMORY, SFGP_OK};
    static const sfgp_status EXPECTED[] = {SFGP_ERROR_DATA, SFGP_ERROR_MEMORY, SFGP_OK};
    const char *path = test_path("buffer.txt");
    for (int k = 0; k < 3; k++) {
        sfgp_buffer buffer = sfgp_buffer_empty(*state);
        sfgp_buffer_text(&buffer, "seven\n");
        buffer.status = OWN[k];
        assert_null(sfgp_test_read(path, NULL));
        assert_int_equal(sfgp_buffer_save(&buffer, EARLIER[k], path), EXPECTED[k]);
        assert_true(!buffer.bytes && buffer.size == 0);
    }
    char *text = sfgp_test_read(path, NULL);
    assert_string_equal(text, "seven\n");
    free(text);
}

/* Another process makes and removes the file all the time, as a second runner of a batch does with its manifest. */
static void a_file_that_comes_and_goes_meanwhile_is_written(void **state)
{
    enum { WRITES = 400 };
    const char *path = test_path("shared.txt");
    const pid_t other = fork();
    assert_true(other >= 0);
    while (other == 0) {
        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
        unlink(path);
    }
    int failed = 0;
    for (int k = 0; k < WRITES; k++)
        failed += sfgp_file_write(*state, path, "whole\n", 6) != SFGP_OK;
    kill(other, SIGKILL);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(failed, 0);
    assert_int_equal(sfgp_file_write(*state, path, "whole\n", 6), SFGP_OK);
    char *text = sfgp_test_read(path, NULL);
    assert_string_equal(text, "whole\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(new_and_old_files_are_written_whole),
        sfgp_unit_test(permissions_are_those_of_the_umask_or_of_the_old_file),
        sfgp_unit_test(rows_73_75_targets_that_cannot_be_written),
        sfgp_unit_test(the_longest_path_is_written_where_files_need_no_other_name),
        sfgp_unit_test(links_stay_links),
        sfgp_unit_test(a_pipe_with_a_reader_is_written_into),
        sfgp_unit_test(failing_calls_leave_the_old_file),
        sfgp_unit_test(a_power_cut_leaves_the_old_file_or_the_new_one),
        sfgp_unit_test(a_signal_in_the_middle_leaves_nothing),
        sfgp_unit_test(interrupts_and_short_writes_are_gone_through),
        sfgp_unit_test(row_77_a_file_size_limit_at_every_byte_leaves_the_old_file),
        sfgp_unit_test(row_74_folders_and_files_without_permission_are_left_alone),
        sfgp_unit_test(row_74_root_spares_files_that_their_owner_may_not_write),
        sfgp_unit_test(row_76_output_may_be_the_input),
        sfgp_unit_test(a_buffer_is_saved_or_says_why_not),
        sfgp_unit_test(a_file_that_comes_and_goes_meanwhile_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
