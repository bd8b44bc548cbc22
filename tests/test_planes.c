/* Planes beside the shape: the largest plane of points (geom/plane.h), and which planes are left out of a scan (fit/planes.h, ADR 0113). */
#include "base/random.h"
#include "geom/plane.h"
#include "support/ear.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- the largest plane ----------------------------------------------------------------------------------- */

enum { FLAT = 700, ROUND = 300 };
#define NOISE 0.01

/* Points of the plane z = 1 + x / 2, with noise, and of a sphere of radius 0.5 above it. */
static void make_ball_on_plane(double points[3 * (FLAT + ROUND)])
{
    sfgp_random random = sfgp_random_of(3);
    for (double *x = points; x < points + 3 * FLAT; x += 3) {
        x[0] = 4 * sfgp_random_uniform(&random) - 2;
        x[1] = 4 * sfgp_random_uniform(&random) - 2;
        x[2] = 1 + x[0] / 2 + NOISE * sfgp_random_normal(&random);
    }
    for (double *x = points + 3 * FLAT; x < points + 3 * (FLAT + ROUND); x += 3) {
        double length = 0;
        for (int k = 0; k < 3; k++)
            x[k] = sfgp_random_normal(&random);
        length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int k = 0; k < 3; k++)
            x[k] = 0.5 * x[k] / length + (k == 2 ? 2 : 0);
    }
}

static sfgp_plane largest_of(sfgp_context *context, int64_t count, const double *points, double within,
                             double most)
{
    sfgp_oriented some;
    sfgp_plane plane;
    sfgp_assert_ok(context, sfgp_oriented_new(context, count, points, count, 16, &some));
    sfgp_assert_ok(context, sfgp_plane_largest(context, &some, within, &plane));
    if (most > 0)
        sfgp_assert_ok(context, sfgp_plane_narrow(context, &some, 1e-3, most, &plane));
    sfgp_oriented_clear(&some);
    return plane;
}

/* Its normal to half a degree, three deviations of its noise (along its normal, as it is tilted), and nearly all of its points. */
static void the_plane_below_a_ball_is_found(void **state)
{
    static double points[3 * (FLAT + ROUND)];
    make_ball_on_plane(points);
    const sfgp_plane plane = largest_of(*state, FLAT + ROUND, points, 0.05, 0.1);
    const double length = sqrt(1.25), noise = NOISE / length;
    assert_true(fabs((plane.normal[2] - plane.normal[0] / 2) / length) > 0.99996);
    assert_true(fabs(fabs(plane.offset) - 1 / length) < 0.003);
    assert_true(fabs(plane.within / (3 * noise) - 1) < 0.15);
    assert_true(fabs(plane.share - 0.7) < 0.02);
    int64_t flat = 0, round = 0;
    for (int64_t i = 0; i < FLAT + ROUND; i++)
        *(i < FLAT ? &flat : &round) += sfgp_plane_has(&plane, points + 3 * i);
    assert_true(flat > 0.98 * FLAT && round == 0);
}

/* The same bits on several threads. */
static void threads_find_the_same_plane(void **state)
{
    static double points[3 * (FLAT + ROUND)];
    make_ball_on_plane(points);
    const sfgp_plane one = largest_of(*state, FLAT + ROUND, points, 0.05, 0.1);
    sfgp_test_threads(3);
    const sfgp_plane three = largest_of(*state, FLAT + ROUND, points, 0.05, 0.1);
    assert_memory_equal(&one, &three, sizeof one);
}

/* Part of a sphere of radius 8: half of its points are within 0.05 of a plane, but evenly so. */
static void a_curved_surface_is_no_plane(void **state)
{
    static double points[3 * FLAT];
    sfgp_random random = sfgp_random_of(4);
    for (double *x = points; x < points + 3 * FLAT; x += 3) {
        x[0] = 2 * sfgp_random_uniform(&random) - 1;
        x[1] = 2 * sfgp_random_uniform(&random) - 1;
        x[2] = sqrt(64 - x[0] * x[0] - x[1] * x[1]);
    }
    assert_true(largest_of(*state, FLAT, points, 0.05, 0).share > 0.7);
    assert_true(largest_of(*state, FLAT, points, 0.025, 0.04).share == 0);
    for (double *x = points; x < points + 3 * FLAT; x += 3)
        x[2] = 8;
    assert_true(largest_of(*state, FLAT, points, 0.025, 0.04).share == 1);
}

static void seven_points_or_one_place_have_no_plane_to_fit(void **state)
{
    double points[3 * 20] = {0};
    assert_true(largest_of(*state, 7, points, 0.1, 0.1).share == 0);
    assert_true(isfinite(largest_of(*state, 20, points, 0.1, 0.1).offset));
}

/* ---- which are left out ---------------------------------------------------------------------------------- */

static sfgp_result *fit(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *scan, int planes,
                        int64_t most_iterations)
{
    sfgp_settings settings = test_settings();
    settings.planes = planes;
    settings.max_iterations = most_iterations;
    return test_fit_of(context, reference, scan, &settings);
}

/* The warning of a scan that is looked at, but not fitted; NULL: no plane is left out. */
static const char *warning_of(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *scan,
                              int planes)
{
    const size_t before = strlen(sfgp_test_warning());
    sfgp_result_free(fit(context, reference, scan, planes, 0));
    return strstr(sfgp_test_warning() + before, "that the reference does not have");
}

/* The fit on a plate is that of the ear alone, to the last bit, and no label is a point of the plate. */
static void an_ear_on_a_plate_is_fitted_as_without_it(void **state)
{
    test_ear ear = test_ear_new(*state, 18, 3, (test_ear_damage){7, 5, 0.005});
    sfgp_mesh *scan = test_ear_on_plate(*state, ear.target);
    sfgp_result *alone = fit(*state, ear.reference, ear.target, 3, 1000);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_result *beside = fit(*state, ear.reference, scan, 3, 1000);
    assert_non_null(
        strstr(sfgp_test_warning(), "% of its points lie in a plane that the reference does not have"));
    assert_null(strstr(sfgp_test_warning(), "times as large")); /* the size is asked without the plate */
    assert_memory_equal(beside->points, alone->points, (size_t)alone->count * 3 * sizeof(double));
    assert_memory_equal(beside->target, alone->target, (size_t)alone->count * sizeof *alone->target);
    sfgp_result_free(alone);
    sfgp_result_free(beside);
    sfgp_mesh_free(scan);
    test_ear_free(&ear);
}

/* The plate of an ear becomes a table and a wall: the last half of its points stand upright. */
static void put_up_wall(const sfgp_mesh *scan, int64_t first)
{
    const int64_t half = first + (scan->count - first) / 2;
    const double *edge = scan->points + 3 * half;
    for (int64_t i = half; i < scan->count; i++) {
        double *x = scan->points + 3 * i;
        x[2] = edge[2] + (x[1] - edge[1]);
        x[1] = edge[1];
    }
}

static void a_table_and_a_wall_are_two_planes(void **state)
{
    test_ear ear = test_ear_new(*state, 18, 3, (test_ear_damage){7, 5, 0.005});
    sfgp_mesh *scan = test_ear_on_plate(*state, ear.target);
    put_up_wall(scan, ear.target->count);
    assert_null(warning_of(*state, ear.reference, scan, 0));
    const size_t before = strlen(sfgp_test_warning());
    assert_non_null(warning_of(*state, ear.reference, scan, 1));
    sfgp_assert_has(sfgp_test_warning() + before, "lie in a plane that");
    assert_non_null(warning_of(*state, ear.reference, scan, 2));
    sfgp_assert_has(sfgp_test_warning() + before, "lie in planes that");
    sfgp_mesh_free(scan);
    test_ear_free(&ear);
}

/* Points of the faces of a box, or of its largest one. */
static sfgp_mesh *box_points(sfgp_context *context, int faces)
{
    enum { SIDE = 20 };
    static double points[3 * 3 * SIDE * SIDE];
    for (int k = 0; k < faces * SIDE * SIDE; k++) {
        const int face = k / (SIDE * SIDE);
        const double a = 5 * (k % SIDE), b = 5 * (k / SIDE % SIDE), x[3] = {a, b, 0};
        for (int axis = 0; axis < 3; axis++)
            points[3 * k + (axis + face) % 3] = x[axis];
    }
    return test_mesh(context, faces * SIDE * SIDE, 3, points);
}

/* All of a scan lies in one plane, but the reference has it, too. */
static void a_face_of_a_box_is_kept(void **state)
{
    sfgp_mesh *box = box_points(*state, 3), *face = box_points(*state, 1);
    assert_null(warning_of(*state, box, face, 3));
    assert_null(warning_of(*state, box, box, 3));
    sfgp_mesh_free(box);
    sfgp_mesh_free(face);
}

/* Of an ear 49 or 50 points are left. */
static void a_plane_is_kept_if_it_is_nearly_all_that_there_is(void **state)
{
    test_ear ear = test_ear_new(*state, 18, 3, (test_ear_damage){7, 5, 0.005});
    sfgp_mesh *scan = test_ear_on_plate(*state, ear.target);
    const int64_t plate = scan->count - ear.target->count;
    for (int64_t few = 49; few <= 50; few++) {
        sfgp_mesh *part = test_mesh(*state, few + plate, 3, scan->points + 3 * (ear.target->count - few));
        assert_int_equal(warning_of(*state, ear.reference, part, 3) != NULL, few == 50);
        sfgp_mesh_free(part);
    }
    sfgp_mesh_free(scan);
    test_ear_free(&ear);
}

/* What is called a plane has an area in the unit of the reference. */
static void a_scan_in_another_unit_keeps_its_planes(void **state)
{
    test_ear ear = test_ear_new(*state, 18, 3, (test_ear_damage){7, 5, 0.005});
    sfgp_mesh *scan = test_ear_on_plate(*state, ear.target);
    for (int64_t k = 0; k < 3 * scan->count; k++)
        scan->points[k] *= 1000;
    assert_null(warning_of(*state, ear.reference, scan, 3));
    sfgp_assert_has(sfgp_test_warning(), "bring both into one unit");
    sfgp_mesh_free(scan);
    test_ear_free(&ear);
}

/* ---- flat ends -------------------------------------------------------------------------------------------- */

enum { EGG = 1500 };
#define TURN 2.399963229728653 /* of a spiral that is even */

/* Even points of an egg, sqrt(2) as long as wide. Those above `height` lie on a disc there, as if it were cut off and closed. */
static sfgp_mesh *egg(sfgp_context *context, double height)
{
    static double points[3 * EGG];
    for (int i = 0; i < EGG; i++) {
        const double z = 1 - (2 * i + 1) / (double)EGG, top = fmin(height / 1.4, 1);
        const double r = z > top ? sqrt((1 - z) / (1 - top) * (1 - top * top)) : sqrt(1 - z * z);
        points[3 * i] = r * cos(TURN * i);
        points[3 * i + 1] = r * sin(TURN * i);
        points[3 * i + 2] = 1.4 * fmin(z, top);
    }
    return test_mesh(context, EGG, 3, points);
}

static sfgp_plane end_of(sfgp_context *context, const sfgp_mesh *shape)
{
    const sfgp_plane_limits limits = {0.03, 0.01, 0.03, 0.015, 1.3};
    sfgp_oriented some;
    sfgp_plane plane;
    sfgp_assert_ok(context, sfgp_oriented_new(context, shape->count, shape->points, shape->count, 16, &some));
    sfgp_assert_ok(context, sfgp_plane_end(context, &some, &limits, &plane));
    sfgp_oriented_clear(&some);
    return plane;
}

/* The whole egg, of which every fourth point lies on a disc through it at `height`. */
static sfgp_mesh *egg_with_disc(sfgp_context *context, double height)
{
    sfgp_mesh *mesh = egg(context, 2);
    for (int64_t i = 0; i < EGG; i += 4) {
        const double r = 0.8 * sqrt((double)i / EGG);
        mesh->points[3 * i] = r * cos(TURN * (double)i), mesh->points[3 * i + 1] = r * sin(TURN * (double)i);
        mesh->points[3 * i + 2] = height;
    }
    return mesh;
}

static bool ends_are_left_out(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *scan,
                              int planes)
{
    const size_t before = strlen(sfgp_test_warning());
    sfgp_result_free(fit(context, reference, scan, planes, 0));
    return strstr(sfgp_test_warning() + before,
                  "target: it ends in a plane, and the reference does not: 2") != NULL;
}

static void an_egg_that_is_cut_off_and_closed_is_opened(void **state)
{
    sfgp_mesh *whole = egg(*state, 2), *closed = egg(*state, 0.8), *crossed = egg_with_disc(*state, 0.8);
    const sfgp_plane end = end_of(*state, closed);
    assert_true(fabs(end.normal[2]) > 0.999 && fabs(fabs(end.offset) - 0.8) < 0.01);
    assert_true(fabs(end.share - 0.21) < 0.04);
    assert_true(end_of(*state, whole).share < 0.02);
    assert_true(end_of(*state, crossed).share < 0.02);
    assert_true(ends_are_left_out(*state, whole, closed, 3));
    assert_false(ends_are_left_out(*state, whole, closed, 0));
    assert_false(ends_are_left_out(*state, whole, whole, 3));
    assert_false(ends_are_left_out(*state, closed, closed, 3));
    sfgp_mesh_free(whole);
    sfgp_mesh_free(closed);
    sfgp_mesh_free(crossed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_plane_below_a_ball_is_found),
        sfgp_unit_test(threads_find_the_same_plane),
        sfgp_unit_test(a_curved_surface_is_no_plane),
        sfgp_unit_test(seven_points_or_one_place_have_no_plane_to_fit),
        sfgp_unit_test(an_ear_on_a_plate_is_fitted_as_without_it),
        sfgp_unit_test(a_table_and_a_wall_are_two_planes),
        sfgp_unit_test(a_face_of_a_box_is_kept),
        sfgp_unit_test(a_plane_is_kept_if_it_is_nearly_all_that_there_is),
        sfgp_unit_test(a_scan_in_another_unit_keeps_its_planes),
        sfgp_unit_test(an_egg_that_is_cut_off_and_closed_is_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
