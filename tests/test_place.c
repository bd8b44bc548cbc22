/* Where things are: strays of a reference and its frame, a target or landmarks far away, in another unit, or swapped. */
#include "fit/inspect.h"
#include "fit/solver.h"
#include "geom/inspect.h"
#include "geom/strays.h"
#include "support/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, SHEET = SIDE * SIDE, MOST = 2 * SHEET };

/* ---- strays of a reference ---------------------------------------------------------------------------- */

/* A wavy sheet of triangles about the origin, of side 1, and room for more points. */
static sfgp_mesh *sheet_new(sfgp_context *context, int64_t count)
{
    sfgp_mesh *mesh;
    sfgp_assert_ok(context, sfgp_mesh_new(context, count, 3, 2 * (SIDE - 1) * (SIDE - 1),
                                          6 * (SIDE - 1) * (SIDE - 1), &mesh));
    int64_t face = 0, corner = 0;
    for (int i = 0; i < SHEET; i++) {
        double *x = mesh->points + 3 * i;
        x[0] = (double)(i % SIDE) / (SIDE - 1) - 0.5;
        x[1] = (double)(i / SIDE) / (SIDE - 1) - 0.5;
        x[2] = 0.2 * sin(3 * x[0]) * cos(4 * x[1]);
    }
    for (int row = 0; row + 1 < SIDE; row++)
        for (int column = 0; column + 1 < SIDE; column++)
            for (int half = 0; half < 2; half++) {
                const int first = row * SIDE + column;
                mesh->face_start[face++] = corner;
                mesh->face_points[corner++] = half ? first + SIDE + 1 : first;
                mesh->face_points[corner++] = first + 1;
                mesh->face_points[corner++] = first + SIDE;
            }
    mesh->face_start[face] = corner;
    return mesh;
}

/* The points from SHEET on lie about a point of the x axis. */
static void place_others(sfgp_mesh *mesh, double x)
{
    for (int64_t i = SHEET; i < mesh->count; i++) {
        const double *from = mesh->points + 3 * (i - SHEET);
        for (int a = 0; a < 3; a++)
            mesh->points[3 * i + a] = 0.5 * from[a] + (a == 0 ? x : 0);
    }
}

static sfgp_frame frame_of_sheet(sfgp_context *context)
{
    sfgp_frame frame;
    sfgp_mesh *mesh = sheet_new(context, SHEET);
    sfgp_assert_ok(context, sfgp_frame_of(context, "reference", mesh, &frame));
    sfgp_mesh_free(mesh);
    return frame;
}

/* The frame is that of the sheet to the last bit, and the warnings are these; NULL: no more of them. */
static void assert_sheet(sfgp_context *context, const sfgp_mesh *mesh, const char *warning)
{
    const sfgp_frame clean = frame_of_sheet(context);
    sfgp_frame frame;
    const int64_t before = sfgp_context_warnings(context);
    sfgp_assert_ok(context, sfgp_inspect_reference(context, mesh, &frame));
    assert_memory_equal(frame.centre, clean.centre, sizeof frame.centre);
    assert_true(frame.scale == clean.scale);
    assert_int_equal(sfgp_context_warnings(context) - before, warning ? 1 : 0);
    if (warning)
        sfgp_assert_has(sfgp_test_warning(), warning);
}

static void the_frame_of_a_clean_reference_is_that_of_all_points(void **state)
{
    sfgp_mesh *mesh = sheet_new(*state, SHEET);
    assert_sheet(*state, mesh, NULL);
    mesh->face_count = 0;
    assert_sheet(*state, mesh, NULL);
    sfgp_mesh_free(mesh);
}

static void points_in_no_face_do_not_count(void **state)
{
    static const double places[] = {0.3, 5, 1e5};
    sfgp_mesh *mesh = sheet_new(*state, MOST); /* half of all points */
    for (int k = 0; k < 3; k++) {
        place_others(mesh, places[k]);
        assert_sheet(*state, mesh, "points in no face: 144;");
    }
    sfgp_mesh_free(mesh);
}

/* Two triangles that somebody has left in a cloud of points are not its shape: a fit to their radius took minutes. */
static void next_to_no_faces_are_none(void **state)
{
    sfgp_mesh *mesh = sheet_new(*state, SHEET);
    mesh->face_count = 2;
    assert_sheet(*state, mesh, NULL);
    sfgp_mesh_free(mesh);
}

/* One point, and a second object of a quarter of the points. */
static void points_far_away_do_not_count(void **state)
{
    static const int counts[] = {1, SHEET / 3};
    static const char *const warnings[] = {"far from the others: 1,", "far from the others: 48,"};
    for (int k = 0; k < 2; k++) {
        sfgp_mesh *mesh = sheet_new(*state, SHEET + counts[k]);
        mesh->face_count = 0;
        place_others(mesh, 4);
        assert_sheet(*state, mesh, warnings[k]);
        sfgp_mesh_free(mesh);
    }
}

/* The faces of the sheet once more, between the other points. */
static sfgp_mesh *two_sheets_new(sfgp_context *context, double x)
{
    sfgp_mesh *one = sheet_new(context, SHEET), *two = NULL;
    const int64_t faces = one->face_count;
    sfgp_assert_ok(context, sfgp_mesh_new(context, MOST, 3, 2 * faces, 6 * faces, &two));
    memcpy(two->points, one->points, 3 * SHEET * sizeof(double));
    place_others(two, x);
    for (int64_t k = 0; k < 6 * faces; k++)
        two->face_points[k] = one->face_points[k % (3 * faces)] + (k < 3 * faces ? 0 : SHEET);
    for (int64_t f = 0; f <= 2 * faces; f++)
        two->face_start[f] = 3 * f;
    sfgp_mesh_free(one);
    return two;
}

/* Objects of one size leave no gap; that they make the radius larger is told, and only then. */
static void objects_side_by_side_are_told(void **state)
{
    static const double places[] = {0.1, 4};
    for (int k = 0; k < 2; k++) {
        sfgp_mesh *mesh = two_sheets_new(*state, places[k]);
        sfgp_frame frame;
        const int64_t before = sfgp_context_warnings(*state);
        sfgp_assert_ok(*state, sfgp_inspect_reference(*state, mesh, &frame));
        assert_int_equal(sfgp_context_warnings(*state) - before, k);
        if (k == 1)
            sfgp_assert_has(sfgp_test_warning(),
                            "2 pieces that no face connects; the largest has 144 of the points");
        sfgp_mesh_free(mesh);
    }
}

/* A small object changes the radius by little: it is told where it lies apart. */
static void a_small_object_beside_the_shape_is_told(void **state)
{
    static const double places[] = {0.5, 1.4};
    for (int k = 0; k < 2; k++) {
        sfgp_mesh *mesh = two_sheets_new(*state, places[k]);
        sfgp_frame frame;
        const int64_t before = sfgp_context_warnings(*state), faces = mesh->face_count / 2;
        for (int corner = 0; corner < 3; corner++)
            mesh->face_points[3 * faces + corner] = SHEET + corner;
        mesh->face_count = faces + 1;
        mesh->count = SHEET + 3;
        sfgp_assert_ok(*state, sfgp_inspect_reference(*state, mesh, &frame));
        assert_int_equal(sfgp_context_warnings(*state) - before, k);
        if (k == 1)
            assert_non_null(
                strstr(sfgp_test_warning(), "2 pieces that no face connects; 3 of the points lie apart"));
        sfgp_mesh_free(mesh);
    }
}

/* Corners that triangles do not share are told, equal points of a cloud are not. */
static void corners_that_are_not_shared_are_told(void **state)
{
    for (int k = 0; k < 3; k++) {
        sfgp_mesh *mesh = sheet_new(*state, SHEET);
        sfgp_frame frame;
        const int64_t before = sfgp_context_warnings(*state);
        if (k > 0)
            memcpy(mesh->points + 3 * 7, mesh->points, 3 * sizeof(double));
        mesh->face_count = k == 2 ? 0 : mesh->face_count;
        sfgp_assert_ok(*state, sfgp_inspect_reference(*state, mesh, &frame));
        assert_int_equal(sfgp_context_warnings(*state) - before, k == 1);
        if (k == 1)
            assert_non_null(
                strstr(sfgp_test_warning(), "reference: 1 of its points lie where another one does"));
        sfgp_mesh_free(mesh);
    }
}

static int64_t strays_of(sfgp_context *context, const sfgp_mesh *mesh)
{
    sfgp_strays strays;
    sfgp_assert_ok(context, sfgp_strays_find(context, mesh, &strays));
    const int64_t count = strays.loose + strays.far;
    assert_true((strays.rest != NULL) == (count > 0));
    assert_true((strays.first < 0) == (strays.far == 0));
    sfgp_strays_clear(&strays);
    return count;
}

/* A spike, whose faces are long; two objects of about one size; a point that is not so far away. */
static void what_belongs_to_the_shape_stays(void **state)
{
    sfgp_mesh *mesh = sheet_new(*state, SHEET + 1);
    place_others(mesh, 4);
    mesh->face_points[1] = SHEET;
    assert_int_equal(strays_of(*state, mesh), 0);
    mesh->face_count = 0;
    assert_int_equal(strays_of(*state, mesh), 1);
    place_others(mesh, 1.2);
    assert_int_equal(strays_of(*state, mesh), 0);
    sfgp_mesh_free(mesh);
    mesh = sheet_new(*state, MOST);
    mesh->face_count = 0;
    place_others(mesh, 4);
    assert_int_equal(strays_of(*state, mesh), 0);
    sfgp_mesh_free(mesh);
}

/* ---- fits ---------------------------------------------------------------------------------------------- */

/* Error of a fit of a scan that is turned and moved, RMS radii; and how many warnings it had. */
static double error_of(sfgp_context *context, double degrees, double shift, int64_t *warnings)
{
    test_curve s = test_curve_new(context, (test_curve_scan){degrees, shift, 8, 4});
    const int64_t before = sfgp_context_warnings(context);
    sfgp_result *r = test_run(context, s.solver, s.mesh);
    assert_int_equal(r->outcome, SFGP_CONVERGED);
    const double error = test_curve_error(&s, r->points);
    *warnings = sfgp_context_warnings(context) - before;
    sfgp_result_free(r);
    test_curve_free(&s);
    return error;
}

/* Ten, 2000 and a million radii away as well as nearby. */
static void a_target_anywhere_is_found(void **state)
{
    static const double shifts[] = {500, 1e5, -3e7};
    int64_t warnings, usual;
    for (int k = 0; k < 3; k++) {
        const double near = error_of(*state, 70 * k, 30, &usual);
        const double far = error_of(*state, 70 * k, shifts[k], &warnings);
        assert_int_equal(warnings, usual + 1);
        sfgp_assert_has(sfgp_test_warning(), "target: its middle lies");
        if (!(far < near + 1e-3)) /* the tolerance of a fit; coordinates are rounded to 1e-10 radii */
            fail_msg("turned by %d, moved by %g: error %g, nearby %g", 70 * k, shifts[k], far, near);
    }
}

static void a_target_nearby_is_not_warned_of(void **state)
{
    test_curve s = test_curve_new(*state, (test_curve_scan){20, 25, 8, 4});
    sfgp_result *r = test_run(*state, s.solver, s.mesh);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_result_free(r);
    test_curve_free(&s);
}

/* A point that no label holds: in single precision I + B'WB was not positive definite in these fits. */
static void a_reference_with_a_stray_is_fitted(void **state)
{
    static const double places[] = {90, 200};
    sfgp_mesh *ear, *scan, *reference;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, SFGP_SOURCE_DIR "/data/demo/reference.ply", &ear));
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, SFGP_SOURCE_DIR "/data/demo/scan.ply", &scan));
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, ear->count + 1, 3, 0, 0, &reference));
    memcpy(reference->points, ear->points, (size_t)(3 * ear->count) * sizeof(double));
    for (int k = 0; k < 2; k++) {
        reference->points[3 * ear->count] = places[k];
        sfgp_model *model = test_model(*state, reference, &settings);
        sfgp_solver *solver = test_solver(*state, model, &settings);
        sfgp_result *r = test_run(*state, solver, scan);
        assert_int_equal(r->outcome, SFGP_CONVERGED);
        assert_true(r->explained > 0.9 && r->sigma < 0.02 * model->frame.scale);
        sfgp_result_free(r);
        sfgp_solver_free(solver);
        sfgp_model_free(model);
    }
    sfgp_mesh_free(reference);
    sfgp_mesh_free(scan);
    sfgp_mesh_free(ear);
}

/* The target in another unit. */
static void scale_target(const test_curve *s, double factor)
{
    for (int64_t k = 0; k < 2 * s->mesh->count; k++)
        s->mesh->points[k] *= factor;
}

static void assert_warning_at_scale(sfgp_context *context, double factor, const char *warning)
{
    test_curve s = test_curve_new(context, (test_curve_scan){0, 0, 0, 0});
    scale_target(&s, factor);
    sfgp_result *r = test_run(context, s.solver, s.mesh);
    if (!strstr(sfgp_test_warning(), warning))
        fail_msg("%g times: no '%s' in: %s", factor, warning, sfgp_test_warning());
    sfgp_result_free(r);
    test_curve_free(&s);
}

static void another_unit_is_warned_of(void **state)
{
    assert_warning_at_scale(
        *state, 0.1,
        "10 times smaller than the reference; is it in cm and the reference in mm? then --target-scale 10");
    assert_warning_at_scale(
        *state, 10,
        "10 times as large as the reference; is it in mm and the reference in cm? then --target-scale 0.1");
    assert_warning_at_scale(
        *state, 1 / 25.4,
        "25.4 times smaller than the reference; is it in inches and the reference in mm? then --target-scale 25.4");
    assert_warning_at_scale(*state, 5, "5 times as large as the reference; crop it");
    assert_warning_at_scale(
        *state, 0.001,
        "1000 times smaller than the reference; is it in m and the reference in mm? then --target-scale 1000");
    assert_warning_at_scale(
        *state, 1e-9,
        "1e+09 times smaller than the reference; if it is no small part of the shape, bring both into one unit");
    assert_warning_at_scale(*state, 0.5, "fit: 0.5 times as large as the reference");
}

/* A finished fit of a sheet to a sheet; NULL: nothing is told. */
static void assert_fit_told(sfgp_context *context, int64_t faces, double explained, int64_t missing,
                            const char *warning)
{
    sfgp_mesh *mesh = sheet_new(context, SHEET);
    const sfgp_model model = {.dimension = 3, .count = SHEET, .original = mesh->points, .face_count = faces};
    const sfgp_result result = {.dimension = 3,
                                .count = SHEET,
                                .points = mesh->points,
                                .explained = explained,
                                .missing_count = missing,
                                .iterations = 1};
    const int64_t before = sfgp_context_warnings(context);
    sfgp_fit_inspect(context, &model, mesh, &result);
    assert_int_equal(sfgp_context_warnings(context) - before, warning ? 1 : 0);
    if (warning)
        sfgp_assert_has(sfgp_test_warning(), warning);
    sfgp_mesh_free(mesh);
}

static void swapped_shapes_are_told(void **state)
{
    assert_fit_told(*state, 0, 0.75, 10,
                    "explains 75 % of the target, which has faces, and the reference has none");
    assert_fit_told(*state, 0, 0.77, 10, NULL);
    assert_fit_told(*state, 1, 0.75, 10, NULL);
}

/* As a fit of a scan of twice the size; an ear in a head is found, and a quarter of a head explained. */
static void a_part_that_lies_on_a_part_is_told(void **state)
{
    assert_fit_told(*state, 1, 0.11, SHEET * 2 / 3, "explains 11 % of the target by 33 % of the reference");
    assert_fit_told(*state, 1, 0.11, SHEET / 3, NULL);
    assert_fit_told(*state, 1, 0.85, SHEET * 2 / 3, NULL);
}

/* The landmarks of a target 1000 radii away, whose points are not there. */
static void landmarks_elsewhere_are_warned_of(void **state)
{
    enum { L = 5 };
    test_curve s = test_curve_new(*state, (test_curve_scan){0, 0, 0, 0});
    double from[2 * L], to[2 * L];
    for (int k = 0; k < 2 * L; k++) {
        from[k] = s.reference[2 * (k / 2 * TEST_CURVE / L) + k % 2];
        to[k] = from[k] + 30000;
    }
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, L, from, to, 0));
    sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.mesh));
    sfgp_assert_has(sfgp_test_warning(), "landmarks: the middle of those of the target");
    test_curve_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_frame_of_a_clean_reference_is_that_of_all_points),
        sfgp_unit_test(points_in_no_face_do_not_count),
        sfgp_unit_test(next_to_no_faces_are_none),
        sfgp_unit_test(points_far_away_do_not_count),
        sfgp_unit_test(objects_side_by_side_are_told),
        sfgp_unit_test(a_small_object_beside_the_shape_is_told),
        sfgp_unit_test(corners_that_are_not_shared_are_told),
        sfgp_unit_test(what_belongs_to_the_shape_stays),
        sfgp_unit_test(a_target_anywhere_is_found),
        sfgp_long_test(a_reference_with_a_stray_is_fitted),
        sfgp_unit_test(a_target_nearby_is_not_warned_of),
        sfgp_unit_test(another_unit_is_warned_of),
        sfgp_unit_test(landmarks_elsewhere_are_warned_of),
        sfgp_unit_test(swapped_shapes_are_told),
        sfgp_unit_test(a_part_that_lies_on_a_part_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
