/* Models when the system fails below libhdf5: the k-th read of the disk or the k-th allocation of the whole
 * process, for every k of a sample. A model file is read as it was written or it is an error, never another
 * model. pread, malloc, calloc and realloc are replaced here; libhdf5 in its process uses them too. */
#include "support/corrupt.h"
#include "support/shapes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SFGP_SLOW_BUILD /* a sanitizer has its own allocator */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
#endif

/* Shared with the child process: calls of one kind are counted over both. */
typedef struct fault {
    long calls;
    long fail_at; /* this call fails; 0: none does */
} fault;

static fault *disk, *memory;

static bool fails(fault *f)
{
    return f && f->fail_at > 0 && __atomic_add_fetch(&f->calls, 1, __ATOMIC_RELAXED) == f->fail_at;
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset)
{
    if (fails(disk)) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pread64, descriptor, bytes, size, offset);
}

#ifndef SFGP_SLOW_BUILD
void *malloc(size_t size)
{
    return fails(memory) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(memory) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(memory) ? NULL : __libc_realloc(block, size);
}
#endif

/* ---- one model --------------------------------------------------------------------------------------- */

enum { POINTS = 20 };

static const char *write_model(sfgp_context *context, double *points)
{
    const char *path = test_path("faults.h5");
    test_shapes *shapes = test_shapes_new(POINTS, 3, 4, 3);
    sfgp_mesh *shape;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(context, sfgp_settings_set(context, &settings, "kernel", "se:length=2,variance=1"));
    sfgp_model *model = test_shapes_model(context, shapes, 4, &settings);
    sfgp_assert_ok(context, sfgp_model_write(context, model, path));
    sfgp_assert_ok(context, sfgp_model_sample(context, model, 1, &shape));
    memcpy(points, shape->points, 3 * POINTS * sizeof *points);
    sfgp_mesh_free(shape);
    sfgp_model_free(model);
    test_shapes_free(shapes);
    return path;
}

static sfgp_status read_and_sample(sfgp_context *context, const char *path, double *points)
{
    sfgp_model *model = NULL;
    sfgp_mesh *shape = NULL;
    sfgp_status status = sfgp_model_read(context, path, &model);
    if (status == SFGP_OK)
        status = sfgp_model_sample(context, model, 1, &shape);
    if (status == SFGP_OK)
        memcpy(points, shape->points, 3 * POINTS * sizeof *points);
    sfgp_mesh_free(shape);
    sfgp_model_free(model);
    return status;
}

/* Every step-th call of f fails in turn, until a run ends before it. Counts the runs that failed. */
static int sweep(sfgp_context *context, const char *path, const double *expected, fault *f, long step,
                 sfgp_status allowed)
{
    int failed = 0;
    for (long k = 1;; k += step) {
        double points[3 * POINTS] = {0};
        *f = (fault){.fail_at = k};
        const sfgp_status status = read_and_sample(context, path, points);
        const bool ended = f->calls < k;
        *f = (fault){0};
        if (status == SFGP_OK)
            assert_memory_equal(points, expected, sizeof points);
        else if (status != SFGP_ERROR_MEMORY && status != allowed)
            fail_msg("call %ld: %s: %s", k, sfgp_status_text(status), sfgp_context_error(context));
        if (status != SFGP_OK && !strstr(sfgp_context_error(context), "memory") &&
            !strstr(sfgp_context_error(context), "faults.h5"))
            fail_msg("call %ld: '%s' names neither memory nor the file", k, sfgp_context_error(context));
        failed += status != SFGP_OK;
        if (ended)
            return failed;
    }
}

/* ---- tests ------------------------------------------------------------------------------------------- */

static void a_failed_read_of_the_disk_is_no_other_model(void **state)
{
    double expected[3 * POINTS];
    const char *path = write_model(*state, expected);
    assert_true(sweep(*state, path, expected, disk, 1, SFGP_ERROR_READ) >= 12); /* data sets of the model */
    sfgp_test_make_version_1(path);
    assert_true(sweep(*state, path, expected, disk, 1, SFGP_ERROR_READ) >= 20);
    assert_string_equal(sfgp_test_warning(), ""); /* "has lost its group" */
}

static void a_failed_allocation_is_no_other_model(void **state)
{
    double expected[3 * POINTS];
    const char *path = write_model(*state, expected);
#ifdef SFGP_SLOW_BUILD
    (void)path;
    skip();
#else
    assert_true(sweep(*state, path, expected, memory, 1, SFGP_ERROR_MEMORY) >= 20);
    sfgp_test_make_version_1(path);
    assert_true(sweep(*state, path, expected, memory, 13, SFGP_ERROR_MEMORY) >= 20);
    assert_string_equal(sfgp_test_warning(), "");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_failed_read_of_the_disk_is_no_other_model),
        sfgp_unit_test(a_failed_allocation_is_no_other_model),
    };
    fault *shared = mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    disk = shared;
    memory = shared + 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
