/* VTP: every encoding gives the same mesh, ours keeps every bit and the attributes, and faults are named. */
#include "support/corrupt.h"
#include "io/base64.h"
#include "io/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- files of every encoding ---------------------------------------------------------------------------- */

enum { TEXT, INLINE, APPENDED, RAW, ENCODINGS };

typedef struct encoding {
    int kind;
    bool packed, wide, big_endian;
} encoding;

static const double POINTS[] = {0, 0, 0, 1, 0, 0, 1, 1, 0.5, 0, 1, 0};
static const double CORNERS[] = {0, 1, 2, 0, 2, 3}, ENDS[] = {3, 6}, SD[] = {0.5, 0.25, 1, 2};

static void add_base64(sfgp_buffer *buffer, const unsigned char *bytes, int64_t size)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t k = 0; k < size; k += 3) {
        unsigned all = 0;
        char four[4];
        for (int64_t i = 0; i < 3; i++)
            all = all << 8 | (k + i < size ? bytes[k + i] : 0);
        for (int i = 0; i < 4; i++)
            four[i] = k + i > size ? '=' : DIGITS[all >> (18 - 6 * i) & 63];
        sfgp_buffer_add(buffer, four, 4);
    }
}

/* type: f or i, and its bytes. */
static void add_value(sfgp_buffer *buffer, const char *type, bool big_endian, double value)
{
    const int size = type[1] - '0';
    uint64_t bits = (uint64_t)(int64_t)value;
    float narrow = (float)value;
    if (type[0] == 'f' && size == 8)
        memcpy(&bits, &value, 8);
    if (type[0] == 'f' && size == 4) {
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, 4);
        bits = narrow_bits;
    }
    for (int k = 0; k < size; k++) {
        const unsigned char byte = (unsigned char)(bits >> 8 * (big_endian ? size - 1 - k : k));
        sfgp_buffer_add(buffer, &byte, 1);
    }
}

/* Blocks of 16 bytes, the last one may be shorter. */
static void add_packed(sfgp_buffer *buffer, const encoding *e, const sfgp_buffer *data, bool base64)
{
    const int64_t blocks = (data->size + 15) / 16;
    const char *type = e->wide ? "i8" : "i4";
    sfgp_buffer head = sfgp_buffer_empty(buffer->context), body = sfgp_buffer_empty(buffer->context);
    add_value(&head, type, e->big_endian, (double)blocks);
    add_value(&head, type, e->big_endian, 16);
    add_value(&head, type, e->big_endian, (double)(data->size % 16));
    for (int64_t k = 0; k < blocks; k++) {
        unsigned char packed[64];
        uLong size = sizeof packed;
        const int64_t left = data->size - 16 * k;
        assert_int_equal(compress(packed, &size, data->bytes + 16 * k, (uLong)(left < 16 ? left : 16)), Z_OK);
        add_value(&head, type, e->big_endian, (double)size);
        sfgp_buffer_add(&body, packed, (int64_t)size);
    }
    if (base64) { /* each with its padding */
        add_base64(buffer, head.bytes, head.size);
        add_base64(buffer, body.bytes, body.size);
    } else {
        sfgp_buffer_add(buffer, head.bytes, head.size);
        sfgp_buffer_add(buffer, body.bytes, body.size);
    }
    sfgp_buffer_clear(&head);
    sfgp_buffer_clear(&body);
}

static void add_plain(sfgp_buffer *buffer, const encoding *e, const sfgp_buffer *data, bool base64)
{
    sfgp_buffer all = sfgp_buffer_empty(buffer->context);
    add_value(&all, e->wide ? "i8" : "i4", e->big_endian, (double)data->size);
    sfgp_buffer_add(&all, data->bytes, data->size);
    if (base64)
        add_base64(buffer, all.bytes, all.size);
    else
        sfgp_buffer_add(buffer, all.bytes, all.size);
    sfgp_buffer_clear(&all);
}

static void add_array(sfgp_buffer *file, sfgp_buffer *appended, const encoding *e, const char *tag,
                      const char *type, const double *values, int count)
{
    static const char *const FORMATS[] = {"ascii", "binary", "appended", "appended"};
    sfgp_buffer data = sfgp_buffer_empty(file->context);
    sfgp_buffer_print(file, "<DataArray %s format=\"%s\" offset=\"%lld\">\n", tag, FORMATS[e->kind],
                      (long long)appended->size);
    for (int k = 0; k < count && e->kind == TEXT; k++) {
        sfgp_buffer_number(file, values[k]);
        sfgp_buffer_text(file, k % 5 == 4 ? "\n" : "  ");
    }
    for (int k = 0; k < count; k++)
        add_value(&data, type, e->big_endian, values[k]);
    if (e->kind != TEXT && e->packed)
        add_packed(e->kind == INLINE ? file : appended, e, &data, e->kind != RAW);
    else if (e->kind != TEXT)
        add_plain(e->kind == INLINE ? file : appended, e, &data, e->kind != RAW);
    sfgp_buffer_text(
        file, "\n<InformationKey name=\"RANGE\"><Value index=\"0\">1</Value></InformationKey></DataArray>\n");
    sfgp_buffer_clear(&data);
}

static sfgp_buffer make_file(sfgp_context *context, const encoding *e)
{
    sfgp_buffer file = sfgp_buffer_empty(context), appended = sfgp_buffer_empty(context);
    sfgp_buffer_text(
        &file, "<?xml version=\"1.0\"?>\n<!-- a <comment> -->\n<VTKFile type='PolyData' version=\"1.0\"");
    sfgp_buffer_print(&file, " byte_order=\"%s\" header_type=\"%s\"",
                      e->big_endian ? "BigEndian" : "LittleEndian", e->wide ? "UInt64" : "UInt32");
    sfgp_buffer_text(&file, e->packed ? " compressor=\"vtkZLibDataCompressor\">\n" : ">\n");
    sfgp_buffer_text(&file, "<PolyData><FieldData>");
    add_array(&file, &appended, e, "type=\"Float64\" Name=\"Time\"", "f8", SD, 1);
    sfgp_buffer_text(
        &file,
        "</FieldData>\n<Piece NumberOfPoints=\"4\" NumberOfVerts=\"0\" NumberOfPolys=\"2\">\n<PointData>");
    add_array(&file, &appended, e, "type=\"Float32\" Name=\"sd\"", "f4", SD, 4);
    add_array(&file, &appended, e, "type=\"Float32\" Name=\"Normals\" NumberOfComponents=\"3\"", "f4", POINTS,
              12);
    sfgp_buffer_text(&file, "</PointData><CellData/>\n<Points>");
    add_array(&file, &appended, e, "type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"", "f4", POINTS,
              12);
    sfgp_buffer_text(&file, "</Points>\n<Polys>");
    add_array(&file, &appended, e, "type=\"Int64\" Name=\"connectivity\"", "i8", CORNERS, 6);
    add_array(&file, &appended, e, "type=\"Int32\" Name=\"offsets\"", "i4", ENDS, 2);
    sfgp_buffer_text(&file, "</Polys></Piece></PolyData>\n");
    if (e->kind >= APPENDED) {
        sfgp_buffer_print(&file, "<AppendedData encoding=\"%s\">\n _", e->kind == RAW ? "raw" : "base64");
        sfgp_buffer_add(&file, appended.bytes, appended.size);
        sfgp_buffer_text(&file, "\n</AppendedData>\n");
    }
    sfgp_buffer_text(&file, "</VTKFile>\n");
    sfgp_buffer_clear(&appended);
    return file;
}

static encoding nth_encoding(int n)
{
    return (encoding){n / 8, n & 1, n & 2, n & 4};
}

static void every_encoding_gives_the_same_mesh(void **state)
{
    for (int n = 0; n < 8 * ENCODINGS; n++) {
        const encoding e = nth_encoding(n);
        sfgp_buffer file = make_file(*state, &e);
        const char *path = test_path(n % 2 ? "a.vtp" : "a");
        sfgp_mesh *mesh = NULL;
        sfgp_attributes *attributes = NULL;
        sfgp_test_write(path, file.bytes, (size_t)file.size);
        if (sfgp_mesh_read_attributes(*state, path, &mesh, &attributes) != SFGP_OK)
            fail_msg("encoding %d: %s", n, sfgp_context_error(*state));
        assert_string_equal(mesh->format, "vtp");
        assert_true(mesh->count == 4 && mesh->dimension == 3 && mesh->face_count == 2);
        assert_memory_equal(mesh->points, POINTS, sizeof POINTS);
        for (int k = 0; k < 6; k++)
            assert_int_equal(mesh->face_points[k], (int64_t)CORNERS[k]);
        assert_int_equal(attributes->count, 1);
        assert_string_equal(attributes->items[0].name, "sd");
        assert_memory_equal(attributes->items[0].values, SD, sizeof SD);
        sfgp_attributes_free(attributes);
        sfgp_mesh_free(mesh);
        sfgp_buffer_clear(&file);
    }
}

/* ---- ours -------------------------------------------------------------------------------------------- */

static void what_is_written_is_read_back_with_every_bit(void **state)
{
    const char *path = test_path("ours.vtp");
    const double sd[] = {0.1, 1.0 / 3, 5e-324, 1e300}, missing[] = {0, 1, 255, 0};
    const sfgp_attribute given[] = {{"sd", sd, 0}, {"a<\"&>b", missing, 1}};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int faces = 0; faces < 2; faces++) {
            sfgp_mesh *mesh = sfgp_sample_mesh(*state, dimension), *back = NULL;
            sfgp_attributes *attributes = NULL;
            mesh->face_count *= faces;
            sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, given, 2));
            sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, path, &back, &attributes));
            sfgp_assert_meshes_equal(mesh, back);
            assert_int_equal(attributes->count, 2);
            assert_memory_equal(attributes->items[0].values, sd, sizeof sd);
            assert_memory_equal(attributes->items[1].values, missing, sizeof missing);
            assert_true(!attributes->items[0].integer && attributes->items[1].integer);
            sfgp_attributes_free(attributes);
            sfgp_mesh_free(mesh);
            sfgp_mesh_free(back);
        }
    assert_string_equal(sfgp_test_warning(), "");
}

static void attributes_that_it_cannot_hold_are_refused(void **state)
{
    const double values[] = {0, 1, 2, 256};
    const sfgp_attribute bad[] = {
        {"", values, 0}, {"two words", values, 0}, {NULL, values, 0}, {"a", NULL, 0}, {"a", values, 1}};
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        sfgp_assert_status(*state, sfgp_mesh_write(*state, test_path("never.vtp"), mesh, &bad[k], 1),
                           SFGP_ERROR_PARAMETER);
    sfgp_mesh_free(mesh);
}

/* ---- faults ------------------------------------------------------------------------------------------ */

#define FILE_(content) "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\">" content "</VTKFile>\n"
#define PIECE(counts, content)                                                                               \
    FILE_("<PolyData>\n<Piece NumberOfPoints=" counts ">" content "</Piece></PolyData>")
#define ARRAY(tag, content) "<DataArray type=\"Float64\" format=\"ascii\" " tag ">" content "</DataArray>"
#define THREE "<Points>" ARRAY("NumberOfComponents=\"3\"", "0 0 0 1 0 0 0 1 0") "</Points>"
#define CELLS(points, ends)                                                                                  \
    "<Polys>" ARRAY("Name=\"connectivity\"", points) ARRAY("Name=\"offsets\"", ends) "</Polys>"

#define FIFTY "abcdefghijklmnopqrstuvwxyabcdefghijklmnopqrstuvwxy"

/* A strip of four points is two triangles, of which the second is turned; arrays that are no number a point, texts and long names
 * are left out. */
static void strips_are_triangles(void **state)
{
    static const char FILE_OF_A_STRIP[] = PIECE(
        "\"4\" NumberOfStrips='1'",
        "<PointData><DataArray type=\"String\" Name=\"words\" format=\"ascii\">1 2</DataArray>" ARRAY(
            "Name=\"pairs\" NumberOfComponents=\"2\"", "1 2 3 4 5 6 7 8")
            ARRAY("Name=\"" FIFTY FIFTY FIFTY FIFTY "x\"", "1 2 3 4") ARRAY(
                "Name=\"kept\"",
                "1 2 3 4") "</PointData>"
                           "<Points>" ARRAY(
                               "NumberOfComponents=\"3\"",
                               "0 0 0 1 0 0 0 1 0 1 1 0") "</Points>"
                                                          "<Strips>" ARRAY("Name=\"other\"", "7")
                                                              ARRAY("Name=\"connectivity\"", "0 1 2 3")
                                                                  ARRAY("Name=\"offsets\"", "4") "</Strips>");
    static const int64_t CORNERS_OF_STRIP[] = {0, 1, 2, 2, 1, 3};
    const char *path = test_path("strip.vtp");
    sfgp_attributes *attributes = NULL;
    sfgp_mesh *mesh = NULL;
    sfgp_test_write(path, FILE_OF_A_STRIP, strlen(FILE_OF_A_STRIP));
    sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, path, &mesh, &attributes));
    assert_true(mesh->count == 4 && mesh->face_count == 2);
    assert_memory_equal(mesh->face_points, CORNERS_OF_STRIP, sizeof CORNERS_OF_STRIP);
    assert_int_equal(attributes->count, 1);
    assert_string_equal(attributes->items[0].name, "kept");
    sfgp_attributes_free(attributes);
    sfgp_mesh_free(mesh);
}

static void faults_are_named(void **state)
{
    const struct {
        const char *text;
        sfgp_status expected;
        const char *words;
    } examples[] = {
        {PIECE("\"3\"", THREE), SFGP_OK, ""},
        {PIECE("\"3\" NumberOfPolys='1'", THREE CELLS("0 1 2", "3")), SFGP_OK, ""},
        {PIECE("\"3\" NumberOfStrips='0'", THREE), SFGP_OK, ""},
        {PIECE("\"0\"", ""), SFGP_ERROR_DATA, "no points"},
        {FILE_(""), SFGP_ERROR_DATA, "no points"},
        {"<VTKFile type=\"UnstructuredGrid\"></VTKFile>", SFGP_ERROR_FORMAT,
         "save other data sets as polygonal"},
        {"<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\"></VTKFile>", SFGP_ERROR_FORMAT,
         "vtkZLibDataCompressor"},
        {"<a/><VTKFile", SFGP_ERROR_FORMAT, "VTKFile first"},
        {"<VTKFile type=\"PolyData\">", SFGP_ERROR_FORMAT, "expected more tags, the file ends here"},
        {"<VTKFile type=\"PolyData\"\n", SFGP_ERROR_FORMAT, "the end of a tag"},
        {"\n<VTKFile type=\"PolyData\">\n<!-- ", SFGP_ERROR_FORMAT, "line 3: XML: expected -->"},
        {"<!DOCTYPE x><VTKFile>", SFGP_ERROR_FORMAT, "VTKFile first"},
        {PIECE("\"x\"", THREE), SFGP_ERROR_FORMAT, "line 2: VTP: <Piece>: expected counts of 0 or more"},
        {PIECE("\"-3\"", THREE), SFGP_ERROR_FORMAT, "counts of 0 or more"},
        {FILE_("<Piece/><Piece/>"), SFGP_ERROR_FORMAT, "save the file as one"},
        {PIECE("\"3\"", ""), SFGP_ERROR_FORMAT, "expected <Points>"},
        {PIECE("\"3\"", THREE THREE), SFGP_ERROR_FORMAT, "each array once"},
        {PIECE("\"3\"", "<Points>" ARRAY("", "0 0 0") "</Points>"), SFGP_ERROR_FORMAT, "three components"},
        {PIECE("\"4\"",
               "<Points>" ARRAY("NumberOfComponents=\"3\"", "0 0 0 1 0 0 0 1 0.0123456789") "</Points>"),
         SFGP_ERROR_FORMAT, "fewer numbers than the counts say"},
        {PIECE("\"2\"", THREE), SFGP_ERROR_FORMAT, "more numbers than the counts say"},
        {PIECE("\"4000000000\"", THREE), SFGP_ERROR_FORMAT, "more numbers are promised"},
        {PIECE("\"9223372036854775807\"", THREE), SFGP_ERROR_FORMAT, "VTP: expected <Points>"},
        {PIECE("\"1\"", "<Points>" ARRAY("NumberOfComponents=\"3\"", "0 x 0") "</Points>"), SFGP_ERROR_FORMAT,
         "line 2: VTP: expected a number, found 'x'"},
        {PIECE("\"1\"", "<Points>" ARRAY("NumberOfComponents=\"3\"", "0 nan 0") "</Points>"), SFGP_ERROR_DATA,
         "not a finite number"},
        {PIECE("\"3\" NumberOfPolys='1'", THREE), SFGP_ERROR_FORMAT, "cells without connectivity"},
        {PIECE("\"3\" NumberOfPolys='1'", THREE CELLS("0 1 3", "3")), SFGP_ERROR_FORMAT,
         "a point that is not there"},
        {PIECE("\"3\" NumberOfPolys='1'", THREE CELLS("0 1 -1", "3")), SFGP_ERROR_FORMAT,
         "a point that is not there"},
        {PIECE("\"3\" NumberOfPolys='1'", THREE CELLS("0 1 nan", "3")), SFGP_ERROR_FORMAT,
         "a point that is not there"},
        {PIECE("\"3\" NumberOfPolys='2'", THREE CELLS("0 1 2", "3 2")), SFGP_ERROR_FORMAT,
         "offsets of cells have to grow"},
        {PIECE("\"3\" NumberOfPolys='1'", THREE CELLS("0 1  2", "4")), SFGP_ERROR_FORMAT, "fewer numbers"},
        {PIECE("\"3\" NumberOfPolys='1'", THREE CELLS("0 1 2", "1e15")), SFGP_ERROR_FORMAT,
         "more numbers are promised"},
        {PIECE("\"3\"", "<Points><DataArray type=\"Float16\" format=\"ascii\"/></Points>"), SFGP_ERROR_FORMAT,
         "expected a type such as Float32"},
        {PIECE("\"3\"", "<Points><DataArray type=\"Float32\" format=\"appended\"/></Points>"),
         SFGP_ERROR_FORMAT, "with an offset"},
        {PIECE("\"3\"", "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"appended\" "
                        "offset=\"0\"/></Points>"),
         SFGP_ERROR_FORMAT, "more numbers are promised"},
        {PIECE("\"1\"",
               "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"binary\">DAAAA*"
               "AAAAAAAAAAAAAAAAAAAAAA</DataArray></Points>"),
         SFGP_ERROR_FORMAT, "damaged, cut short"},
        {PIECE("\"1\"", "<Points>" ARRAY("NumberOfComponents=\"3\"", "nan 0 0") "</Points>"), SFGP_ERROR_DATA,
         "not a finite number"},
        {PIECE("\"1\"", "<Points>" ARRAY("NumberOfComponents=\"3\"", "0 0 inf") "</Points>"), SFGP_ERROR_DATA,
         "not a finite number"},
        {PIECE("\"3\" NumberOfPolys='x'", THREE), SFGP_ERROR_FORMAT, "counts of 0 or more"},
        {PIECE("\"3\" NumberOfStrips='x'", THREE), SFGP_ERROR_FORMAT, "counts of 0 or more"},
        {PIECE("\"3\" NumberOfStrips='1'", THREE), SFGP_ERROR_FORMAT, "cells without connectivity"},
        {PIECE("\"3\" NumberOfStrips='1'",
               THREE "<Strips>" ARRAY("Name='connectivity'", "0 1 2") "</Strips>"),
         SFGP_ERROR_FORMAT, "cells without connectivity"},
        {"<VTKFile type=\"PolyData\" compressor=\"\"></VTKFile>", SFGP_ERROR_DATA, "no points"},
        {PIECE("\"3\" NumberOfPolys=", THREE), SFGP_OK, ""},
        {PIECE("\"3\"", THREE "</>"), SFGP_ERROR_FORMAT, "expected the name of a tag"},
        {FILE_("<AppendedData encoding=\"raw\">"), SFGP_ERROR_FORMAT, "an underscore before the data"},
        {FILE_("<AppendedData encoding=\"x\">_"), SFGP_ERROR_FORMAT, "encoding="},
    };
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        sfgp_assert_error(*state, sfgp_try_text(*state, "a.vtp", examples[k].text), examples[k].expected,
                          examples[k].words);
    }
}

static void try_prefix(void *user, const char *bytes, size_t size, size_t place)
{
    const sfgp_status status = sfgp_try_bytes(user, "cut.vtp", bytes, size);
    if (status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("cut to %zu bytes: status %d", place, (int)status);
}

static void try_mutation(void *user, const char *bytes, size_t size, size_t place)
{
    const sfgp_status status = sfgp_try_bytes(user, "changed.vtp", bytes, size);
    if (status != SFGP_OK && status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("changed at byte %zu: status %d, %s", place, (int)status, sfgp_context_error(user));
}

/* Cut before the end of the polygons' last array: behind it nothing is needed. */
static void every_prefix_and_small_change_is_refused_or_read(void **state)
{
    const int chosen[] = {TEXT * 8, INLINE * 8 + 1, APPENDED * 8 + 2, RAW * 8 + 3};
    (void)state;
    for (int n = 0; n < 4; n++) {
        const encoding e = nth_encoding(chosen[n]);
        sfgp_context *context = sfgp_bounded_context(4 << 20);
        sfgp_buffer file = make_file(context, &e);
        const size_t complete = (size_t)file.size - (e.kind >= APPENDED ? 35 : 40);
        sfgp_each_prefix((char *)file.bytes, complete, try_prefix, context);
        sfgp_each_mutation((char *)file.bytes, (size_t)file.size, try_mutation, context);
        sfgp_buffer_clear(&file);
        sfgp_context_free(context);
    }
}

/* Blocks of zeros that hold a million times more than the file. */
static void bombs_are_refused(void **state)
{
    sfgp_context *context = sfgp_bounded_context(4 << 20);
    (void)state;
    sfgp_assert_error(
        context,
        sfgp_try_text(context, "bomb.vtp",
                      "<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><Piece "
                      "NumberOfPoints=\"100000000\"><Points><DataArray type=\"Float32\" "
                      "NumberOfComponents=\"3\" format=\"binary\">AQAAAA==</DataArray></Points></Piece>"
                      "</VTKFile>"),
        SFGP_ERROR_FORMAT, "more numbers are promised");
    sfgp_context_free(context);
}

static sfgp_status read_file(sfgp_context *context, void *user)
{
    sfgp_mesh *mesh = NULL;
    sfgp_attributes *attributes = NULL;
    const sfgp_status status = sfgp_mesh_read_attributes(context, user, &mesh, &attributes);
    sfgp_attributes_free(attributes);
    sfgp_mesh_free(mesh);
    return status;
}

static void row_71_every_failing_allocation_is_reported(void **state)
{
    char path[256];
    const encoding e = nth_encoding(INLINE * 8 + 1);
    sfgp_buffer file = make_file(*state, &e);
    strcpy(path, test_path("sweep.vtp"));
    sfgp_test_write(path, file.bytes, (size_t)file.size);
    sfgp_buffer_clear(&file);
    assert_true(sfgp_sweep_allocations(*state, read_file, path) >= 20);
}

static void base64_is_decoded_in_parts(void **state)
{
    const char *text = " Zm9v\nYmE= cg== \tZm8=";
    (void)state;
    for (int64_t step = 1; step <= 9; step++) {
        sfgp_base64 decoder = {.rest = {text, (int64_t)strlen(text)}};
        char all[10] = "";
        for (int64_t k = 0; k < 8; k += step)
            assert_true(sfgp_base64_take(&decoder, k + step <= 8 ? step : 8 - k, (unsigned char *)all + k));
        assert_string_equal(all, "foobarfo");
        assert_false(sfgp_base64_take(&decoder, 1, (unsigned char *)all));
    }
    const char *bad[] = {"Zm9", "Z=9v", "Zm=v", "=m9v", "Zm9*", "Zm9v"};
    for (int k = 0; k < 6; k++) {
        sfgp_base64 decoder = {.rest = {bad[k], 4 - (k == 0)}};
        unsigned char bytes[3];
        assert_int_equal(sfgp_base64_take(&decoder, 3, bytes), k == 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_encoding_gives_the_same_mesh),
        sfgp_unit_test(what_is_written_is_read_back_with_every_bit),
        sfgp_unit_test(attributes_that_it_cannot_hold_are_refused),
        sfgp_unit_test(strips_are_triangles),
        sfgp_unit_test(faults_are_named),
        sfgp_unit_test(every_prefix_and_small_change_is_refused_or_read),
        sfgp_unit_test(bombs_are_refused),
        sfgp_unit_test(row_71_every_failing_allocation_is_reported),
        sfgp_unit_test(base64_is_decoded_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
