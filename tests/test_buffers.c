/* Buffers of OpenBLAS, whose pool this program replaces by one that it can watch and stop. No product is made here. */
#include "support/support.h"

#include "linalg/buffers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void *blas_memory_alloc(int position);
void blas_memory_free(void *buffer);

#define MIB ((size_t)1 << 20)
#define EATEN (300 * MIB)

enum { OURS = 1 }; /* in a buffer that was not for a thread of OpenBLAS */

static atomic_int held, most, asked;
static atomic_bool refuses; /* as OpenBLAS does: it does not return */

/* Takes what room there is while it refuses. A thread of OpenBLAS asks with another number. */
void *blas_memory_alloc(int position)
{
    if (position != 0)
        return calloc(1, 1);
    void *room =
        atomic_load(&refuses) ? mmap(NULL, EATEN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : NULL;
    atomic_fetch_add(&asked, 1);
    while (atomic_load(&refuses))
        usleep(1000);
    if (room && room != MAP_FAILED)
        munmap(room, EATEN);
    const int now = atomic_fetch_add(&held, 1) + 1;
    if (now > atomic_load(&most))
        atomic_store(&most, now);
    char *buffer = calloc(1, 1);
    *buffer = OURS;
    return buffer;
}

void blas_memory_free(void *buffer)
{
    if (*(char *)buffer == OURS)
        atomic_fetch_sub(&held, 1);
    free(buffer);
}

static sfgp_context *new_context(void)
{
    sfgp_context *context = NULL;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    return context;
}

/* As many as there are threads are taken before the first is given back: only then does OpenBLAS map so many. */
static void each_thread_has_a_buffer(void **state)
{
    (void)state;
    sfgp_context *context = new_context();
    sfgp_assert_ok(context, sfgp_buffers_map(context, 3));
    assert_int_equal(most, 3);
    assert_int_equal(held, 0);
    asked = 0;
    sfgp_assert_ok(context, sfgp_buffers_map(context, 2));
    assert_int_equal(asked, 0); /* they are there */
    sfgp_assert_ok(context, sfgp_buffers_map(context, 1000));
    assert_int_equal(most, 64); /* OpenBLAS ends the process when its table is full */
    sfgp_context_free(context);
}

/* Bytes of address space. */
static size_t room_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit_room(size_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = bytes ? room_in_use() + bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

/* In a child, whose pool is still empty. */
static int meet_a_pool_that_refuses(void)
{
    sfgp_context *context = new_context();
    limit_room(350 * MIB);
    refuses = true;
    if (sfgp_buffers_map(context, 1) != SFGP_ERROR_MEMORY || asked != 1)
        return 1;
    if (!strstr(sfgp_context_error(context), "1 x 128 MiB of address space"))
        return 2;
    limit_room(0);
    refuses = false;
    return sfgp_buffers_map(context, 1) == SFGP_OK && asked == 1 && held == 0 ? 0 : 3;
}

static int wait_for(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* OpenBLAS would ask for ever. The call ends without memory, and the next one is good when there is some. */
static void a_pool_that_refuses_is_out_of_memory(void **state)
{
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        alarm(20), _exit(meet_a_pool_that_refuses());
    assert_int_equal(wait_for(child), 0);
}

/* A fork has the buffers, but not the thread that waits for one. */
static int fork_while_it_refuses(void)
{
    sfgp_context *context = new_context();
    limit_room(350 * MIB);
    refuses = true;
    if (sfgp_buffers_map(context, 1) != SFGP_ERROR_MEMORY)
        return 1;
    limit_room(0);
    const pid_t child = fork();
    refuses = false;
    if (child == 0)
        alarm(10), _exit(sfgp_buffers_map(context, 1) == SFGP_OK && asked == 2 ? 0 : 2);
    return wait_for(child);
}

static void a_fork_asks_by_itself(void **state)
{
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        alarm(20), _exit(fork_while_it_refuses());
    assert_int_equal(wait_for(child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_that_refuses_is_out_of_memory), /* these two while nothing is mapped */
        cmocka_unit_test(a_fork_asks_by_itself),
        cmocka_unit_test(each_thread_has_a_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
