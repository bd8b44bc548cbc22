/* The pool of processes: every job once, whatever becomes of it. */
#include "support/support.h"

#include "base/platform_process.h"
#include "batch/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 12 };
enum { CRASH = 3, LEAVE = 5, SLEEP = 7 }; /* jobs that do not return, where asked for */

typedef struct shop {
    bool trouble, later;
    pid_t own; /* of a process that stays: which one it is, from its first job on */
    int done;  /* in a process that stays: jobs so far */
    int64_t next;
    int asked, running, most, taken[JOBS], ticks, abandoned, take_limit;
    process_end ends[JOBS];
    int signals[JOBS], codes[JOBS], answers[JOBS];
    int64_t processes[JOBS];
} shop;

static void pause_seconds(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))}, NULL);
}

static int64_t next(void *user)
{
    shop *s = user;
    s->asked++;
    if (s->later && s->asked % 2)
        return PROCESS_LATER;
    return s->next < JOBS ? s->next++ : PROCESS_NONE;
}

static void started(void *user, int64_t job, int64_t process)
{
    shop *s = user;
    assert_true(job >= 0 && process > 0);
    s->running++;
    s->most = s->running > s->most ? s->running : s->most;
}

static double limit(void *user, int64_t job)
{
    return ((shop *)user)->trouble && job == SLEEP ? 0.2 : 0;
}

static void work(void *user, int64_t job, void *message)
{
    const shop *s = user;
    if (s->trouble && job == CRASH)
        raise(SIGKILL);
    if (s->trouble && job == LEAVE)
        _exit(42);
    if (s->trouble && job == SLEEP)
        pause_seconds(600);
    const int answer = (int)(10 * job);
    memcpy(message, &answer, sizeof answer);
}

static sfgp_status finished(void *user, const process_done *done)
{
    shop *s = user;
    s->running--;
    s->taken[done->job]++;
    s->ends[done->job] = done->end;
    s->signals[done->job] = done->signal;
    s->codes[done->job] = done->code;
    s->processes[done->job] = done->process;
    assert_true((done->message != NULL) == (done->end == PROCESS_RETURNED));
    if (done->message)
        memcpy(&s->answers[done->job], done->message, sizeof(int));
    return s->take_limit && --s->take_limit == 0 ? SFGP_ERROR_DATA : SFGP_OK;
}

static void abandon(void *user, int64_t job, int64_t process)
{
    assert_true(job >= 0 && job < JOBS && process > 0 && kill((pid_t)process, 0) != 0);
    ((shop *)user)->abandoned++;
}

static void tick(void *user)
{
    ((shop *)user)->ticks++;
}

static process_pool make_pool(shop *s, int at_once)
{
    return (process_pool){.at_once = at_once,
                          .message_size = sizeof(int),
                          .user = s,
                          .next = next,
                          .started = started,
                          .limit = limit,
                          .work = work,
                          .finished = finished,
                          .abandon = abandon};
}

static void every_job_runs_once(void **state)
{
    (void)state;
    for (int at_once = 1; at_once <= JOBS + 3; at_once += 4)
        for (int later = 0; later < 2; later++) {
            shop s = {.later = later};
            process_pool pool = make_pool(&s, at_once);
            assert_int_equal(process_pool_run(&pool), SFGP_OK);
            assert_true(s.most <= at_once && s.most >= 1);
            for (int k = 0; k < JOBS; k++) {
                assert_int_equal(s.taken[k], 1);
                assert_int_equal(s.answers[k], 10 * k);
            }
        }
}

/* Every job was done once, and those that make trouble ended as they should. */
static void assert_others_returned(const shop *s)
{
    for (int k = 0; k < JOBS; k++) {
        const bool lost = k == CRASH || k == LEAVE || k == SLEEP;
        assert_int_equal(s->taken[k], 1);
        assert_int_equal(s->ends[k], !lost ? PROCESS_RETURNED : k == SLEEP ? PROCESS_LATE : PROCESS_CRASHED);
    }
    assert_int_equal(s->signals[CRASH], SIGKILL);
    assert_int_equal(s->codes[LEAVE], 42);
}

static void what_one_does_harms_no_other(void **state)
{
    shop s = {.trouble = true};
    process_pool pool = make_pool(&s, 3);
    (void)state;
    pool.tick = tick;
    assert_int_equal(process_pool_run(&pool), SFGP_OK);
    assert_others_returned(&s);
    assert_int_equal(s.signals[LEAVE], 0);
    assert_true(s.ticks > 0);
}

/* The answer of a job in a process that stays: its number, and how many jobs that process has done before. */
static void count_up(void *user, int64_t job, void *message)
{
    shop *s = user;
    assert_true(s->done == 0 || s->own == getpid());
    s->own = getpid();
    work(user, job, message);
    const int answer = (int)(100 * job) + s->done++;
    memcpy(message, &answer, sizeof answer);
}

static int count_processes(const shop *s)
{
    int count = 0;
    for (int k = 0; k < JOBS; k++) {
        bool known = false;
        for (int l = 0; l < k; l++)
            known |= s->processes[l] == s->processes[k];
        count += !known;
    }
    return count;
}

static void a_process_that_stays_does_one_job_after_the_other(void **state)
{
    (void)state;
    for (int at_once = 1; at_once <= 3; at_once++)
        for (int later = 0; later < 2; later++) {
            shop s = {.later = later};
            process_pool pool = make_pool(&s, at_once);
            pool.stays = true;
            pool.work = count_up;
            int sum = 0;
            assert_int_equal(process_pool_run(&pool), SFGP_OK);
            for (int k = 0; k < JOBS; k++) {
                assert_int_equal(s.taken[k], 1);
                assert_int_equal(s.answers[k] / 100, k);
                sum += s.answers[k] % 100;
            }
            assert_true(s.most <= at_once && count_processes(&s) <= at_once);
            assert_true(at_once > 1 || sum == JOBS * (JOBS - 1) / 2);
        }
}

/* What crashes or is late is lost alone: the jobs after it have a new process. */
static void a_process_that_stays_loses_one_job(void **state)
{
    shop s = {.trouble = true};
    process_pool pool = make_pool(&s, 1);
    (void)state;
    pool.stays = true;
    pool.work = count_up;
    assert_int_equal(process_pool_run(&pool), SFGP_OK);
    assert_others_returned(&s);
    assert_int_equal(count_processes(&s), 4);
    assert_int_equal(s.answers[SLEEP + 1] % 100, 0);
    assert_int_equal(s.answers[SLEEP + 2] % 100, 1);
}

static void say_one(void *user, int64_t job, void *message)
{
    (void)user, (void)job;
    *(int *)message = 1;
}

/* Its message could not be read, and another process has a copy of the socket that it waits at: it ends all the same, and nobody
 * waits for it for ever (alarm). */
static void a_process_that_waits_can_be_ended(void **state)
{
    int message = 0;
    const sfgp_process_job job = {
        .work = say_one, .message = &message, .size = sizeof message, .stays = true};
    sfgp_process processes[2];
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_null(sfgp_process_start(&job, &processes[k]));
    for (int k = 0; k < 2; k++) {
        const sfgp_process_end end = sfgp_process_finish(&processes[k], &message, sizeof message);
        assert_true(end.whole && end.signal == 0 && end.code == 0 && message == 1);
    }
}

static void an_error_ends_those_that_stay(void **state)
{
    shop s = {.take_limit = 1, .trouble = true, .next = SLEEP};
    process_pool pool = make_pool(&s, 2);
    (void)state;
    pool.limit = NULL;
    pool.stays = true;
    assert_int_equal(process_pool_run(&pool), SFGP_ERROR_DATA);
    assert_int_equal(s.abandoned, 1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void an_error_ends_the_others(void **state)
{
    shop s = {.take_limit = 1, .trouble = true, .next = SLEEP};
    process_pool pool = make_pool(&s, 2); /* the sleeper and one that returns */
    (void)state;
    pool.limit = NULL;
    assert_int_equal(process_pool_run(&pool), SFGP_ERROR_DATA);
    assert_int_equal(s.abandoned, 1);
    assert_int_equal(s.taken[SLEEP], 0);
}

/* After the first job has ended. */
static bool stop(void *user)
{
    return ((shop *)user)->running == 1;
}

static void a_stop_ends_all_jobs(void **state)
{
    shop s = {.trouble = true, .next = SLEEP};
    process_pool pool = make_pool(&s, 2);
    (void)state;
    pool.limit = NULL;
    pool.stop = stop;
    assert_int_equal(process_pool_run(&pool), SFGP_CANCELLED);
    assert_int_equal(s.abandoned, 1);
    assert_int_equal(s.taken[SLEEP], 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static bool deaf; /* poll fails */

int poll(struct pollfd *sockets, nfds_t count, int milliseconds)
{
    const struct timespec wait = {milliseconds / 1000, 1000000L * (milliseconds % 1000)};
    return deaf ? (errno = ENOMEM, -1) : ppoll(sockets, count, milliseconds < 0 ? NULL : &wait, NULL);
}

static void a_pool_that_cannot_wait_ends_its_processes(void **state)
{
    shop s = {.trouble = true, .next = SLEEP};
    process_pool pool = make_pool(&s, 2);
    (void)state;
    pool.limit = NULL;
    deaf = true;
    const sfgp_status status = process_pool_run(&pool);
    deaf = false;
    assert_int_equal(status, SFGP_ERROR_MEMORY);
    sfgp_assert_has(pool.error, "cannot wait");
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void messages_have_a_limit(void **state)
{
    shop s = {.trouble = false};
    process_pool pool = make_pool(&s, 1);
    (void)state;
    pool.message_size = PROCESS_MESSAGE + 1;
    assert_int_equal(process_pool_run(&pool), SFGP_ERROR_MEMORY);
    assert_int_equal(s.asked, 0);
}

/* ---- the parent dies --------------------------------------------------------------------------------- */

static int report_to; /* end of a pipe */

static void tell_and_sleep(void *user, int64_t job, void *message)
{
    const pid_t own = getpid();
    (void)user, (void)job, (void)message;
    if (write(report_to, &own, sizeof own) == (ssize_t)sizeof own)
        pause_seconds(600);
}

/* A zombie that nobody waits for answers kill, but holds no pipe: the end of file says that all are gone. */
static void the_jobs_end_with_their_parent(void **state)
{
    int ends[2], status;
    pid_t job;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t parent = fork();
    assert_true(parent >= 0);
    if (parent == 0) {
        shop s = {.trouble = false};
        process_pool pool = make_pool(&s, 2);
        close(ends[0]);
        report_to = ends[1];
        pool.work = tell_and_sleep;
        process_pool_run(&pool);
        _exit(1);
    }
    close(ends[1]);
    for (int k = 0; k < 2; k++)
        assert_int_equal(read(ends[0], &job, sizeof job), sizeof job);
    kill(parent, SIGKILL);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_int_equal(read(ends[0], &job, sizeof job), 0);
    close(ends[0]);
}

/* A program whose folder is gone never begins. */
static void a_program_without_its_folder_is_code_127(void **state)
{
    char program_name[] = "true", *words[] = {program_name, NULL};
    const char *const none[] = {NULL};
    (void)state;
    const sfgp_program program = {.words = words, .limits = none, .folder = "/nowhere", .log = "/dev/null"};
    const sfgp_process_end end = sfgp_program_run(&program);
    assert_int_equal(end.error, 0);
    assert_int_equal(end.signal, 0);
    assert_int_equal(end.code, 127);
}

/* A stop interrupts its waiting; it takes the next job all the same. */
static void a_process_that_waits_may_be_stopped(void **state)
{
    int message = 0;
    const sfgp_process_job job = {
        .work = say_one, .message = &message, .size = sizeof message, .stays = true};
    sfgp_process process;
    (void)state;
    assert_null(sfgp_process_start(&job, &process));
    pause_seconds(0.2);
    assert_true(process.id > 1);
    assert_int_equal(kill((pid_t)process.id, SIGSTOP), 0);
    pause_seconds(0.1);
    assert_int_equal(kill((pid_t)process.id, SIGCONT), 0);
    pause_seconds(0.1);
    const sfgp_process_end end = sfgp_process_finish(&process, &message, sizeof message);
    assert_true(end.whole && end.signal == 0 && end.code == 0 && message == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_waits_may_be_stopped),
        cmocka_unit_test(every_job_runs_once),
        cmocka_unit_test(what_one_does_harms_no_other),
        cmocka_unit_test(a_process_that_stays_does_one_job_after_the_other),
        cmocka_unit_test(a_process_that_stays_loses_one_job),
        cmocka_unit_test(a_process_that_waits_can_be_ended),
        cmocka_unit_test(an_error_ends_those_that_stay),
        cmocka_unit_test(an_error_ends_the_others),
        cmocka_unit_test(a_stop_ends_all_jobs),
        cmocka_unit_test(a_pool_that_cannot_wait_ends_its_processes),
        cmocka_unit_test(messages_have_a_limit),
        cmocka_unit_test(the_jobs_end_with_their_parent),
        cmocka_unit_test(a_program_without_its_folder_is_code_127),
    };
    alarm(120);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
