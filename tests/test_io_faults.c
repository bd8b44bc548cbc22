/* The same torture for every format: each prefix, each small change, each failing allocation. */
#include "support/corrupt.h"

#include <stdlib.h>
#include <string.h>

#define FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

typedef struct sample {
    const char *name;
    char *bytes;
    size_t size;
    size_t complete; /* a prefix of this length or more may be read; size: none may */
    sfgp_context *context;
    int answers[2]; /* readable and refused changes */
} sample;

enum { SAMPLES = 14 };

static void set_text(sample *made, const char *name, const char *text, const char *last)
{
    made->name = name;
    made->size = strlen(text);
    made->bytes = malloc(made->size);
    memcpy(made->bytes, text, made->size);
    made->complete = last ? (size_t)(strstr(text, last) - text) + strlen(last) : made->size;
}

/* What our writer makes of the sample mesh; STL needs coordinates of 32 bits. */
static void set_written(sample *made, sfgp_context *context, const char *name)
{
    const char *path = test_path(name);
    sfgp_mesh *mesh = sfgp_sample_mesh(context, 3);
    for (int k = 0; strstr(name, "stl") && k < 12; k++)
        mesh->points[k] = k % 5;
    sfgp_assert_ok(context, sfgp_mesh_write(context, path, mesh, NULL, 0));
    sfgp_mesh_free(mesh);
    made->name = name;
    made->bytes = sfgp_test_read(path, &made->size);
    made->complete = made->size;
}

static void make_samples(sfgp_context *context, sample samples[SAMPLES])
{
    memset(samples, 0, SAMPLES * sizeof *samples);
    set_written(&samples[0], context, "binary.ply");
    set_written(&samples[1], context, "binary.stl");
    set_written(&samples[2], context, "array.npy");
    set_text(&samples[3], "text.ply",
             "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
             "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0.5\n"
             "3 0 1 2\n",
             "3 0 1 2");
    set_text(&samples[4], "text.stl", "solid a\n" FACET "endsolid name\n", "endsolid");
    set_text(&samples[5], "mesh.obj", "# a\nv 0 0 0\nv 1 0 0\nv 0 1/1 0.5\nf 1//2 -2 3\\\n 1\n", "v 0 0 0");
    memcpy(strstr(samples[5].bytes, "1/1"), "1.1", 3);
    set_text(&samples[6], "points.csv", "# x, y\n0.5, 2e1\n-1,3\n", "0.5, 2");
    set_text(&samples[7], "big.ply",
             "ply\rformat binary_big_endian 1.0\rcomment a\relement vertex 1\rproperty uchar x\r"
             "property list uchar char l\rproperty uchar y\rproperty uchar z\rend_header\rA\x02llBC",
             NULL);
    set_text(&samples[8], "header.csv", "name;\"x\";y\n\"a; \"\"b\"\"\";0.5;2e1\nc;-1;3\n", "0.5;2");
    set_text(&samples[9], "scan.pts", "2\n0.5 1 2 -7 1 2 3\n1 2 3 -8 0 0 9", "-8 0 0 9");
    set_text(&samples[10], "mesh.off",
             "COFF\n3 1 0\n0 0 0 1 2 3\n1 0 0 4 5 6\n0 1 0.5 7 8 9\n3 0 1 2 1 0 0\n", "3 0 1 2");
    set_text(&samples[11], "text.vtk",
             "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0\n0 1 0\n"
             "POLYGONS 1 4\n3 0 1 2\nPOINT_DATA 3\n",
             "1 0 0\n0 1 0");
    set_text(
        &samples[12], "cells.vtk",
        "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
        "CELLS 2 3\nOFFSETS vtktypeint64\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\nCELL_TYPES 1\n5\n",
        "0 0 0 1 0 0 0 1 0");
    set_written(&samples[13], context, "ours.vtp");
    samples[13].complete -= 28; /* what follows the arrays */
    for (int k = 0; k < SAMPLES; k++)
        samples[k].context = context;
}

static void free_samples(sample samples[SAMPLES])
{
    for (int k = 0; k < SAMPLES; k++)
        free(samples[k].bytes);
}

static void try_prefix(void *user, const char *bytes, size_t size, size_t place)
{
    sample *made = user;
    sfgp_status status = sfgp_try_bytes(made->context, made->name, bytes, size);
    if (place < made->complete && status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("%s cut to %zu bytes: status %d", made->name, place, (int)status);
    made->answers[status != SFGP_OK]++;
}

static void rows_7_to_10_every_prefix_is_refused_or_whole(void **state)
{
    sample samples[SAMPLES];
    make_samples(*state, samples);
    for (int k = 0; k < SAMPLES; k++) {
        sfgp_assert_ok(*state, sfgp_try_bytes(*state, samples[k].name, samples[k].bytes, samples[k].size));
        sfgp_each_prefix(samples[k].bytes, samples[k].size, try_prefix, &samples[k]);
        if (samples[k].complete == samples[k].size)
            assert_int_equal(samples[k].answers[0], 0);
    }
    free_samples(samples);
}

static void try_mutation(void *user, const char *bytes, size_t size, size_t place)
{
    sample *made = user;
    sfgp_status status = sfgp_try_bytes(made->context, made->name, bytes, size);
    if (status != SFGP_OK && status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("%s changed at byte %zu: status %d", made->name, place, (int)status);
    made->answers[status != SFGP_OK]++;
}

/* In little memory, so that a wrong count cannot take much of it. */
static void row_37_every_small_change_is_refused_or_read(void **state)
{
    sample samples[SAMPLES];
    make_samples(*state, samples);
    sfgp_context *context = sfgp_bounded_context(4 << 20);
    for (int k = 0; k < SAMPLES; k++) {
        samples[k].context = context;
        sfgp_each_mutation(samples[k].bytes, samples[k].size, try_mutation, &samples[k]);
        assert_true(samples[k].answers[0] > 0 && samples[k].answers[1] > 0);
    }
    sfgp_context_free(context);
    free_samples(samples);
}

static void row_71_every_failing_allocation_of_a_reader_is_reported(void **state)
{
    sample samples[SAMPLES];
    make_samples(*state, samples);
    for (int k = 0; k < SAMPLES; k++) {
        char path[256];
        strcpy(path, test_path(samples[k].name));
        sfgp_test_write(path, samples[k].bytes, samples[k].size);
        assert_true(sfgp_sweep_allocations(*state, sfgp_try_path, path) >= 3);
    }
    free_samples(samples);
}

static void row_71_many_points_and_faces_and_long_lines_too(void **state)
{
    const char *names[] = {"large.stl", "large.obj", "large.txt"};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 4000, 3, 3998, 3 * 3998, &mesh));
    for (int k = 0; k < 12000; k++)
        mesh->points[k] = k;
    for (int f = 0; f <= 3998; f++)
        mesh->face_start[f] = 3 * f;
    for (int k = 0; k < 3 * 3998; k++)
        mesh->face_points[k] = k / 3 + k % 3;
    for (int k = 0; k < 3; k++) {
        char path[256];
        strcpy(path, test_path(names[k]));
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
        assert_true(sfgp_sweep_allocations(*state, sfgp_try_path, path) >= 8);
    }
    sfgp_mesh_free(mesh);
    char path[256], *text = malloc(1 << 20);
    strcpy(path, test_path("line.txt"));
    memset(text, ' ', 1 << 20);
    memcpy(text + (1 << 20) - 6, "1 2 3\n", 6);
    sfgp_test_write(path, text, 1 << 20);
    assert_true(sfgp_sweep_allocations(*state, sfgp_try_path, path) >= 5);
    free(text);
}

typedef struct writing {
    const char *path;
    const sfgp_mesh *mesh;
} writing;

static sfgp_status write_file(sfgp_context *context, void *user)
{
    const writing *work = user;
    const double values[] = {0, 1, 2, 3};
    const sfgp_attribute attributes[] = {{"a", values, 0}, {"b", values, 1}};
    return sfgp_mesh_write(context, work->path, work->mesh, attributes, 2);
}

static void row_71_every_failing_allocation_of_a_writer_leaves_the_old_file(void **state)
{
    const char *names[] = {"w.ply", "w.obj", "w.stl", "w.npy", "w.txt", "w.vtp"};
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    mesh->points[10] = 1; /* 1e300 would not fit STL */
    mesh->points[6] = 1;
    for (int k = 0; k < 6; k++) {
        writing work = {test_path(names[k]), mesh};
        sfgp_test_write(work.path, "old", 3);
        sfgp_memory_counters.fail_at = 0;
        sfgp_assert_status(*state, write_file(*state, &work), SFGP_ERROR_MEMORY);
        char *text = sfgp_test_read(work.path, NULL);
        assert_string_equal(text, "old");
        free(text);
        assert_true(sfgp_sweep_allocations(*state, write_file, &work) >= 1);
    }
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(rows_7_to_10_every_prefix_is_refused_or_whole),
        sfgp_unit_test(row_37_every_small_change_is_refused_or_read),
        sfgp_unit_test(row_71_every_failing_allocation_of_a_reader_is_reported),
        sfgp_unit_test(row_71_many_points_and_faces_and_long_lines_too),
        sfgp_unit_test(row_71_every_failing_allocation_of_a_writer_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
