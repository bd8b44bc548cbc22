/* Landmark files: every format there and back, what other programs write, errors with their line, pairs. */
#include "support/corrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Names of the struct are not const; nobody writes to these. */
#define NAME(text) ((char *)(uintptr_t)(text))

static sfgp_landmarks *read_ok(sfgp_context *context, const char *name, const char *text)
{
    sfgp_landmarks *landmarks;
    sfgp_assert_ok(context, sfgp_landmarks_read(context, test_text(name, text), &landmarks));
    return landmarks;
}

static void expect(const sfgp_landmarks *landmarks, int64_t k, const char *name, double x, double y, double z)
{
    const double point[3] = {x, y, z};
    assert_true(k < landmarks->count);
    assert_string_equal(landmarks->names[k], name);
    assert_memory_equal(landmarks->points + k * landmarks->dimension, point,
                        (size_t)landmarks->dimension * sizeof *point);
}

/* ---- formats ----------------------------------------------------------------------------------------- */

static void csv_variants_read(void **state)
{
    static const struct {
        const char *text;
        int dimension;
        const char *name;
    } files[] = {
        {"name,x,y,z\ntip,1,2.5,-3\n", 3, "tip"},
        {"tip,1,2.5,-3", 3, "tip"},
        {"sep=;\nname;x;y;z\ntip;1;2.5;-3\n", 3, "tip"},
        {"# made by hand\n\ntip;1;2.5;-3\n", 3, "tip"},
        {"tip\t1\t2.5\t-3\r\n", 3, "tip"},
        {"tip 1 2.5 -3\n", 3, "tip"},
        {"1,2.5,-3\n", 3, ""},
        {"x,y,z\n1,2.5,-3\n", 3, ""},
        {"tip,1,2.5\n", 2, "tip"},
        {"1 2.5\n", 2, ""},
        {"7,1,2.5,-3\n", 3, "7"},
        {"Z,Y,X,side,Label\n-3,2.5,1,left,tip\n", 3, "tip"},
        {"landmark,x,y,z\ntip,1,2.5,-3\n", 3, "tip"},
        {"x,y,z,LM\n1,2.5,-3,tip\n", 3, "tip"},
        {"Point;x;y\ntip;1;2.5\n", 2, "tip"},
        {"id,x,y,z\n7,1,2.5,-3\n", 3, "7"},
        {"\"\",\"x\",\"y\",\"z\"\n\"tip\",1,2.5,-3\n", 3, "tip"}, /* write.csv of R, to_csv of pandas */
        {"\"x\" \"y\" \"z\"\n\"tip\" 1 2.5 -3\n", 3, "tip"},      /* write.table of R */
        {"\"x\" \"y\"\n\"tip\" 1 2.5\n", 2, "tip"},
        {"\"x\",\"y\",\"z\",\"sd\"\n\"tip\",1,2.5,-3,0.1\n", 3, "tip"},
        {"\"name\" \"x\" \"y\" \"z\"\n\"1\" \"tip\" 1 2.5 -3\n", 3, "tip"},
        {"\"\",\"x\",\"y\",\"z\"\n\"1\",1,2.5,-3\n", 3, ""}, /* numbers are no names */
        {"\"x\" \"y\" \"z\"\n\"1\" 1 2.5 -3\n", 3, ""},
        {"id,landmark,x,y,z,sd\nscan,tip,1,2.5,-3,0.1\n", 3, "tip"},
        {"point,lm,id,label,name,x,y,z\na,b,c,d,tip,1,2.5,-3\n", 3, "tip"},
        {"point,lm,id,x,y,z\na,b,tip,1,2.5,-3\n", 3, "tip"},
        {"\xEF\xBB\xBFtip,1,2.5,-3\n", 3, "tip"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        sfgp_landmarks *landmarks = read_ok(*state, "a.csv", files[k].text);
        assert_int_equal(landmarks->count, 1);
        assert_int_equal(landmarks->dimension, files[k].dimension);
        expect(landmarks, 0, files[k].name, 1, 2.5, -3);
        assert_string_equal(landmarks->format, "csv");
        assert_string_equal(landmarks->system, "");
        sfgp_landmarks_free(landmarks);
    }
}

/* Names were passed over without a word, and landmarks paired by their order. */
static void texts_that_are_no_names_are_warned_of(void **state)
{
    sfgp_landmarks_free(read_ok(*state, "a.csv", "name,side,x,y\ntip,left,1,2\n"));
    sfgp_landmarks_free(read_ok(*state, "a.csv", "nr,sd,x,y\n1,,1,2\n"));
    assert_null(strstr(sfgp_test_warning(), "paired by their order"));
    sfgp_landmarks_free(read_ok(*state, "a.csv", "nr,spot,x,y\n1,tip,1,2\n2,lobe,3,4\n"));
    sfgp_assert_has(sfgp_test_warning(), "line 2: 'tip' is in none of the columns name, label");
    sfgp_assert_has(sfgp_test_warning(), "are paired by their order");
}

/* A .pts of Landmark or Checkpoint; 9999 stands for a landmark that is missing. Others have points of a scanner. */
static void pts_of_landmark_and_checkpoint(void **state)
{
    sfgp_landmarks *landmarks =
        read_ok(*state, "a.pts",
                "Version 1.0\r\n3\r\nS0000 1 2.5 -3\r\nS0001 9999 9999.00 9999\r\nC0000\t4 9999 6\r\n");
    assert_int_equal(landmarks->count, 2);
    assert_int_equal(landmarks->dimension, 3);
    expect(landmarks, 0, "S0000", 1, 2.5, -3);
    expect(landmarks, 1, "C0000", 4, 9999, 6);
    sfgp_assert_has(sfgp_test_warning(), "line 4: 'S0001' has no coordinates and is left out");
    sfgp_landmarks_free(landmarks);
    assert_true(sfgp_landmarks_is_file(test_text("a.pts", "version 1\n1\na 1 2 3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("a.pts", "2\n1 2 3 -12 0 0 0\n4 5 6 7 0 0 0\n")));
    assert_false(sfgp_landmarks_is_file(test_text("a.pts", "tip 1 2 3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("a.csv", "version,of,me\n1,2,3\n")));
    landmarks = read_ok(*state, "a.csv", "a,9999,9999,9999\n"); /* a number as any other */
    assert_int_equal(landmarks->count, 1);
    sfgp_landmarks_free(landmarks);
}

/* Landmarks that a damaged specimen does not have, as R, pandas and numpy write them, made the file unreadable. */
static void landmarks_without_coordinates_are_left_out(void **state)
{
    static const char *const FILES[] = {
        "name,x,y,z\ntip,1,2,3\nlobe,NA,NA,NA\nrim,4,5,6\n",
        "name,x,y,z\nlobe,,,\ntip,1,2,3\nrim,4,5,6\n",
        "tip;1;2;3\nlobe;nan;NaN;nan\nrim;4;5;6\n",
        "lobe,NA,NA,NA\ntip,1,2,3\nrim,4,5,6\n",
        "name\tx\ty\tz\tnote\ntip\t1\t2\t3\t\nlobe\t\t\t\t\nrim\t4\t5\t6\tas seen\n",
        "\"\",\"x\",\"y\",\"z\"\n\"lobe\",NA,NA,NA\n\"tip\",1,2,3\n\"rim\",4,5,6\n"};
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
        sfgp_landmarks *landmarks = read_ok(*state, "na.csv", FILES[k]);
        sfgp_assert_has(sfgp_test_warning(), "'lobe' has no coordinates and is left out");
        assert_int_equal(landmarks->count, 2);
        expect(landmarks, 0, "tip", 1, 2, 3);
        expect(landmarks, 1, "rim", 4, 5, 6);
        sfgp_landmarks_free(landmarks);
        assert_true(sfgp_landmarks_is_file(test_text("na.csv", FILES[k])));
    }
}

/* As a spreadsheet of Windows writes them. Slicer writes UTF-8, which stays. */
static void names_in_latin_1_become_utf_8(void **state)
{
    static const struct {
        const char *text, *name;
        bool latin;
    } files[] = {
        {"Spitze \xe4,1,2,3\n", "Spitze \xc3\xa4", true},
        {"\xd6hr,1,2,3\n", "\xc3\x96hr", true},
        {"\xc3,1,2,3\n", "\xc3\x83", true},
        {"\x80,1,2,3\n", "\xc2\x80", true},
        {"\xf8\x80,1,2,3\n", "\xc3\xb8\xc2\x80", true},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x91\x82,1,2,3\n", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x91\x82", false}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const size_t before = strlen(sfgp_test_warning());
        sfgp_landmarks *landmarks = read_ok(*state, "latin.csv", files[k].text);
        expect(landmarks, 0, files[k].name, 1, 2, 3);
        assert_int_equal(files[k].latin,
                         strstr(sfgp_test_warning() + before,
                                "latin.csv: names are not UTF-8, and are read as Latin-1") != NULL);
        sfgp_landmarks_free(landmarks);
    }
}

static void slicer_fiducials(void **state)
{
    sfgp_landmarks *landmarks =
        read_ok(*state, "a.fcsv",
                "# Markups fiducial file version = 4.11\n# CoordinateSystem = LPS\n"
                "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"
                "vtkMRMLMarkupsFiducialNode_1,-1.5,2,3,0,0,0,1,1,1,0,\"tip, \"\"upper\"\"\",,\n"
                "2,4,5,6,0,0,0,1,1,1,0,lobe,some words,\n");
    assert_int_equal(landmarks->count, 2);
    expect(landmarks, 0, "tip, \"upper\"", -1.5, 2, 3);
    expect(landmarks, 1, "lobe", 4, 5, 6);
    assert_string_equal(landmarks->system, "LPS");
    sfgp_landmarks_free(landmarks);
    landmarks =
        read_ok(*state, "b.fcsv", "# CoordinateSystem = 0\n# columns = label,x,y,z,sel,vis\nA,1,2,3,1,1\n");
    expect(landmarks, 0, "A", 1, 2, 3);
    assert_string_equal(landmarks->system, "RAS");
    sfgp_landmarks_free(landmarks);
}

/* Their rows have two fields more than the comment has columns. */
static void fiducials_of_slicer_5_are_read(void **state)
{
    sfgp_landmarks *landmarks =
        read_ok(*state, "a.fcsv",
                "# Markups fiducial file version = 5.2\n# CoordinateSystem = LPS\n"
                "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"
                "1,1.5,2,3,0,0,0,1,1,1,0,F-1,,,2,0\n2,2,2,3,0,0,0,1,1,1,0,F-2,,,2,0\n");
    assert_int_equal(landmarks->count, 2);
    expect(landmarks, 0, "F-1", 1.5, 2, 3);
    expect(landmarks, 1, "F-2", 2, 2, 3);
    sfgp_landmarks_free(landmarks);
}

#define MARKUPS(points)                                                                                      \
    "{\"@schema\": \"x\", \"markups\": [{\"type\": \"Fiducial\", \"coordinateSystem\": \"RAS\",\n"           \
    "\"controlPoints\": [" points "],\n\"measurements\": [{\"a\": [1, -2.5e-3, {}]}, null, true],\n"         \
    "\"display\": {\"color\": [0.4, 1.0, 1.0]}}]}\n"

static void slicer_markups(void **state)
{
    sfgp_landmarks *landmarks = read_ok(
        *state, "a.mrk.json",
        MARKUPS("{\"id\": \"1\", \"label\": \"tip \\u00e9\\ud83d\\udc42 \\\"a\\\"\", \"position\": [1, -2.0, "
                "3e1], "
                "\"orientation\": [-1.0, 0.0]},\n"
                "{\"label\": \"never placed\", \"position\": null, \"positionStatus\": \"undefined\"},\n"
                "{\"position\": [4, 5, 6], \"positionStatus\": \"defined\"},"
                "{\"label\": \"ghost\", \"position\": [7, 8, 9], \"positionStatus\": \"preview\"}"));
    assert_int_equal(landmarks->count, 2);
    expect(landmarks, 0, "tip \xc3\xa9\xf0\x9f\x91\x82 \"a\"", 1, -2, 30);
    expect(landmarks, 1, "", 4, 5, 6);
    assert_string_equal(landmarks->system, "RAS");
    assert_string_equal(landmarks->format, "mrk.json");
    sfgp_landmarks_free(landmarks);
}

/* ---- there and back ---------------------------------------------------------------------------------- */

static void every_format_keeps_names_and_bits(void **state)
{
    static const char *const files[] = {"r.csv", "r.fcsv", "r.mrk.json", "r.txt", "r.scalismo.json", "r.pp"};
    char *names[] = {NAME("tip"), NAME("a, \"b\"; c"), NAME(" blanks around "), NAME("#hash"),
                     NAME("\xc3\xa9")};
    double points[15], sd[5] = {0.1, 0.2, 1.0 / 3, 0, 5e-324};
    const sfgp_landmarks given = {5, 3, names, points, "memory", "LPS"};
    for (int k = 0; k < 15; k++)
        points[k] = sin(k + 1.0) * pow(10, k - 7);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int with = 0; with < 2; with++) {
            const char *path = test_path(files[f]);
            sfgp_landmarks *landmarks;
            sfgp_assert_ok(*state, sfgp_landmarks_write(*state, path, &given, with ? sd : NULL));
            sfgp_assert_ok(*state, sfgp_landmarks_read(*state, path, &landmarks));
            assert_int_equal(landmarks->count, 5);
            for (int k = 0; k < 5; k++)
                assert_string_equal(landmarks->names[k], names[k]);
            assert_memory_equal(landmarks->points, points, sizeof points);
            char *text = sfgp_test_read(path, NULL);
            assert_true((strstr(text, "0.3333333333333333") != NULL) ==
                        (with && strcmp(files[f], "r.pp") != 0));
            free(text);
            sfgp_landmarks_free(landmarks);
        }
}

static void scalismo_landmarks(void **state)
{
    const char *path = test_path("back.json");
    sfgp_landmarks *landmarks = read_ok(
        *state, "lm.json",
        "[{\"id\": \"one\", \"coordinates\": [1, 2, 3], \"extensions\": {\"a\": null}},\n"
        "{\"coordinates\": [2, 3, 4], \"uncertainty\": {\"stddevs\": [3, 2, 1], \"pcvectors\": [[0, 0, 1],"
        " [0, 1, 0], [1, 0, 0]]}, \"id\": \"two\"}]");
    expect(landmarks, 0, "one", 1, 2, 3);
    expect(landmarks, 1, "two", 2, 3, 4);
    assert_string_equal(landmarks->format, "json");
    assert_string_equal(landmarks->system, "");
    const double sd[2] = {0.5, 0.25};
    sfgp_assert_ok(*state, sfgp_landmarks_write(*state, path, landmarks, sd)); /* stays Scalismo's */
    char *text = sfgp_test_read(path, NULL);
    assert_true(text[0] == '[' && strstr(text, "\"stddevs\": [0.5, 0.5, 0.5]"));
    sfgp_assert_has(text, "\"pcvectors\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]");
    free(text);
    path = test_path("slicer.mrk.json");
    sfgp_assert_ok(*state, sfgp_landmarks_write(*state, path, landmarks, NULL));
    text = sfgp_test_read(path, NULL);
    sfgp_assert_has(text, "\"markups\"");
    free(text);
    sfgp_landmarks_free(landmarks);
}

static void meshlab_picked_points(void **state)
{
    sfgp_landmarks *landmarks = read_ok(
        *state, "a.pp",
        "<!DOCTYPE PickedPoints>\n<PickedPoints>\n <DocumentData>\n  <DataFileName name=\"x.ply\"/>\n"
        " </DocumentData>\n <point x=\"1\" y=\"-2.5\" z=\"3e1\" active=\"1\" name=\"tip &quot;a&quot; &amp; b\"/>\n"
        " <point active=\"0\" y=\"0\" x=\"0\" z=\"0\" name=\"never placed\"/>\n"
        " <point y=\"5\" x=\"4\" z=\"6\"/>\n</PickedPoints>\n");
    assert_int_equal(landmarks->count, 2);
    expect(landmarks, 0, "tip \"a\" & b", 1, -2.5, 30);
    expect(landmarks, 1, "", 4, 5, 6);
    assert_string_equal(landmarks->format, "pp");
    sfgp_landmarks_free(landmarks);
}

/* geomorph multiplies by SCALE; curves are left out with a warning. */
static void tps_of_one_specimen(void **state)
{
    sfgp_landmarks *landmarks = read_ok(*state, "a.tps",
                                        "LM=2\r\n10 -20\r\n30 40\r\nCURVES=1\r\nPOINTS=2\r\n1 1\r\n2 2\r\n"
                                        "IMAGE=fish.jpg\r\nID=0\r\nSCALE=0.5\r\n");
    assert_int_equal(landmarks->count, 2);
    assert_int_equal(landmarks->dimension, 2);
    expect(landmarks, 0, "", 5, -10, 0);
    expect(landmarks, 1, "", 15, 20, 0);
    sfgp_assert_has(sfgp_test_warning(), "a.tps: curves are left out");
    const char *path = test_path("b.tps");
    sfgp_assert_ok(*state, sfgp_landmarks_write(*state, path, landmarks, NULL));
    char *text = sfgp_test_read(path, NULL);
    assert_string_equal(text, "LM=2\n5 -10\n15 20\nID=1\n");
    free(text);
    sfgp_landmarks_free(landmarks);
    landmarks = read_ok(*state, "c.tps", "LM3=1\n1 2 3\nID=1\n");
    expect(landmarks, 0, "", 1, 2, 3);
    sfgp_landmarks_free(landmarks);
}

/* As writeland.nts of geomorph writes them, with labels as readland.nts takes them, and as Landmark and Checkpoint do, whose
 * header always says that 9999 stands for what is missing. */
static void ntsys_of_one_specimen(void **state)
{
    static const struct {
        const char *file, *text, *names[2];
    } files[] = {
        {"a.nts", "\"skull\n1 2 3 0 dim=3\n1  2.5  -3\n4  5  6\n", {"", ""}},
        {"a.NTS",
         "'by hand\r\n\r\n1 2L 3L 0 DIM=3\r\ntip lobe\r\nx y z\r\n1 2.5\r\n-3 4 5 6\r\n",
         {"tip", "lobe"}},
        {"a.nts", "1 1L 6L 1 DIM=3 -999\nskull\nx1 y1 z1\nx2 y2 z2\n1 2.5 -3 4 5 6", {"", ""}},
        {"a.dta", "'Exported\n\n1 1L 6 1 9999 Dim=3\n\nskull 12 left.ply\n\n1 2.5 -3\n4 5 6\n\n", {"", ""}},
        {"a.dta",
         "\xEF\xBB\xBF"
         "1 1 6 1 9999 DIM=3\n1 2.5 -3\n4 5 6\n",
         {"", ""}}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        sfgp_landmarks *landmarks = read_ok(*state, files[k].file, files[k].text);
        assert_int_equal(landmarks->count, 2);
        assert_int_equal(landmarks->dimension, 3);
        expect(landmarks, 0, files[k].names[0], 1, 2.5, -3);
        expect(landmarks, 1, files[k].names[1], 4, 5, 6);
        assert_string_equal(landmarks->format, "nts");
        assert_string_equal(landmarks->system, "");
        sfgp_landmarks_free(landmarks);
    }
    sfgp_landmarks *flat =
        read_ok(*state, "b.nts", "1 1 4 0 DIM=2\n1 2 3 9999\n"); /* a number as any other */
    assert_int_equal(flat->dimension, 2);
    expect(flat, 1, "", 3, 9999, 0);
    sfgp_assert_error(*state, sfgp_landmarks_write(*state, test_text("c.nts", ""), flat, NULL),
                      SFGP_ERROR_PARAMETER, "landmarks are written as .csv");
    sfgp_landmarks_free(flat);
}

/* A name tells which landmark is missing. Without names the others would be paired wrongly. */
static void missing_landmarks_of_ntsys(void **state)
{
    sfgp_landmarks *landmarks =
        read_ok(*state, "a.nts", "1 3L 3 1 -99 DIM=3\ntip lobe rim\n1 2 3\n-99.0 5 -99\n7 8 9\n");
    assert_int_equal(landmarks->count, 2);
    expect(landmarks, 1, "rim", 7, 8, 9);
    sfgp_assert_has(sfgp_test_warning(), "line 4: 'lobe' has no coordinates and is left out");
    sfgp_landmarks_free(landmarks);
}

static void a_plane_stays_a_plane_in_csv(void **state)
{
    char *names[] = {NAME(""), NAME("b")};
    double points[4] = {1, 2, 3, 4};
    const sfgp_landmarks given = {2, 2, names, points, "memory", ""};
    const char *path = test_path("p.csv");
    sfgp_landmarks *landmarks;
    sfgp_assert_ok(*state, sfgp_landmarks_write(*state, path, &given, NULL));
    sfgp_assert_ok(*state, sfgp_landmarks_read(*state, path, &landmarks));
    expect(landmarks, 0, "", 1, 2, 0);
    expect(landmarks, 1, "b", 3, 4, 0);
    sfgp_landmarks_free(landmarks);
}

static void a_device_takes_csv(void **state)
{
    char *names[] = {NAME("a")};
    double points[3] = {1, 2, 3};
    const sfgp_landmarks given = {1, 3, names, points, "memory", ""};
    sfgp_assert_ok(*state, sfgp_landmarks_write(*state, "/dev/null", &given, NULL));
}

static void what_a_format_cannot_hold_is_refused(void **state)
{
    char *names[] = {NAME("two\nlines")};
    double points[3] = {1, 2, 3};
    const sfgp_landmarks given = {1, 3, names, points, "memory", ""};
    const char *csv = test_path("n.csv");
    const char *json = test_path("n.mrk.json");
    sfgp_landmarks *landmarks;
    sfgp_assert_status(*state, sfgp_landmarks_write(*state, csv, &given, NULL), SFGP_ERROR_PARAMETER);
    sfgp_assert_ok(*state, sfgp_landmarks_write(*state, json, &given, NULL));
    sfgp_assert_ok(*state, sfgp_landmarks_read(*state, json, &landmarks));
    assert_string_equal(landmarks->names[0], "two\nlines");
    sfgp_landmarks_free(landmarks);
    names[0] = NAME("one");
    sfgp_assert_error(*state, sfgp_landmarks_write(*state, test_path("n.ply"), &given, NULL),
                      SFGP_ERROR_PARAMETER, "landmarks are written as .csv");
    points[1] = NAN;
    sfgp_assert_status(*state, sfgp_landmarks_write(*state, json, &given, NULL), SFGP_ERROR_DATA);
    points[1] = 2;
    sfgp_assert_status(*state, sfgp_landmarks_write(*state, json, &given, (const double[]){NAN}),
                       SFGP_ERROR_DATA);
    for (int d = 1; d <= 4; d += 3) {
        const sfgp_landmarks other = {1, d, names, points, "memory", ""};
        sfgp_assert_status(*state, sfgp_landmarks_write(*state, json, &other, NULL), SFGP_ERROR_PARAMETER);
    }
    const sfgp_landmarks none = {0, 3, names, points, "memory", ""};
    sfgp_assert_error(*state, sfgp_landmarks_write(*state, json, &none, NULL), SFGP_ERROR_PARAMETER,
                      "0 landmarks in 3D cannot be written");
}

static void null_is_refused(void **state)
{
    char *names[] = {NAME("a")};
    double points[3] = {1, 2, 3};
    const sfgp_landmarks given = {1, 3, names, points, "memory", ""};
    sfgp_landmarks *landmarks;
    assert_int_equal(sfgp_landmarks_read(NULL, "a.csv", &landmarks), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_landmarks_read(*state, NULL, &landmarks), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_landmarks_read(*state, "a.csv", NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_landmarks_write(NULL, "a.csv", &given, NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_landmarks_write(*state, NULL, &given, NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_landmarks_write(*state, "a.csv", NULL, NULL), SFGP_ERROR_PARAMETER);
}

/* A file of holes: its size is looked at before it is read. */
static void files_that_are_too_large_are_refused(void **state)
{
    static const char *const FILES[] = {"large.mrk.json", "large.pp"};
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
        const char *path = test_text(FILES[k], "{");
        sfgp_landmarks *landmarks;
        assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
        sfgp_assert_error(*state, sfgp_landmarks_read(*state, path, &landmarks), SFGP_ERROR_FORMAT,
                          "larger than 64 MiB");
    }
}

/* Formats of space have 0 there, and names with the signs of XML come back. */
static void a_plane_lies_at_zero_in_the_formats_of_space(void **state)
{
    static const char *const FILES[] = {"p.fcsv", "p.mrk.json", "p.pp"};
    char *names[] = {NAME("a<b>&\"c\""), NAME("b")};
    double points[4] = {1, 2, 3, 4};
    const sfgp_landmarks given = {2, 2, names, points, "memory", ""};
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
        const char *path = test_path(FILES[k]);
        sfgp_landmarks *landmarks;
        sfgp_assert_ok(*state, sfgp_landmarks_write(*state, path, &given, NULL));
        sfgp_assert_ok(*state, sfgp_landmarks_read(*state, path, &landmarks));
        expect(landmarks, 0, "a<b>&\"c\"", 1, 2, 0);
        expect(landmarks, 1, "b", 3, 4, 0);
        sfgp_landmarks_free(landmarks);
    }
}

/* ---- errors ------------------------------------------------------------------------------------------ */

static void errors_name_the_line(void **state)
{
    static const struct {
        const char *file, *text;
        sfgp_status status;
        const char *words;
    } cases[] = {
        {"e.csv", "", SFGP_ERROR_FORMAT, "the file is empty"},
        {"e.csv", "# Avizo 3D ASCII 2.0\n\ndefine Markers 2\n", SFGP_ERROR_FORMAT,
         "a file of Avizo; save landmarks as CSV"},
        {"e.nts", "\"an ear\n", SFGP_ERROR_FORMAT, "expected the header of NTSYS, as '1 20 3 0 DIM=3'"},
        {"e.nts", "1 2 3 0\n1 2 3\n4 5 6\n", SFGP_ERROR_FORMAT, "line 1: expected the header of NTSYS"},
        {"e.nts", "2 2 3 0 DIM=3\n1 2 3\n4 5 6\n", SFGP_ERROR_FORMAT, "line 1: expected the header of NTSYS"},
        {"e.nts", "1 1 4 0 DIM=3\n1 2 3 4\n", SFGP_ERROR_FORMAT, "line 1: expected the header of NTSYS"},
        {"e.nts", "1 2L 6 0 DIM=3\na\nb\n1 2 3 4 5 6\n1 2 3 4 5 6\n", SFGP_ERROR_FORMAT,
         "line 1: 2 specimens: write each one into a file of its own"},
        {"e.nts", "1 2 3 0 DIM=3\n1 2 3\n4 5\n", SFGP_ERROR_FORMAT,
         "the file ends before its last coordinate"},
        {"e.nts", "1 9223372036854775807 3 0 DIM=3\n1 2 3\n", SFGP_ERROR_FORMAT, "ends before its last"},
        {"e.nts", "1 2 3 0 DIM=3\n1 2 3\n4 5 6\n7 8 9\n", SFGP_ERROR_FORMAT,
         "line 4: more numbers than the header tells"},
        {"e.nts", "1 2L 3 0 DIM=3\nupper tip\nlobe\n1 2 3\n4 5 6\n", SFGP_ERROR_FORMAT,
         "line 3: expected a number, found 'lobe'"},
        {"e.nts", "1 2 3 0 DIM=3\n1 2 3\nNA NA NA\n", SFGP_ERROR_FORMAT,
         "line 3: a landmark without coordinates can only be left out where landmarks have names"},
        {"e.nts", "1 2 3 0 DIM=3\n1 2 3\n4 inf 6\n", SFGP_ERROR_DATA, "line 3"},
        {"e.dta", "1 1L 6 1 9999 DIM=3\nskull\n1 2 3\n9999 9999 9999\n", SFGP_ERROR_FORMAT,
         "line 4: a landmark without coordinates"},
        {"e.csv", "\xff\xfex,y,z\n", SFGP_ERROR_FORMAT, "UTF-16 text; save it as UTF-8"},
        {"e.csv", "name,x,y,z\n", SFGP_ERROR_FORMAT, "no landmark"},
        {"e.csv", "a,1,2,3\nb,1,2\n", SFGP_ERROR_FORMAT, "line 2: expected 4 columns"},
        {"e.csv", "a,1,2,3\nb,1,two,3\n", SFGP_ERROR_FORMAT, "line 2: expected a number, found 'two'"},
        {"e.csv", "a,1,,3\n", SFGP_ERROR_FORMAT, "line 1: expected a number, found nothing"},
        {"e.csv", "a,1,inf,3\n", SFGP_ERROR_DATA, "line 1"},
        {"e.csv", "a,1,NA,3\n", SFGP_ERROR_FORMAT, "line 1: expected a number, found 'NA'"},
        {"e.csv", "1,2,3\nNA,NA,NA\n", SFGP_ERROR_FORMAT, "line 2: expected a number, found 'NA'"},
        {"e.csv", "NA,NA,NA\n1,2,3\n", SFGP_ERROR_FORMAT, "line 1: expected a number, found 'NA'"},
        {"e.pts", "Version 1.0\nS1 1 2 3\n", SFGP_ERROR_FORMAT, "line 2: expected the number of landmarks"},
        {"e.pts", "Version 1.0\n", SFGP_ERROR_FORMAT, "expected the number of landmarks"},
        {"e.pts", "version: 1\nn_points: 1\n{\n1 2\n}\n", SFGP_ERROR_FORMAT,
         "landmarks in a picture (menpo, ibug)"},
        {"e.pts", "Version 1.0\n2\nS1 1 2 3\nS2 1 2\n", SFGP_ERROR_FORMAT, "line 4: expected 4 columns"},
        {"e.csv", "a,NA,NA,NA\n", SFGP_ERROR_FORMAT, "no landmark"},
        {"e.tps", "LM=2\n1 2\nNA NA\n", SFGP_ERROR_FORMAT, "line 3: a landmark without coordinates"},
        {"e.csv", "a,1,2,3,4\n", SFGP_ERROR_FORMAT, "line 1: expected name,x,y,z"},
        {"e.csv", "a\n", SFGP_ERROR_FORMAT, "line 1"},
        {"e.fcsv", "# CoordinateSystem = IJK\n1,2,3\n", SFGP_ERROR_FORMAT, "line 1: coordinate system 'IJK'"},
        {"e.fcsv", "# columns = id,label\n1,2,3\n", SFGP_ERROR_FORMAT, "line 1: the columns"},
        {"e.fcsv", "1,2,3\n", SFGP_ERROR_FORMAT, "line 1: expected 14 columns"},
        {"e.fcsv", "# columns = x,y,z,label\n1,2,3\n", SFGP_ERROR_FORMAT, "line 2: expected 4 columns"},
        {"e.json", "", SFGP_ERROR_FORMAT, "line 1: expected an object '{', the file ends"},
        {"e.json", "[]", SFGP_ERROR_FORMAT, "no landmark"},
        {"e.json", "[{\"id\": \"a\"}]", SFGP_ERROR_FORMAT, "no member 'coordinates'"},
        {"e.json", "[\n{\"coordinates\": [1]}]", SFGP_ERROR_FORMAT, "line 2: a landmark has 1 coordinates"},
        {"e.json", "[{\"coordinates\": [1, 2]}, {\"coordinates\": [1, 2, 3]}]", SFGP_ERROR_FORMAT,
         "has 3 coordinates, the first one 2"},
        {"e.json", "[{\"coordinates\": [1, 2, 1e999]}]", SFGP_ERROR_DATA, "line 1"},
        {"e.json", "[{\"id\": \"a\\\nb\", \"coordinates\": [1, 2, 3]}]", SFGP_ERROR_FORMAT,
         "line 1: a text has no closing quote"},
        {"e.pp", "<PickedPoints></PickedPoints>", SFGP_ERROR_FORMAT, "no landmark"},
        {"e.pp", "<PickedPoints>\n<point x=\"1\" y=\"2\"/></PickedPoints>", SFGP_ERROR_FORMAT,
         "line 2: a point has no z"},
        {"e.pp", "<PickedPoints><point x=\"1\" y=\"two\" z=\"3\"/></PickedPoints>", SFGP_ERROR_FORMAT,
         "'two' is not a finite number"},
        {"e.pp", "<PickedPoints><point x=\"1\" y=\"inf\" z=\"3\"/></PickedPoints>", SFGP_ERROR_DATA,
         "line 1"},
        {"e.pp", "<PickedPoints>", SFGP_ERROR_FORMAT, "XML"},
        {"e.tps", "LM=2\n1 2\n", SFGP_ERROR_FORMAT, "ends before its last point"},
        {"e.tps", "LM=1\n1 2 3\n", SFGP_ERROR_FORMAT, "line 2: expected 2 coordinates"},
        {"e.tps", "LM=-1\n", SFGP_ERROR_FORMAT, "'-1' is not a number of points"},
        {"e.tps", "LM=99999999999\n", SFGP_ERROR_FORMAT, "is not a number of points"},
        {"e.tps", "LM=1\n1 2\nLM=1\n3 4\n", SFGP_ERROR_FORMAT, "line 3: a second specimen"},
        {"e.tps", "LM=1\n1e300 2\nSCALE=1e300\n", SFGP_ERROR_DATA, "SCALE makes a coordinate infinite"},
        {"e.tps", "1 2\n", SFGP_ERROR_FORMAT, "expected KEY=value, found '1 2'"},
        {"e.fcsv", "# CoordinateSystem = 1\n", SFGP_ERROR_FORMAT, "no landmark"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\ud83d\\u0041\"}"), SFGP_ERROR_FORMAT,
         "'\\ud83d' is no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\ud83dx12345\"}"), SFGP_ERROR_FORMAT,
         "'\\ud83d' is no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\ud83d\\x1234\"}"), SFGP_ERROR_FORMAT,
         "'\\ud83d' is no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\udc00\"}"), SFGP_ERROR_FORMAT,
         "no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\u12\"}"), SFGP_ERROR_FORMAT,
         "no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"locked\": yes}"), SFGP_ERROR_FORMAT,
         "expected a value, found 'yes'"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"locked\": -x}"), SFGP_ERROR_FORMAT,
         "expected a value, found '-x'"},
        {"e.json", "{}", SFGP_ERROR_FORMAT, "no member 'markups'"},
        {"e.json", "{\"markups\": []} x", SFGP_ERROR_FORMAT, "the end of the file"},
        {"e.json", "{\"markups\": []}", SFGP_ERROR_FORMAT, "no landmark"},
        {"e.json", MARKUPS("{\"position\": [1, 2]}"), SFGP_ERROR_FORMAT, "line 2: a position has 2"},
        {"e.json", MARKUPS("\n{\"position\": [1, 2, 1e999]}"), SFGP_ERROR_DATA, "line 3"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\ud800\"}"), SFGP_ERROR_FORMAT,
         "no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\u0000\"}"), SFGP_ERROR_FORMAT,
         "no character"},
        {"e.json", MARKUPS("{\"position\": [1, 2, 3], \"label\": \"\\q\"}"), SFGP_ERROR_FORMAT,
         "no character"},
        {"e.json", "{\"markups\": [{\"coordinateSystem\": \"LPS\n\"}]}", SFGP_ERROR_FORMAT,
         "no closing quote"},
        {"e.json", "{\"markups\": [{\"coordinateSystem\": \"IJK\"}]}", SFGP_ERROR_FORMAT, "'IJK' is neither"},
        {"e.json", "{\"markups\": [{\"coordinateSystem\": \"LPS\"}, {\"coordinateSystem\": \"RAS\"}]}",
         SFGP_ERROR_FORMAT, "different coordinate systems"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sfgp_landmarks *landmarks;
        sfgp_assert_status(*state,
                           sfgp_landmarks_read(*state, test_text(cases[k].file, cases[k].text), &landmarks),
                           cases[k].status);
        assert_null(landmarks);
        sfgp_assert_has(sfgp_context_error(*state), cases[k].words);
    }
}

static void deep_brackets_end(void **state)
{
    enum { DEEP = 100000 };
    static char text[2 * DEEP + 32] = "{\"markups\": [], \"x\": ";
    memset(text + 21, '[', DEEP);
    sfgp_landmarks *landmarks;
    sfgp_assert_error(*state, sfgp_landmarks_read(*state, test_text("d.json", text), &landmarks),
                      SFGP_ERROR_FORMAT, "inside each other");
}

static const char *const SAMPLES[][2] = {
    {"m.csv", "name,x,y,z\n\"t,\",1,2.5,-3\nb,4,5,6\n"},
    {"m.fcsv", "# CoordinateSystem = LPS\n# columns = id,x,y,z,label\n1,2,3,4,\"a\"\n"},
    {"m.json", MARKUPS("{\"label\": \"\\u00e9\", \"position\": [1, -2.0, 3e1]}")},
    {"s.json", "[{\"id\": \"a\", \"coordinates\": [1, 2e0, 3], \"uncertainty\": {\"stddevs\": [1]}}]"},
    {"m.pts", "Version 1.0\n3\nS0 1 2 3\nS1 9999 9999 9999\nC0 4 5 6\n"},
    {"m.nts", "\"a\n1 3L 3L 1 9999 DIM=3\ntip b c\nx y z\n1 2 3\n9999 9999 9999\n4 5 6\n"},
    {"m.pp", "<PickedPoints>\n<point x=\"1\" y=\"2.5\" z=\"3\" name=\"a&amp;b\"/></PickedPoints>"},
    {"m.tps", "LM3=2\n1 2 3\n4 5 6\nCURVES=1\nPOINTS=1\n7 8\nSCALE=0.5\nID=x\n"}};

static void try_change(void *user, const char *bytes, size_t size, size_t place)
{
    (void)place;
    const char *path = test_path(((const char *const *)user)[0]);
    sfgp_context *context;
    sfgp_landmarks *landmarks;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    unlink(path); /* ext4 waits for the disk when a file is overwritten */
    sfgp_test_write(path, bytes, size);
    sfgp_status status = sfgp_landmarks_read(context, path, &landmarks);
    assert_true(status == SFGP_OK || status == SFGP_ERROR_FORMAT || status == SFGP_ERROR_DATA);
    for (int64_t k = 0; landmarks && k < landmarks->count * landmarks->dimension; k++)
        assert_true(isfinite(landmarks->points[k]));
    for (int64_t k = 0; landmarks && k < landmarks->count; k++)
        assert_true(strlen(landmarks->names[k]) < size);
    sfgp_landmarks_free(landmarks);
    sfgp_context_free(context);
}

static void no_change_of_a_file_breaks_the_reader(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof SAMPLES / sizeof *SAMPLES; k++) {
        sfgp_each_prefix(SAMPLES[k][1], strlen(SAMPLES[k][1]), try_change, (void *)(uintptr_t)SAMPLES[k]);
        sfgp_each_mutation(SAMPLES[k][1], strlen(SAMPLES[k][1]), try_change, (void *)(uintptr_t)SAMPLES[k]);
    }
}

static sfgp_status read_and_write(sfgp_context *context, void *user)
{
    const char *path = user;
    sfgp_landmarks *landmarks;
    sfgp_landmark_pairs *pairs = NULL;
    sfgp_status status = sfgp_landmarks_read(context, path, &landmarks);
    if (status == SFGP_OK && !strstr(path, ".pts") && !strstr(path, ".nts")) /* which are not written */
        status = sfgp_landmarks_write(context, path, landmarks, NULL);
    if (status == SFGP_OK)
        status = sfgp_landmarks_pair(context, landmarks, landmarks, &pairs);
    sfgp_landmark_pairs_free(pairs);
    sfgp_landmarks_free(landmarks);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    for (size_t k = 0; k < sizeof SAMPLES / sizeof *SAMPLES; k++)
        assert_true(sfgp_sweep_allocations(*state, read_and_write,
                                           (void *)(uintptr_t)test_text(SAMPLES[k][0], SAMPLES[k][1])) > 6);
}

/* ---- which file, which pair -------------------------------------------------------------------------- */

static void landmark_files_are_told_from_point_files(void **state)
{
    (void)state;
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "# x\nname,x,y,z\n")));
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "tip,1,2,3\n")));
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "x,y,z,id\n1,2,3,7\n")));
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "point,1,2,3\n")));
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "\"\",\"x\",\"y\",\"z\"\n\"tip\",1,2,3\n")));
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "\"x\" \"y\" \"z\"\n\"tip\" 1 2 3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "\"\",\"x\",\"y\",\"z\"\n\"1\",1,2,3\n")));
    assert_true(sfgp_landmarks_is_file(test_text("w.csv", "sep=;\nname;x;y;z\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "sep=;\nx;y;z\n1;2;3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "sep=;\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "x,y,z\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "x,y,z\n1,2,3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "X;Y;Z;R;G;B\n1;2;3;4;5;6\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "x (mm),y (mm)\n1,2\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "1,2,3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.csv", "-1.5 2 3\n")));
    assert_false(sfgp_landmarks_is_file(test_text("w.txt", "tip,1,2,3\n")));
    assert_false(sfgp_landmarks_is_file("/nowhere/w.csv"));
    assert_true(sfgp_landmarks_is_file(test_text("w.mrk.json", "{}")));
    assert_true(sfgp_landmarks_is_file(test_text("w.fcsv", "")));
    assert_true(sfgp_landmarks_is_file(test_text("w.pp", "")) &&
                sfgp_landmarks_is_file(test_text("w.tps", "")));
    assert_true(sfgp_landmarks_is_file(test_text("w.nts", "")) &&
                sfgp_landmarks_is_file(test_text("w.dta", "")));
}

static sfgp_status pair_of(sfgp_context *context, const char *a, const char *b, const char *names[2],
                           sfgp_landmark_pairs **pairs)
{
    sfgp_landmarks *first = read_ok(context, names[0], a), *second = read_ok(context, names[1], b);
    sfgp_status status = sfgp_landmarks_pair(context, first, second, pairs);
    sfgp_landmarks_free(first);
    sfgp_landmarks_free(second);
    return status;
}

static void pairs_go_by_name(void **state)
{
    const char *csv[] = {"1.csv", "2.csv"};
    sfgp_landmark_pairs *pairs;
    sfgp_assert_ok(*state, pair_of(*state, "a,1,2,3\nb,4,5,6\nc,7,8,9\n", "c,70,80,90\na,10,20,30\nd,0,0,0\n",
                                   csv, &pairs));
    assert_int_equal(pairs->count, 2);
    assert_memory_equal(pairs->first, ((double[]){1, 2, 3, 7, 8, 9}), 48);
    assert_memory_equal(pairs->second, ((double[]){10, 20, 30, 70, 80, 90}), 48);
    sfgp_assert_has(sfgp_test_warning(), "'b' is in the first file only");
    sfgp_assert_has(sfgp_test_warning(), "'d' is in the second file only");
    sfgp_landmark_pairs_free(pairs);
    sfgp_assert_ok(*state, pair_of(*state, "landmark,x,y\na,1,2\nb,4,5\n", "landmark,x,y\nb,40,50\na,10,20\n",
                                   csv, &pairs));
    assert_memory_equal(pairs->second, ((double[]){10, 20, 40, 50}), 32);
    sfgp_landmark_pairs_free(pairs);
    sfgp_assert_ok(*state, pair_of(*state, "1,2,3\n4,5,6\n", "b,1,1,1\na,2,2,2\n", csv, &pairs));
    assert_memory_equal(pairs->second, ((double[]){1, 1, 1, 2, 2, 2}), 48);
    sfgp_landmark_pairs_free(pairs);
}

static void systems_meet_in_lps(void **state)
{
    const char *names[] = {NAME("1.fcsv"), NAME("2.mrk.json")};
    sfgp_landmark_pairs *pairs;
    const char *fcsv = "# CoordinateSystem = LPS\n# columns = label,x,y,z\na,1,2,3\n";
    sfgp_assert_ok(
        *state, pair_of(*state, fcsv, MARKUPS("{\"label\": \"a\", \"position\": [1, 2, 3]}"), names, &pairs));
    assert_memory_equal(pairs->first, ((double[]){1, 2, 3}), 24);
    assert_memory_equal(pairs->second, ((double[]){-1, -2, 3}), 24);
    sfgp_assert_has(sfgp_test_warning(), "brought into LPS");
    sfgp_landmark_pairs_free(pairs);
    const char *turned[] = {names[1], names[0]}; /* the first file is in RAS */
    sfgp_assert_ok(*state, pair_of(*state, MARKUPS("{\"label\": \"a\", \"position\": [1, 2, 3]}"), fcsv,
                                   turned, &pairs));
    assert_memory_equal(pairs->first, ((double[]){-1, -2, 3}), 24);
    assert_memory_equal(pairs->second, ((double[]){1, 2, 3}), 24);
    sfgp_landmark_pairs_free(pairs);
}

static void pairs_that_cannot_be(void **state)
{
    const char *csv[] = {"1.csv", "2.csv"};
    static const char *const cases[][3] = {{"a,1,2,3\n", "b,1,2,3\n", "no name of one file"},
                                           {"a,1,2,3\na,1,2,3\n", "a,1,2,3\n", "'a' is there twice"},
                                           {"1,2,3\n", "a,1,2,3\nb,1,2,3\n", "1 and 2 without names"},
                                           {"a,1,2,3\n", "a,1,2\n", "one file is 3D, the other 2D"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sfgp_landmark_pairs *pairs;
        sfgp_assert_status(*state, pair_of(*state, cases[k][0], cases[k][1], csv, &pairs), SFGP_ERROR_DATA);
        assert_null(pairs);
        sfgp_assert_has(sfgp_context_error(*state), cases[k][2]);
    }
}

/* Names were looked for one after the other: 100 000 took a minute. */
static void many_landmarks_are_paired_soon(void **state)
{
    enum { MANY = 100000 };
    const char *csv[] = {"1.csv", "2.csv"};
    char *text = malloc(MANY * 20), *end = text;
    sfgp_landmark_pairs *pairs;
    assert_non_null(text);
    for (int k = 0; k < MANY; k++)
        end += sprintf(end, "p%d,%d,0,0\n", k * 7919 % MANY, k);
    const clock_t start = clock();
    sfgp_assert_ok(*state, pair_of(*state, text, text, csv, &pairs));
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    assert_int_equal(pairs->count, MANY);
    assert_memory_equal(pairs->first, pairs->second, MANY * 3 * sizeof(double));
    sfgp_landmark_pairs_free(pairs);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(csv_variants_read),
        sfgp_unit_test(texts_that_are_no_names_are_warned_of),
        sfgp_unit_test(pts_of_landmark_and_checkpoint),
        sfgp_unit_test(landmarks_without_coordinates_are_left_out),
        sfgp_unit_test(names_in_latin_1_become_utf_8),
        sfgp_unit_test(slicer_fiducials),
        sfgp_unit_test(fiducials_of_slicer_5_are_read),
        sfgp_unit_test(slicer_markups),
        sfgp_unit_test(scalismo_landmarks),
        sfgp_unit_test(meshlab_picked_points),
        sfgp_unit_test(tps_of_one_specimen),
        sfgp_unit_test(ntsys_of_one_specimen),
        sfgp_unit_test(missing_landmarks_of_ntsys),
        sfgp_unit_test(every_format_keeps_names_and_bits),
        sfgp_unit_test(a_plane_stays_a_plane_in_csv),
        sfgp_unit_test(a_device_takes_csv),
        sfgp_unit_test(what_a_format_cannot_hold_is_refused),
        sfgp_unit_test(errors_name_the_line),
        sfgp_unit_test(null_is_refused),
        sfgp_unit_test(files_that_are_too_large_are_refused),
        sfgp_unit_test(a_plane_lies_at_zero_in_the_formats_of_space),
        sfgp_unit_test(deep_brackets_end),
        sfgp_unit_test(no_change_of_a_file_breaks_the_reader),
        sfgp_unit_test(memory_runs_out_cleanly),
        sfgp_unit_test(landmark_files_are_told_from_point_files),
        sfgp_unit_test(pairs_go_by_name),
        sfgp_unit_test(systems_meet_in_lps),
        sfgp_unit_test(pairs_that_cannot_be),
        sfgp_unit_test(many_landmarks_are_paired_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
