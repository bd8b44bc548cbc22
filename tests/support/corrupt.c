#include "support/corrupt.h"
#include "io/hdf5_digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

sfgp_status sfgp_read_bytes(sfgp_context *context, const char *name, const void *bytes, size_t size,
                            sfgp_mesh **mesh)
{
    const char *path = test_path(name);
    unlink(path); /* ext4 waits for the disk when a file is overwritten */
    sfgp_test_write(path, bytes, size);
    return sfgp_mesh_read(context, path, mesh);
}

sfgp_status sfgp_read_text(sfgp_context *context, const char *name, const char *text, sfgp_mesh **mesh)
{
    return sfgp_read_bytes(context, name, text, strlen(text), mesh);
}

sfgp_status sfgp_try_bytes(sfgp_context *context, const char *name, const void *bytes, size_t size)
{
    sfgp_mesh *mesh = NULL;
    sfgp_status status = sfgp_read_bytes(context, name, bytes, size, &mesh);
    if (status == SFGP_OK)
        sfgp_assert_mesh_valid(mesh);
    else
        assert_null(mesh);
    sfgp_mesh_free(mesh);
    return status;
}

sfgp_status sfgp_try_text(sfgp_context *context, const char *name, const char *text)
{
    return sfgp_try_bytes(context, name, text, strlen(text));
}

sfgp_status sfgp_try_path(sfgp_context *context, void *path)
{
    sfgp_mesh *mesh = NULL;
    const sfgp_status status = sfgp_mesh_read(context, path, &mesh);
    sfgp_mesh_free(mesh);
    return status;
}

void sfgp_assert_mesh_valid(const sfgp_mesh *mesh)
{
    assert_true(mesh->count > 0 && (mesh->dimension == 2 || mesh->dimension == 3));
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        assert_true(isfinite(mesh->points[k]));
    assert_true(mesh->face_count == 0 || mesh->face_start[0] == 0);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        assert_true(mesh->face_start[f + 1] >= mesh->face_start[f] + 3);
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            assert_true(mesh->face_points[k] >= 0 && mesh->face_points[k] < mesh->count);
    }
}

void sfgp_assert_meshes_equal(const sfgp_mesh *a, const sfgp_mesh *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->dimension, b->dimension);
    assert_int_equal(a->face_count, b->face_count);
    assert_memory_equal(a->points, b->points, (size_t)(a->count * a->dimension) * sizeof(double));
    if (a->face_count == 0)
        return;
    assert_memory_equal(a->face_start, b->face_start, (size_t)(a->face_count + 1) * sizeof(int64_t));
    assert_memory_equal(a->face_points, b->face_points,
                        (size_t)a->face_start[a->face_count] * sizeof(int64_t));
}

sfgp_mesh *sfgp_sample_mesh(sfgp_context *context, int dimension)
{
    const double points[4][3] = {
        {0.1, -0.0, 1.0 / 3}, {1e-310, 123456.789, -2}, {1e22, 5, 0.7}, {-1e-5, 1e300, 4}};
    const int64_t start[] = {0, 3, 7}, corners[] = {0, 1, 2, 3, 2, 1, 0};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(context, sfgp_mesh_new(context, 4, dimension, 2, 7, &mesh));
    for (int i = 0; i < 4; i++)
        memcpy(mesh->points + i * dimension, points[i], (size_t)dimension * sizeof(double));
    memcpy(mesh->face_start, start, sizeof start);
    memcpy(mesh->face_points, corners, sizeof corners);
    return mesh;
}

void sfgp_each_prefix(const char *bytes, size_t size, sfgp_visit visit, void *user)
{
    for (size_t length = 0; length < size; length++)
        visit(user, bytes, length, length);
}

void sfgp_each_mutation(const char *bytes, size_t size, sfgp_visit visit, void *user)
{
    static const unsigned char VALUES[] = {0,   1,   0x7f, 0x80, 0xff, '\n', '\r', ' ', '\t', '-',
                                           '0', '9', '.',  ',',  ';',  'e',  'x',  '#', '/',  '\\'};
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    for (size_t k = 0; k < size; k++) {
        for (int bit = 0; bit < 8; bit++) {
            copy[k] = (char)(bytes[k] ^ (1 << bit));
            visit(user, copy, size, k);
        }
        for (size_t v = 0; v < sizeof VALUES; v++) {
            copy[k] = (char)VALUES[v];
            visit(user, copy, size, k);
        }
        copy[k] = bytes[k];
    }
    free(copy);
}

void sfgp_each_flip(const char *bytes, size_t size, size_t step, sfgp_visit visit, void *user)
{
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    for (size_t bit = 0; bit < 8 * size; bit += step) {
        copy[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
        visit(user, copy, size, bit / 8);
        copy[bit / 8] = bytes[bit / 8];
    }
    free(copy);
}

void sfgp_test_remove_digest(const char *path)
{
    size_t size;
    char *bytes = sfgp_test_read(path, &size);
    assert_true(bytes && size > SFGP_HDF5_DIGEST_SIZE && memcmp(bytes, "sfgp HDF5", 9) == 0);
    sfgp_test_write(path, bytes + SFGP_HDF5_DIGEST_SIZE, size - SFGP_HDF5_DIGEST_SIZE);
    free(bytes);
}

void sfgp_test_make_version_1(const char *path)
{
    enum { BLOCK = 512 };
    size_t size;
    sfgp_test_remove_digest(path);
    char *content = sfgp_test_read(path, &size), *whole = malloc(BLOCK + size);
    memset(whole, '\n', BLOCK);
    const int length = snprintf(
        whole, BLOCK,
        "sfgp HDF5 1\nsize %zu\nfnv1a-64 %016llx\n"
        "An HDF5 file starts at byte 512. The size is that of the whole file, the sum that of the "
        "bytes from 512 on.\nsfgp refuses the file when they do not agree. tail -c +513 makes a file without them.",
        BLOCK + size, (unsigned long long)sfgp_checksum(SFGP_CHECKSUM_START, content, size));
    whole[length] = '\n';
    memcpy(whole + BLOCK, content, size);
    sfgp_test_write(path, whole, BLOCK + size);
    free(content);
    free(whole);
}

/* Where instruments slow it down, every allocation up to the 20th, then one of five, from the 100th on one of 20. */
static int step_from(int k)
{
    return !SFGP_TEST_SLOW || k < 20 ? 1 : k < 100 ? 5 : 20;
}

static int sweep(sfgp_context *context, sfgp_work work, void *user, bool always)
{
    for (int k = 0;; k += step_from(k)) {
        long live = sfgp_memory_counters.live;
        sfgp_memory_counters.fail_at = k;
        sfgp_memory_counters.fail_always = always;
        sfgp_status status = work(context, user);
        sfgp_memory_counters.fail_at = -1;
        sfgp_memory_counters.fail_always = false;
        assert_int_equal(sfgp_memory_counters.live, live);
        if (status == SFGP_OK)
            return k;
        sfgp_assert_status(context, status, SFGP_ERROR_MEMORY);
    }
}

int sfgp_sweep_allocations(sfgp_context *context, sfgp_work work, void *user)
{
    const int once = sweep(context, work, user, false);
    if (!SFGP_TEST_SLOW) /* instruments have seen the same lines by then */
        assert_int_equal(sweep(context, work, user, true), once);
    return once;
}

static struct bounded {
    size_t used, most;
    void (*call)(void *user);
    void *user;
} bounded;

static void *bounded_allocate(size_t bytes, void *user)
{
    (void)user;
    void (*call)(void *) = bounded.call;
    bounded.call = NULL;
    if (call)
        call(bounded.user);
    if (bytes > bounded.most - bounded.used)
        return NULL;
    size_t *block = malloc(bytes + 64);
    if (!block)
        return NULL;
    bounded.used += bytes;
    block[0] = bytes;
    return block + 8;
}

static void bounded_release(void *block, void *user)
{
    (void)user;
    size_t *start = (size_t *)block - 8;
    bounded.used -= start[0];
    free(start);
}

sfgp_context *sfgp_bounded_context(size_t most)
{
    const sfgp_allocator allocator = {bounded_allocate, bounded_release, NULL};
    sfgp_context *context = NULL;
    bounded = (struct bounded){0, most, NULL, NULL};
    assert_int_equal(sfgp_context_new(&allocator, &context), SFGP_OK);
    return context;
}

void sfgp_bounded_on_allocation(void (*call)(void *user), void *user)
{
    bounded.call = call;
    bounded.user = user;
}
