/* The page of a fit: its numbers against those by hand, thinned shapes, and everything that comes from files escaped. */
#include "support/locale.h"
#include "support/support.h"

#include "page/fit_page.h"
#include "page/fit_values.h"
#include "page/thin.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes ------------------------------------------------------------------------------------------ */

/* A wavy sheet of side x side points with quadrilaterals. */
static sfgp_mesh *make_sheet(sfgp_context *context, int64_t side)
{
    sfgp_mesh *mesh = NULL;
    const int64_t faces = (side - 1) * (side - 1);
    sfgp_assert_ok(context, sfgp_mesh_new(context, side * side, 3, faces, 4 * faces, &mesh));
    for (int64_t k = 0; k < side * side; k++) {
        const double x = (double)(k % side) / (double)side, y = (double)(k / side) / (double)side;
        const double point[3] = {x, y, 0.1 * sin(6 * x + 3 * y)};
        memcpy(mesh->points + 3 * k, point, sizeof point);
    }
    for (int64_t f = 0; f <= faces; f++)
        mesh->face_start[f] = 4 * f;
    for (int64_t f = 0; f < faces; f++) {
        const int64_t a = f / (side - 1) * side + f % (side - 1),
                      corners[4] = {a, a + 1, a + side + 1, a + side};
        memcpy(mesh->face_points + 4 * f, corners, sizeof corners);
    }
    return mesh;
}

/* A result of that many points at the reference plus (1, 2, 2), of which the first `missing` are missing. */
static sfgp_result *make_result(const sfgp_mesh *reference, int64_t missing)
{
    sfgp_result *r = calloc(1, sizeof *r);
    const size_t n = (size_t)reference->count;
    *r = (sfgp_result){.count = reference->count,
                       .dimension = 3,
                       .iterations = 17,
                       .missing_count = missing,
                       .explained = 0.75,
                       .points = malloc(3 * n * sizeof(double)),
                       .sd = malloc(n * sizeof(double)),
                       .missing = calloc(n, 1),
                       .settings = malloc(sizeof *r->settings)};
    for (int64_t i = 0; i < reference->count; i++) {
        for (int k = 0; k < 3; k++)
            r->points[3 * i + k] = reference->points[3 * i + k] + (k == 0 ? 1 : 2);
        r->missing[i] = i < missing;
        r->sd[i] = i < missing ? 0.5 : 0.25;
    }
    sfgp_settings_default(r->settings);
    return r;
}

static void free_result(sfgp_result *r)
{
    free(r->points);
    free(r->sd);
    free(r->missing);
    free(r->settings);
    free(r);
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("%.12g, expected %.12g", value, expected);
}

/* Moved by (1, 2, 2): the motion is all of it, 3 long; nothing is left. The scan lies 1 above the fit. */
static void motions_are_taken_out(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8), *scan = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    fit_values v;
    for (int64_t i = 0; i < scan->count; i++) {
        memcpy(scan->points + 3 * i, r->points + 3 * i, 3 * sizeof(double));
        scan->points[3 * i + 2] += 1;
    }
    scan->face_count = 0;
    sfgp_assert_ok(*state, fit_values_make(*state, sheet, scan, r, &v));
    assert_near(v.shift, 3);
    assert_true(v.turn < 1e-5); /* acos of 1 less some ulps */
    assert_near(v.quantities[FIT_DEVIATION].largest, 0);
    assert_near(v.quantities[FIT_SD].mean, 0.25 * 0.5 + 0.75 * 0.25);
    assert_near(v.quantities[FIT_SD].observed, 0.25);
    assert_near(v.quantities[FIT_SD].missing, 0.5);
    assert_near(v.quantities[FIT_SD].largest, 0.5);
    assert_true(v.quantities[FIT_DISTANCE].largest <= 1 + 1e-12 && v.quantities[FIT_DISTANCE].mean > 0.5);
    assert_near(v.quantities[FIT_SD].top, 0.5);
    fit_values_clear(&v);
    scan->points[0] = (double)NAN;
    sfgp_assert_status(*state, fit_values_make(*state, sheet, scan, r, &v), SFGP_ERROR_DATA);
    fit_values_clear(&v);
    scan->points[0] = 0;
    r->outcome = SFGP_NO_OVERLAP; /* no motion is looked for */
    sfgp_assert_ok(*state, fit_values_make(*state, sheet, scan, r, &v));
    assert_near(v.shift, 0);
    assert_near(v.quantities[FIT_DEVIATION].mean, 3);
    fit_values_clear(&v);
    free_result(r);
    sfgp_mesh_free(scan);
    sfgp_mesh_free(sheet);
}

/* ---- thin -------------------------------------------------------------------------------------------- */

static void dense_shapes_are_thinned(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 100);
    thin_shape thin;
    sfgp_assert_ok(*state, thin_make(*state, sheet, 1000, &thin));
    assert_true(thin.mesh->count <= 1000 && thin.mesh->count > 400);
    assert_true(thin.mesh->face_count > thin.mesh->count && thin.mesh->face_count < 3 * thin.mesh->count);
    for (int64_t k = 0; k < thin.mesh->count; k++) {
        assert_true(k == 0 || thin.index[k] > thin.index[k - 1]);
        assert_memory_equal(thin.mesh->points + 3 * k, sheet->points + 3 * thin.index[k], 3 * sizeof(double));
    }
    for (int64_t k = 0; k < 3 * thin.mesh->face_count; k++)
        assert_true(thin.mesh->face_points[k] >= 0 && thin.mesh->face_points[k] < thin.mesh->count);
    double *values = thin_values(&thin, sheet->points, 3);
    assert_memory_equal(values, thin.mesh->points, (size_t)thin.mesh->count * 3 * sizeof(double));
    free(values);
    thin_clear(&thin);
    sfgp_mesh_free(sheet);
}

static void small_shapes_stay_as_they_are(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 5);
    thin_shape thin;
    sfgp_assert_ok(*state, thin_make(*state, sheet, 25, &thin));
    assert_int_equal(thin.mesh->count, 25);
    assert_int_equal(thin.mesh->face_count, 32); /* 16 quadrilaterals */
    assert_memory_equal(thin.mesh->points, sheet->points, 75 * sizeof(double));
    thin_clear(&thin);
    for (int k = 0; k < 75; k++) /* all points in one place */
        sheet->points[k] = 1;
    sfgp_assert_ok(*state, thin_make(*state, sheet, 10, &thin));
    assert_int_equal(thin.mesh->count, 1);
    assert_int_equal(thin.mesh->face_count, 0);
    thin_clear(&thin);
    sfgp_mesh_free(sheet);
}

/* ---- page -------------------------------------------------------------------------------------------- */

/* Not inlined: gcc 12 would take what it returns for a pointer to its local variable. */
__attribute__((noinline)) static char *make_page(sfgp_context *context, const sfgp_mesh *reference,
                                                 const sfgp_result *r, const char *const *warnings,
                                                 int64_t count)
{
    const fit_page_input input = {.context = context,
                                  .result = r,
                                  .reference = reference,
                                  .scan = reference,
                                  .options = {.reference = "a/<b>\"&'.ply",
                                              .target = "</script><script>alert(1)</script>.csv",
                                              .unit = "<mm>",
                                              .warnings = warnings,
                                              .warning_count = count}};
    char *text = NULL;
    size_t size = 0;
    sfgp_assert_ok(context, fit_page_make(&input, &text, &size));
    assert_int_equal(strlen(text), size);
    return text;
}

static void pages_escape_what_comes_from_files(void **state)
{
    static const char *const WARNINGS[] = {"<img src=x onerror=alert(2)> & more", "\xff\x01"};
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    snprintf(r->settings->kernel, sizeof r->settings->kernel, "<i>kernel</i>");
    char *text = make_page(*state, sheet, r, WARNINGS, 2);
    sfgp_assert_has(text, "<title>Fit of &lt;b&gt;&quot;&amp;&#39;.ply to script&gt;.csv</title>");
    sfgp_assert_has(text, "a/&lt;b&gt;&quot;&amp;&#39;.ply (64 points)");
    sfgp_assert_has(text, "Warning: &lt;img src=x onerror=alert(2)&gt; &amp; more");
    sfgp_assert_has(text, "Warning: ??");
    sfgp_assert_has(text, "&lt;i&gt;kernel&lt;/i&gt;");
    sfgp_assert_has(text, "&lt;mm&gt;");
    assert_null(strstr(text, "<script>alert"));
    assert_null(strstr(text, "<img src=x"));
    assert_null(strstr(text, "<mm>"));
    assert_null(strstr(text, "<i>kernel"));
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

/* A 0 in the settings is no value of what the method does not read, and none of an auto that nothing resolved. */
static void pages_say_which_settings_are_not_used(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    r->settings->lambda = 0, r->settings->max_time = 0, r->settings->omega = 0.125, r->settings->seed = 0;
    char *text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, ">lambda</td><td class=\"words\">not used by auto</td>");
    sfgp_assert_has(text, ">max_time</td><td class=\"words\">auto</td>");
    sfgp_assert_has(text, ">omega</td><td class=\"words\">0.125</td>");
    sfgp_assert_has(text, ">seed</td><td class=\"words\">0</td>");
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

/* A fit with a model of 60 shapes had "Training shapes: 0". */
static void pages_do_not_deny_the_shapes_of_a_model(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    char *text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, ">Training shapes</td><td class=\"words\">0</td>");
    free(text);
    snprintf(r->settings->kernel, sizeof r->settings->kernel, "pca+se:length=30,variance=1.5");
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, ">Training shapes</td><td class=\"words\">those of the model</td>");
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

static void pages_say_what_became_of_the_fit(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    char *text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "converged after 17 iterations");
    sfgp_assert_has(
        text,
        "25 % of the shape (16 of 64 points) is not in the scan; it is predicted, with a standard deviation of "
        "0.5 &lt;mm&gt; in the mean.");
    sfgp_assert_has(text, "75 % of the 64 points of the scan lie on the shape.");
    sfgp_assert_has(text, "its centroid moved by 3 &lt;mm&gt;");
    sfgp_assert_has(
        text,
        "x&#39; = R x + t of the reference: rows of R and t</td><td class=\"words\">1 0 0 1; 0 1 0 2; 0 0 1 2</td>");
    assert_int_equal(sfgp_test_count(text, "<figure class=\"picture\">"), 4);
    assert_int_equal(sfgp_test_count(text, "<img width="), sfgp_test_count(text, "\" alt=\"The "));
    free(text);
    r->outcome = SFGP_MAX_TIME;
    r->seconds = 2.5;
    r->missing_count = 1;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "ended by its limit of time, after 2.5 s");
    free(text);
    r->outcome = SFGP_DOUBTFUL;
    r->doubts = SFGP_DOUBT_DISTANCE;
    r->sigma = 0.25;
    r->detail = 0.5;
    r->detail_length = 2;
    r->detail_points = 64;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "the points of the scan lie 0.25 &lt;mm&gt; from it");
    sfgp_assert_has(text, "0.5 &lt;mm&gt;, alike over 2 &lt;mm&gt;</td>");
    free(text);
    r->detail_points = 32;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(
        text, "0.5 &lt;mm&gt;, alike over 2 &lt;mm&gt;, at 32 of 64 points and carried to the others</td>");
    free(text);
    r->doubts = SFGP_DOUBT_POSE;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(
        text, "at another pose, turned by more than 20 degrees, the shape explains the scan nearly as well");
    free(text);
    r->doubts = SFGP_DOUBT_ERROR;
    r->expected_error = 1.5;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "By the stated deviations its points are 1.5 &lt;mm&gt; from the true ones");
    free(text);
    r->doubts |= SFGP_DOUBT_LENGTH;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "the fit is shorter than the reference there. Its length is a guess.");
    free(text);
    r->doubts |= SFGP_DOUBT_BESIDE;
    r->omega = 0.375;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "it takes 38 % of the scan for noise and other surfaces");
    free(text);
    r->doubts |= SFGP_DOUBT_MIRROR;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "If the scan is of the other side of the body, set mirror to 1.");
    free(text);
    r->outcome = SFGP_NO_OVERLAP;
    memset(r->missing, 1, 64);
    r->missing_count = 64;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "No overlap");
    sfgp_assert_has(text, "The scan shows no point of the shape.");
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

/* The page of a fit of Python and of the library is the same, and they have no flags. */
static void pages_name_settings_and_no_flags(void **state)
{
    static const struct {
        sfgp_outcome outcome;
        unsigned doubts;
        const char *words;
    } fits[] = {{SFGP_CONVERGED, 0, "converged after"},
                {SFGP_MAX_ITERATIONS, 0, "the setting max_iterations allows more."},
                {SFGP_MAX_TIME, 0, "the setting max_time allows more."},
                {SFGP_NO_OVERLAP, 0, "No overlap"},
                {SFGP_DOUBTFUL, SFGP_DOUBT_DISTANCE, "Landmarks give the pose."},
                {SFGP_DOUBTFUL, SFGP_DOUBT_ERROR, "Training shapes or landmarks say more."},
                {SFGP_DOUBTFUL, SFGP_DOUBT_POSE, "Landmarks give the pose."},
                {SFGP_DOUBTFUL, SFGP_DOUBT_BESIDE, "cut the scan to the shape."},
                {SFGP_DOUBTFUL, SFGP_DOUBT_LENGTH, "or training shapes tell it."},
                {SFGP_DOUBTFUL, SFGP_DOUBT_MIRROR, "set mirror to"}};
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    for (size_t k = 0; k < sizeof fits / sizeof *fits; k++) {
        r->outcome = fits[k].outcome;
        r->doubts = fits[k].doubts;
        char *text = make_page(*state, sheet, r, NULL, 0);
        char *body = strstr(text, "<main>"), *end = strstr(text, "</main>");
        assert_true(body && end);
        *end = '\0';
        sfgp_assert_has(body, fits[k].words);
        for (const char *at = body; (at = strstr(at, " --")); at += 3)
            if (islower((unsigned char)at[3]))
                fail_msg("a flag: %.40s", at);
        free(text);
    }
    free_result(r);
    sfgp_mesh_free(sheet);
}

static double number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    assert_non_null(at);
    return atof(at + strlen(words));
}

/* A mirrored fit is shown beside the mirror image of its reference: nothing is left as deformation. */
static void pages_mirror_the_reference(void **state)
{
    static const char WORDS[] = "What is left is deformation: ";
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    for (int64_t i = 0; i < r->count; i++)
        r->points[3 * i] = 5 - sheet->points[3 * i];
    char *text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "The reference was turned by");
    assert_true(number_after(text, WORDS) > 0.01);
    free(text);
    r->settings->mirror = 1;
    text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "The mirror image of the reference was turned by");
    assert_true(number_after(text, WORDS) < 1e-9);
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

/* A million points would make a page of 100 MB. */
static void dense_fits_make_small_pages(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 220);
    sfgp_result *r = make_result(sheet, 0);
    r->outcome = SFGP_MAX_ITERATIONS;
    r->explained = 1;
    char *text = make_page(*state, sheet, r, NULL, 0);
    sfgp_assert_has(text, "has not converged");
    sfgp_assert_has(text, "The scan shows all 48400 points");
    sfgp_assert_has(text, "All 48400 points of the scan lie on the shape");
    sfgp_assert_has(text, "of the 48400 points of the fit");
    sfgp_assert_has(text, "of the 48400 points of the scan");
    assert_true(strlen(text) < 6000000);
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

/* ---- the public function --------------------------------------------------------------------------------- */

/* The file is the page; without options it names the shapes by what they are. */
static void files_hold_the_page(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    const fit_page_input input = {
        *state, r, sheet, sheet, {.reference = "r.ply", .target = "target", .unit = ""}};
    const sfgp_page_options options = {.reference = "r.ply"};
    const char *path = test_path("page.html");
    char *text = NULL;
    size_t size = 0;
    sfgp_assert_ok(*state, fit_page_make(&input, &text, &size));
    sfgp_assert_ok(*state, sfgp_result_write_html(*state, r, sheet, sheet, &options, path));
    char *file = sfgp_test_read(path, NULL);
    assert_string_equal(file, text);
    free(file);
    sfgp_assert_ok(*state, sfgp_result_write_html(*state, r, sheet, sheet, NULL, path));
    file = sfgp_test_read(path, NULL);
    sfgp_assert_has(file, "<title>Fit of reference to target</title>");
    free(file);
    free(text);
    free_result(r);
    sfgp_mesh_free(sheet);
}

/* The options of a program that was compiled before `target` was a field, were there such a one, and of a later version. */
static void options_have_a_size(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8), *other = make_sheet(*state, 9);
    sfgp_result *r = make_result(sheet, 16);
    const sfgp_page_options options = {.reference = "r", .target = "t"};
    const size_t before = offsetof(sfgp_page_options, target);
    const char *path = test_path("page.html");
    sfgp_assert_ok(*state, sfgp_result_write_html_sized(*state, r, sheet, sheet, &options, before, path));
    char *file = sfgp_test_read(path, NULL);
    sfgp_assert_has(file, "<title>Fit of r to target</title>");
    free(file);
    sfgp_assert_status(
        *state, sfgp_result_write_html_sized(*state, r, sheet, sheet, &options, sizeof options + 8, path),
        SFGP_ERROR_PARAMETER);
    sfgp_assert_status(*state, sfgp_result_write_html(*state, r, other, sheet, NULL, path), SFGP_ERROR_DATA);
    sfgp_mesh flat = *sheet, empty = *sheet;
    flat.dimension = 2;
    empty.count = 0;
    sfgp_assert_status(*state, sfgp_result_write_html(*state, r, &flat, sheet, NULL, path), SFGP_ERROR_DATA);
    sfgp_assert_status(*state, sfgp_result_write_html(*state, r, sheet, &flat, NULL, path), SFGP_ERROR_DATA);
    sfgp_assert_error(*state, sfgp_result_write_html(*state, r, sheet, &empty, NULL, path), SFGP_ERROR_DATA,
                      "target: 0 points in 3D, the fit is in 3D");
    const sfgp_status refused[] = {sfgp_result_write_html(*state, r, sheet, sheet, NULL, NULL),
                                   sfgp_result_write_html(*state, r, sheet, NULL, NULL, path),
                                   sfgp_result_write_html(*state, r, NULL, sheet, NULL, path),
                                   sfgp_result_write_html(*state, NULL, sheet, sheet, NULL, path),
                                   sfgp_result_write_html(NULL, r, sheet, sheet, NULL, path)};
    for (int k = 0; k < 5; k++)
        assert_int_equal(refused[k], SFGP_ERROR_PARAMETER);
    free_result(r);
    sfgp_mesh_free(sheet);
    sfgp_mesh_free(other);
}

/* A host with decimal commas gets the same page, and keeps its locale. */
static void pages_have_decimal_points_in_every_locale(void **state)
{
    sfgp_mesh *sheet = make_sheet(*state, 8);
    sfgp_result *r = make_result(sheet, 16);
    const char *path = test_path("page.html");
    char number[16];
    sfgp_test_comma_locale(); /* first: it may skip */
    setlocale(LC_ALL, "C");
    sfgp_assert_ok(*state, sfgp_result_write_html(*state, r, sheet, sheet, NULL, path));
    char *before = sfgp_test_read(path, NULL);
    sfgp_test_comma_locale();
    sfgp_assert_ok(*state, sfgp_result_write_html(*state, r, sheet, sheet, NULL, path));
    snprintf(number, sizeof number, "%.1f", 0.5);
    setlocale(LC_ALL, "C");
    char *after = sfgp_test_read(path, NULL);
    assert_string_equal(number, "0,5");
    assert_string_equal(after, before);
    free(before);
    free(after);
    free_result(r);
    sfgp_mesh_free(sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(motions_are_taken_out),
        sfgp_unit_test(dense_shapes_are_thinned),
        sfgp_unit_test(small_shapes_stay_as_they_are),
        sfgp_unit_test(pages_escape_what_comes_from_files),
        sfgp_unit_test(pages_say_which_settings_are_not_used),
        sfgp_unit_test(pages_do_not_deny_the_shapes_of_a_model),
        sfgp_unit_test(pages_say_what_became_of_the_fit),
        sfgp_unit_test(pages_name_settings_and_no_flags),
        sfgp_unit_test(pages_mirror_the_reference),
        sfgp_unit_test(dense_fits_make_small_pages),
        sfgp_unit_test(files_hold_the_page),
        sfgp_unit_test(options_have_a_size),
        sfgp_unit_test(pages_have_decimal_points_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
