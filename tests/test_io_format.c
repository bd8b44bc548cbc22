#include "support/locale.h"
#include "support/corrupt.h"
#include "io/buffer.h"
#include "io/file.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void content_comes_before_the_extension(void **state)
{
    const struct {
        const char *name, *text, *format;
    } files[] = {
        {"a.obj",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\n"
         "end_header\n1 2 3\n",
         "ply"},
        {"a.txt", "# c\n\n  v 1 2 3\n", "obj"},
        {"a.ply", "o thing\nv 1 2 3\n", "obj"},
        {"a.txt",
         "solid\nfacet\nouter\nvertex 1 2 3\nvertex 1 2 4\nvertex 1 3 3\nendloop\nendfacet\nendsolid\n",
         "stl"},
        {"a.obj", "# only comments decide nothing\ns 1\nv 1 2 3\n", "obj"},
        {"a.csv", "1,2,3\n", "text"},
        {"a", "1 2 3\n", "text"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_ok(*state, sfgp_read_text(*state, files[k].name, files[k].text, &mesh));
        assert_string_equal(mesh->format, files[k].format);
        assert_true(mesh->points[0] == 1 && mesh->points[1] == 2 && mesh->points[2] == 3);
        sfgp_mesh_free(mesh);
    }
}

static void rows_26_35_files_of_others_are_refused_with_advice(void **state)
{
    const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } files[] = {
        {"\x1f\x8b\x08\0\0\0\0\0", 8, "byte 8 of the gzip file: the file is cut short"},
        {"PK\x03\x04\0\0", 6, "a zip archive"},
        {"BZh91AY", 7, "bzip2"},
        {"\xfd"
         "7zXZ\0",
         6, "an xz archive"},
        {"\x28\xb5\x2f\xfd", 4, "zstd"},
        {"\xff\xfe"
         "1\0 \0",
         6, "UTF-16 text; save it as UTF-8"},
        {"\xfe\xff\0"
         "1\0 ",
         6, "UTF-16"},
        {"\x89HDF\r\n\x1a\n", 8, "sfgp model info shows a shape model or a saved fit"},
        {"<?xml version", 13, "an XML file"},
        {"# .PCD v0.7\n", 12, "a PCD file; save it as PLY with pcl_pcd2ply"},
        {"PK\3\4", 4, "unpack it first; if it is usdz or 3mf, save it as PLY"},
        {"PK\3\4", 4, "if it is xlsx, save it as CSV"},
        {"\xd0\xcf\x11\xe0\xa1\xb1", 6, "a file of Excel (xls); save it as CSV"},
        {"Rar!\x1a\7", 6, "a rar archive; unpack it first"},
        {"7z\xbc\xaf'\x1c", 6, "a 7z archive; unpack it first"},
        {"\x5c\1\0\0\0", 5, "a NIfTI volume; segment it"},
        {"\0\0\1\x5c\0", 5, "a NIfTI volume; segment it"},
        {"ObjectType = Image\nNDims = 3\n", 29, "a MetaImage volume; segment it"},
        {"\xff\xff\xfe"
         "created by",
         13, "a surface of FreeSurfer; mris_convert"},
        {"$MeshFormat\n4.1 0 8\n", 20, "a file of Gmsh; save it as PLY"},
        {"MeshVersionFormatted 2\n", 23, "a file of Medit; save it as PLY"},
        {"[individuals]\n1\n", 16, "a file of Morphologika; save the landmarks of a shape as CSV"},
        {"[Individuals]\n1\n", 16, "a file of Morphologika"},
        {"X\n\0\0\0\3", 6, "a file of R (saveRDS); save its points as text"},
        {"RDX3\nX\n", 7, "a file of R (save); save its points as text"},
        {"PXR-USDC\0\0", 10, "a USD file; save it as PLY"},
        {"#usda 1.0\n", 10, "a USD file; save it as PLY"},
        {"DRACO\2\2", 7, "a Draco file; save it as PLY"},
        {"# AmiraMesh 3D ASCII 2.0\n", 25, "a file of Amira; save landmarks as CSV"},
        {"NRRD0004\n", 9, "an NRRD volume; segment it"},
        {"ISO-10303-21;\n", 14, "a STEP file; mesh it and save it as PLY"},
        {"# Avizo 3D ASCII 2.0\n", 21, "a file of Avizo; save landmarks as CSV"},
        {"# HyperSurface 0.1 ASCII\n", 25, "a surface of Amira; save landmarks as CSV"},
        {"LASF\0\0", 6, "a LAS or LAZ file; save it as PLY or text with CloudCompare"},
        {"ASTM-E57\1", 9, "an E57 file; save it as PLY or text with CloudCompare"},
        {"MATLAB 5.0 MAT-file", 19, "a MATLAB file; save its points as text"},
        {"CCB22\0\0\0", 8, "a CloudCompare file; save it as PLY"},
        {"CCB32\0\0\0", 8, "a CloudCompare file; save it as PLY"}, /* coordinates of 64 bits */
        {"BLENDER-v300", 12, "a Blender file; export PLY"},
        {"<!DOCTYPE html><html>", 21, "a web page and not the file that was to be downloaded"},
        {"<!doctype html>\n<html lang=\"en\">", 32, "a web page and not the file"},
        {"<html><body>", 12, "a web page and not the file"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:ab\n", 57,
         "of Git LFS to a file that is not there; git lfs"},
        {"version: 1\nn_points: 68\n{\n", 26, "landmarks in a picture (menpo, ibug); save them as text"},
        {"#VRML V2.0 utf8\n", 16, "a VRML file; save it as PLY"},
        {"\xff\xd8\xff\xe0", 4, "a JPEG picture; give a mesh"},
        {"", 0, "the file is empty"},
    };
    const char *names[] = {"a.ply", "a.obj", "a.stl", "a.npy", "a.txt"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (int n = 0; n < 5; n++) {
            sfgp_assert_error(*state, sfgp_try_bytes(*state, names[n], files[k].bytes, files[k].size),
                              SFGP_ERROR_FORMAT, files[k].words);
        }
}

/* Points would be read from some, others would be said to have a wrong number of columns. */
static void landmarks_and_volumes_are_no_mesh(void **state)
{
    static const struct {
        const char *name, *text, *words;
    } files[] = {
        {"m.dcm", "no text\n", "a DICOM file; segment it, as in 3D Slicer"},
        {"m.tps", "LM3=1\n1 2 3\n",
         "a file of landmarks (TPS); a mesh is expected here; landmarks go to sfgp apply, --landmarks of sfgp register, align"},
        {"m.fcsv", "# columns = id,x,y,z\n1,1,2,3\n", "a file of landmarks (Slicer); a mesh is expected"},
        {"m.nts", "1 1 3 0 DIM=3\n1 2 3\n", "a file of landmarks (NTSYS); a mesh is expected"},
        {"m.DTA", "1 1 3 1 9999 DIM=3\n1 2 3\n", "a file of landmarks (NTSYS); a mesh is expected"},
        {"m.pp", "<!DOCTYPE PickedPoints>\n<PickedPoints>\n", "a file of landmarks (MeshLab); a mesh is"},
        {"m.pp", "<PickedPoints>\n</PickedPoints>\n", "a file of landmarks (MeshLab); a mesh is"},
        {"m.pts", "Version 1.0\n1\nS000 1 2 3\n",
         "a file of landmarks (Landmark, Checkpoint); a mesh is expected here; landmarks go to sfgp"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_error(*state, sfgp_read_text(*state, files[k].name, files[k].text, &mesh),
                          SFGP_ERROR_FORMAT, files[k].words);
    }
}

static void every_format_keeps_every_bit(void **state)
{
    const char *names[] = {"r.ply", "r.obj", "r.npy", "r.txt", "r.csv", "r.tsv", "r.PLY", "r.OBJ", "r.vtp"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const char *path = test_path(names[k]);
            sfgp_mesh *mesh = sfgp_sample_mesh(*state, dimension), *back = NULL;
            bool faces = k < 2 || k > 5;
            if (!faces)
                mesh->face_count = 0;
            sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
            sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
            sfgp_assert_meshes_equal(mesh, back);
            assert_string_equal(sfgp_test_warning(), "");
            sfgp_mesh_free(back);
            sfgp_mesh_free(mesh);
        }
}

static void row_29_the_locale_of_the_host_changes_no_byte(void **state)
{
    const char *names[] = {"l.ply", "l.obj", "l.npy", "l.txt"};
    char number[16];
    sfgp_test_comma_locale(); /* first: it may skip */
    setlocale(LC_ALL, "C");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    char *before[4];
    size_t sizes[4];
    for (int k = 0; k < 4; k++) {
        const char *path = test_path(names[k]);
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
        before[k] = sfgp_test_read(path, &sizes[k]);
    }
    sfgp_test_comma_locale();
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0,5");
    for (int k = 0; k < 4; k++) {
        const char *path = test_path(names[k]);
        sfgp_mesh *back = NULL;
        size_t size;
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
        char *after = sfgp_test_read(path, &size);
        assert_int_equal(size, sizes[k]);
        assert_memory_equal(after, before[k], size);
        sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
        assert_memory_equal(back->points, mesh->points, 12 * sizeof(double));
        sfgp_mesh_free(back);
        free(after);
        free(before[k]);
    }
    setlocale(LC_ALL, "C");
    sfgp_mesh_free(mesh);
}

static void meshes_that_cannot_be_read_back_are_not_written(void **state)
{
    const char *path = test_path("never.ply");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, NULL, NULL, 0), SFGP_ERROR_PARAMETER);
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, mesh, NULL, 1), SFGP_ERROR_PARAMETER);
    mesh->face_points[3] = 4;
    sfgp_assert_error(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER,
                      "face 1 has the point 4 of 4");
    mesh->face_points[3] = 3, mesh->face_start[1] = 2;
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER);
    mesh->face_start[1] = 3, mesh->points[4] = strtod("inf", NULL);
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_DATA);
    mesh->points[4] = 0, mesh->count = 0;
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER);
    mesh->count = 4;
    int64_t *start = mesh->face_start;
    mesh->face_start = NULL;
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER);
    mesh->face_start = start;
    sfgp_mesh_free(mesh);
    assert_null(sfgp_test_read(path, NULL));
}

static void unknown_extensions_are_refused_by_name(void **state)
{
    const char *refused[] = {"w",     "w.vtk", "w.glb", "w.PLYX", "w.",       "w.gz",
                             "w.pts", ".gz",   "ply",   "-x",     "w.ply.zip"};
    const char *known[] = {"w.ply", "w.PLY", "w.ply.gz", "w.asc", "-", "-.csv", "/dev/null", "/dev/null.obj"};
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const char *path = test_path(refused[k]);
        sfgp_assert_status(*state, sfgp_mesh_check_path(*state, refused[k]), SFGP_ERROR_PARAMETER);
        sfgp_assert_error(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER,
                          "use .ply .npy .stl .vtp .obj .txt .csv");
        assert_null(sfgp_test_read(path, NULL));
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        sfgp_assert_ok(*state, sfgp_mesh_check_path(*state, known[k]));
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, "/dev/null", mesh, NULL, 0));
    sfgp_assert_ok(*state, sfgp_mesh_check_write(*state, "w.stl", mesh));
    mesh->face_count = 0;
    sfgp_assert_ok(*state, sfgp_mesh_check_write(*state, "w.ply", mesh));
    sfgp_assert_status(*state, sfgp_mesh_check_write(*state, "w.stl", mesh), SFGP_ERROR_PARAMETER);
    sfgp_mesh_free(mesh);
}

static void buffers_grow_and_remember_their_failure(void **state)
{
    sfgp_buffer buffer = sfgp_buffer_empty(*state);
    for (int k = 0; k < 1000; k++)
        sfgp_buffer_print(&buffer, "%d,", k);
    assert_int_equal(buffer.status, SFGP_OK);
    assert_int_equal(buffer.size, 10 * 2 + 90 * 3 + 900 * 4);
    assert_memory_equal(buffer.bytes + 3886, "999,", 4);
    sfgp_buffer_reserve(&buffer, INT64_MAX, 2);
    assert_int_equal(buffer.status, SFGP_ERROR_MEMORY);
    sfgp_buffer_text(&buffer, "ignored");
    sfgp_buffer_reserve(&buffer, 1, 1);
    assert_int_equal(buffer.size, 3890);
    sfgp_buffer_clear(&buffer);
    assert_int_equal(buffer.status, SFGP_OK);
}

static void paths_have_extensions_and_a_shown_end(void **state)
{
    char path[1000];
    (void)state;
    const struct {
        const char *path, *extension;
    } paths[] = {{"a.b/c", ""},    {"a.b/c.d.ply", "ply"}, {".ply", "ply"},        {"a.", ""}, {"a.gz", ""},
                 {"a.b/c.gz", ""}, {"a.ply.gz", "ply"},    {"a.b/.csv.GZ", "csv"}, {"gz", ""}, {"", ""}};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
        assert_true(sfgp_path_has_extension(paths[k].path, paths[k].extension));
    memset(path, 'a', 999);
    memcpy(path + 995, ".ply", 5);
    assert_int_equal(strlen(sfgp_path_shown(path)), 300);
    assert_true(sfgp_path_has_extension(sfgp_path_shown(path), "ply"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(content_comes_before_the_extension),
        sfgp_unit_test(rows_26_35_files_of_others_are_refused_with_advice),
        sfgp_unit_test(landmarks_and_volumes_are_no_mesh),
        sfgp_unit_test(every_format_keeps_every_bit),
        sfgp_unit_test(row_29_the_locale_of_the_host_changes_no_byte),
        sfgp_unit_test(meshes_that_cannot_be_read_back_are_not_written),
        sfgp_unit_test(unknown_extensions_are_refused_by_name),
        sfgp_unit_test(buffers_grow_and_remember_their_failure),
        sfgp_unit_test(paths_have_extensions_and_a_shown_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
