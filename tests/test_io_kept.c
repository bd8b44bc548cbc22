/* Colours, texture coordinates, groups and materials of a PLY or OBJ go with the mesh into a file of the same format. */
#include "support/corrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char OBJ[] = "# a comment\n"
                          "mtllib head.mtl\n"
                          "o head\n"
                          "v 0 0 0 0.5 0.25 1\n"
                          "v 1 0 0 1 0 0\n"
                          "v 0 1 0 0 1 0\n"
                          "v 0 0 1 0 0 1\n"
                          "vt 0 0\nvt 1 0\nvt 0.5 1\n"
                          "vn 0 0 1\n"
                          "g upper left\nusemtl skin\ns 1\n"
                          "f 1/1/1 2/2/1 3/3/1\n"
                          "usemtl bone\n"
                          "f -4/1 \\\n -3/2 -1/3\n"
                          "f 1//1 3//1 4//1\n";

static const char PLY[] = "ply\nformat ascii 1.0\ncomment TextureFile skin.png\nelement vertex 3\n"
                          "property float x\nproperty float y\nproperty float z\nproperty float nx\n"
                          "property uchar red\nproperty uchar green\nproperty float s\nproperty double sd\n"
                          "element face 2\nproperty list uchar int vertex_indices\n"
                          "property list uchar float texcoord\nproperty int texnumber\nend_header\n"
                          "0 0 0 1 255 7 0.5 9\n1 0 0 1 254 8 0.25 9\n0 1 0 1 253 9 0.125 9\n"
                          "3 0 1 2 6 0 0 1 0 0.5 1 4\n"
                          "2 0 1 0 5\n";

static const sfgp_read_options KEEP = {.keep = 1};

static const char *put(const char *name, const char *bytes, size_t size)
{
    const char *path = test_path(name);
    unlink(path); /* ext4 waits for the disk when a file is overwritten */
    sfgp_test_write(path, bytes, size);
    return path;
}

/* Reads, doubles the coordinates and writes. Returns the text of the output; free() it. */
static char *move(sfgp_context *context, const char *in, const char *text, const char *out,
                  const sfgp_read_options *options)
{
    sfgp_mesh *mesh;
    const char *to = test_path(out);
    sfgp_assert_ok(context, sfgp_mesh_read_with(context, put(in, text, strlen(text)), options, &mesh, NULL));
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        mesh->points[k] *= 2;
    sfgp_assert_ok(context, sfgp_mesh_write(context, to, mesh, NULL, 0));
    sfgp_mesh_free(mesh);
    return sfgp_test_read(to, NULL);
}

static void an_obj_keeps_its_lines(void **state)
{
    char *text = move(*state, "a.obj", OBJ, "b.obj", &KEEP);
    assert_string_equal(text, "# sfgp " SFGP_VERSION "\n# a comment\nmtllib head.mtl\no head\n"
                              "v 0 0 0 0.5 0.25 1\nv 2 0 0 1 0 0\nv 0 2 0 0 1 0\nv 0 0 2 0 0 1\n"
                              "vt 0 0\nvt 1 0\nvt 0.5 1\ng upper left\nusemtl skin\ns 1\n"
                              "f 1/1 2/2 3/3\nusemtl bone\nf -4/1 -3/2 -1/3\nf 1 3 4\n");
    char *again = move(*state, "c.obj", text, "d.obj", &KEEP);
    sfgp_assert_has(again, "\nv 4 0 0 1 0 0\n");
    assert_ptr_equal(strstr(again, "# sfgp"), again); /* our comment does not pile up */
    assert_null(strstr(again + 1, "# sfgp"));
    free(again);
    free(text);
}

/* As without the option before it was there. */
static void nothing_is_kept_unless_asked_for(void **state)
{
    char *text = move(*state, "a.obj", OBJ, "b.obj", NULL);
    assert_null(strstr(text, "usemtl"));
    free(text);
    text = move(*state, "a.obj", OBJ, "b.off.obj", &(sfgp_read_options){.columns = "1,2,3"});
    assert_null(strstr(text, "vt"));
    free(text);
}

/* Normals, and what fits write themselves, are left out; so is what belonged to a face that was left out. */
static void a_ply_keeps_its_properties(void **state)
{
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    free(move(*state, "a.ply", PLY, "b.ply", &KEEP));
    const char *path = test_path("b.ply");
    char *text = sfgp_test_read(path, NULL);
    sfgp_assert_has(text, "\ncomment TextureFile skin.png\nelement vertex 3\n");
    sfgp_assert_has(text, "\nproperty double z\nproperty uchar red\nproperty uchar green\nproperty float s\n"
                          "element face 1\nproperty list uchar int vertex_indices\n"
                          "property list uchar float texcoord\nproperty int texnumber\nend_header\n");
    free(text);
    sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, path, &mesh, &attributes));
    assert_int_equal(attributes->count, 3);
    assert_string_equal(attributes->items[2].name, "s");
    for (int i = 0; i < 3; i++)
        assert_true(attributes->items[0].values[i] == 255 - i && attributes->items[1].values[i] == 7 + i &&
                    attributes->items[2].values[i] == ldexp(0.5, -i));
    assert_true(mesh->points[3] == 2 && mesh->face_count == 1);
    sfgp_mesh_free(mesh);
    sfgp_attributes_free(attributes);
}

/* Attributes of the caller stand before what is kept. */
static void attributes_and_colours_go_together(void **state)
{
    static const double sd[3] = {1, 2, 3};
    const sfgp_attribute attribute = {"sd", sd, 0};
    const char *path = test_path("sd.ply");
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    sfgp_assert_ok(*state, sfgp_mesh_read_with(*state, put("a.ply", PLY, strlen(PLY)), &KEEP, &mesh, NULL));
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, &attribute, 1));
    sfgp_mesh_free(mesh);
    sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, path, &mesh, &attributes));
    assert_int_equal(attributes->count, 4);
    assert_string_equal(attributes->items[0].name, "sd");
    assert_true(attributes->items[0].values[2] == 3 && attributes->items[1].values[2] == 253);
    sfgp_mesh_free(mesh);
    sfgp_attributes_free(attributes);
}

/* In another format, or for other points, the mesh is written as if nothing was kept. */
static void another_format_has_the_shape_alone(void **state)
{
    char *text = move(*state, "a.ply", PLY, "c.obj", &KEEP);
    assert_null(strstr(text, "skin"));
    sfgp_assert_has(text, "\nv 2 0 0\n");
    free(text);
}

static void try_change(void *user, const char *bytes, size_t size, size_t place)
{
    const char *name = user, *out = test_path(strstr(name, "ply") ? "o.ply" : "o.obj");
    sfgp_context *context;
    sfgp_mesh *mesh, *again;
    (void)place;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_status status = sfgp_mesh_read_with(context, put(name, bytes, size), &KEEP, &mesh, NULL);
    assert_true(status != SFGP_ERROR_MEMORY);
    if (status == SFGP_OK && place % 16 == 0) { /* writing waits for the disk */
        sfgp_assert_mesh_valid(mesh);
        sfgp_assert_ok(context, sfgp_mesh_write(context, out, mesh, NULL, 0));
        sfgp_assert_ok(context, sfgp_mesh_read_with(context, out, &KEEP, &again, NULL));
        assert_true(again->count == mesh->count && again->face_count == mesh->face_count);
        sfgp_mesh_free(again);
    }
    sfgp_mesh_free(mesh);
    sfgp_context_free(context);
}

static void no_change_of_a_file_breaks_it(void **state)
{
    (void)state;
    char obj[] = "change.obj", ply[] = "change.ply";
    sfgp_each_prefix(OBJ, strlen(OBJ), try_change, obj);
    sfgp_each_prefix(PLY, strlen(PLY), try_change, ply);
    sfgp_each_flip(OBJ, strlen(OBJ), 3, try_change, obj);
    sfgp_each_flip(PLY, strlen(PLY), 3, try_change, ply);
}

static sfgp_status read_kept(sfgp_context *context, void *user)
{
    sfgp_mesh *mesh;
    const sfgp_status status = sfgp_mesh_read_with(context, user, &KEEP, &mesh, NULL);
    sfgp_mesh_free(mesh);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    assert_true(sfgp_sweep_allocations(*state, read_kept, (void *)(uintptr_t)put("m.obj", OBJ, strlen(OBJ))) >
                6);
    assert_true(sfgp_sweep_allocations(*state, read_kept, (void *)(uintptr_t)put("m.ply", PLY, strlen(PLY))) >
                6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {sfgp_unit_test(an_obj_keeps_its_lines),
                                       sfgp_unit_test(nothing_is_kept_unless_asked_for),
                                       sfgp_unit_test(a_ply_keeps_its_properties),
                                       sfgp_unit_test(attributes_and_colours_go_together),
                                       sfgp_unit_test(another_format_has_the_shape_alone),
                                       sfgp_unit_test(no_change_of_a_file_breaks_it),
                                       sfgp_unit_test(memory_runs_out_cleanly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
