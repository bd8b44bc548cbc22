/* Loops on several threads: each index once, the first range in the calling thread, and what happens where there are
 * no helpers: inside of a loop, in the child of a fork, where the system refuses a thread. */
#include "base/parallel.h"
#include "base/lanes.h"
#include "base/platform_child.h"
#include "support/support.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 5000, THREADS = 5, CALLERS = 4, LOOPS = 2000 };

typedef struct visits {
    int *each;
    pthread_t *by;
} visits;

static void visit(const void *data, int64_t first, int64_t end)
{
    const visits *v = data;
    for (int64_t k = first; k < end; k++) {
        v->each[k]++;
        v->by[k] = pthread_self();
    }
}

/* Runs one loop. Returns whether each index was visited once, and the first one by this thread. */
static bool visits_each_once(int64_t count, int64_t grain)
{
    const visits v = {calloc(MOST, sizeof *v.each), calloc(MOST, sizeof *v.by)};
    bool once = true;
    sfgp_parallel_for(count, grain, visit, &v);
    for (int64_t k = 0; k < MOST; k++)
        once = once && v.each[k] == (k < count);
    once = once && (count == 0 || pthread_equal(v.by[0], pthread_self()));
    free(v.each);
    free(v.by);
    return once;
}

static void every_index_is_visited_once(void **state)
{
    const int64_t counts[] = {0, 1, 2, 7, 8, 9, 1000, MOST}, grains[] = {1, 3, 64, 2 * MOST};
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++) {
        sfgp_test_threads(threads);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++)
                assert_true(visits_each_once(counts[c], grains[g]));
    }
}

static void note_threads(const void *data, int64_t first, int64_t end)
{
    int *const *threads = data;
    for (int64_t k = first; k < end; k++)
        (*threads)[k] = sfgp_parallel_threads();
}

static void outside_and_inside_of_a_loop_there_is_one_thread(void **state)
{
    int seen[8], *threads = seen;
    (void)state;
    assert_int_equal(sfgp_parallel_threads(), 1);
    sfgp_test_threads(2);
    assert_int_equal(sfgp_parallel_threads(), 2);
    sfgp_parallel_for(8, 1, note_threads, &threads);
    for (int k = 0; k < 8; k++)
        assert_int_equal(seen[k], 1);
    assert_int_equal(sfgp_parallel_threads(), 2);
}

/* ---- nested and concurrent ---------------------------------------------------------------------------- */

static double add(const void *data, int64_t first, int64_t end)
{
    double sum = 0;
    (void)data;
    for (int64_t k = first; k < end; k++)
        sum += (double)k;
    return sum;
}

typedef struct totals {
    int64_t count;
    double *each;
} totals;

static void add_all(const void *data, int64_t first, int64_t end)
{
    const totals *t = data;
    for (int64_t k = first; k < end; k++)
        t->each[k] = sfgp_lanes_sum(t->count, add, NULL);
}

static void loops_inside_of_loops_are_right(void **state)
{
    double sums[THREADS];
    const totals t = {MOST, sums};
    (void)state;
    sfgp_test_threads(THREADS);
    sfgp_parallel_for(THREADS, 1, add_all, &t);
    for (int k = 0; k < THREADS; k++)
        assert_true(sums[k] == 0.5 * MOST * (MOST - 1.0)); /* exact */
}

static void *call_many_loops(void *wrong)
{
    const int before = sfgp_parallel_begin(3);
    for (int64_t k = 0; k < LOOPS; k++) {
        const int64_t count = k % 100;
        *(int *)wrong += sfgp_lanes_sum(count, add, NULL) != 0.5 * (double)(count * (count - 1));
    }
    sfgp_parallel_end(before);
    return NULL;
}

static void callers_side_by_side_are_right(void **state)
{
    pthread_t callers[CALLERS];
    int wrong[CALLERS] = {0};
    (void)state;
    for (int k = 0; k < CALLERS; k++)
        assert_int_equal(pthread_create(&callers[k], NULL, call_many_loops, &wrong[k]), 0);
    for (int k = 0; k < CALLERS; k++) {
        pthread_join(callers[k], NULL);
        assert_int_equal(wrong[k], 0);
    }
}

/* ---- helpers ------------------------------------------------------------------------------------------ */

/* Threads of the process; 0 where the system does not list them. */
static int running_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *entry; tasks && (entry = readdir(tasks)) != NULL;)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

/* The same, once there are no more than so many: the system lists a thread for a moment after it was joined. */
static int remaining_threads(int most)
{
    const struct timespec moment = {0, 1000000};
    for (int k = 0; k < 1000 && running_threads() > most; k++)
        nanosleep(&moment, NULL);
    return running_threads();
}

static void helpers_end_with_the_last_end(void **state)
{
    const int before = running_threads();
    (void)state;
    if (before == 0)
        skip();
    const int outer = sfgp_parallel_begin(2), inner = sfgp_parallel_begin(THREADS);
    assert_true(visits_each_once(MOST, 1));
    sfgp_parallel_end(inner);
    assert_int_equal(sfgp_parallel_threads(), 2);
    assert_true(visits_each_once(MOST, 1)); /* the team has more than it needs */
    assert_int_equal(running_threads(), before + THREADS - 1);
    sfgp_parallel_end(outer);
    assert_int_equal(remaining_threads(before), before);
}

/* Fork copies the calling thread only. */
static void the_child_of_a_fork_runs_its_loops_alone(void **state)
{
    (void)state;
    sfgp_test_threads(2);
    assert_true(visits_each_once(MOST, 1));
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        const bool right = visits_each_once(MOST, 1);
        sfgp_parallel_end(0);
        sfgp_child_exit(right ? 0 : 1);
    }
    int code = -1;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_true(visits_each_once(MOST, 1));
}

/* No address space has room for the stacks. */
static void without_helpers_the_caller_does_all(void **state)
{
#ifdef __GLIBC__
    pthread_attr_t usual, huge;
    (void)state;
    assert_int_equal(pthread_getattr_default_np(&usual), 0);
    pthread_attr_init(&huge);
    assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 48), 0);
    assert_int_equal(pthread_setattr_default_np(&huge), 0);
    sfgp_test_threads(2);
    const int before = running_threads();
    const bool right = visits_each_once(MOST, 1);
    const int after = running_threads();
    pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&usual);
    assert_true(right);
    assert_int_equal(after, before);
#else
    (void)state;
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_index_is_visited_once),
        sfgp_unit_test(outside_and_inside_of_a_loop_there_is_one_thread),
        sfgp_unit_test(loops_inside_of_loops_are_right),
        sfgp_unit_test(callers_side_by_side_are_right),
        sfgp_unit_test(helpers_end_with_the_last_end),
        sfgp_unit_test(the_child_of_a_fork_runs_its_loops_alone),
        sfgp_unit_test(without_helpers_the_caller_does_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
