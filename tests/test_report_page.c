/* The page: what goes in is escaped and all there, what is wrong is said once and at the end, and nothing is
 * fetched. With SFGP_PAGE=FILE the last test leaves its page there, for browser.sh. */
#include "support/support.h"
#include "test_report.h"
#include "report/chart.h"
#include "page/page.h"
#include "page/page_assets.h"
#include "page/page_data.h"
#include "page/page_parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *finish(page *p)
{
    char *text = NULL;
    size_t size = 0;
    if (p->problem)
        fail_msg("%s", p->problem);
    assert_int_equal(page_close(p, &text, &size), SFGP_OK);
    assert_int_equal(strlen(text), size);
    return text;
}

/* Closes a page that must not come out, and says why. */
static void assert_refused(page *p, const char *part)
{
    char *text = NULL;
    size_t size = 1;
    if (part) {
        assert_non_null(p->problem);
        sfgp_assert_has(p->problem, part);
    }
    assert_int_equal(page_close(p, &text, &size), SFGP_ERROR_PARAMETER);
    assert_null(text);
    assert_int_equal(size, 0);
}

/* ---- texts, figures, tables -------------------------------------------------------------------------- */

static void test_texts_are_escaped(void **state)
{
    (void)state;
    page *p = page_open("A <b> & \"c\"");
    page_text(p, "one <i>\n\ntwo\xFF\n\n\n\nthree");
    page_text(p, NULL);
    page_text(p, "\n\n\n");
    page_heading(p, "<h>");
    page_note(p, "<n>");
    page_heading(p, "second");
    char *text = finish(p);
    sfgp_assert_has(text, "<title>A &lt;b&gt; &amp; &quot;c&quot;</title>");
    sfgp_assert_has(text, "<h1>A &lt;b&gt;");
    sfgp_assert_has(text, "<p>one &lt;i&gt;</p>\n<p>two?</p>\n<p>three</p>\n<h2 id=\"s1\">&lt;h&gt;</h2>");
    sfgp_assert_has(text, "<div class=\"note\">&lt;n&gt;</div>");
    sfgp_assert_has(text, "<li><a href=\"#s1\">&lt;h&gt;</a></li>\n<li><a href=\"#s2\">second</a></li>");
    free(text);
}

static void test_figures_stand_in_one_grid(void **state)
{
    (void)state;
    page *p = page_open("t");
    page_figure(p, "<svg>1</svg>", "first <1>", "figures/a \"b\".svg");
    page_figure(p, "<svg>2</svg>", "second", NULL);
    page_text(p, "between");
    page_figure(p, "<svg>3</svg>", NULL, "");
    char *text = finish(p);
    assert_int_equal(sfgp_test_count(text, "<div class=\"figures\">"), 2);
    sfgp_assert_has(
        text, "<svg>1</svg><figcaption>first &lt;1&gt; <a href=\"figures/a &quot;b&quot;.svg\">SVG</a>");
    sfgp_assert_has(text, "second</figcaption>\n</figure>\n</div>\n<p>between");
    sfgp_assert_has(text, "<figcaption></figcaption>\n</figure>\n</div>\n</main>");
    free(text);
}

static void test_tables_carry_their_numbers(void **state)
{
    (void)state;
    const page_column columns[] = {
        {"Method <m>", PAGE_LABEL}, {"Error (mm)", PAGE_NUMBER}, {"Time", PAGE_NUMBER}};
    const page_cell first[] = {{"a & b", 0, true, "b/\"c\".html"},
                               {NULL, 0.123456, true, NULL},
                               {"1.5 s", 1.5, false, NULL}},
                    second[] = {{NULL, 7, false, NULL},
                                {NULL, (double)NAN, false, NULL},
                                {"none", (double)INFINITY, false, NULL}};
    page *p = page_open("t");
    page_table_begin(p, "Runs", columns, 3);
    page_table_row(p, first);
    page_table_row(p, second);
    page_table_end(p);
    char *text = finish(p);
    sfgp_assert_has(text, "<caption>Runs</caption>");
    sfgp_assert_has(
        text, "<th scope=\"col\"><button>Method &lt;m&gt;</button></th><th scope=\"col\" class=\"number\">");
    sfgp_assert_has(
        text,
        "<tr><td><b><a href=\"b/&quot;c&quot;.html\">a &amp; b</a></b></td><td class=\"number\" data-value=\"0.123456\"><b>0.1235</b></td>"
        "<td class=\"number\" data-value=\"1.5\">1.5 s</td></tr>");
    sfgp_assert_has(text, "<tr><td></td><td class=\"number\">–</td><td class=\"number\">none</td></tr>");
    free(text);
}

/* Words alone have nothing to sort by; numbers of points keep all digits. */
static void test_tables_of_words_do_not_sort(void **state)
{
    (void)state;
    const page_column words[] = {{"What", PAGE_LABEL}, {"Value", PAGE_WORDS}},
                      number = {"Points", PAGE_NUMBER};
    const page_cell row[] = {{.text = "a"}, {.text = "b"}}, count = {.value = 123456};
    page *p = page_open("t");
    page_table_begin(p, "", words, 2);
    page_table_row(p, row);
    page_table_end(p);
    page_table_begin(p, "", &number, 1);
    page_table_row(p, &count);
    page_table_end(p);
    char *text = finish(p);
    sfgp_assert_has(text, "<th scope=\"col\">What</th><th scope=\"col\">Value</th>");
    sfgp_assert_has(text, "<td class=\"number\" data-value=\"123456\">123456</td>");
    free(text);
}

/* ---- what is wrong ----------------------------------------------------------------------------------- */

static void test_wrong_calls_stick(void **state)
{
    (void)state;
    const page_column column = {"c", PAGE_NUMBER};
    const page_cell cell = {0};
    page *p = page_open("t");
    page_table_row(p, &cell);
    page_view_end(p);     /* a later mistake does not hide the first */
    page_text(p, "more"); /* and nothing after it counts */
    assert_refused(p, "page_table_row");
    p = page_open("t");
    page_table_begin(p, "", &column, 1);
    page_text(p, "in between");
    assert_refused(p, "still open");
    p = page_open("t");
    page_table_begin(p, "", &column, 1);
    assert_refused(p, NULL); /* only the end can tell */
    p = page_open("t");
    page_table_end(p);
    assert_refused(p, "page_table_end");
    p = page_open("t");
    page_view_begin(p, "", "");
    page_view_end(p);
    assert_refused(p, "no scene");
    p = page_open("t");
    page_view_begin(p, "", "");
    page_table_begin(p, "", &column, 1);
    assert_refused(p, "still open");
    p = page_open("t");
    page_view_scene(p, &(page_scene){0});
    assert_refused(p, "no view");
}

/* A page that had no memory takes every call and says so at the end. */
static void test_no_page_is_no_memory(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 1;
    page_heading(NULL, "h");
    page_text(NULL, "t");
    page_note(NULL, "n");
    page_figure(NULL, "<svg/>", "", NULL);
    page_table_begin(NULL, "", NULL, 0);
    page_table_row(NULL, NULL);
    page_table_end(NULL);
    page_view_begin(NULL, "", "");
    page_view_scene(NULL, NULL);
    page_view_end(NULL);
    assert_int_equal(page_close(NULL, &text, &size), SFGP_ERROR_MEMORY);
    assert_null(text);
    assert_int_equal(size, 0);
}

/* Body, contents, whole page: each may be the one that fails, at once or while it is written. */
static void test_no_memory_is_said(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        char *text = (char *)&k;
        size_t size = 1;
        stream_is_full = k >= 3;
        stream_fails_at = k % 3;
        page *p = page_open("t");
        assert_true((p == NULL) == (k < 2));
        page_heading(p, "h");
        page_text(p, "x");
        assert_int_equal(page_close(p, &text, &size), SFGP_ERROR_MEMORY);
        assert_null(text);
        assert_int_equal(size, 0);
    }
    assert_int_equal(stream_fails_at, -1);
}

static sfgp_mesh cloud(int64_t count, int dimension, double *points)
{
    return (sfgp_mesh){.count = count, .dimension = dimension, .points = points};
}

static void test_scenes_have_to_be_whole(void **state)
{
    (void)state;
    double good[] = {0, 0, 0, 1, 0, 0}, bad[] = {0, 0, (double)NAN, 1, 0, 0};
    sfgp_mesh fine = cloud(2, 3, good), broken = cloud(2, 3, bad), flat = cloud(3, 2, good),
              empty = cloud(0, 3, good);
    const page_fit fit = {.name = "f", .points = bad};
    const struct {
        page_scene scene;
        const char *part;
    } rows[] = {
        {{.name = "none"}, "needs a reference"},
        {{.name = "empty", .reference = &empty}, "needs a reference"},
        {{.name = "broken", .reference = &broken}, "of the reference is not finite"},
        {{.name = "scan", .reference = &fine, .scan = &broken}, "the scan"},
        {{.name = "flat", .reference = &fine, .scan = &flat}, "the scan"},
        {{.name = "truth", .reference = &fine, .truth = &flat}, "the truth"},
        {{.name = "fit", .reference = &fine, .fits = &fit, .fit_count = 1}, "of a fit is not finite"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        page *p = page_open("t");
        page_view_begin(p, "", "");
        sfgp_assert_has(page_scene_problem(&rows[k].scene), rows[k].part);
        page_view_scene(p, &rows[k].scene);
        assert_refused(p, rows[k].part);
    }
}

/* ---- nothing is fetched ------------------------------------------------------------------------------ */

static void test_nothing_is_fetched(void **state)
{
    (void)state;
    page *p = page_open("t");
    page_text(p, "x");
    char *text = finish(p);
    sfgp_assert_has(text, "default-src 'none'");
    assert_null(strstr(text, "http:"));
    assert_null(strstr(text, "https:"));
    assert_null(strstr(text, "src="));
    assert_null(strstr(text, "url("));
    assert_null(strstr(text, "@import"));
    assert_int_equal(sfgp_test_count(text, "href="), 1); /* the empty icon */
    assert_null(strstr(text, "id=\"three\""));           /* only with views */
    free(text);
}

/* A file that closed its own element would spill into the page. */
static void test_embedded_files_stay_inside(void **state)
{
    (void)state;
    const page_asset assets[] = {PAGE_ASSET_STYLE, PAGE_ASSET_TABLE, PAGE_ASSET_VIEWER, PAGE_ASSET_THREE,
                                 PAGE_ASSET_LICENCE};
    for (size_t k = 0; k < 5; k++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        page_asset_write(out, assets[k]);
        fclose(out);
        assert_int_equal(strlen(text), size);
        assert_true(size > 500 || (k > 1 && !page_has_viewer()));
        assert_null(strstr(text, "</script"));
        assert_null(strstr(text, "</style"));
        assert_null(strstr(text, "<!--"));
        if (assets[k] == PAGE_ASSET_LICENCE) /* goes in as it is */
            assert_true(!strpbrk(text, "<&"));
        free(text);
    }
}

/* ---- views ------------------------------------------------------------------------------------------- */

/* The examples of RFC 4648, section 10. */
static void test_base64_is_the_standards(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (int length = 0; length <= 6; length++) {
        char *text = NULL;
        size_t size = 0;
        page_base64 b = {.out = open_memstream(&text, &size)};
        for (int k = 0; k < length; k++)
            page_base64_byte(&b, (unsigned char)"foobar"[k]);
        page_base64_end(&b);
        fclose(b.out);
        assert_string_equal(text, TEXTS[length]);
        free(text);
    }
}

static int sextet(char c)
{
    static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(ALPHABET, c);
    assert_true(c && at);
    return (int)(at - ALPHABET);
}

/* The bytes behind the n-th `"key":"` of the page; free() them. */
static unsigned char *decode(const char *text, const char *key, int n, size_t *size)
{
    char open[32];
    snprintf(open, sizeof open, "\"%s\":\"", key);
    const char *at = text;
    for (int k = 0; at && k <= n; k++)
        at = strstr(at + (k > 0), open);
    assert_non_null(at);
    at += strlen(open);
    const size_t length = (size_t)(strchr(at, '"') - at);
    assert_int_equal(length % 4, 0);
    unsigned char *bytes = calloc(length + 1, 1);
    *size = 0;
    for (size_t k = 0, bits = 0; k < length && at[k] != '='; k++) {
        bits = bits << 6 | (size_t)sextet(at[k]);
        if (k % 4 > 0)
            bytes[(*size)++] = (unsigned char)(bits >> (6 - 2 * (k % 4)) & 255);
    }
    return bytes;
}

static float single(const unsigned char *bytes)
{
    const uint32_t bits =
        (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* count x 3 numbers of an array are those expected, less the middle, to single precision. */
static void assert_points(const char *text, const char *key, int n, int count, const double *points,
                          const double middle[3])
{
    size_t size = 0;
    unsigned char *bytes = decode(text, key, n, &size);
    assert_int_equal(size, 12 * count);
    for (int k = 0; k < 3 * count; k++) {
        const double expected = points[k] - middle[k % 3];
        assert_true(fabs((double)single(bytes + 4 * k) - expected) <= (double)FLT_EPSILON * fabs(expected));
    }
    free(bytes);
}

enum { N = 4 };
static double CORNERS[3 * N] = {1e6, 0, 0, 1e6 + 3, 0, 0.1, 1e6 + 3, 4, 0.2, 1e6, 4, 0.3};
static int64_t START[] = {0, 4}, SQUARE[] = {0, 1, 2, 3};
static const sfgp_mesh REFERENCE = {.count = N,
                                    .dimension = 3,
                                    .points = CORNERS,
                                    .face_count = 1,
                                    .face_start = START,
                                    .face_points = SQUARE};

static void test_scenes_come_through(void **state)
{
    (void)state;
    if (!page_has_viewer())
        skip();
    double moved[3 * N], middle[3] = {1e6 + 1.5, 2, 0.15};
    const double error[N] = {0.5, (double)NAN, 2, 1e300};
    const unsigned char missing[N] = {0, 1, 0, 7};
    for (int k = 0; k < 3 * N; k++)
        moved[k] = CORNERS[k] + 0.25 * k;
    const sfgp_mesh scan = cloud(2, 3, moved);
    const page_fit fits[] = {
        {.name = "full <\"\\\n\xFF>", .points = moved, .error = error, .missing = missing},
        {.name = "bare", .points = CORNERS}};
    const page_scene first = {"one", &REFERENCE, &scan, &REFERENCE, fits, 2},
                     second = {"two", &REFERENCE, NULL, NULL, NULL, 0};
    page *p = page_open("t");
    page_view_begin(p, "V <1>", "mm");
    page_view_scene(p, &first);
    page_view_scene(p, &second);
    page_view_end(p);
    char *text = finish(p);
    sfgp_assert_has(text, "<h3>V &lt;1&gt;</h3>");
    sfgp_assert_has(text, "{\"unit\":\"mm\",\"scenes\":[");
    sfgp_assert_has(text, "{\"name\":\"full \\u003c\\\"\\\\\\u000a?>\"");
    assert_points(text, "points", 0, N, moved, middle);
    assert_points(text, "points", 1, N, CORNERS, middle);
    assert_points(text, "points", 2, N, CORNERS, middle); /* the reference, once for both scenes */
    assert_int_equal(sfgp_test_count(text, "\"points\":\""), 3);
    assert_points(text, "scan", 0, 2, moved, middle);
    assert_points(text, "truth", 0, N, CORNERS, middle);
    sfgp_assert_has(text, "\"truthFaces\":true");
    size_t size = 0;
    unsigned char *bytes = decode(text, "error", 0, &size);
    assert_int_equal(size, 4 * N);
    assert_true(single(bytes) == 0.5f && isnan(single(bytes + 4)) && single(bytes + 8) == 2 &&
                isnan(single(bytes + 12)));
    free(bytes);
    bytes = decode(text, "missing", 0, &size);
    assert_int_equal(size, N);
    assert_memory_equal(bytes, "\0\1\0\1", N);
    free(bytes);
    bytes = decode(text, "faces", 0, &size); /* the square as two triangles */
    assert_int_equal(size, 24);
    const unsigned char triangles[] = {0, 1, 2, 0, 2, 3};
    for (int k = 0; k < 6; k++) {
        assert_int_equal(bytes[4 * k], triangles[k]);
        assert_int_equal(bytes[4 * k + 1] + bytes[4 * k + 2] + bytes[4 * k + 3], 0);
    }
    free(bytes);
    free(text);
}

static void test_views_bring_three_js_and_its_licence(void **state)
{
    (void)state;
    const page_scene scene = {.name = "s", .reference = &REFERENCE};
    page *p = page_open("t");
    for (int k = 0; k < 2; k++) {
        page_view_begin(p, "v", "");
        page_view_scene(p, &scene);
        page_view_end(p);
    }
    char *text = finish(p);
    if (page_has_viewer()) {
        assert_int_equal(sfgp_test_count(text, "id=\"three\""), 1);
        assert_int_equal(sfgp_test_count(text, "<section class=\"view\">"), 2);
        sfgp_assert_has(text, "Permission is hereby granted, free of charge");
    } else {
        assert_int_equal(sfgp_test_count(text, "left out of this build"), 2);
        assert_null(strstr(text, "<section class=\"view\">"));
    }
    free(text);
}

/* ---- a page for the browser -------------------------------------------------------------------------- */

static sfgp_mesh *read_demo(sfgp_context *context, const char *name)
{
    char path[512];
    sfgp_mesh *mesh = NULL;
    snprintf(path, sizeof path, "%s/data/demo/%s", SFGP_SOURCE_DIR, name);
    sfgp_assert_ok(context, sfgp_mesh_read(context, path, &mesh));
    return mesh;
}

static void add_curve(page *p)
{
    const double level[] = {0.1, 0.2, 0.3, 0.4}, error[] = {0.5, 0.6, 0.9, 1.6};
    const chart_series series = {.name = "sfgp", .count = 4, .x = level, .y = error};
    const chart_panel panel = {
        .y = {.label = "Mean error (mm)", .from_zero = true}, .series = &series, .series_count = 1};
    const chart figure = {.title = "Missing regions",
                          .x = {.label = "Level", .at_data = true},
                          .panels = &panel,
                          .panel_count = 1};
    char *svg = NULL;
    assert_int_equal(chart_svg(&figure, &svg), SFGP_OK);
    page_figure(p, svg, "Error against level.", "error.svg");
    free(svg);
}

/* Numbers whose order as text is another one. */
static void add_table(page *p)
{
    const page_column columns[] = {{"Method", PAGE_LABEL}, {"Error", PAGE_NUMBER}};
    const double errors[] = {9, 10, (double)NAN, 8.5};
    const char *const names[] = {"a", "b", "c", "d"};
    page_table_begin(p, "Runs", columns, 2);
    for (int k = 0; k < 4; k++) {
        const page_cell cells[] = {{.text = names[k]}, {.value = errors[k]}};
        page_table_row(p, cells);
    }
    page_table_end(p);
}

static void test_page_for_the_browser(void **state)
{
    sfgp_context *context = *state;
    sfgp_mesh *reference = read_demo(context, "reference.ply"), *scan = read_demo(context, "scan.ply"),
              *truth = read_demo(context, "truth.ply");
    const int64_t n = reference->count;
    double *error = malloc((size_t)n * sizeof(double)), *flat = malloc((size_t)n * 2 * sizeof(double));
    unsigned char *missing = calloc((size_t)n, 1);
    for (int64_t i = 0; i < n; i++) {
        const double *a = &reference->points[3 * i], *b = &truth->points[3 * i];
        error[i] = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                        (a[2] - b[2]) * (a[2] - b[2]));
        missing[i] = error[i] > 3;
        flat[2 * i] = a[1];
        flat[2 * i + 1] = a[2];
    }
    const page_fit fits[] = {{"nothing moved", reference->points, error, error, error, error, missing},
                             {.name = "the truth", .points = truth->points}};
    const page_fit flat_fit = {.name = "flat", .points = flat, .error = error, .missing = missing};
    sfgp_mesh plane = cloud(n, 2, flat);
    const page_scene scenes[] = {{"ear", reference, scan, truth, fits, 2},
                                 {"reference only", reference, NULL, NULL, NULL, 0}};
    const page_scene plane_scene = {"plane", &plane, NULL, &plane, &flat_fit, 1};
    page *p = page_open("Page of the tests");
    page_heading(p, "Views");
    page_view_begin(p, "An ear", "mm");
    page_view_scene(p, &scenes[0]);
    page_view_scene(p, &scenes[1]);
    page_view_end(p);
    page_view_begin(p, "In the plane", "");
    page_view_scene(p, &plane_scene);
    page_view_end(p);
    page_heading(p, "Figures and tables");
    add_curve(p);
    add_table(p);
    char *text = finish(p);
    const char *path = getenv("SFGP_PAGE");
    assert_int_equal(sfgp_test_count(text, "<svg xmlns="), 1);
    sfgp_test_write(path ? path : test_path("page.html"), text, strlen(text));
    free(text);
    free(error);
    free(flat);
    free(missing);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(scan);
    sfgp_mesh_free(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_figures_stand_in_one_grid),
        cmocka_unit_test(test_tables_carry_their_numbers),
        cmocka_unit_test(test_tables_of_words_do_not_sort),
        cmocka_unit_test(test_wrong_calls_stick),
        cmocka_unit_test(test_no_page_is_no_memory),
        cmocka_unit_test(test_no_memory_is_said),
        cmocka_unit_test(test_scenes_have_to_be_whole),
        cmocka_unit_test(test_nothing_is_fetched),
        cmocka_unit_test(test_embedded_files_stay_inside),
        cmocka_unit_test(test_base64_is_the_standards),
        cmocka_unit_test(test_scenes_come_through),
        cmocka_unit_test(test_views_bring_three_js_and_its_licence),
        sfgp_unit_test(test_page_for_the_browser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
