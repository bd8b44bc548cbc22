/* Gzip and standard input: the same mesh as from the plain file, damage, bombs, memory. */
#include "support/corrupt.h"
#include "io/gzip.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* One member of gzip, free(). */
static unsigned char *pack(const void *bytes, size_t size, size_t *packed_size)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (uInt)size};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t room = deflateBound(&stream, size);
    unsigned char *packed = malloc(room);
    assert_non_null(packed);
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *packed_size = room - stream.avail_out;
    deflateEnd(&stream);
    return packed;
}

static void every_format_is_read_packed_as_plain(void **state)
{
    const char *names[] = {"a.ply", "a.obj", "a.npy", "a.csv", "a.tsv", "a.stl"};
    for (int k = 0; k < 6; k++) {
        char gz[64];
        sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3), *plain = NULL, *packed = NULL;
        size_t size, packed_size;
        for (int i = 0; k == 5 && i < 12; i++)
            mesh->points[i] = i % 5;
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, test_path(names[k]), mesh, NULL, 0));
        char *bytes = sfgp_test_read(test_path(names[k]), &size);
        unsigned char *gzip = pack(bytes, size, &packed_size);
        snprintf(gz, sizeof gz, "%s.gz", names[k]);
        sfgp_assert_ok(*state, sfgp_mesh_read(*state, test_path(names[k]), &plain));
        sfgp_assert_ok(*state, sfgp_read_bytes(*state, gz, gzip, packed_size, &packed));
        sfgp_assert_meshes_equal(plain, packed);
        assert_string_equal(plain->format, packed->format);
        free(gzip);
        free(bytes);
        sfgp_mesh_free(mesh);
        sfgp_mesh_free(plain);
        sfgp_mesh_free(packed);
    }
}

static void masks_and_landmarks_may_be_packed(void **state)
{
    const char *mask_text = "1\n0\n", *landmark_text = "tip,1,2,3\n";
    unsigned char *mask = NULL;
    sfgp_landmarks *landmarks = NULL;
    size_t size;
    unsigned char *gzip = pack(mask_text, strlen(mask_text), &size);
    sfgp_test_write(test_path("mask.txt.gz"), gzip, size);
    free(gzip);
    sfgp_assert_ok(*state, sfgp_mask_read(*state, test_path("mask.txt.gz"), 2, &mask));
    assert_true(mask[0] == 1 && mask[1] == 0);
    sfgp_mask_free(mask);
    gzip = pack(landmark_text, strlen(landmark_text), &size);
    sfgp_test_write(test_path("landmarks.csv.gz"), gzip, size);
    free(gzip);
    assert_true(sfgp_landmarks_is_file(test_path("landmarks.csv.gz")));
    sfgp_assert_ok(*state, sfgp_landmarks_read(*state, test_path("landmarks.csv.gz"), &landmarks));
    assert_string_equal(landmarks->names[0], "tip");
    sfgp_landmarks_free(landmarks);
}

/* Members end anywhere in the text; zeros may follow the last one. */
static void several_members_are_one_file(void **state)
{
    const char *text = "1 2 3\n4 5 6\n7 8 9\n";
    const double expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (size_t cut = 0; cut <= strlen(text); cut++)
        for (int zeros = 0; zeros < 2; zeros++) {
            size_t first_size, second_size;
            unsigned char *first = pack(text, cut, &first_size);
            unsigned char *second = pack(text + cut, strlen(text) - cut, &second_size);
            unsigned char *both = calloc(1, first_size + second_size + 100);
            memcpy(both, first, first_size);
            memcpy(both + first_size, second, second_size);
            sfgp_mesh *mesh = NULL;
            sfgp_assert_ok(*state, sfgp_read_bytes(*state, "two.txt.gz", both,
                                                   first_size + second_size + (zeros ? 100 : 0), &mesh));
            assert_true(mesh->count == 3);
            assert_memory_equal(mesh->points, expected, sizeof expected);
            sfgp_mesh_free(mesh);
            free(first);
            free(second);
            free(both);
        }
}

typedef struct attempt {
    sfgp_context *context;
    int read;
} attempt;

static void try_damaged(void *user, const char *bytes, size_t size, size_t place)
{
    attempt *made = user;
    const sfgp_status status = sfgp_try_bytes(made->context, "damaged.txt.gz", bytes, size);
    if (status != SFGP_OK && status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("status %d at byte %zu", (int)status, place);
    made->read += status == SFGP_OK;
}

static void damage_is_refused(void **state)
{
    const char *text = "# x, y, z\n0.5,2e1,3\n-1,3,7\n0.5,2e1,3\n", *garbage = "garbage";
    attempt made = {*state, 0};
    size_t size;
    unsigned char *gzip = pack(text, strlen(text), &size);
    sfgp_each_prefix((char *)gzip, size, try_damaged, &made);
    assert_int_equal(made.read, 0);
    sfgp_assert_has(sfgp_context_error(*state), "cut short");
    sfgp_context *bounded = sfgp_bounded_context(4 << 20);
    made.context = bounded;
    sfgp_each_mutation((char *)gzip, size, try_damaged, &made);
    sfgp_context_free(bounded);
    assert_true(made.read > 0); /* time stamp, system, and bytes that are changed to themselves */
    gzip = realloc(gzip, size + 7);
    memcpy(gzip + size, garbage, 7);
    sfgp_assert_error(*state, sfgp_try_bytes(*state, "more.txt.gz", gzip, size + 7), SFGP_ERROR_FORMAT,
                      "of the gzip file: incorrect header");
    free(gzip);
}

static void a_gzip_in_a_gzip_is_named(void **state)
{
    size_t size, twice_size;
    unsigned char *once = pack("1 2 3\n", 6, &size), *twice = pack(once, size, &twice_size);
    sfgp_assert_error(*state, sfgp_try_bytes(*state, "twice.gz", twice, twice_size), SFGP_ERROR_FORMAT,
                      "a gzip archive; unpack it first");
    free(once);
    free(twice);
}

/* Below the free size any ratio is fine, above it 100. */
static void bombs_are_refused_without_memory(void **state)
{
    const size_t small = (size_t)SFGP_GZIP_FREE, large = (size_t)64 << 20;
    char *text = malloc(large);
    size_t size;
    sfgp_context *context = sfgp_bounded_context(2 << 20);
    (void)state;
    memset(text, '\n', large);
    memcpy(text, "1 2 3\n", 6);
    unsigned char *gzip = pack(text, small, &size);
    assert_true(size * 500 < small);
    sfgp_assert_ok(context, sfgp_try_bytes(context, "small.txt.gz", gzip, size));
    free(gzip);
    gzip = pack(text, large, &size);
    sfgp_assert_error(context, sfgp_try_bytes(context, "bomb.txt.gz", gzip, size), SFGP_ERROR_FORMAT,
                      "bytes of gzip hold more than");
    free(gzip);
    sfgp_context_free(context);
    free(text);
}

static void row_71_every_failing_allocation_is_reported(void **state)
{
    char path[256];
    size_t size;
    unsigned char *gzip = pack("1 2 3\n4 5 6\n", 12, &size);
    strcpy(path, test_path("sweep.txt.gz"));
    sfgp_test_write(path, gzip, size);
    free(gzip);
    assert_true(sfgp_sweep_allocations(*state, sfgp_try_path, path) >= 6);
}

/* More than the window and the chunks hold, with rows that cross their borders. */
/* Another member of the same size, which unpacks to less, took the place of the first. */
static void a_file_that_changes_meanwhile_is_told(void **state)
{
    const char *path = test_path("changed.gz");
    unsigned char bytes[8];
    size_t size, other_size;
    int64_t whole;
    sfgp_input input;
    sfgp_gzip *gzip = NULL;
    unsigned char *packed = pack("1 2 3\n4 5 6\n", 12, &size), *other = pack("1", 1, &other_size);
    assert_true(other_size < size);
    sfgp_test_write(path, packed, size);
    sfgp_assert_ok(*state, sfgp_input_open(*state, path, &input));
    sfgp_assert_ok(*state, sfgp_gzip_open(&input, &gzip, &whole));
    assert_int_equal(whole, 12);
    memset(packed, 0, size);
    memcpy(packed, other, other_size);
    sfgp_test_write(path, packed, size);
    sfgp_assert_error(*state, sfgp_gzip_read(gzip, 0, 8, bytes), SFGP_ERROR_FORMAT,
                      "changed.gz: changed its size");
    sfgp_gzip_close(gzip);
    sfgp_input_close(&input);
    free(packed);
    free(other);
}

static const char TRIANGLE[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
    "\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
    "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]";

/* Text that the window does not hold, all of which is needed at once. */
static void a_long_packed_gltf_asks_for_memory(void **state)
{
    const size_t length = 1 << 20;
    char *text = malloc(length), path[256];
    size_t size;
    assert_non_null(text);
    memset(text, ' ', length);
    memcpy(text, TRIANGLE, sizeof TRIANGLE - 1);
    text[length - 1] = '}';
    unsigned char *packed = pack(text, length, &size);
    strcpy(path, test_path("long.gltf.gz"));
    sfgp_test_write(path, packed, size);
    free(packed);
    free(text);
    assert_true(sfgp_sweep_allocations(*state, sfgp_try_path, path) >= 4);
}

static void a_large_file_is_read_through_the_window(void **state)
{
    const int count = 200000;
    char *text = malloc((size_t)count * 40), *end = text;
    size_t size;
    sfgp_mesh *mesh = NULL;
    for (int k = 0; k < count; k++)
        end += sprintf(end, "%.17g,%d\n", k / 7.0, k);
    unsigned char *gzip = pack(text, (size_t)(end - text), &size);
    sfgp_assert_ok(*state, sfgp_read_bytes(*state, "large.csv.gz", gzip, size, &mesh));
    assert_int_equal(mesh->count, count);
    for (int k = 0; k < count; k++)
        assert_true(mesh->points[2 * k] == k / 7.0 && mesh->points[2 * k + 1] == k);
    sfgp_mesh_free(mesh);
    free(gzip);
    free(text);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void outputs_called_gz_are_packed(void **state)
{
    const char *names[] = {"w.ply.gz", "w.csv.GZ", "w.obj.gz"};
    for (int k = 0; k < 3; k++) {
        sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3), *back = NULL;
        size_t first_size, second_size;
        if (k == 1)
            mesh->face_count = 0;
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, test_path(names[k]), mesh, NULL, 0));
        char *first = sfgp_test_read(test_path(names[k]), &first_size);
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, test_path(names[k]), mesh, NULL, 0));
        char *second = sfgp_test_read(test_path(names[k]), &second_size);
        assert_true(sfgp_gzip_is((unsigned char *)first, 2) && first_size == second_size);
        assert_memory_equal(first, second, first_size);
        sfgp_assert_ok(*state, sfgp_mesh_read(*state, test_path(names[k]), &back));
        sfgp_assert_meshes_equal(mesh, back);
        free(first);
        free(second);
        sfgp_mesh_free(mesh);
        sfgp_mesh_free(back);
    }
}

/* As the table, the report and the page of a fit. */
static void text_called_gz_is_packed(void **state)
{
    const char *path = test_path("table.csv.gz");
    sfgp_mesh *mesh = NULL;
    size_t size;
    sfgp_assert_ok(*state, sfgp_file_write(*state, path, "x,y,z\n1,2,3\n", 12));
    char *bytes = sfgp_test_read(path, &size);
    assert_true(size > 2 && sfgp_gzip_is((unsigned char *)bytes, 2));
    free(bytes);
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &mesh));
    assert_true(mesh->count == 1 && mesh->points[0] == 1 && mesh->points[1] == 2 && mesh->points[2] == 3);
    sfgp_mesh_free(mesh);
}

static sfgp_status write_packed(sfgp_context *context, void *user)
{
    return sfgp_mesh_write(context, test_path("sweep.ply.gz"), user, NULL, 0);
}

static void row_71_every_failing_allocation_of_packing_is_reported(void **state)
{
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    assert_true(sfgp_sweep_allocations(*state, write_packed, mesh) >= 4);
    sfgp_mesh_free(mesh);
}

/* ---- standard input ---------------------------------------------------------------------------------- */

static sfgp_status read_from(sfgp_context *context, int descriptor, sfgp_mesh **mesh)
{
    const int kept = dup(STDIN_FILENO);
    assert_true(kept >= 0 && dup2(descriptor, STDIN_FILENO) >= 0);
    const sfgp_status status = sfgp_mesh_read(context, "-", mesh);
    assert_true(dup2(kept, STDIN_FILENO) >= 0);
    close(kept);
    close(descriptor);
    return status;
}

static void standard_input_is_read_from_pipes_and_files(void **state)
{
    const char *text = "1 2 3\n4 5 6\n";
    const double expected[] = {1, 2, 3, 4, 5, 6};
    size_t size;
    unsigned char *gzip = pack(text, strlen(text), &size);
    test_text("in.txt", text);
    for (int k = 0; k < 3; k++) {
        sfgp_mesh *mesh = NULL;
        int ends[2] = {open(test_path("in.txt"), O_RDONLY), -1};
        if (k > 0) {
            close(ends[0]);
            assert_int_equal(pipe(ends), 0);
            assert_true(write(ends[1], k == 1 ? text : (char *)gzip, k == 1 ? strlen(text) : size) > 0);
            close(ends[1]);
        }
        sfgp_assert_ok(*state, read_from(*state, ends[0], &mesh));
        assert_memory_equal(mesh->points, expected, sizeof expected);
        assert_string_equal(mesh->format, "text");
        sfgp_mesh_free(mesh);
    }
    free(gzip);
}

static void faults_of_standard_input_are_named(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_test_write(test_path("in.txt"), "1 2 3\n4 x 6\n", 12);
    sfgp_assert_error(*state, read_from(*state, open(test_path("in.txt"), O_RDONLY), &mesh),
                      SFGP_ERROR_FORMAT, "standard input: line 2: column 2");
    sfgp_assert_error(*state, read_from(*state, open("/dev/null", O_RDONLY), &mesh), SFGP_ERROR_FORMAT,
                      "standard input: byte 0: the file is empty");
    sfgp_assert_error(*state, read_from(*state, open(sfgp_test_folder(), O_RDONLY), &mesh), SFGP_ERROR_READ,
                      "standard input: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_format_is_read_packed_as_plain),
        sfgp_unit_test(masks_and_landmarks_may_be_packed),
        sfgp_unit_test(several_members_are_one_file),
        sfgp_unit_test(damage_is_refused),
        sfgp_unit_test(a_gzip_in_a_gzip_is_named),
        sfgp_unit_test(bombs_are_refused_without_memory),
        sfgp_unit_test(row_71_every_failing_allocation_is_reported),
        sfgp_unit_test(a_file_that_changes_meanwhile_is_told),
        sfgp_unit_test(a_long_packed_gltf_asks_for_memory),
        sfgp_unit_test(a_large_file_is_read_through_the_window),
        sfgp_unit_test(outputs_called_gz_are_packed),
        sfgp_unit_test(text_called_gz_is_packed),
        sfgp_unit_test(row_71_every_failing_allocation_of_packing_is_reported),
        sfgp_unit_test(standard_input_is_read_from_pipes_and_files),
        sfgp_unit_test(faults_of_standard_input_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
