#include "support/support.h"
#include "base/parallel.h"
#include "base/threads.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

sfgp_test_memory sfgp_memory_counters = {0, 0, -1, false};
static char warning[16384];

static void *counting_allocate(size_t bytes, void *user)
{
    sfgp_test_memory *counters = user;
    if (counters->fail_at == 0) {
        counters->fail_at = counters->fail_always ? 0 : -1;
        return NULL;
    }
    if (counters->fail_at > 0)
        counters->fail_at--;
    void *block = malloc(bytes);
    if (block) {
        __atomic_add_fetch(&counters->allocations, 1, __ATOMIC_RELAXED);
        __atomic_add_fetch(&counters->live, 1, __ATOMIC_RELAXED);
    }
    return block;
}

static void counting_release(void *block, void *user)
{
    sfgp_test_memory *counters = user;
    __atomic_sub_fetch(&counters->live, 1, __ATOMIC_RELAXED);
    free(block);
}

static void keep_warning(void *user, const char *text)
{
    (void)user;
    size_t used = strlen(warning);
    snprintf(warning + used, sizeof warning - used, "%s\n", text);
}

int sfgp_test_setup(void **state)
{
    const sfgp_allocator allocator = {counting_allocate, counting_release, &sfgp_memory_counters};
    sfgp_context *context;
    sfgp_memory_counters = (sfgp_test_memory){0, 0, -1, false};
    warning[0] = '\0';
    if (sfgp_context_new(&allocator, &context) != SFGP_OK)
        return -1;
    sfgp_context_set_log(context, keep_warning, NULL);
    *state = context;
    return 0;
}

void sfgp_test_threads(int threads)
{
    if (!sfgp_parallel_is_begun())
        sfgp_threads_begin(1, 0); /* with OpenBLAS on one thread */
    sfgp_parallel_begin(threads);
}

int sfgp_test_teardown(void **state)
{
    if (sfgp_parallel_is_begun())
        sfgp_threads_end(0);
    sfgp_context_free(*state);
    if (sfgp_memory_counters.live != 0)
        print_error("%ld blocks are still allocated\n", sfgp_memory_counters.live);
    return sfgp_memory_counters.live == 0 ? 0 : -1;
}

void sfgp_test_skip(void **state)
{
    (void)state;
    skip();
}

void sfgp_assert_status(sfgp_context *context, sfgp_status status, sfgp_status expected)
{
    if (status != expected)
        fail_msg("status %d (%s: %s), expected %d (%s)", (int)status, sfgp_status_text(status),
                 sfgp_context_error(context), (int)expected, sfgp_status_text(expected));
}

void sfgp_assert_error(sfgp_context *context, sfgp_status status, sfgp_status expected, const char *words)
{
    sfgp_assert_status(context, status, expected);
    if (expected != SFGP_OK)
        sfgp_assert_has(sfgp_context_error(context), words);
}

void sfgp_assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

sfgp_settings test_settings(void)
{
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    return settings;
}

sfgp_model *test_model(sfgp_context *context, const sfgp_mesh *reference, const sfgp_settings *settings)
{
    sfgp_model *model;
    sfgp_assert_ok(context, sfgp_model_new(context, reference, NULL, 0, settings, &model));
    return model;
}

sfgp_solver *test_solver(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings)
{
    sfgp_solver *solver;
    sfgp_assert_ok(context, sfgp_solver_new(context, model, settings, &solver));
    return solver;
}

sfgp_result *test_run(sfgp_context *context, sfgp_solver *solver, const sfgp_mesh *target)
{
    sfgp_result *result;
    sfgp_assert_ok(context, sfgp_solver_run(solver, target, &result));
    return result;
}

const char *sfgp_test_warning(void)
{
    return warning;
}

int sfgp_test_count(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

const char *sfgp_test_data(void)
{
    static char path[4096];
    const char *set = getenv("SFGP_DATA");
    snprintf(path, sizeof path, "%s", set ? set : SFGP_SOURCE_DIR "/../shared/data");
    if (access(path, R_OK) != 0) {
        print_message("skipped: no evaluation data at %s (set SFGP_DATA)\n", path);
        skip();
    }
    return path;
}

static char folder[64];

/* In memory where there is room: outputs are synced, which takes a disk that others use seconds a file. bench/mutants/run.sh names
 * a place that it clears: a test that is ended leaves its folder. */
static const char *place_of_folder(void)
{
    struct statvfs shared;
    if (getenv("SFGP_TEST_PLACE"))
        return getenv("SFGP_TEST_PLACE");
    const bool room = statvfs("/dev/shm", &shared) == 0 && !(shared.f_flag & ST_NOEXEC) &&
                      shared.f_bavail * shared.f_frsize > (uint64_t)1 << 31 && access("/dev/shm", W_OK) == 0;
    return room ? "/dev/shm" : "/tmp";
}

static int remove_entry(const char *path, const struct stat *status, int flag, struct FTW *walk)
{
    (void)status, (void)flag, (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *sfgp_test_folder(void)
{
    static bool made;
    if (!made) {
        snprintf(folder, sizeof folder, "%s/sfgp-test-XXXXXX", place_of_folder());
        made = mkdtemp(folder) != NULL;
        assert_true(made);
        chmod(folder, 0777);
        atexit(remove_folder);
    }
    return folder;
}

const char *sfgp_test_path(const char *inside, const char *name)
{
    static char paths[128][8192];
    static int next;
    char *path = paths[next++ % 128];
    snprintf(path, sizeof paths[0], "%s/%s", inside, name);
    return path;
}

const char *test_path(const char *name)
{
    return sfgp_test_path(sfgp_test_folder(), name);
}

const char *test_text(const char *name, const char *text)
{
    const char *path = test_path(name);
    sfgp_test_write(path, text, strlen(text));
    return path;
}

void sfgp_test_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

char *sfgp_test_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *bytes = NULL;
    size_t length = 0, room = 1 << 16;
    for (size_t got = 1; got > 0; length += got) {
        bytes = realloc(bytes, room *= 2);
        assert_non_null(bytes);
        got = fread(bytes + length, 1, room - length - 1, file);
    }
    fclose(file);
    bytes[length] = '\0';
    if (size)
        *size = length;
    return bytes;
}

static char *read_stream(FILE *stream)
{
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    rewind(stream);
    size_t length = fread(text, 1, (1 << 20) - 1, stream);
    text[length] = '\0';
    fclose(stream);
    return text;
}

/* Of root: to read, write and enter what its permissions forbid, and to give files away. It still owns its files, those of the
 * counters of a coverage build among them. */
static void drop_privileges(void)
{
    static const int DROPPED[] = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER};
    for (size_t k = 0; k < sizeof DROPPED / sizeof *DROPPED && geteuid() == 0; k++)
        if (prctl(PR_CAPBSET_DROP, DROPPED[k], 0, 0, 0) != 0)
            _exit(126);
}

static sfgp_run run(bool unprivileged, const char *first, va_list list)
{
    char *arguments[64] = {(char *)(uintptr_t)SFGP_PROGRAM, (char *)(uintptr_t)first};
    struct rusage usage;
    int status = 0;
    for (int k = 1; k < 62 && arguments[k]; k++)
        arguments[k + 1] = va_arg(list, char *);
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out && err);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_RDONLY);
        alarm(600);
        dup2(null, 0), dup2(fileno(out), 1), dup2(fileno(err), 2);
        if (unprivileged)
            drop_privileges();
        execv(SFGP_PROGRAM, arguments);
        _exit(127);
    }
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
        continue;
    return (sfgp_run){WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_stream(out),
                      read_stream(err), usage.ru_maxrss};
}

sfgp_run sfgp_run_program(const char *argument, ...)
{
    va_list list;
    va_start(list, argument);
    sfgp_run result = run(false, argument, list);
    va_end(list);
    return result;
}

sfgp_run sfgp_run_unprivileged(const char *argument, ...)
{
    va_list list;
    va_start(list, argument);
    sfgp_run result = run(true, argument, list);
    va_end(list);
    return result;
}

void sfgp_run_free(sfgp_run *result)
{
    free(result->out);
    free(result->err);
    *result = (sfgp_run){0};
}
