/* VTK legacy: both encodings, both ways to list cells, sections that are passed over, and faults. */
#include "support/corrupt.h"
#include "io/buffer.h"
#include "io/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\n"
#define HEAD5 "# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET POLYDATA\n"
#define SQUARE "POINTS 4 float\n0 0 0 1 0 0\n1 1 0.5 0\n1 0\n"

static const double POINTS[] = {0, 0, 0, 1, 0, 0, 1, 1, 0.5, 0, 1, 0};
static const int64_t CORNERS[] = {0, 1, 2, 0, 2, 3};

static void assert_is_the_square(const sfgp_mesh *mesh)
{
    assert_string_equal(mesh->format, "vtk");
    assert_true(mesh->count == 4 && mesh->face_count == 2 && mesh->dimension == 3);
    assert_memory_equal(mesh->points, POINTS, sizeof POINTS);
    assert_memory_equal(mesh->face_points, CORNERS, sizeof CORNERS);
}

static void every_text_gives_the_same_mesh(void **state)
{
    const char *texts[] = {
        HEAD SQUARE "POLYGONS 2 8\n3 0 1 2\n3 0 2 3\n",
        HEAD SQUARE "polygons 2 8\n3 0 1 2 3 0 2 3",
        HEAD SQUARE
        "VERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\nPOLYGONS 2 8\n3 0 1 2\n3 0 2 3\nPOINT_DATA 4\nSCALARS a f\nx\n",
        HEAD5 SQUARE
        "METADATA\nINFORMATION 0\n\nPOLYGONS 3 6\nOFFSETS vtktypeint64\n0 3 6\nCONNECTIVITY vtktypeint64\n"
        "0 1 2 0 2 3\nMETADATA\nanything\n\nCELL_DATA 2\n",
        HEAD "FIELD FieldData 2\nTime 1 1 double\n0.5\nother 2 2 int\n1 2\n3 4\n" SQUARE
             "POLYGONS 2 8\n3 0 1 2\n3 0 2 3\n",
        HEAD
        "FIELD FieldData 3\na 1 3 string\nhello%20world\n\nPOINTS\n\nMETADATA\nINFORMATION 0\n\nb 2 1 double\n1 2\n"
        "METADATA\nCOMPONENT_NAMES\nx\ny\n\nc 1 1 string\nlast\n" SQUARE "POLYGONS 2 8\n3 0 1 2\n3 0 2 3\n",
        "# vtk DataFile Version 2.0\r\ntitle\r\nASCII\r\nDATASET UNSTRUCTURED_GRID\r\n" SQUARE
        "CELLS 3 10\n3 0 1 2\n3 0 2 3\n1 1\nCELL_TYPES 3\n5\n7 1\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_ok(*state, sfgp_read_text(*state, k % 2 ? "a.vtk" : "a", texts[k], &mesh));
        assert_is_the_square(mesh);
        sfgp_mesh_free(mesh);
    }
    assert_string_equal(sfgp_test_warning(), "");
}

static void add(sfgp_buffer *buffer, sfgp_scalar type, double value)
{
    unsigned char bytes[8];
    const int size = sfgp_scalar_size(type);
    sfgp_scalar_store(type, value, bytes);
    for (int k = size - 1; k >= 0; k--) /* big endian */
        sfgp_buffer_add(buffer, bytes + k, 1);
}

/* A string as VTK writes it: its length in 1, 2, 4 or 8 bytes, told by the first two bits. */
static void add_string(sfgp_buffer *buffer, int bytes, int64_t length)
{
    const uint64_t sign = bytes == 1 ? 3 : bytes == 2 ? 2 : bytes == 4 ? 1 : 0;
    const uint64_t word = sign << (8 * bytes - 2) | (uint64_t)length;
    for (int k = bytes - 1; k >= 0; k--)
        sfgp_buffer_add(buffer, &(unsigned char){(unsigned char)(word >> 8 * k)}, 1);
    for (int64_t k = 0; k < length; k++)
        sfgp_buffer_text(buffer, "s");
}

/* ParaView keeps texts in the field data, which stand before the points. */
static void strings_of_binary_files_are_passed_over(void **state)
{
    for (int cut = 0; cut < 2; cut++) {
        sfgp_buffer buffer = sfgp_buffer_empty(*state);
        sfgp_mesh *mesh = NULL;
        sfgp_buffer_text(
            &buffer,
            "# vtk DataFile Version 5.1\nt\nBINARY\nDATASET POLYDATA\nFIELD FieldData 2\na 1 5 string\n");
        add_string(&buffer, 1, 0);
        add_string(&buffer, 1, 63);
        add_string(&buffer, 2, 64);
        add_string(&buffer, 4, 300);
        add_string(&buffer, 8, 5);
        sfgp_buffer_text(&buffer, "\nb 1 1 string\n");
        add_string(&buffer, 8, 1);
        if (cut)
            ((unsigned char *)buffer.bytes)[buffer.size - 9] = 0x3F; /* 2^61 and more letters are promised */
        sfgp_buffer_text(&buffer, "\nPOINTS 4 double\n");
        for (int i = 0; i < 12; i++)
            add(&buffer, SFGP_FLOAT64, POINTS[i]);
        const sfgp_status status = sfgp_read_bytes(*state, "b.vtk", buffer.bytes, (size_t)buffer.size, &mesh);
        assert_int_equal(status, cut ? SFGP_ERROR_FORMAT : SFGP_OK);
        assert_true(cut || memcmp(mesh->points, POINTS, sizeof POINTS) == 0);
        sfgp_mesh_free(mesh);
        sfgp_buffer_clear(&buffer);
    }
    sfgp_assert_has(sfgp_context_error(*state), "more bytes, but the file has");
}

static void strings_that_end_early_are_refused(void **state)
{
    static const char START[] =
        "# vtk DataFile Version 5.1\nt\nBINARY\nDATASET POLYDATA\nFIELD f 1\na 1 1 string\n";
    static const char *const ENDS[] = {"", "\x80",
                                       "\xc5"
                                       "abc"};
    for (size_t k = 0; k < sizeof ENDS / sizeof *ENDS; k++) {
        char text[128];
        snprintf(text, sizeof text, "%s%s", START, ENDS[k]);
        sfgp_assert_error(*state, sfgp_try_text(*state, "b.vtk", text), SFGP_ERROR_FORMAT,
                          "more bytes, but the file has");
    }
}

static void binary_files_give_the_same_mesh(void **state)
{
    const char *words[] = {"float", "double", "int", "vtktypeint64"};
    const sfgp_scalar types[] = {SFGP_FLOAT32, SFGP_FLOAT64, SFGP_INT32, SFGP_INT64};
    for (int k = 0; k < 8; k++) {
        const bool arrays = k % 2;
        const int type = k / 2;
        sfgp_buffer buffer = sfgp_buffer_empty(*state);
        sfgp_mesh *mesh = NULL;
        sfgp_buffer_print(&buffer, "# vtk DataFile Version %s\nt\nBINARY\nDATASET POLYDATA\nPOINTS 4 %s\n",
                          arrays ? "5.1" : "4.2", words[type]);
        for (int i = 0; i < 12; i++)
            add(&buffer, types[type], POINTS[i]);
        sfgp_buffer_text(&buffer, "\nFIELD FieldData 1\nTime 1 1 double\n");
        add(&buffer, SFGP_FLOAT64, 0.5);
        sfgp_buffer_text(&buffer, arrays ? "\nPOLYGONS 3 6\nOFFSETS vtktypeint64\n" : "\nPOLYGONS 2 8\n");
        for (int i = 0; arrays && i < 3; i++)
            add(&buffer, SFGP_INT64, 3 * i);
        if (arrays)
            sfgp_buffer_text(&buffer, "\nCONNECTIVITY vtktypeint32\n");
        for (int i = 0; i < 6; i++) {
            if (!arrays && i % 3 == 0)
                add(&buffer, SFGP_INT32, 3);
            add(&buffer, SFGP_INT32, (double)CORNERS[i]);
        }
        sfgp_buffer_text(&buffer, "\nPOINT_DATA 4\n");
        sfgp_assert_ok(*state, sfgp_read_bytes(*state, "b.vtk", buffer.bytes, (size_t)buffer.size, &mesh));
        if (types[type] != SFGP_FLOAT32 && types[type] != SFGP_FLOAT64)
            mesh->points[8] = 0.5; /* whole numbers */
        assert_is_the_square(mesh);
        sfgp_mesh_free(mesh);
        sfgp_buffer_clear(&buffer);
    }
}

static void strips_pixels_and_cells_without_surface(void **state)
{
    const int64_t strip[] = {0, 1, 2, 2, 1, 3}, pixel[] = {0, 1, 3, 2, 0, 1, 2, 3};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state,
                   sfgp_read_text(*state, "a.vtk", HEAD SQUARE "TRIANGLE_STRIPS 1 5\n4 0 1 2 3\n", &mesh));
    assert_int_equal(mesh->face_count, 2);
    assert_memory_equal(mesh->face_points, strip, sizeof strip);
    sfgp_mesh_free(mesh);
    sfgp_assert_ok(
        *state,
        sfgp_read_text(*state, "a.vtk",
                       "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n" SQUARE
                       "CELLS 4 19\n4 0 1 2 3\n4 0 1 2 3\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 4\n8 9 10 8\n",
                       &mesh));
    assert_int_equal(mesh->face_count, 2);
    assert_memory_equal(mesh->face_points, pixel, sizeof pixel);
    sfgp_assert_has(sfgp_test_warning(), "2 cells that are no polygons are left out");
    sfgp_mesh_free(mesh);
}

static void faults_name_the_line_or_byte(void **state)
{
    const struct {
        const char *text;
        sfgp_status expected;
        const char *words;
    } examples[] = {
        {"# vtk DataFile Version 3.0\n", SFGP_ERROR_FORMAT, "expected ASCII or BINARY"},
        {"# vtk DataFile Version 3.0\nt\nascii?\n", SFGP_ERROR_FORMAT,
         "line 3: VTK: expected ASCII or BINARY"},
        {"# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_GRID\n", SFGP_ERROR_FORMAT,
         "line 4: VTK: expected POLYDATA or UNSTRUCTURED_GRID"},
        {HEAD, SFGP_ERROR_DATA, "no points"},
        {HEAD "POINTS x float\n", SFGP_ERROR_FORMAT, "expected a count, found 'x'"},
        {HEAD "POINTS 4000000000 float\n1 2 3\n", SFGP_ERROR_FORMAT, "do not fit"},
        {HEAD "POINTS 9223372036854775807 float\n1 2 3\n", SFGP_ERROR_FORMAT, "do not fit"},
        {HEAD "POINTS 1 string\n1 2 3\n", SFGP_ERROR_FORMAT, "the type of the points"},
        {HEAD "POINTS 1 float\n1 2 inf\n", SFGP_ERROR_DATA, "line 6: VTK: a coordinate of point 0"},
        {HEAD "POINTS 1 float\n1 2 x\n", SFGP_ERROR_FORMAT, "line 6: VTK: expected a number, found 'x'"},
        {HEAD "POINTS 2 float\n1 2 3 4.123456 5\n", SFGP_ERROR_FORMAT, "the file ends here"},
        {HEAD SQUARE SQUARE, SFGP_ERROR_FORMAT, "one section POINTS"},
        {HEAD SQUARE "POLYGONS 1 4\n3 0 1 4\n", SFGP_ERROR_FORMAT, "a cell has the point 4, there are 4"},
        {HEAD SQUARE "POLYGONS 1 4\n3 0 1 -1\n", SFGP_ERROR_FORMAT, "a cell has the point -1"},
        {HEAD SQUARE "POLYGONS 1 4\n3 0 1 0.5\n", SFGP_ERROR_FORMAT, "expected a whole number, found 0.5"},
        {HEAD SQUARE "POLYGONS 1 4\n4 0 1 2 3\n", SFGP_ERROR_FORMAT, "a cell of 4 points, room for 3"},
        {HEAD SQUARE "POLYGONS 2 4\n3 0 1 2\n3 0 1 2\n", SFGP_ERROR_FORMAT, "a cell of 3 points, room for"},
        {HEAD SQUARE "POLYGONS 1 4\n-3 0 1 2\n", SFGP_ERROR_FORMAT, "a cell of -3 points"},
        {HEAD5 SQUARE "POLYGONS 2 3\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2\n",
         SFGP_ERROR_FORMAT, "offsets have to grow from 0 to 3, found 4"},
        {HEAD5 SQUARE "POLYGONS 2 3\nOFFSETS vtktypeint64\n1 3\nCONNECTIVITY vtktypeint64\n0 1 2\n",
         SFGP_ERROR_FORMAT, "offsets have to grow"},
        {HEAD5 SQUARE "POLYGONS 3 3\nOFFSETS vtktypeint64\n0 4 3\nCONNECTIVITY vtktypeint64\n0 1 2\n",
         SFGP_ERROR_FORMAT, "offsets have to grow from 0 to 3, found 3"},
        {HEAD5 SQUARE "POLYGONS 2 3\n3 0 1 2\n", SFGP_ERROR_FORMAT, "expected OFFSETS"},
        {HEAD SQUARE "CELLS 1 4\n3 0 1 2\n", SFGP_ERROR_FORMAT, "the section CELL_TYPES"},
        {HEAD SQUARE "CELLS 1 4\n3 0 1 2\nCELL_TYPES 2\n5 5\n", SFGP_ERROR_FORMAT, "2 types of 1 cells"},
        {HEAD SQUARE "FIELD f 1\na 1 4000000000 int\n1\n", SFGP_ERROR_FORMAT, "do not fit"},
        {HEAD SQUARE "FIELD f 1\na 1 1 bit\n1\n", SFGP_ERROR_FORMAT, "an array of numbers or strings"},
        {HEAD SQUARE "FIELD f 2\na 1 1 int\n1\n", SFGP_ERROR_FORMAT, "an array of the field"},
        {HEAD SQUARE "FIELD f 1\na x 1 int\n1\n", SFGP_ERROR_FORMAT, "expected a count, found 'x'"},
        {HEAD SQUARE "FIELD f 2\na 1 -1 int\n1\nb 1 1 int\n1\n", SFGP_ERROR_FORMAT,
         "expected a count, found '-1'"},
        {HEAD SQUARE "FIELD f 1\na 1 1\n1\n", SFGP_ERROR_FORMAT, "an array of numbers or strings"},
        {HEAD SQUARE "FIELD f 1\na 15 15 int\n1 2 3 4 5 6 7 8 9 10\n", SFGP_ERROR_FORMAT,
         "an array of numbers or strings that fits"},
        {HEAD "POINTS\n", SFGP_ERROR_FORMAT, "expected a count"},
        {HEAD SQUARE "POLYGONS 1 4\n3 0 1 1e300\n", SFGP_ERROR_FORMAT,
         "expected a whole number, found 1e+300"},
        {HEAD SQUARE "CELLS 1 4\n3 0 1 2\nCELL_TYPES x\n5\n", SFGP_ERROR_FORMAT,
         "expected a count, found 'x'"},
        {HEAD5 SQUARE "POLYGONS 2 3\nOFFSETS\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\n", SFGP_ERROR_FORMAT,
         "expected OFFSETS"},
        {HEAD5 SQUARE "POLYGONS 2 3\nOFFSETS string\n0 3\nCONNECTIVITY vtktypeint64\n0 1 2\n",
         SFGP_ERROR_FORMAT, "expected OFFSETS"},
        {HEAD5 SQUARE "POLYGONS 2 3\n", SFGP_ERROR_FORMAT, "do not fit"},
        {HEAD5 SQUARE "METADATA\nINFORMATION 0", SFGP_OK, ""},
        {HEAD SQUARE "SOMETHING 1\n", SFGP_ERROR_FORMAT, "line 9: VTK: expected a section such as"},
    };
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        sfgp_assert_error(*state, sfgp_try_text(*state, "a.vtk", examples[k].text), examples[k].expected,
                          examples[k].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_text_gives_the_same_mesh),
        sfgp_unit_test(strings_of_binary_files_are_passed_over),
        sfgp_unit_test(strings_that_end_early_are_refused),
        sfgp_unit_test(binary_files_give_the_same_mesh),
        sfgp_unit_test(strips_pixels_and_cells_without_surface),
        sfgp_unit_test(faults_name_the_line_or_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
