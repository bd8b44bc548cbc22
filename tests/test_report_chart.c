/* Charts: documents that a reader of XML accepts, numbers where the axes say, nothing lost, nothing invented.
 */
#include "support/support.h"
#include "test_report.h"
#include "report/chart.h"
#include "report/chart_labels.h"
#include "report/chart_scale.h"
#include "report/chart_style.h"
#include "page/markup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates are written with two decimals. */
static const double PIXEL = 0.0051;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- a small reader of SVG --------------------------------------------------------------------------- */

/* Fails unless tags are balanced, attributes quoted and characters escaped. Knows what chart.h may write
 * only. */
static void assert_well_formed(const char *text)
{
    char stack[16][16];
    int depth = 0;
    for (const char *c = text; *c;) {
        if (*c == '&')
            assert_true(!strncmp(c, "&amp;", 5) || !strncmp(c, "&lt;", 4) || !strncmp(c, "&gt;", 4) ||
                        !strncmp(c, "&quot;", 6) || !strncmp(c, "&#39;", 5));
        if (*c != '<') {
            assert_true(*c == '\n' || *c == '\t' || (unsigned char)*c >= 32);
            c++;
            continue;
        }
        const char *end = strchr(c, '>');
        assert_non_null(end);
        assert_null(memchr(c + 1, '<', (size_t)(end - c - 1)));
        int quotes = 0;
        for (const char *q = c; q < end; q++)
            quotes += *q == '"';
        assert_int_equal(quotes % 2, 0);
        if (c[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(stack[depth]), end - c - 2);
            assert_memory_equal(stack[depth], c + 2, (size_t)(end - c - 2));
        } else if (end[-1] != '/') {
            assert_true(depth < 16);
            const size_t size = strcspn(c + 1, " >\n");
            assert_true(size < 16);
            memcpy(stack[depth], c + 1, size);
            stack[depth++][size] = 0;
        }
        c = end + 1;
    }
    assert_int_equal(depth, 0);
}

/* The n-th element that begins with `open` (from 0), NULL when there are fewer. */
static const char *find(const char *text, const char *open, int n)
{
    const char *at = strstr(text, open);
    while (at && n-- > 0)
        at = strstr(at + 1, open);
    return at;
}

static double number_at(const char *element, const char *name)
{
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(element, key);
    assert_non_null(at);
    assert_true(at < strchr(element, '>'));
    return strtod(at + strlen(key), NULL);
}

/* Where the text is written: y of the tick or title that reads so. */
static double text_number(const char *svg, const char *name, const char *text)
{
    char content[64];
    snprintf(content, sizeof content, ">%s</text>", text);
    const char *at = strstr(svg, content);
    assert_non_null(at);
    while (strncmp(at, "<text", 5) != 0)
        at--;
    return number_at(at, name);
}

/* Tells the marker's circles from a box plot's dots: markers have a white rim. */
static double marker_number(const char *svg, const char *name, int n)
{
    const char *at = find(svg, "<circle", n);
    assert_non_null(at);
    return number_at(at, name);
}

/* The text of a figure that was drawn with status. */
static char *drawn(sfgp_status status, char *text)
{
    assert_int_equal(status, SFGP_OK);
    assert_well_formed(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

static char *draw(const chart *figure)
{
    char *text = NULL;
    const sfgp_status status = chart_svg(figure, &text);
    return drawn(status, text);
}

static char *draw_boxes(const chart_boxes *figure)
{
    char *text = NULL;
    const sfgp_status status = chart_boxes_svg(figure, &text);
    return drawn(status, text);
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void check_text(const char *given, const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    markup_write(out, given);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void test_text_is_escaped(void **state)
{
    (void)state;
    check_text(NULL, "");
    check_text("a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;");
    check_text("\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x90\x9F", "\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x90\x9F");
    check_text("\x01\x1B[0m\x7F\tx\n", "??[0m?\tx\n");
    check_text("\xFF\xC3", "??");           /* no first byte; cut off */
    check_text("\xC0\xAF", "??");           /* overlong */
    check_text("\xE0\x80\xAF", "???");      /* overlong */
    check_text("\xED\xA0\x80", "???");      /* surrogate */
    check_text("\xF4\x90\x80\x80", "????"); /* beyond the last character */
    check_text("\xEF\xBF\xBF", "???");      /* no character */
    check_text("\xE2\x86", "??");           /* cut off */
    check_text("\xF0\x9F\x90<", "???&lt;"); /* cut off by a character that counts */
}

static void test_coordinates_are_short(void **state)
{
    (void)state;
    char text[MARKUP_NUMBER_SIZE];
    assert_string_equal(markup_coordinate(12, text), "12");
    assert_string_equal(markup_coordinate(100, text), "100");
    assert_string_equal(markup_coordinate(-1.5, text), "-1.5");
    assert_string_equal(markup_coordinate(0.126, text), "0.13");
    assert_string_equal(markup_coordinate(-0.001, text), "0");
    assert_string_equal(markup_coordinate((double)NAN, text), "0");
    assert_string_equal(markup_coordinate((double)INFINITY, text), "1000000");
}

/* ---- scales ------------------------------------------------------------------------------------------ */

static void check_ticks(chart_axis axis, double low, double high, const char *expected)
{
    char joined[512] = "";
    const chart_scale scale = chart_scale_make(&axis, (chart_range){low, high, 2}, 0, NULL);
    for (int k = 0; k < scale.tick_count; k++)
        if (scale.ticks[k].text[0])
            snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s ", scale.ticks[k].text);
    assert_string_equal(joined, expected);
    assert_true(scale.low <= low && scale.high >= high && scale.low < scale.high);
}

static void test_ticks_are_round(void **state)
{
    (void)state;
    const chart_axis linear = {0}, zero = {.from_zero = true}, log = {.log = true};
    check_ticks(linear, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0 ");
    check_ticks(linear, -3, 17, "-5 0 5 10 15 20 ");
    check_ticks(linear, 0.011, 0.039, "0.010 0.015 0.020 0.025 0.030 0.035 0.040 ");
    check_ticks(zero, 0.7, 0.9, "0.0 0.2 0.4 0.6 0.8 1.0 ");
    check_ticks(zero, -1, 1, "-1.0 -0.5 0.0 0.5 1.0 ");
    check_ticks(linear, 5, 5, "4.4 4.6 4.8 5.0 5.2 5.4 5.6 ");
    check_ticks(linear, 0, 4e6, "0 1e+06 2e+06 3e+06 4e+06 ");
    check_ticks(log, 0.03, 2, "0.02 0.05 0.1 0.2 0.5 1 2 ");
    check_ticks(log, 1, 1e6, "1 10 100 1000 10⁴ 10⁵ 10⁶ ");
    check_ticks(log, 3e-5, 7e-5, "2·10⁻⁵ 5·10⁻⁵ 10⁻⁴ ");
    check_ticks(log, 10, 10, "5 10 20 ");
}

static void test_scales_map_linearly_and_by_ratio(void **state)
{
    (void)state;
    chart_scale scale = {.low = 2, .high = 6, .from = 100, .to = 20};
    assert_near(chart_scale_place(&scale, 2), 100, 1e-12);
    assert_near(chart_scale_place(&scale, 6), 20, 1e-12);
    assert_near(chart_scale_place(&scale, 3), 80, 1e-12);
    scale = (chart_scale){.log = true, .low = 0.01, .high = 100, .from = 0, .to = 4};
    for (int k = -2; k <= 2; k++)
        assert_near(chart_scale_place(&scale, pow(10, k)), k + 2, 1e-12);
}

/* Every width of numbers that doubles have: the axis stays an axis. */
static void test_scales_stand_anything(void **state)
{
    (void)state;
    const double values[] = {0,         1,      -1,        1e-300,      1e-320,
                             1e300,     -1e300, 1e308,     -1e308,      5e-324,
                             1 + 1e-15, 3.7e-9, 12345.678, (double)NAN, (double)INFINITY};
    const int count = sizeof values / sizeof values[0];
    for (int i = 0; i < count * count * 4; i++) {
        const double pair[2] = {values[i % count], values[i / count % count]};
        const chart_axis axis = {.log = i / count / count % 2, .from_zero = i / count / count / 2};
        chart_range range = {0};
        chart_range_add(&range, &axis, 2, pair);
        chart_scale scale = chart_scale_make(&axis, range, 0, NULL);
        scale.to = 100;
        assert_true(isfinite(scale.low) && isfinite(scale.high) && scale.low < scale.high);
        assert_true(scale.tick_count <= CHART_TICKS_MAX);
        for (int k = 0; k < 2; k++)
            if (chart_axis_shows(&axis, pair[k]))
                assert_in_range((int)(chart_scale_place(&scale, pair[k]) + 1), 0, 101);
    }
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static const double LEVELS[] = {0.1, 0.2, 0.3, 0.4, 0.5};

static void test_points_are_where_the_axes_say(void **state)
{
    (void)state;
    const double x[] = {0, 10, 40}, y[] = {1, 10, 100};
    const chart_series series = {.name = "", .count = 3, .x = x, .y = y};
    const chart_panel panel = {
        .y = {.log = true, .low = 1, .high = 100}, .series = &series, .series_count = 1};
    const chart figure = {.x = {.low = 0, .high = 40}, .panels = &panel, .panel_count = 1};
    char *svg = draw(&figure);
    const double left = text_number(svg, "x", "0"), right = text_number(svg, "x", "40");
    assert_true(right > left + 200);
    assert_near(marker_number(svg, "cx", 0), left, 2 * PIXEL);
    assert_near(marker_number(svg, "cx", 1), left + 0.25 * (right - left), 2 * PIXEL);
    assert_near(marker_number(svg, "cx", 2), right, 2 * PIXEL);
    /* a tick's text stands 4 below its line */
    assert_near(marker_number(svg, "cy", 0), text_number(svg, "y", "1") - 4, 2 * PIXEL);
    assert_near(2 * marker_number(svg, "cy", 1), marker_number(svg, "cy", 0) + marker_number(svg, "cy", 2),
                4 * PIXEL);
    free(svg);
}

/* The path of the first series' line: the first path without a fill. */
static int moves_of_line(const char *svg)
{
    const char *line = strstr(svg, "<path d=\"M");
    int moves = 0;
    assert_non_null(line);
    for (const char *c = line; *c != '>'; c++)
        moves += *c == 'M';
    return moves;
}

static void test_gaps_stay_gaps(void **state)
{
    (void)state;
    double y[] = {1, 2, 3, 4, 5};
    const chart_series series = {.count = 5, .x = LEVELS, .y = y};
    chart_panel panel = {.series = &series, .series_count = 1};
    const chart figure = {.panels = &panel, .panel_count = 1};
    char *svg = draw(&figure);
    assert_int_equal(moves_of_line(svg), 1);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 5);
    free(svg);
    y[2] = (double)NAN;
    svg = draw(&figure);
    assert_int_equal(moves_of_line(svg), 2);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 4);
    free(svg);
    y[2] = 0; /* nothing on a log axis */
    panel.y.log = true;
    svg = draw(&figure);
    assert_int_equal(moves_of_line(svg), 2);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 4);
    free(svg);
}

static void test_spread_is_drawn_where_it_is_known(void **state)
{
    (void)state;
    const double y[] = {1, 2, 3, 4, 5}, low[] = {0.5, 1.5, (double)NAN, 3, 4}, high[] = {2, 3, 4, 5, 6};
    const chart_series plain = {.count = 5, .x = LEVELS, .y = y},
                       spread = {.count = 5, .x = LEVELS, .y = y, .low = low, .high = high};
    chart_panel panel = {.y = {.low = 0, .high = 6}, .series = &plain, .series_count = 1};
    chart figure = {.panels = &panel, .panel_count = 1};
    char *svg = draw(&figure);
    const int lines = sfgp_test_count(svg, "<line");
    free(svg);
    panel.series = &spread;
    svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, "<line") - lines,
                     4 * 3); /* four of five levels, stem and two ends */
    free(svg);
    figure.spread = CHART_BANDS;
    svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, "<line"), lines);
    assert_int_equal(sfgp_test_count(svg, "fill-opacity"), 2); /* before and after the gap */
    free(svg);
}

/* Two whiskers at one level: side by side, but at that level to the eye (8 pixels). */
static void test_whiskers_stand_aside(void **state)
{
    (void)state;
    const double y[] = {1, 2, 3, 4, 5}, low[] = {0, 1, 2, 3, 4}, high[] = {2, 3, 4, 5, 6};
    chart_series series[] = {{.count = 5, .x = LEVELS, .y = y, .low = low, .high = high},
                             {.style = 1, .count = 5, .x = LEVELS, .y = y, .low = low, .high = high}};
    const chart_panel panel = {.series = series, .series_count = 2};
    chart figure = {.panels = &panel, .panel_count = 1};
    char *svg = draw(&figure);
    const double apart = marker_number(svg, "cx", 5) - marker_number(svg, "cx", 0);
    assert_true(apart > 2 && apart < 8);
    free(svg);
    figure.spread = CHART_BANDS;
    svg = draw(&figure);
    assert_near(marker_number(svg, "cx", 5), marker_number(svg, "cx", 0), PIXEL);
    free(svg);
}

/* Levels are ticks; a panel above another has ticks without texts; both use the same places. */
static void test_panels_share_their_levels(void **state)
{
    (void)state;
    const double share[] = {1, 1, 0.9, 0.8, 0.2}, error[] = {1, 2, 3, 4, 5};
    const chart_series top = {.name = "sfgp", .count = 5, .x = LEVELS, .y = share},
                       bottom = {.name = "sfgp", .count = 5, .x = LEVELS, .y = error};
    const chart_panel panels[] = {
        {.y = {.label = "Registered", .low = 0, .high = 1}, .series = &top, .series_count = 1, .weight = 0.4},
        {.y = {.label = "Error (mm)"}, .series = &bottom, .series_count = 1}};
    const chart figure = {.x = {.label = "Level", .at_data = true}, .panels = panels, .panel_count = 2};
    char *svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, ">Level</text>"), 1);
    assert_int_equal(sfgp_test_count(svg, ">sfgp</text>"), 1); /* one entry for both */
    assert_int_equal(sfgp_test_count(svg, ">0.3</text>"), 1);
    for (int k = 0; k < 5; k++)
        assert_near(marker_number(svg, "cx", k), marker_number(svg, "cx", 5 + k), 2 * PIXEL);
    assert_near(marker_number(svg, "cx", 2), text_number(svg, "x", "0.3"), 2 * PIXEL);
    assert_true(marker_number(svg, "cy", 4) < marker_number(svg, "cy", 9));
    free(svg);
}

static void test_a_method_looks_the_same_everywhere(void **state)
{
    (void)state;
    const double y[] = {1, 2, 3, 4, 5};
    const chart_series all[] = {{.name = "a", .style = 3, .count = 5, .x = LEVELS, .y = y},
                                {.name = "b", .style = 1, .count = 5, .x = LEVELS, .y = y}};
    chart_panel panel = {.series = all, .series_count = 2};
    const chart figure = {.panels = &panel, .panel_count = 1};
    char *both = draw(&figure), *one = NULL;
    panel.series = all + 1;
    panel.series_count = 1;
    one = draw(&figure);
    sfgp_assert_has(both, chart_style_row(3).colour);
    sfgp_assert_has(one, chart_style_row(1).colour);
    assert_null(strstr(one, chart_style_row(2).colour));
    assert_null(strstr(one, chart_style_row(3).colour));
    free(both);
    free(one);
    assert_string_equal(chart_style_row(15).colour, chart_style_row(1).colour);
    for (int a = 1; a <= 14; a++)
        for (int b = 1; b < a;
             b++) { /* told apart by colour, and without colours by dash; up to 8 by marker */
            assert_string_not_equal(chart_style_row(a).colour, chart_style_row(b).colour);
            assert_string_not_equal(chart_style_row(a).dash, chart_style_row(b).dash);
            if (a <= 8)
                assert_int_not_equal(chart_style_row(a).marker, chart_style_row(b).marker);
        }
}

static void test_figures_need_nothing_from_outside(void **state)
{
    (void)state;
    const double y[] = {1, 2, 3, 4, 5};
    const chart_series series = {.name = "x < y & \"z\"", .count = 5, .x = LEVELS, .y = y};
    const chart_panel panel = {.y = {.label = "<error>"}, .series = &series, .series_count = 1};
    const chart figure = {.title = "A & B", .x = {.label = "l'x"}, .panels = &panel, .panel_count = 1};
    char *svg = draw(&figure), *again = draw(&figure);
    assert_string_equal(svg, again);
    assert_ptr_equal(strstr(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"460\" height=\"320\" "
                                 "viewBox=\"0 0 460 320\""),
                     svg);
    sfgp_assert_has(svg, "<title>A &amp; B</title>");
    sfgp_assert_has(svg, ">x &lt; y &amp; &quot;z&quot;</text>");
    assert_int_equal(sfgp_test_count(svg, "http"), 1);
    assert_null(strstr(svg, " id="));
    assert_null(strstr(svg, "href"));
    assert_null(strstr(svg, "url("));
    free(svg);
    free(again);
}

/* For those who do not see it: a figure without a title is called by its axes. */
static void test_figures_are_named_by_their_axes(void **state)
{
    (void)state;
    const double y[] = {1, 2, 3, 4, 5};
    const chart_series series = {.name = "s", .count = 5, .x = LEVELS, .y = y};
    const chart_panel panel = {.y = {.label = "Error (<mm>)"}, .series = &series, .series_count = 1};
    chart figure = {.x = {.label = "level"}, .panels = &panel, .panel_count = 1};
    char *svg = draw(&figure);
    sfgp_assert_has(svg, "<title>Error (&lt;mm&gt;) by level</title>");
    free(svg);
    figure.x.label = NULL;
    svg = draw(&figure);
    sfgp_assert_has(svg, "<title>Error (&lt;mm&gt;)</title>");
    free(svg);
}

/* Each point of a series may have a text; a point that is not finite has none. */
static void test_points_have_their_labels(void **state)
{
    (void)state;
    static const char *const LABELS[] = {"one", NULL, "", "far", "five"};
    const double y[] = {1, 2, 3, 4, (double)NAN};
    const chart_series series[] = {{.name = "", .count = 5, .x = LEVELS, .y = y, .labels = LABELS},
                                   {.name = NULL, .count = 5, .x = LEVELS, .y = y}};
    const chart_panel panel = {.y = {.low = 0, .high = 10}, .series = series, .series_count = 2};
    const chart figure = {.title = "Named", .panels = &panel, .panel_count = 1};
    char *svg = draw(&figure);
    sfgp_assert_has(svg, "<title>Named</title>");
    sfgp_assert_has(svg, ">one</text>");
    sfgp_assert_has(svg, ">far</text>");
    assert_null(strstr(svg, ">five</text>"));
    free(svg);
}

static void test_charts_of_little_or_nothing(void **state)
{
    (void)state;
    const double nothing[] = {(double)NAN, (double)INFINITY}, one[] = {3, 3};
    chart_series series = {.name = "s", .count = 0, .x = one, .y = one};
    chart_panel panel = {.series = &series, .series_count = 1};
    chart figure = {.panels = &panel, .panel_count = 0};
    char *svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, "no data"), 1);
    sfgp_assert_has(svg, "<title>Figure</title>");
    free(svg);
    figure.panel_count = 1;
    svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, "no data"), 1);
    free(svg);
    series = (chart_series){.name = "s", .count = 2, .x = one, .y = nothing};
    svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, "no data"), 1);
    free(svg);
    series = (chart_series){.count = 1, .x = one, .y = one};
    svg = draw(&figure);
    assert_int_equal(sfgp_test_count(svg, "no data"), 0);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 1);
    free(svg);
}

/* Numbers of every size in every kind of chart: well-formed and finite (draw looks). */
static void test_charts_stand_anything(void **state)
{
    (void)state;
    static const double ODD[] = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 1e-320,
                                 1e308,
                                 -1e308,
                                 1e15,
                                 1e-9,
                                 3.25,
                                 (double)NAN,
                                 (double)INFINITY,
                                 -(double)INFINITY};
    unsigned seed = 12345;
    double x[8], y[8], low[8], high[8], *columns[] = {x, y, low, high};
    for (int round = 0; round < 400; round++) {
        for (int k = 0; k < 32; k++, seed = seed * 1664525u + 1013904223u)
            columns[k / 8][k % 8] = ODD[(seed >> 16) % 13] * (round % 2 ? 1 : (double)(seed >> 20));
        const chart_series series = {.name = "n", .count = 8, .x = x, .y = y, .low = low, .high = high};
        const chart_panel panel = {.y = {.log = round & 1}, .series = &series, .series_count = 1};
        const chart figure = {.x = {.log = round & 2, .at_data = round & 4},
                              .mark = round & 8 ? CHART_POINTS : CHART_LINES,
                              .spread = round & 16 ? CHART_BANDS : CHART_WHISKERS,
                              .panels = &panel,
                              .panel_count = 1};
        free(draw(&figure));
        const chart_sample samples[] = {{8, x}, {8, y}};
        const char *const names[] = {"a", "b"};
        const chart_boxes boxes = {.y = {.log = round & 1},
                                   .groups = names,
                                   .group_count = 2,
                                   .series = names,
                                   .series_count = 1,
                                   .samples = samples};
        free(draw_boxes(&boxes));
    }
}

/* Texts that would touch are left out, their ticks are not; more than twelve levels are no levels. */
static void test_crowded_levels_lose_texts(void **state)
{
    (void)state;
    double x[13];
    for (int k = 0; k < 13; k++)
        x[k] = 1000 + k;
    chart_series series = {.count = 12, .x = x, .y = x};
    const chart_panel panel = {.y = {.low = 1, .high = 2}, .series = &series, .series_count = 1};
    chart figure = {.width = 200, .x = {.at_data = true}, .panels = &panel, .panel_count = 1};
    char *narrow = draw(&figure), *wide = NULL;
    figure.width = 900;
    wide = draw(&figure);
    assert_int_equal(sfgp_test_count(narrow, "<line"), sfgp_test_count(wide, "<line"));
    assert_int_equal(sfgp_test_count(wide, ">10"), 12);
    assert_in_range(sfgp_test_count(narrow, ">10"), 2, 6);
    free(narrow);
    free(wide);
    series.count = 13;
    wide = draw(&figure);
    assert_in_range(sfgp_test_count(wide, ">10"), 3, 9);
    free(wide);
}

static void test_no_memory_is_said(void **state)
{
    (void)state;
    const chart_series series = {.count = 5, .x = LEVELS, .y = LEVELS};
    const chart_panel panel = {.series = &series, .series_count = 1};
    const chart figure = {.panels = &panel, .panel_count = 1};
    const chart_sample sample = {5, LEVELS};
    const char *const name = "s";
    const chart_boxes boxes = {
        .groups = &name, .group_count = 1, .series = &name, .series_count = 1, .samples = &sample};
    for (int full = 0; full < 2; full++) {
        char *text = (char *)&sample;
        stream_is_full = full;
        stream_fails_at = 0;
        assert_int_equal(chart_svg(&figure, &text), SFGP_ERROR_MEMORY);
        assert_null(text);
        text = (char *)&sample;
        stream_fails_at = 0;
        assert_int_equal(chart_boxes_svg(&boxes, &text), SFGP_ERROR_MEMORY);
        assert_null(text);
    }
}

/* ---- texts at points --------------------------------------------------------------------------------- */

static void test_labels_keep_off_each_other(void **state)
{
    (void)state;
    chart_labels labels = {.area = {0, 0, 400, 300}};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const double points[][2] = {{200, 150}, {205, 152}, {398, 150}, {2, 2}};
    for (int k = 0; k < 4; k++)
        chart_labels_avoid(&labels, points[k][0], points[k][1]);
    for (int k = 0; k < 4; k++)
        chart_labels_draw(&labels, out, "method", points[k][0], points[k][1]);
    chart_labels_draw(&labels, out, NULL, 100, 100);
    fclose(out);
    assert_int_equal(sfgp_test_count(text, "<text"), 4);
    assert_int_equal(labels.count, 8);
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < a; b++) {
            const chart_area *p = &labels.occupied[a], *q = &labels.occupied[b];
            const bool markers = a < 4 && b < 4;
            assert_true(markers || p->right <= q->left || q->right <= p->left || p->bottom <= q->top ||
                        q->bottom <= p->top);
            assert_true(a < 4 || (p->left >= 0 && p->right <= 400 && p->top >= 0 && p->bottom <= 300));
        }
    free(text);
}

/* ---- boxes ------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quartile k of 4 with n - 1 divisible by 4: an order statistic, whatever the rule between them. */
static void test_boxes_are_the_quartiles(void **state)
{
    (void)state;
    double values[41];
    unsigned seed = 7;
    for (int k = 0; k < 41; k++, seed = seed * 1664525u + 1013904223u)
        values[k] = 30 + (double)(seed >> 26) / 4; /* 30 to 46 */
    values[5] = 95;
    values[6] = 2;
    values[7] = (double)NAN; /* does not count: 40 remain, so one more */
    double sorted[41];
    memcpy(sorted, values, sizeof values);
    sorted[7] = values[7] = 33;
    qsort(sorted, 41, sizeof(double), compare);
    const chart_sample sample = {41, values};
    const char *const group = "ears", *const name = "sfgp";
    const chart_boxes figure = {.y = {.low = 0, .high = 100},
                                .groups = &group,
                                .group_count = 1,
                                .series = &name,
                                .series_count = 1,
                                .samples = &sample};
    char *svg = draw_boxes(&figure);
    const double zero = text_number(svg, "y", "0") - 4, hundred = text_number(svg, "y", "100") - 4;
    const char *box = find(svg, "<rect", 1); /* after the ground */
    const double top = number_at(box, "y"), height = number_at(box, "height");
    const double pixel = (zero - hundred) / 100;
    assert_near(zero - top, sorted[30] * pixel, 3 * PIXEL);
    assert_near(zero - top - height, sorted[10] * pixel, 3 * PIXEL);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 2); /* 95 and 2 */
    const double dots = marker_number(svg, "cy", 0) + marker_number(svg, "cy", 1);
    assert_near(2 * zero - dots, 97 * pixel, 4 * PIXEL);
    assert_int_equal(sfgp_test_count(svg, ">ears</text>"), 1);
    free(svg);
}

/* Between order statistics: of 1, 2, 4, 8 the quartiles are 1.75, 3, 5; a value that is not finite is none.
 */
static void test_quartiles_are_linear_between_values(void **state)
{
    (void)state;
    const double values[] = {8, (double)NAN, 1, 4, 2};
    const chart_sample samples[] = {{5, values}, {0, NULL}};
    const char *const groups[] = {"missing", "observed"}, *const name = "sfgp";
    const chart_boxes figure = {.y = {.low = 0, .high = 10},
                                .groups = groups,
                                .group_count = 2,
                                .series = &name,
                                .series_count = 1,
                                .samples = samples};
    char *svg = draw_boxes(&figure);
    const double zero = text_number(svg, "y", "0") - 4, pixel = (zero - text_number(svg, "y", "10") + 4) / 10;
    const char *box = find(svg, "<rect", 1), *median = find(box, "<line", 0);
    assert_null(find(svg, "<rect", 2)); /* nothing in the empty place */
    assert_near(zero - number_at(box, "y"), 5 * pixel, 3 * PIXEL);
    assert_near(number_at(box, "height"), 3.25 * pixel, 3 * PIXEL);
    assert_near(zero - number_at(median, "y1"), 3 * pixel, 3 * PIXEL);
    free(svg);
}

/* Names that would touch stand in two rows, others in one. */
static void test_long_names_of_groups_do_not_touch(void **state)
{
    static const char *const SHORT[] = {"a", "b"}, *const LONG[] = {
                                                       "the outliers of all the scans with omega 0.1",
                                                       "the outliers of all the scans with omega 0.3"};
    const double values[] = {1, 2, 4, 8};
    const chart_sample samples[] = {{4, values}, {4, values}};
    const char *const name = "sfgp";
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *const *groups = k ? LONG : SHORT;
        const chart_boxes figure = {.y = {.low = 0, .high = 10},
                                    .groups = groups,
                                    .group_count = 2,
                                    .series = &name,
                                    .series_count = 1,
                                    .samples = samples};
        char *svg = draw_boxes(&figure);
        assert_near(text_number(svg, "y", groups[1]) - text_number(svg, "y", groups[0]), k ? 16 : 0, PIXEL);
        free(svg);
    }
}

/* Quartiles 20 and 40: whiskers reach as far as 70. */
static void test_whiskers_end_at_one_and_a_half_ranges(void **state)
{
    (void)state;
    double values[] = {10, 20, 30, 40, 70};
    const chart_sample sample = {5, values};
    const char *const name = "s";
    const chart_boxes figure = {
        .groups = &name, .group_count = 1, .series = &name, .series_count = 1, .samples = &sample};
    char *svg = draw_boxes(&figure);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 0);
    free(svg);
    values[4] = 70.1;
    svg = draw_boxes(&figure);
    assert_int_equal(sfgp_test_count(svg, "<circle"), 1);
    free(svg);
}

static void test_boxes_of_series_have_a_legend(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3};
    const chart_sample samples[] = {{3, values}, {3, values}, {3, values}, {3, values}};
    const char *const groups[] = {"missing", "observed"}, *const series[] = {"sfgp", "bcpd"};
    const int styles[] = {2, 5};
    const chart_boxes figure = {.title = "Ears",
                                .groups = groups,
                                .group_count = 2,
                                .series = series,
                                .styles = styles,
                                .series_count = 2,
                                .samples = samples};
    char *svg = draw_boxes(&figure);
    assert_int_equal(sfgp_test_count(svg, ">bcpd</text>"), 1);
    assert_int_equal(sfgp_test_count(svg, "fill-opacity"), 4);
    sfgp_assert_has(svg, chart_style_row(5).colour);
    assert_null(strstr(svg, chart_style_row(1).colour));
    assert_true(text_number(svg, "x", "missing") < text_number(svg, "x", "observed"));
    free(svg);
    const chart_boxes empty = {.title = "Ears"};
    svg = draw_boxes(&empty);
    assert_int_equal(sfgp_test_count(svg, "no data"), 1);
    free(svg);
}

/* Of all markers rings alone are white inside. */
static void test_rings_are_hollow(void **state)
{
    (void)state;
    for (int marker = 0; marker <= CHART_RING; marker++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        chart_style style = chart_style_row(0);
        style.marker = (chart_marker)marker;
        chart_draw_marker(out, &style, 10, 10, 5);
        fclose(out);
        assert_int_equal(strstr(text, " fill=\"#fff\"") != NULL, marker == CHART_RING);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_are_hollow),
        cmocka_unit_test(test_text_is_escaped),
        cmocka_unit_test(test_coordinates_are_short),
        cmocka_unit_test(test_ticks_are_round),
        cmocka_unit_test(test_scales_map_linearly_and_by_ratio),
        cmocka_unit_test(test_scales_stand_anything),
        cmocka_unit_test(test_points_are_where_the_axes_say),
        cmocka_unit_test(test_gaps_stay_gaps),
        cmocka_unit_test(test_spread_is_drawn_where_it_is_known),
        cmocka_unit_test(test_whiskers_stand_aside),
        cmocka_unit_test(test_panels_share_their_levels),
        cmocka_unit_test(test_a_method_looks_the_same_everywhere),
        cmocka_unit_test(test_figures_need_nothing_from_outside),
        cmocka_unit_test(test_figures_are_named_by_their_axes),
        cmocka_unit_test(test_points_have_their_labels),
        cmocka_unit_test(test_charts_of_little_or_nothing),
        cmocka_unit_test(test_charts_stand_anything),
        cmocka_unit_test(test_crowded_levels_lose_texts),
        cmocka_unit_test(test_no_memory_is_said),
        cmocka_unit_test(test_labels_keep_off_each_other),
        cmocka_unit_test(test_boxes_are_the_quartiles),
        cmocka_unit_test(test_quartiles_are_linear_between_values),
        cmocka_unit_test(test_whiskers_end_at_one_and_a_half_ranges),
        cmocka_unit_test(test_boxes_of_series_have_a_legend),
        cmocka_unit_test(test_long_names_of_groups_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
