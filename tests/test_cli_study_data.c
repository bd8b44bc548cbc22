/* sfgp compare on data that change, that are not finite, and on views that are not those of the study. */
#include "test_cli_compare.h"

#include <hdf5.h>
#include <math.h>

enum { POINTS = 40, FEWER = 24 };

/* Points of a bent line in the plane. */
static const char *line_file(const char *name, int count, double shift)
{
    double points[2 * POINTS];
    for (int k = 0; k < count; k++) {
        points[2 * k] = (double)k / count;
        points[2 * k + 1] = 0.2 * sin(6.0 * k / count) + shift;
    }
    return cli_points(name, count, 2, points);
}

/* ---- a folder of files ------------------------------------------------------------------------------- */

static const char *folder_study(const char *folder)
{
    char name[64];
    snprintf(name, sizeof name, "%s.json", folder);
    return compare_study(
        name,
        "{'sets':[{'name':'s','folder':'%s','reference':'ref.txt','scans':'scan','truth':'truth/{id}.txt'}],"
        "'methods':[{'name':'near','method':'closest-point'}],'views':[{'set':'s'}]}",
        test_path(folder));
}

static const char *in_data(const char *folder, const char *file)
{
    static char names[8][128];
    static int next;
    char *name = names[next++ % 8];
    snprintf(name, sizeof names[0], "%s/%s", folder, file);
    return name;
}

static void make_data(const char *folder)
{
    assert_int_equal(mkdir(test_path(folder), 0777), 0);
    assert_int_equal(mkdir(test_path(in_data(folder, "scan")), 0777), 0);
    assert_int_equal(mkdir(test_path(in_data(folder, "truth")), 0777), 0);
    line_file(in_data(folder, "ref.txt"), POINTS, 0);
    line_file(in_data(folder, "scan/a.txt"), POINTS, 0.1);
    line_file(in_data(folder, "truth/a.txt"), POINTS, 0.1);
}

/* Rows of other data would stand beside new ones; a fit of more points than the reference would be read past its
 * end. */
static void other_data_are_another_study(void **state)
{
    static const char *const FILES[] = {"ref.txt", "scan/a.txt", "truth/a.txt"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char folder[16], output[16];
        snprintf(folder, sizeof folder, "data%d", k);
        snprintf(output, sizeof output, "out%d", k);
        make_data(folder);
        const char *study = folder_study(folder);
        compare_run(study, test_path(output), "1");
        compare_run(study, test_path(output), "1"); /* the same data go on */
        line_file(in_data(folder, FILES[k]), FEWER, 0.1);
        cli_expect(sfgp_run_program("compare", study, "-o", test_path(output), NULL), 2, "other data");
    }
}

/* Where the data are does not matter, what they are does. */
static void the_folder_of_the_data_may_move(void **state)
{
    const char *study = folder_study("moving");
    (void)state;
    make_data("moving");
    compare_run(study, test_path("moved-out"), "1");
    assert_int_equal(rename(test_path("moving"), test_path("kept")), 0);
    make_data("moving");
    compare_run(study, test_path("moved-out"), "1");
}

/* ---- views ------------------------------------------------------------------------------------------- */

/* Whether the data of the views are in a report: a build without the viewer (SFGP_VIEWER=OFF) has none. */
static bool has_view_data(const char *report)
{
    return !strstr(report, "left out of this build");
}

/* Files in views with more or fewer points than the reference, or not the length of sd: a note, not a crash. */
static void views_of_another_size_are_left_out(void **state)
{
    const char *study = folder_study("views"), *folder = test_path("views-out");
    const char *fit = compare_in(folder, "views/0-0-0-0.ply"), *sd = compare_in(folder, "views/0-0-0-0.sd");
    double points[4 * POINTS] = {0};
    (void)state;
    make_data("views");
    compare_run(study, folder, "1");
    char *page = sfgp_test_read(compare_in(folder, "report.html"), NULL);
    assert_null(strstr(page, "not shown"));
    assert_int_equal(strstr(page, "\"sd\":") != NULL, has_view_data(page));
    free(page);
    assert_int_equal(truncate(sd, 11), 0);
    compare_run(study, folder, "1");
    page = sfgp_test_read(compare_in(folder, "report.html"), NULL);
    assert_null(strstr(page, "\"sd\":"));
    free(page);
    for (int count = POINTS - 16; count <= 2 * POINTS; count += POINTS + 16) {
        for (int k = 0; k < 2 * count; k++)
            points[k] = k % 7;
        char *made = strdup(cli_points("other.ply", count, 2, points));
        assert_int_equal(rename(made, fit), 0);
        free(made);
        compare_run(study, folder, "1");
        compare_assert_words(compare_in(folder, "report.html"),
                             "near, s, level 0, sample 0: not shown: the file in views has another number of "
                             "points than the reference.");
    }
}

static void put(hid_t file, const char *name, int rank, const hsize_t *shape, const double *values)
{
    hid_t space = H5Screate_simple(rank, shape, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    assert_true(H5Pset_create_intermediate_group(links, 1) >= 0);
    hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set), H5Pclose(links), H5Sclose(space);
}

/* Arrays of a file of two samples. */
typedef struct measured {
    hsize_t reference[2], target[3], truth[3], missing[2], ids[2];
    double mask, id; /* the last entries */
    double other;    /* a coordinate of the first target */
} measured;

static const measured MEASURED = {
    {POINTS, 2}, {2, POINTS, 2}, {2, POINTS, 2}, {2, POINTS}, {2, POINTS}, 0, -1, 5};

static void make_hdf5(const char *path, const measured *m)
{
    double points[2 * POINTS * 2], missing[2 * POINTS] = {0}, ids[2 * POINTS];
    for (int k = 0; k < 2 * POINTS; k++) {
        points[2 * k] = k % POINTS;
        points[2 * k + 1] = sin(k % POINTS);
        ids[k] = k % POINTS;
    }
    missing[2 * POINTS - 1] = m->mask;
    ids[2 * POINTS - 1] = m->id;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    put(file, "/reference", 2, m->reference, points);
    put(file, "/0/truth", 3, m->truth, points);
    put(file, "/0/missing", 2, m->missing, missing);
    put(file, "/0/target_ids", 2, m->ids, ids);
    points[10] = m->other;
    put(file, "/0/target", 3, m->target, points);
    assert_true(H5Fclose(file) >= 0);
}

static void assert_refused(const measured *m, const char *more, int code, const char *words)
{
    const char *study = compare_study("odd.json",
                                      "{'sets':[{'name':'d','hdf5':'odd.h5'%s}],'methods':[{'name':'near',"
                                      "'method':'closest-point'}]}",
                                      more);
    make_hdf5(test_path("odd.h5"), m);
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("odd-out"), NULL), code, words);
}

/* What would be read past the end of an array, or be other points than the truth is about. */
static void measured_data_that_do_not_fit_are_refused(void **state)
{
    static const char FIT[] = "the sizes of its arrays do not fit each other",
                      ROW[] = "is no row of the reference";
    measured odd[12];
    (void)state;
    for (int k = 0; k < 12; k++)
        odd[k] = MEASURED;
    odd[0].target[2] = 1, odd[1].truth[0] = 1, odd[2].truth[1] = FEWER, odd[3].truth[2] = 1;
    odd[4].missing[0] = 1, odd[5].missing[1] = FEWER, odd[6].ids[0] = 1, odd[7].ids[1] = FEWER;
    for (int k = 0; k < 8; k++)
        assert_refused(&odd[k], "", 5, FIT);
    odd[8].id = -2, odd[9].id = POINTS;
    assert_refused(&odd[8], "", 5, ROW);
    assert_refused(&odd[9], "", 5, ROW);
    odd[10].reference[0] = 2 * POINTS, odd[10].reference[1] = 1;
    assert_refused(&odd[10], "", 5, "is not points x 2 or 3");
    odd[11].reference[0] = POINTS / 2, odd[11].reference[1] = 4;
    assert_refused(&odd[11], "", 5, "is not points x 2 or 3");
    assert_refused(&MEASURED, ",'first':1,'samples':2", 5, "fewer than first + samples = 3 samples");
    assert_refused(&MEASURED, ",'first':2", 5, "fewer than first + samples");
    assert_refused(&MEASURED, ",'damage':{'rotation':10}", 4, "moves the truth of measured data");
}

/* The run of that sample fails and the others count: the report is there, and says what it does not show. */
static void a_view_that_is_not_finite_costs_no_report(void **state)
{
    const char *folder = test_path("nan"),
               *study = compare_study(
                   "nan.json", "{'sets':[{'name':'d','hdf5':'nan.h5'}],'methods':[{'name':'near',"
                               "'method':'closest-point'}],'views':[{'set':'d'},{'set':'d','sample':1}]}");
    (void)state;
    measured first_is_bad = MEASURED;
    first_is_bad.other = (double)NAN;
    make_hdf5(test_path("nan.h5"), &first_is_bad);
    compare_run(study, folder, "1");
    compare_table *rows = compare_rows(folder);
    assert_string_equal(compare_cell(rows, 0, "status"), "failed");
    assert_string_equal(compare_cell(rows, 1, "success"), "1");
    compare_free(rows);
    const char *report = compare_in(folder, "report.html");
    compare_assert_words(report, "d, level 0, sample 0: not shown: the scan has another dimension or a point "
                                 "that is not finite.");
    char *page = sfgp_test_read(report, NULL);
    assert_int_equal(strstr(page, "{\"name\":\"d, level 0, sample 1\"") != NULL, has_view_data(page));
    free(page);
}

static void marks_that_are_none_are_refused(void **state)
{
    const char *study = compare_study("marks.json", "{'sets':[{'name':'d','hdf5':'marks.h5'}],'methods':[{"
                                                    "'name':'near','method':'closest-point'}]}");
    const struct {
        double mask, id;
        const char *words;
    } wrong[] = {{7, -1, "missing: 7 is neither 0 nor 1"},
                 {0, 0.5, "target_ids: 0.5 is no row of the reference"},
                 {0, POINTS, "is no row of the reference"}};
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        measured m = MEASURED;
        m.mask = wrong[k].mask, m.id = wrong[k].id;
        make_hdf5(test_path("marks.h5"), &m);
        cli_expect(sfgp_run_program("compare", study, "-o", test_path("marks"), NULL), SFGP_ERROR_DATA,
                   wrong[k].words);
    }
}

int main(void)
{
    unsetenv("SFGP_DATA"); /* would take the place of what the studies say */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_data_are_another_study),
        cmocka_unit_test(the_folder_of_the_data_may_move),
        cmocka_unit_test(views_of_another_size_are_left_out),
        cmocka_unit_test(marks_that_are_none_are_refused),
        cmocka_unit_test(measured_data_that_do_not_fit_are_refused),
        cmocka_unit_test(a_view_that_is_not_finite_costs_no_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
