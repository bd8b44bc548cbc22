/* Which columns of a text are the coordinates: headers, quotes, counts, normals and colours, and what is asked for. */
#include "support/corrupt.h"
#include "io/fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same two points (1 2.5 -3), (4 5 6.25) in whatever the text holds beside them. */
static const double POINTS[] = {1, 2.5, -3, 4, 5, 6.25};

static const struct table {
    const char *name, *columns, *text;
} TABLES[] = {
    {"a.csv", NULL, "x,y,z\n1,2.5,-3\n4,5,6.25\n"},
    {"a.csv", NULL, "\xEF\xBB\xBFx,y,z\r\n1,2.5,-3\r\n4,5,6.25\r\n"},
    {"a.txt", NULL, "# made by hand\n\nX Y Z\n# middle\n1 2.5 -3\n4 5 6.25\n"},
    {"pandas.csv", NULL, ",x,y,z\n0,1,2.5,-3\n1,4,5,6.25\n"},
    {"pandas.csv", NULL, ",0,1,2\n0,1,2.5,-3\n1,4,5,6.25\n"},
    {"pandas.tsv", NULL, "\tx\ty\tz\n0\t1\t2.5\t-3\n1\t4\t5\t6.25\n"},
    {"excel.tsv", NULL, "x\ty\tz\tage\tcut by\n1\t2.5\t-3\t7\tA. B.\n4\t5\t6.25\t\tthe saw\n"},
    {"excel.txt", NULL, "Point ID\tx\ty\tz\tnote\nA 1\t1\t2.5\t-3\t\n\t4\t5\t6.25\t\n"},
    {"aligned.txt", NULL, "x\ty\t\tz\n1\t2.5\t\t-3\n4\t5 \t6.25\n"},
    {"matlab.txt", NULL, "x\ty\tz\n1\t2.5\t-3\t\n4\t5\t6.25\t\n"},
    {"matlab.txt", NULL, "x\ty\tz\t\n1\t2.5\t-3\t\n4\t5\t6.25\n"},
    {"r.csv", NULL, "\"\",\"V1\",\"V2\",\"V3\"\n\"1\",1,2.5,-3\n\"2\",4,5,6.25\n"},
    {"r.txt", NULL, "\"V1\" \"V2\" \"V3\"\n\"row 1\" 1 2.5 -3\n\"row 2\" 4 5 6.25\n"},
    {"quoted.csv", NULL, "\"x\";\"y\";\"z\"\n\"1\";\"2.5\";\"-3\"\n\"4\";\"5\";\"6.25\"\n"},
    {"names.csv", NULL, "name;x (mm);y[mm];Z\n\"a; \"\"b\"\"\";1;2.5;-3\nc;4;5;6.25\n"},
    {"order.csv", NULL, "z,label,y,x\n-3,a,2.5,1\n6.25,b,5,4\n"},
    {"paraview.csv", NULL, "\"sd\",\"Points:0\",\"Points:1\",\"Points:2\"\n0.1,1,2.5,-3\n0.2,4,5,6.25\n"},
    {"normals.txt", NULL, "x y z nx ny nz\n1 2.5 -3 7 8 9\n4 5 6.25 7 8 9\n"},
    {"savetxt.txt", NULL, "# x y z a b\n1 2.5 -3 7 8\n4 5 6.25 7 8\n"},
    {"cloud.asc", NULL, "//X Y Z R G B Intensity\n1 2.5 -3 1 2 3 0.5\n4 5 6.25 1 2 3 0.5\n"},
    {"cloud.asc", NULL, "//X Y Z Intensity\n2\n1 2.5 -3 0.5\n4 5 6.25 0.5\n"},
    {"cloud.csv", NULL, "// X,Y,Z,A\n1,2.5,-3,0.5\n4,5,6.25,0.5\n"},
    {"a.pts", NULL, "2\n1 2.5 -3\n4 5 6.25\n"},
    {"a.pts", NULL, "2\n1 2.5 -3 -1024\n4 5 6.25 17\n"},
    {"a.pts", NULL, "# scanner\n2\n1 2.5 -3 0.5 0.5 0.5\n4 5 6.25 1.5 2 3\n"},
    {"a.pts", NULL, "2\n1 2.5 -3 -1024 10 20 30\n4 5 6.25 17 1 2 3\n"},
    {"normals.xyz", NULL, "1 2.5 -3 0 0.6 0.8\n4 5 6.25 0 0 0\n"},
    {"colours.xyz", NULL, "1 2.5 -3 0 255 8\n4 5 6.25 1 2 3\n"},
    {"intensity.xyz", NULL, "1 2.5 -3 0.2 0 255 8\n4 5 6.25 -3 1 2 3\n"},
    {"curvature.xyz", NULL, "1 2.5 -3 0 0.6 0.8 0.2\n4 5 6.25 0 1 0 0.3\n"},
    {"both.xyz", NULL, "1 2.5 -3 9 8 7 0 0.6 0.8\n4 5 6.25 1 2 3 0 0 1\n"},
    {"both.xyz", NULL, "1 2.5 -3 0 0.6 0.8 9 8 7\n4 5 6.25 0 0 1 1 2 3\n"},
    {"open3d.xyzrgb", NULL, "1 2.5 -3 0.1 0.2 0.3\n4 5 6.25 0.4 0.5 0.6\n"},
    {"open3d.xyzn", NULL, "1 2.5 -3 1 2 3\n4 5 6.25 4 5 6\n"},
    {"asked.txt", "2,3,4", "7 1 2.5 -3\n8 4 5 6.25\n"},
    {"asked.csv", "2,3,4", "tip,1,2.5,-3\nlobe,4,5,6.25\n"},
    {"asked.csv", "4, 2 ,1", "-3,2.5,head,1\n6.25,5,tail,4\n"},
    {"asked.csv", "lon,lat,h", "id,lat,lon,h\na,2.5,1,-3\nb,5,4,6.25\n"},
    {"asked.csv", "LON,2,h", "id,lat,lon,h\na,2.5,1,-3\nb,5,4,6.25\n"},
    {"asked.csv", "X,x,h", "x,X,h\n2.5,1,-3\n5,4,6.25\n"},
    {"asked.txt", "u,v,w", "\"u\" \"v\" \"w\"\n\"1\" 1 2.5 -3\n\"2\" 4 5 6.25\n"},
    {"asked.txt", "c,b,a", "# a b c\n-3 2.5 1\n6.25 5 4\n"},
    {"asked.txt", "1,2,3", "1 2.5 -3 1 2 3\n4 5 6.25 1 2 3\n"},
    {"asked.pts", "1,2,3", "2\n1 2.5 -3 1 2\n4 5 6.25 1 2\n"},
};

static sfgp_status read_table(sfgp_context *context, const struct table *table, sfgp_mesh **mesh)
{
    const char *path = test_path(table->name);
    const sfgp_read_options options = {.columns = table->columns};
    sfgp_test_write(path, table->text, strlen(table->text));
    return sfgp_mesh_read_with(context, path, &options, mesh, NULL);
}

static void every_table_gives_the_same_points(void **state)
{
    for (size_t k = 0; k < sizeof TABLES / sizeof *TABLES; k++) {
        sfgp_mesh *mesh = NULL;
        if (read_table(*state, &TABLES[k], &mesh) != SFGP_OK)
            fail_msg("table %zu: %s\n%s", k, sfgp_context_error(*state), TABLES[k].text);
        assert_true(mesh->count == 2 && mesh->dimension == 3);
        if (memcmp(mesh->points, POINTS, sizeof POINTS) != 0)
            fail_msg("table %zu: other points\n%s", k, TABLES[k].text);
        sfgp_mesh_free(mesh);
    }
    assert_string_equal(sfgp_test_warning(), "");
}

static void two_names_are_two_dimensions(void **state)
{
    const struct table tables[] = {{"a.csv", NULL, "id,x,y\na,1,2.5\nb,4,5\n"},
                                   {"a.csv", NULL, ",0,1\n0,1,2.5\n1,4,5\n"},
                                   {"a.csv", "2,4", "-3,1,0,2.5\n6,4,0,5\n"},
                                   {"a.csv", "x,h", "x,y,h\n1,0,2.5\n4,0,5\n"}};
    const double expected[] = {1, 2.5, 4, 5};
    for (int k = 0; k < 4; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_ok(*state, read_table(*state, &tables[k], &mesh));
        assert_true(mesh->count == 2 && mesh->dimension == 2);
        assert_memory_equal(mesh->points, expected, sizeof expected);
        sfgp_mesh_free(mesh);
    }
}

static const struct refused {
    struct table table;
    sfgp_status expected;
    const char *words;
} REFUSED[] = {
    /* the number of columns alone tells nothing */
    {{"a.txt", NULL, "1 2 3 4\n"}, SFGP_ERROR_FORMAT, "line 1: expected 2 or 3 columns, found 4"},
    {{"a.txt", NULL, "1.5 2 3 4 5\n"}, SFGP_ERROR_FORMAT, "--columns 1,2,3"},
    {{"a.txt", NULL, "1.5 2 3 1.5 2.5 3\n"}, SFGP_ERROR_FORMAT, "line 1: 6 columns without a header"},
    {{"a.txt", NULL, "1.5 2 3 0 0 1\n4 5 6 0 0 2.5\n"}, SFGP_ERROR_FORMAT, "line 2: 6 columns"},
    {{"a.txt", NULL, "1 2 3 4 5 6\n7 8 9 10 11 12\n"}, SFGP_ERROR_FORMAT, "--columns 1,2,3"},
    {{"a.txt", NULL, "1.5 2 3 4 5 6 7.5 8 9\n"}, SFGP_ERROR_FORMAT, "line 1: 9 columns"},
    {{"a.txt", NULL, "1.5 2 3 4.5 5 6 7.5\n"}, SFGP_ERROR_FORMAT, "line 1: 7 columns"},
    {{"a.txt", NULL, "1 2 3 4 5 6 7 8\n"}, SFGP_ERROR_FORMAT, "found 8"},
    {{"a.csv", NULL, "tip,1,2,3\n"}, SFGP_ERROR_FORMAT, "--columns"},
    /* headers that name no coordinates */
    {{"a.csv", NULL, "a,b,c\n1,2,3\n"}, SFGP_ERROR_FORMAT, "line 1: the header 'a,b,c' names no x and y"},
    {{"a.csv", NULL, "x,x,y\n1,2,3\n"}, SFGP_ERROR_FORMAT, "one of x, y, z twice"},
    {{"a.csv", NULL, "V1,V2,V4\n1,2,3\n"}, SFGP_ERROR_FORMAT, "line 1: the header"},
    {{"a.csv", NULL, "V2,V3,V4\n1,2,3\n"}, SFGP_ERROR_FORMAT, "line 1: the header"},
    {{"a.csv", NULL, "V1,V2,V3,V4\n1,2,3,4\n"}, SFGP_ERROR_FORMAT, "line 1: the header"},
    {{"a.csv", NULL, "x,y,z\n"}, SFGP_ERROR_DATA, "no points"},
    {{"a.csv", NULL, "x,y,z\n1,2\n"},
     SFGP_ERROR_FORMAT,
     "line 2: expected 3 columns as the header has, found 2"},
    {{"a.csv", NULL, "x,y\n1,2,3,4\n"}, SFGP_ERROR_FORMAT, "as the header has"},
    {{"a.csv", NULL, "x,y,z\nx,y,z\n1,2,3\n"}, SFGP_ERROR_FORMAT, "line 2: column 1"},
    {{"a.csv", NULL, "x,y,z\n1,2,3\n4,5\n"}, SFGP_ERROR_FORMAT, "line 3: expected 3 columns as in the rows"},
    {{"a.csv", NULL, "name,x,y,z\n\"a,1,2,3\n"}, SFGP_OK, ""},
    {{"a.csv", NULL, "x,y,z\n1,2,\"3\n"}, SFGP_ERROR_FORMAT, "found '\"3'"},
    {{"a.csv", NULL, "x,y,z\n\"1\"2,2,3\n"}, SFGP_ERROR_FORMAT, "column 1"},
    {{"a.csv", NULL, "x;y;z\n1;2,5;3\n"}, SFGP_ERROR_FORMAT, "decimal comma"},
    {{"a.csv", NULL, "x,y,z\n1,,3\n"}, SFGP_ERROR_FORMAT, "nothing stands between"},
    {{"a.csv", NULL, "x,y,z\n1,nan,3\n"}, SFGP_ERROR_DATA, "line 2: column 2"},
    /* counts */
    {{"a.pts", NULL, "2\n1 2 3\n"}, SFGP_ERROR_FORMAT, "line 1: says that there are 2 points, found 1"},
    {{"a.pts", NULL, "# c\n1\n1 2 3\n4 5 6\n"},
     SFGP_ERROR_FORMAT,
     "line 2: says that there are 1 points, found 2"},
    {{"a.pts", NULL, "0\n1 2 3\n"}, SFGP_ERROR_FORMAT, "line 1: expected 2 or 3 columns, found 1"},
    {{"a.pts", NULL, "2\n2\n1 2 3\n4 5 6\n"}, SFGP_ERROR_FORMAT, "line 2: expected 2 or 3 columns, found 1"},
    {{"a.pts", NULL, "1\n1 2 3 4 5\n"}, SFGP_ERROR_FORMAT, "line 2: expected 2 or 3 columns, found 5"},
    {{"a.pts", NULL, "2\n"}, SFGP_ERROR_FORMAT, "found 0"},
    /* asked for, and not there */
    {{"a.csv", "x,q", "x,y\n1,2\n"}, SFGP_ERROR_PARAMETER, "line 1: columns: 'q' is not the name"},
    {{"a.csv", "x,X2", "x,x2,X2,x2\n1,2,3,4\n"}, SFGP_OK, ""},
    {{"a.csv", "x,X3", "x,x3,x3\n1,2,3\n"}, SFGP_ERROR_PARAMETER, "'X3' is not the name of one column"},
    {{"a.csv", "x,y", "1,2\n"}, SFGP_ERROR_PARAMETER, "'x' is a name, and there is no header"},
    {{"a.csv", "1,5", "1,2\n"}, SFGP_ERROR_PARAMETER, "columns: 5 is not one of the 2 columns"},
    {{"a.csv", "1,1", "1,2\n"}, SFGP_ERROR_PARAMETER, "one column twice"},
    {{"a.csv", "1,2,1", "1,2\n"}, SFGP_ERROR_PARAMETER, "one column twice"},
    {{"a.csv", "x,1", "x,y\n1,2\n"}, SFGP_ERROR_PARAMETER, "one column twice"},
    {{"a.csv", "1,3", "1,2,c\n"}, SFGP_ERROR_FORMAT, "column 3: expected a number, found 'c'"},
    {{"a.csv", "1", "1,2\n"}, SFGP_ERROR_PARAMETER, "expected 2 or 3 names"},
    {{"a.csv", "1,2,3,4", "1,2\n"}, SFGP_ERROR_PARAMETER, "found '1,2,3,4'"},
    {{"a.csv", "0,1", "1,2\n"}, SFGP_ERROR_PARAMETER, "numbers from 1"},
    {{"a.csv", "-1,1", "1,2\n"}, SFGP_ERROR_PARAMETER, "numbers from 1"},
    {{"a.csv", "1,,2", "1,2\n"}, SFGP_ERROR_PARAMETER, "expected 2 or 3 names"},
    {{"a.csv", "", "1,2\n"}, SFGP_ERROR_PARAMETER, "expected 2 or 3 names"},
};

static void what_cannot_be_told_is_refused(void **state)
{
    for (size_t k = 0; k < sizeof REFUSED / sizeof *REFUSED; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_error(*state, read_table(*state, &REFUSED[k].table, &mesh), REFUSED[k].expected,
                          REFUSED[k].words);
        sfgp_mesh_free(mesh);
    }
}

static void a_first_row_that_counts_is_warned_of(void **state)
{
    const char *silent[] = {"0,1,2\n3,4,5\n", "0,1,2.5\n1.5,1,1\n", "0,1,2\n", "x,y,z\n0,1,2\n1.5,2,3\n"};
    for (int k = 0; k < 4; k++)
        sfgp_assert_ok(*state, sfgp_try_text(*state, "a.csv", silent[k]));
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_assert_ok(*state, sfgp_try_text(*state, "a.csv", "0,1,2\n1.5,2,3\n"));
    sfgp_assert_has(sfgp_test_warning(), "the first row is the point 0,1,2; if these are names");
}

static void columns_do_not_matter_where_the_file_names_them(void **state)
{
    const struct table table = {"a.obj", "3,2,1", "v 1 2.5 -3\nv 4 5 6.25\n"};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, read_table(*state, &table, &mesh));
    assert_memory_equal(mesh->points, POINTS, sizeof POINTS);
    sfgp_mesh_free(mesh);
}

static void a_scale_multiplies_the_points(void **state)
{
    static const double refused[] = {-1, NAN, INFINITY};
    const char *path = test_path("metres.txt");
    sfgp_mesh *mesh = NULL;
    sfgp_test_write(path, "1 2.5 -3\n4 5 6.25\n", 18);
    sfgp_assert_ok(*state,
                   sfgp_mesh_read_with(*state, path, &(sfgp_read_options){.scale = 1000}, &mesh, NULL));
    for (size_t k = 0; k < sizeof POINTS / sizeof *POINTS; k++)
        assert_true(mesh->points[k] == 1000 * POINTS[k]);
    sfgp_mesh_free(mesh);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        sfgp_assert_status(
            *state, sfgp_mesh_read_with(*state, path, &(sfgp_read_options){.scale = refused[k]}, &mesh, NULL),
            SFGP_ERROR_PARAMETER);
}

static void fields_are_cut_at_the_separator_outside_quotes(void **state)
{
    static const struct {
        const char *row;
        char separator;
        const char *fields[4];
    } rows[] = {{"a, b ,c", ',', {"a", "b", "c"}},
                {" a\t b ", ' ', {"a", "b"}},
                {"a;b,c", ';', {"a", "b,c"}},
                {"\"a;b\",c", ',', {"a;b", "c"}},
                {"\"a \"\"b\"\"\" c", ' ', {"a \"\"b\"\"", "c"}},
                {"a,,", ',', {"a", "", ""}},
                {"", ' ', {""}},
                {"\"\" ,b", ',', {"", "b"}},
                {"\"a,b", ' ', {"\"a,b"}},
                {"\"a\"b,c", ',', {"\"a\"b", "c"}},
                {"\"", ' ', {"\""}},
                {"\"\"\"", ' ', {"\"\"\""}}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        sfgp_text rest = {rows[k].row, (int64_t)strlen(rows[k].row)}, field;
        int count = 0;
        assert_int_equal(sfgp_fields_separator(rest), rows[k].separator);
        const int64_t all = sfgp_fields_count(rows[k].separator, rest);
        for (bool more = true; more; count++) {
            more = sfgp_fields_next(rows[k].separator, &rest, &field);
            assert_true(count < 4 && rows[k].fields[count]);
            if (!sfgp_text_is(field, rows[k].fields[count]))
                fail_msg("row %zu, field %d: '%.*s'", k, count, (int)field.length, field.start);
        }
        assert_int_equal(count, all);
        assert_true(count == 4 || !rows[k].fields[count]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_table_gives_the_same_points),
        sfgp_unit_test(two_names_are_two_dimensions),
        sfgp_unit_test(what_cannot_be_told_is_refused),
        sfgp_unit_test(a_first_row_that_counts_is_warned_of),
        sfgp_unit_test(columns_do_not_matter_where_the_file_names_them),
        sfgp_unit_test(a_scale_multiplies_the_points),
        sfgp_unit_test(fields_are_cut_at_the_separator_outside_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
