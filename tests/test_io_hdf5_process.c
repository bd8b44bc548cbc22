/* The process that runs HDF5: whatever becomes of it is an error with the right status and the file's
 * name, its limits hold, and nothing of it stays: no process, no descriptor. */
#include "io/hdf5_handle.h"
#include "support/corrupt.h"
#include "support/damaged_hdf5.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 300000 /* numbers: more than a part, a few parts */

static double values[COUNT];

static const char *write_file(sfgp_context *context, const char *name)
{
    const char *path = test_path(name);
    const int64_t shape[] = {COUNT / 3, 3};
    sfgp_hdf5 *file;
    for (int k = 0; k < COUNT; k++)
        values[k] = k + 0.25;
    sfgp_assert_ok(context, sfgp_hdf5_new(context, &file));
    sfgp_hdf5_write_numbers(file, "/a/values", SFGP_HDF5_FLOAT64, 2, shape, values);
    sfgp_hdf5_write_text(file, "/a/text", "words");
    /* A name with a blank is in no table: the process reads the whole file. */
    sfgp_hdf5_write_number(file, "/no table", SFGP_HDF5_FLOAT64, 0);
    sfgp_assert_ok(context, sfgp_hdf5_save(file, path));
    sfgp_hdf5_free(file);
    return path;
}

static sfgp_hdf5 *open_file(sfgp_context *context, const char *path)
{
    sfgp_hdf5 *file;
    sfgp_assert_ok(context, sfgp_hdf5_open(context, path, &file));
    return file;
}

static void assert_values(sfgp_context *context, sfgp_hdf5 *file)
{
    sfgp_array *array;
    sfgp_assert_ok(context, sfgp_hdf5_read_array(file, "/a/values", &array));
    assert_true(array->rank == 2 && array->shape[0] == COUNT / 3 && array->shape[1] == 3);
    assert_memory_equal(array->values, values, sizeof values);
    sfgp_array_free(array);
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void assert_no_child(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* ---- what becomes of it ------------------------------------------------------------------------------ */

/* Never to -1, which is every process of the machine. */
static void send_signal(const sfgp_hdf5 *file, int number)
{
    assert_true(file->process.id > 1);
    assert_int_equal(kill((pid_t)file->process.id, number), 0);
}

static void end_by_signal(sfgp_hdf5 *file, int number)
{
    siginfo_t info; /* until it has ended, but leaves it to be waited for */
    send_signal(file, number);
    assert_int_equal(waitid(P_PID, (id_t)file->process.id, &info, WEXITED | WNOWAIT), 0);
}

static void a_process_that_breaks_down_is_an_error_that_names_the_file(void **state)
{
    const struct {
        int signal;
        bool verified;
        sfgp_status expected;
        const char *words;
    } ends[] = {{SIGSEGV, false, SFGP_ERROR_FORMAT, "broke down on it (signal 11)"},
                {SIGBUS, false, SFGP_ERROR_FORMAT, "broke down on it"},
                {SIGABRT, false, SFGP_ERROR_FORMAT, "broke down on it (signal 6)"},
                {SIGXCPU, false, SFGP_ERROR_FORMAT, "longer"},
                {SIGKILL, false, SFGP_ERROR_MEMORY, "out of memory"},
                {SIGSEGV, true, SFGP_ERROR_MEMORY, "out of memory"}};
    const int before = count_descriptors();
    const char *path = write_file(*state, "broken.h5");
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        sfgp_array *array = (sfgp_array *)&array;
        sfgp_hdf5 *file = open_file(*state, path);
        assert_true(file->verified);
        file->verified = ends[k].verified;
        file->repeated = true; /* the second time */
        end_by_signal(file, ends[k].signal);
        sfgp_assert_status(*state, sfgp_hdf5_read_array(file, "/a/values", &array), ends[k].expected);
        assert_null(array);
        if (!strstr(sfgp_context_error(*state), ends[k].words) ||
            !strstr(sfgp_context_error(*state), "broken.h5"))
            fail_msg("'%s' lacks '%s' or the name", sfgp_context_error(*state), ends[k].words);
        sfgp_hdf5_free(file);
    }
    assert_int_equal(count_descriptors(), before);
    assert_no_child();
}

/* It may have lacked memory for a moment. */
static void a_process_that_breaks_down_is_started_once_more(void **state)
{
    char text[20], member[20];
    sfgp_array *array;
    const char *path = write_file(*state, "again.h5");
    for (int turn = 0; turn < 4; turn++) {
        sfgp_hdf5 *file = open_file(*state, path);
        file->verified = false;
        end_by_signal(file, SIGSEGV);
        if (turn == 0)
            assert_values(*state, file);
        else if (turn == 1)
            assert_true(sfgp_hdf5_has(file, "/a/values"));
        else if (turn == 2)
            sfgp_assert_ok(*state, sfgp_hdf5_read_text(file, "/a/text", sizeof text, text));
        else
            assert_true(sfgp_hdf5_find_member(file, "/a", 1, sizeof member, member));
        assert_values(*state, file);
        end_by_signal(file, SIGSEGV);
        sfgp_assert_status(*state, sfgp_hdf5_read_array(file, "/a/values", &array), SFGP_ERROR_FORMAT);
        sfgp_hdf5_free(file);
    }
    assert_no_child();
}

/* No room for what a sound file of its size needs. */
static void a_process_that_breaks_down_without_memory_lacked_it(void **state)
{
    struct rlimit none = {.rlim_cur = 0}, before;
    sfgp_array *array;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* a sanitizer has its own way with memory */
#endif
    for (int repeated = 0; repeated < 2; repeated++) {
        sfgp_hdf5 *file = open_file(*state, write_file(*state, "starved.h5"));
        file->verified = false;
        file->repeated = repeated;
        end_by_signal(file, SIGSEGV);
        getrlimit(RLIMIT_AS, &before);
        none.rlim_max = before.rlim_max;
        setrlimit(RLIMIT_AS, &none);
        const sfgp_status status = sfgp_hdf5_read_array(file, "/a/values", &array);
        setrlimit(RLIMIT_AS, &before);
        sfgp_assert_error(*state, status, SFGP_ERROR_MEMORY, "starved.h5: out of memory: HDF5 needs 25 MiB");
        sfgp_assert_status(*state, sfgp_hdf5_read_array(file, "/a/values", &array),
                           SFGP_ERROR_MEMORY); /* kept */
        sfgp_hdf5_free(file);
    }
}

/* What was not found because the look failed must not pass for what is not there. */
static void a_look_that_fails_is_kept(void **state)
{
    char text[20], member[20];
    sfgp_hdf5 *file = open_file(*state, write_file(*state, "kept.h5"));
    assert_true(sfgp_hdf5_has(file, "/a/values"));
    assert_false(sfgp_hdf5_has(file, "/a/other"));
    assert_false(sfgp_hdf5_has(file, "/b/other"));
    sfgp_assert_ok(*state, sfgp_hdf5_read_text(file, "/a/text", sizeof text, text));
    assert_string_equal(text, "words");
    assert_true(sfgp_hdf5_find_member(file, "/a", 1, sizeof member, member));
    assert_string_equal(member, "values");
    assert_false(sfgp_hdf5_find_member(file, "/a", 2, sizeof member, member));
    assert_false(sfgp_hdf5_find_member(file, "/a", 1, 3, member)); /* too long */
    end_by_signal(file, SIGKILL);
    assert_false(sfgp_hdf5_has(file, "/a/values"));
    sfgp_array *array;
    sfgp_assert_error(*state, sfgp_hdf5_fail(file, "/a/values", "is not there"), SFGP_ERROR_MEMORY,
                      "kept.h5: out of memory");
    sfgp_assert_status(*state, sfgp_hdf5_read_array(file, "/a/values", &array), SFGP_ERROR_MEMORY);
    sfgp_assert_status(*state, sfgp_hdf5_read_text(file, "/a/text", sizeof text, text), SFGP_ERROR_MEMORY);
    assert_false(sfgp_hdf5_find_member(file, "/a", 0, sizeof member, member));
    sfgp_hdf5_free(file);
}

static void a_new_file_whose_process_is_gone_is_not_written(void **state)
{
    const char *path = test_path("unwritten.h5");
    for (int puts = 0; puts < 2; puts++) {
        sfgp_hdf5 *file;
        sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &file));
        end_by_signal(file, SIGSEGV);
        for (int k = 0; k < puts; k++)
            sfgp_hdf5_write_number(file, "/x", SFGP_HDF5_FLOAT64, 1);
        sfgp_assert_status(*state, sfgp_hdf5_save(file, path), SFGP_ERROR_MEMORY);
        assert_null(sfgp_test_read(path, NULL));
        sfgp_hdf5_free(file);
    }
}

/* A write has no answer of its own: what is asked next must not pass over it. */
static void a_write_that_failed_is_the_next_answer(void **state)
{
    sfgp_hdf5 *file;
    sfgp_array *array;
    sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &file));
    for (int turn = 0; turn < 2; turn++) /* the second time the name is taken */
        sfgp_hdf5_write_number(file, "/x", SFGP_HDF5_FLOAT64, turn);
    sfgp_assert_error(*state, sfgp_hdf5_read_array(file, "/x", &array), SFGP_ERROR_MEMORY,
                      "'/x': HDF5 has no memory");
    assert_false(sfgp_hdf5_has(file, "/y"));
    sfgp_assert_status(*state, sfgp_hdf5_status(file), SFGP_ERROR_MEMORY);
    sfgp_hdf5_free(file);
}

static void numbers_that_the_type_cannot_hold_are_refused(void **state)
{
    sfgp_hdf5 *file;
    sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &file));
    sfgp_hdf5_write_number(file, "/x", SFGP_HDF5_INT32, 3e9);
    sfgp_assert_error(*state, sfgp_hdf5_status(file), SFGP_ERROR_DATA,
                      "'/x': 3e+09 is not a number that it can hold");
    sfgp_hdf5_free(file);
}

/* The process seems to give this answer; what is sent to it arrives at the end that is returned. */
static int answer_instead(sfgp_hdf5 *file, const sfgp_hdf5_answer *answer)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    dup2(ends[0], file->process.socket);
    close(ends[0]);
    assert_true(sfgp_child_send(ends[1], answer, sizeof *answer));
    return ends[1];
}

/* An error that came after an allocation had failed; after other errors nothing is asked again. */
static void what_had_no_memory_is_asked_for_again(void **state)
{
    const char *path = write_file(*state, "asked.h5");
    for (int starved = 0; starved < 2; starved++) {
        sfgp_array *array;
        sfgp_hdf5 *file = open_file(*state, path);
        const sfgp_hdf5_answer answer = {.status = SFGP_ERROR_FORMAT, .size = 6, .starved = starved};
        const int end = answer_instead(file, &answer);
        assert_true(sfgp_child_send(end, "words", 6));
        if (starved) {
            assert_values(*state, file);
        } else {
            sfgp_assert_status(*state, sfgp_hdf5_read_array(file, "/a/values", &array), SFGP_ERROR_FORMAT);
            assert_string_equal(sfgp_context_error(*state), "words");
        }
        sfgp_hdf5_free(file);
        close(end);
    }
}

/* The limits of the file hold for all of its processes together. */
static void a_process_more_takes_no_more_memory(void **state)
{
    sfgp_array *array;
    const char *path = write_file(*state, "limit.h5");
    sfgp_context_set_read_limit(*state, COUNT * 8);
    sfgp_hdf5 *file = open_file(*state, path);
    assert_values(*state, file);
    end_by_signal(file, SIGSEGV);
    sfgp_assert_error(*state, sfgp_hdf5_read_array(file, "/a/values", &array), SFGP_ERROR_MEMORY,
                      "max_memory");
    sfgp_hdf5_free(file);
    sfgp_context_set_read_limit(*state, 0);
}

/* Frees the file: after a wrong answer nothing more is sent. */
static void assert_left_alone(sfgp_hdf5 *file, int end)
{
    char byte;
    sfgp_hdf5_free(file);
    assert_int_equal(recv(end, &byte, 1, MSG_DONTWAIT), 0);
    close(end);
}

/* As an attacker's code in the process might. */
static void wrong_answers_are_not_believed(void **state)
{
    const sfgp_hdf5_answer answers[] = {{.rank = 5},
                                        {.rank = 1, .shape = {-1, 1, 1, 1}},
                                        {.size = -1},
                                        {.status = SFGP_ERROR_FORMAT, .size = 5000}};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        sfgp_hdf5 *file = open_file(*state, write_file(*state, "answer.h5"));
        sfgp_hdf5_answer got;
        const int end = answer_instead(file, &answers[k]);
        sfgp_assert_error(*state, sfgp_hdf5_receive(file, &got), SFGP_ERROR_FORMAT, "wrong answer");
        assert_left_alone(file, end);
    }
}

/* Sizes that are sound, but not those of what was asked for: no text, more numbers than there are, more than can be. */
static void answers_of_another_size_are_not_believed(void **state)
{
    const sfgp_hdf5_answer nothing = {.size = 0}, two = {.rank = 1, .shape = {2, 1, 1, 1}},
                           three = {.size = 24}, huge = {.rank = 2, .shape = {INT64_MAX, 2, 1, 1}};
    for (int asked = 0; asked < 3; asked++) {
        char text[20];
        sfgp_array *array = NULL;
        sfgp_hdf5 *file = open_file(*state, write_file(*state, "size.h5"));
        const int end = answer_instead(file, asked == 0 ? &nothing : asked == 1 ? &two : &huge);
        if (asked == 1)
            assert_true(sfgp_child_send(end, &three, sizeof three));
        const sfgp_status status = asked == 0 ? sfgp_hdf5_read_text(file, "/a/text", sizeof text, text)
                                              : sfgp_hdf5_read_array(file, "/a/values", &array);
        sfgp_assert_status(*state, status, asked == 2 ? SFGP_ERROR_MEMORY : SFGP_ERROR_FORMAT);
        assert_true(asked == 2 || strstr(sfgp_context_error(*state), "wrong answer"));
        assert_null(array);
        sfgp_hdf5_free(file);
        close(end);
    }
}

static void a_table_of_the_wrong_size_is_not_believed(void **state)
{
    const int64_t sizes[] = {0, SFGP_HDF5_TABLE_SIZE + 1};
    for (int k = 0; k < 2; k++) {
        sfgp_hdf5 *file;
        sfgp_hdf5_request request;
        sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &file));
        const int end = answer_instead(file, &(sfgp_hdf5_answer){.size = sizes[k]});
        sfgp_assert_status(*state, sfgp_hdf5_save(file, test_path("table.h5")), SFGP_ERROR_FORMAT);
        assert_true(sfgp_child_receive(end, &request, sizeof request) && request.verb == SFGP_HDF5_FINISH);
        assert_left_alone(file, end);
    }
}

/* ---- limits ------------------------------------------------------------------------------------------ */

static void allocate_and_touch(void *user, int socket)
{
    const size_t size = *(const size_t *)user;
    volatile char *block = malloc(size);
    const char answer = block != NULL;
    for (size_t k = 0; block && k < size; k += 4096)
        block[k] = 1;
    sfgp_child_send(socket, &answer, 1);
}

static bool can_allocate(size_t size)
{
    char answer = 2;
    sfgp_child process;
    const sfgp_child_task task = {.serve = allocate_and_touch, .user = &size, .memory = 64 << 20};
    assert_true(sfgp_child_start(&task, &process));
    assert_true(sfgp_child_receive(process.socket, &answer, 1));
    assert_true(sfgp_child_finish(&process, false).known);
    return answer == 1;
}

static void its_memory_is_limited(void **state)
{
    (void)state;
#ifdef SFGP_SLOW_BUILD
    skip(); /* a sanitizer has its own way with memory */
#endif
    assert_true(can_allocate(32 << 20));
    assert_false(can_allocate(256 << 20));
}

static void loop_forever(void *user, int socket)
{
    volatile int64_t *turns = user;
    (void)socket;
    for (;;)
        ++*turns;
}

static void its_time_is_limited(void **state)
{
    (void)state;
    char answer;
    int64_t turns = 0;
    sfgp_child process;
    const sfgp_child_task task = {.serve = loop_forever, .user = &turns, .seconds = 1};
    assert_true(sfgp_child_start(&task, &process));
    assert_false(sfgp_child_receive(process.socket, &answer, 1));
    const sfgp_child_end end = sfgp_child_finish(&process, false);
    assert_true(end.known && end.overran && end.signal == SIGXCPU && !end.killed);
    assert_int_equal(turns, 0); /* of the child's own copy */
}

/* A stopped process stands for one that waits for a disk, or for a lock that a thread of the host held at the
 * fork. */
static void its_silence_is_limited(void **state)
{
    const struct timeval second = {.tv_sec = 1};
    sfgp_array *array;
    siginfo_t info;
    sfgp_hdf5 *file = open_file(*state, write_file(*state, "silent.h5"));
    setsockopt(file->process.socket, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    send_signal(file, SIGSTOP);
    assert_int_equal(waitid(P_PID, (id_t)file->process.id, &info, WSTOPPED | WNOWAIT), 0);
    sfgp_assert_error(*state, sfgp_hdf5_read_array(file, "/a/values", &array), SFGP_ERROR_READ, "silent.h5");
    sfgp_assert_has(sfgp_context_error(*state), "no answer");
    sfgp_hdf5_free(file);
    assert_no_child();
}

/* What the host has registered: its exit functions and signal handlers. */
static int *host_calls; /* shared with the child */

static void count_call(void)
{
    ++*host_calls;
}

static void count_signal(int number)
{
    (void)number;
    ++*host_calls;
}

static void call_exit(void *user, int socket)
{
    (void)user, (void)socket;
    raise(SIGTERM); /* ignored */
    exit(0);
}

static void nothing_of_the_host_runs_in_it(void **state)
{
    (void)state;
    sfgp_child process;
    const sfgp_child_task task = {.serve = call_exit};
    host_calls = mmap(NULL, sizeof *host_calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(host_calls != MAP_FAILED && atexit(count_call) == 0);
    signal(SIGTERM, count_signal);
    assert_true(sfgp_child_start(&task, &process));
    const sfgp_child_end end = sfgp_child_finish(&process, false);
    signal(SIGTERM, SIG_DFL);
    assert_true(end.known && end.signal == 0 && end.code == EXIT_FAILURE);
    assert_int_equal(*host_calls, 0);
}

/* SFGP_ERROR_MEMORY before the numbers are read, in words that name what limits them. */
static void the_callers_limit_is_kept(void **state)
{
    sfgp_array *array;
    const char *path = write_file(*state, "large.h5");
    sfgp_context_set_read_limit(*state, COUNT * 8 - 1);
    sfgp_assert_error(*state, sfgp_array_read(*state, path, "/a/values", &array), SFGP_ERROR_MEMORY,
                      "max_memory");
    sfgp_context_set_read_limit(*state, COUNT * 8);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/a/values", &array));
    sfgp_array_free(array);
    sfgp_hdf5 *file = open_file(*state, path); /* of all data sets together */
    assert_values(*state, file);
    sfgp_assert_status(*state, sfgp_hdf5_read_array(file, "/a/values", &array), SFGP_ERROR_MEMORY);
    sfgp_hdf5_free(file);
    sfgp_context_set_read_limit(*state, 0);
}

static void what_never_began_has_no_end(void **state)
{
    sfgp_child none = {.id = -1, .socket = -1};
    (void)state;
    assert_false(sfgp_child_finish(&none, true).known);
}

static void no_more_processes_are_an_error(void **state)
{
    struct rlimit none = {0, 0}, before;
    sfgp_hdf5 *file = (sfgp_hdf5 *)&file, *made = file;
    const char *path = write_file(*state, "forkless.h5");
    getrlimit(RLIMIT_NOFILE, &before);
    none.rlim_max = before.rlim_max;
    const int lowest = dup(0); /* room for the file, not for both ends of the socket */
    close(lowest);
    none.rlim_cur = (rlim_t)lowest + 1;
    setrlimit(RLIMIT_NOFILE, &none);
    const sfgp_status status = sfgp_hdf5_open(*state, path, &file), other = sfgp_hdf5_new(*state, &made);
    setrlimit(RLIMIT_NOFILE, &before);
    sfgp_assert_status(*state, status, SFGP_ERROR_MEMORY);
    sfgp_assert_status(*state, other, SFGP_ERROR_MEMORY);
    assert_true(!file && !made);
    sfgp_assert_has(sfgp_context_error(*state), "process of its own");
}

/* A name that no request can hold, of a file whose table does not have it; and its process cannot be started. */
static void what_cannot_be_asked_is_an_error(void **state)
{
    char name[SFGP_HDF5_NAME + 1], text[20];
    struct rlimit none = {0, 0}, before;
    const char *path = test_path("asked.h5");
    sfgp_array *array;
    sfgp_hdf5 *file;
    sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &file));
    sfgp_hdf5_write_number(file, "/x", SFGP_HDF5_FLOAT64, 1);
    sfgp_assert_ok(*state, sfgp_hdf5_save(file, path));
    sfgp_hdf5_free(file);
    file = open_file(*state, path);
    assert_true(sfgp_hdf5_is_sealed(file));
    memset(name, 'n', sizeof name);
    name[SFGP_HDF5_NAME] = '\0';
    sfgp_assert_error(*state, sfgp_hdf5_read_array(file, name, &array), SFGP_ERROR_FORMAT,
                      "name is too long");
    getrlimit(RLIMIT_NOFILE, &before);
    none.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_NOFILE, &none);
    const sfgp_status status = sfgp_hdf5_read_text(file, "/none", sizeof text, text);
    setrlimit(RLIMIT_NOFILE, &before);
    sfgp_assert_status(*state, status, SFGP_ERROR_MEMORY);
    assert_false(sfgp_hdf5_has(file, "/x")); /* kept */
    sfgp_hdf5_free(file);
}

/* ---- side by side ------------------------------------------------------------------------------------ */

/* Each process has inherited the sockets of those before it: closing one must not wait for another. */
static void files_are_open_side_by_side_and_closed_in_any_order(void **state)
{
    const char *path = write_file(*state, "twice.h5");
    for (int order = 0; order < 2; order++) {
        sfgp_hdf5 *files[] = {open_file(*state, path), open_file(*state, path)}, *made;
        sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &made));
        assert_values(*state, files[1]);
        assert_values(*state, files[0]);
        sfgp_hdf5_free(files[order]);
        assert_values(*state, files[1 - order]);
        sfgp_hdf5_free(made);
        sfgp_hdf5_free(files[1 - order]);
    }
    assert_no_child();
}

static void *read_often(void *path)
{
    sfgp_context *context;
    size_t good = 0;
    if (sfgp_context_new(NULL, &context) != SFGP_OK)
        return NULL;
    for (int k = 0; k < 20; k++) {
        sfgp_array *array;
        const bool same = sfgp_array_read(context, path, "/a/values", &array) == SFGP_OK &&
                          memcmp(array->values, values, sizeof values) == 0;
        good += same;
        sfgp_array_free(array);
    }
    sfgp_context_free(context);
    return (void *)good;
}

static void threads_read_at_once(void **state)
{
#ifdef SFGP_SLOW_BUILD
    skip(); /* sanitizers of GCC 12 do not guard their allocator at a fork, the C library does */
#endif
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    const char *path = write_file(*state, "threads.h5");
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, read_often, (void *)path), 0);
    for (int k = 0; k < THREADS; k++) {
        void *good = NULL;
        assert_int_equal(pthread_join(threads[k], &good), 0);
        assert_int_equal((size_t)good, 20);
    }
    assert_no_child();
}

/* A host may ignore SIGCHLD: the system then waits for the process itself. */
static void a_host_that_ignores_its_children_is_served(void **state)
{
    sfgp_array *array;
    const char *path = write_file(*state, "ignored.h5");
    signal(SIGCHLD, SIG_IGN);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/a/values", &array));
    sfgp_array_free(array);
    sfgp_assert_status(*state, sfgp_array_read(*state, path, "/a/text", &array), SFGP_ERROR_FORMAT);
    signal(SIGCHLD, SIG_DFL);
}

static sfgp_status write_and_read(sfgp_context *context, void *path)
{
    sfgp_hdf5 *file = NULL;
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_new(context, &file);
    if (status == SFGP_OK) {
        sfgp_hdf5_write_number(file, "/x", SFGP_HDF5_FLOAT64, 2);
        status = sfgp_hdf5_save(file, path);
    }
    sfgp_hdf5_free(file);
    if (status == SFGP_OK)
        status = sfgp_array_read(context, path, "/x", &array);
    sfgp_array_free(array);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    char path[8192];
    snprintf(path, sizeof path, "%s", test_path("sweep.h5"));
    assert_true(sfgp_sweep_allocations(*state, write_and_read, path) >= 6);
    assert_no_child();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_process_that_breaks_down_is_an_error_that_names_the_file),
        sfgp_unit_test(a_process_that_breaks_down_is_started_once_more),
        sfgp_unit_test(a_process_that_breaks_down_without_memory_lacked_it),
        sfgp_unit_test(a_look_that_fails_is_kept),
        sfgp_unit_test(a_new_file_whose_process_is_gone_is_not_written),
        sfgp_unit_test(a_write_that_failed_is_the_next_answer),
        sfgp_unit_test(numbers_that_the_type_cannot_hold_are_refused),
        sfgp_unit_test(what_had_no_memory_is_asked_for_again),
        sfgp_unit_test(a_process_more_takes_no_more_memory),
        sfgp_unit_test(wrong_answers_are_not_believed),
        sfgp_unit_test(answers_of_another_size_are_not_believed),
        sfgp_unit_test(a_table_of_the_wrong_size_is_not_believed),
        sfgp_unit_test(its_memory_is_limited),
        sfgp_unit_test(its_time_is_limited),
        sfgp_unit_test(its_silence_is_limited),
        sfgp_unit_test(nothing_of_the_host_runs_in_it),
        sfgp_unit_test(the_callers_limit_is_kept),
        sfgp_unit_test(what_never_began_has_no_end),
        sfgp_unit_test(no_more_processes_are_an_error),
        sfgp_unit_test(what_cannot_be_asked_is_an_error),
        sfgp_unit_test(files_are_open_side_by_side_and_closed_in_any_order),
        sfgp_unit_test(threads_read_at_once),
        sfgp_unit_test(a_host_that_ignores_its_children_is_served),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
