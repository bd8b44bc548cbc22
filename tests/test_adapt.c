/* References whose surface is adapted to the scan (fit/adapt.h, fit/adapt_shape.h, fit/adapt_gain.h, lowrank/flow.h, ADR 0130). */
#include "base/random.h"
#include "fit/adapt.h"
#include "fit/adapt_gain.h"
#include "lowrank/flow.h"
#include "geom/measure.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 32, COLUMNS = 60, POINTS = ROWS * COLUMNS, FACES = (ROWS - 1) * COLUMNS, SCAN = 2600 };

/* ---- a bent plate with bumps, as a hand is thin, open at two small places ------------------------------------------- */

static void place(int i, double x[3])
{
    const double polar = 0.15 + (i / COLUMNS) / (ROWS - 1.0) * (M_PI - 0.3),
                 angle = 2 * M_PI * (i % COLUMNS) / COLUMNS;
    x[0] = 1.3 * sin(polar) * cos(angle) + 0.2 * cos(2 * angle) * sin(polar);
    x[1] = (1 + 0.15 * cos(3 * angle)) * sin(polar) * sin(angle);
    x[2] = 0.2 * cos(polar) + 0.4 * x[0] * x[0] + 0.1 * sin(6 * x[0]) * cos(6 * x[1]);
}

static sfgp_mesh *make_plate(sfgp_context *context)
{
    sfgp_mesh *mesh;
    sfgp_assert_ok(context, sfgp_mesh_new(context, POINTS, 3, FACES, 4 * FACES, &mesh));
    for (int i = 0; i < POINTS; i++)
        place(i, mesh->points + 3 * i);
    for (int f = 0; f < FACES; f++) {
        const int64_t row = f / COLUMNS, column = f % COLUMNS, next = (column + 1) % COLUMNS,
                      corner[4] = {row * COLUMNS + column, (row + 1) * COLUMNS + column,
                                   (row + 1) * COLUMNS + next, row * COLUMNS + next};
        mesh->face_start[f + 1] = 4 * (f + 1);
        memcpy(mesh->face_points + 4 * f, corner, sizeof corner);
    }
    return mesh;
}

/* What another subject has: a smooth deformation, which the prior can express. */
static void deform(double x[3])
{
    x[1] += 0.12 * sin(1.5 * x[0]);
    x[2] *= 1.05;
}

/* Subjects: how their surface differs from that of the reference. */
static const sfgp_adaptation AS_IS = {0, 0}, WORN = {0.12, 0}, ROUGHER = {-0.16, 0}, THICKER = {0, 0.05};

/* The points of the reference in a subject. */
static sfgp_mesh *make_subject(sfgp_context *context, sfgp_adaptation subject)
{
    static double moves[3 * POINTS];
    sfgp_mesh *mesh = make_plate(context);
    sfgp_adapt_shape shape;
    sfgp_assert_ok(context, sfgp_adapt_shape_new(context, mesh, &shape));
    sfgp_assert_ok(context, sfgp_adapt_shape_moves(&shape, &subject, moves));
    sfgp_adapt_shape_clear(&shape);
    for (int k = 0; k < 3 * POINTS; k++)
        mesh->points[k] += moves[k];
    for (int i = 0; i < POINTS; i++)
        deform(mesh->points + 3 * i);
    return mesh;
}

/* A random point of the faces of a subject, with noise. */
static void sample(const sfgp_mesh *mesh, sfgp_random *random, double x[3])
{
    const int64_t *corner = mesh->face_points + 4 * (int64_t)(sfgp_random_uniform(random) * FACES);
    const double u = sfgp_random_uniform(random), v = sfgp_random_uniform(random),
                 share[4] = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
    for (int a = 0; a < 3; a++) {
        x[a] = 0.01 * (sfgp_random_uniform(random) - 0.5);
        for (int k = 0; k < 4; k++)
            x[a] += share[k] * mesh->points[3 * corner[k] + a];
    }
}

/* With a hole. */
static sfgp_mesh *make_scan(sfgp_context *context, sfgp_adaptation subject)
{
    static double points[3 * SCAN];
    sfgp_mesh *mesh = make_subject(context, subject);
    sfgp_random random = sfgp_random_of(5);
    for (int j = 0; j < SCAN;) {
        sample(mesh, &random, points + 3 * j);
        j += !(points[3 * j] > 0.4 && points[3 * j + 1] > 0.2);
    }
    sfgp_mesh_free(mesh);
    return test_mesh(context, SCAN, 3, points);
}

/* ---- heat flow and moves ------------------------------------------------------------------------------------------ */

static sfgp_mesh *make_sphere(sfgp_context *context)
{
    sfgp_mesh *mesh = make_plate(context);
    for (int i = 0; i < POINTS; i++) {
        const double polar = 0.15 + (i / COLUMNS) / (ROWS - 1.0) * (M_PI - 0.3),
                     angle = 2 * M_PI * (i % COLUMNS) / COLUMNS;
        mesh->points[3 * i] = sin(polar) * cos(angle);
        mesh->points[3 * i + 1] = sin(polar) * sin(angle);
        mesh->points[3 * i + 2] = cos(polar);
    }
    return mesh;
}

static double radius_of(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The coordinates of a unit sphere are eigenfunctions with the eigenvalue 2, away from its rims: the radius becomes 1 / (1 + 2 t). */
static void a_sphere_shrinks_as_it_has_to(void **state)
{
    static double smooth[3 * POINTS];
    sfgp_mesh *sphere = make_sphere(*state);
    sfgp_laplacian laplacian;
    sfgp_assert_ok(*state, sfgp_laplacian_new(*state, sphere, &laplacian));
    for (double length = 0.1; length < 0.25; length += 0.1) {
        sfgp_assert_ok(*state, sfgp_flow(*state, &laplacian, length, sphere->points, smooth));
        for (int i = 12 * COLUMNS; i < 20 * COLUMNS; i++)
            assert_true(fabs(radius_of(smooth + 3 * i) - 1 / (1 + 2 * length * length)) < 2e-3);
    }
    sfgp_laplacian_clear(&laplacian);
    sfgp_mesh_free(sphere);
}

static void moves_are_along_the_normals(void **state)
{
    static double moves[3 * POINTS];
    sfgp_mesh *sphere = make_sphere(*state);
    sfgp_adapt_shape shape;
    const sfgp_adaptation both = {0.1, 0.05};
    sfgp_assert_ok(*state, sfgp_adapt_shape_new(*state, sphere, &shape));
    assert_true(shape.has_outside);
    sfgp_assert_ok(*state, sfgp_adapt_shape_moves(&shape, &both, moves));
    sfgp_assert_ok(*state, sfgp_adapt_shape_carry(&shape, moves, sphere->points));
    for (int i = 12 * COLUMNS; i < 20 * COLUMNS; i++) /* 0.98 + 0.05 */
        assert_true(fabs(radius_of(sphere->points + 3 * i) - (1 / 1.02 + 0.05)) < 2e-3);
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 3; a++) { /* nothing along the surface, at the rims neither */
            const double *move = moves + 3 * i, *normal = shape.normals + 3 * i;
            const double along = move[0] * normal[0] + move[1] * normal[1] + move[2] * normal[2];
            assert_true(fabs(move[a] - along * normal[a]) < 1e-12);
        }
    sfgp_adapt_shape_clear(&shape);
    sfgp_mesh_free(sphere);
}

/* By what the same length smooths away. */
static void sharpening_is_the_opposite_of_smoothing(void **state)
{
    static double smoothed[3 * POINTS], sharpened[3 * POINTS];
    sfgp_mesh *plate = make_plate(*state);
    sfgp_adapt_shape shape;
    sfgp_assert_ok(*state, sfgp_adapt_shape_new(*state, plate, &shape));
    sfgp_assert_ok(*state, sfgp_adapt_shape_moves(&shape, &(sfgp_adaptation){0.1, 0.02}, smoothed));
    sfgp_assert_ok(*state, sfgp_adapt_shape_moves(&shape, &(sfgp_adaptation){-0.1, -0.02}, sharpened));
    for (int k = 0; k < 3 * POINTS; k++)
        assert_true(fabs(smoothed[k] + sharpened[k]) < 1e-12);
    sfgp_adapt_shape_clear(&shape);
    sfgp_mesh_free(plate);
}

/* Points without faces have normals, but no outside. */
static void a_cloud_can_be_smoothed(void **state)
{
    static double moves[3 * POINTS];
    sfgp_mesh *sphere = make_sphere(*state), *cloud = test_mesh(*state, POINTS, 3, sphere->points);
    sfgp_adapt_shape shape;
    const sfgp_adaptation smooth = {0.1, 0};
    sfgp_assert_ok(*state, sfgp_adapt_shape_new(*state, cloud, &shape));
    assert_false(shape.has_outside);
    sfgp_assert_ok(*state, sfgp_adapt_shape_moves(&shape, &smooth, moves));
    sfgp_assert_ok(*state, sfgp_adapt_shape_carry(&shape, moves, cloud->points));
    for (int i = 12 * COLUMNS; i < 20 * COLUMNS; i++)
        assert_true(fabs(radius_of(cloud->points + 3 * i) - 1 / 1.02) < 3e-3);
    sfgp_adapt_shape_clear(&shape);
    sfgp_mesh_free(cloud);
    sfgp_mesh_free(sphere);
}

/* Of a shape of many points the moves of some are known, and the others go with them. */
static void moves_of_some_points_are_carried_to_all(void **state)
{
    static double moves[3 * 6000];
    sfgp_mesh *ear;
    sfgp_adapt_shape shape;
    const sfgp_adaptation out = {0, 0.05};
    sfgp_assert_ok(*state, sfgp_simulate_ear(*state, 99, 0, &ear));
    assert_true(ear->count > 6000);
    sfgp_assert_ok(*state, sfgp_adapt_shape_new(*state, ear, &shape));
    assert_int_equal(shape.surface.count, 6000);
    sfgp_mesh *moved = test_mesh(*state, ear->count, 3, ear->points);
    for (int64_t k = 0; k < shape.surface.count; k++) { /* as if outside were +z */
        memcpy(shape.normals + 3 * k, (double[]){0, 0, 1}, 3 * sizeof(double));
    }
    sfgp_assert_ok(*state, sfgp_adapt_shape_moves(&shape, &out, moves));
    sfgp_assert_ok(*state, sfgp_adapt_shape_carry(&shape, moves, moved->points));
    for (int64_t i = 0; i < ear->count; i++)
        assert_true(fabs(moved->points[3 * i + 2] - ear->points[3 * i + 2] - 0.05) < 1e-9);
    sfgp_adapt_shape_clear(&shape);
    sfgp_mesh_free(moved);
    sfgp_mesh_free(ear);
}

/* ---- fits --------------------------------------------------------------------------------------------------------- */

static int count_told(void)
{
    return sfgp_test_count(sfgp_test_warning(), "adapted: ");
}

static sfgp_result *fit(sfgp_context *context, const sfgp_mesh *reference, sfgp_adaptation subject, int adapt)
{
    sfgp_settings settings = test_settings();
    settings.adapt = adapt;
    sfgp_mesh *scan = make_scan(context, subject);
    sfgp_result *result = test_fit_of(context, reference, scan, &settings);
    sfgp_mesh_free(scan);
    return result;
}

/* Mean distance from where the points of the reference are in the subject. */
static double error_of(sfgp_context *context, const sfgp_result *result, sfgp_adaptation subject)
{
    sfgp_mesh *truth = make_subject(context, subject);
    const double error = test_mean_distance(POINTS, 3, result->points, truth->points);
    sfgp_mesh_free(truth);
    return error;
}

/* To a step, which is the root of 2; with the sign. */
static void assert_amount(double found, double true_one)
{
    assert_true(true_one == 0 ? found == 0 : fabs(log(found / true_one)) < 0.35);
}

/* The amounts that were found, in RMS radii. */
static sfgp_adaptation assert_adapted(sfgp_context *context, sfgp_adaptation subject, double share)
{
    sfgp_mesh *plate = make_plate(context);
    const int before = count_told();
    sfgp_result *plain = fit(context, plate, subject, 0);
    assert_int_equal(count_told(), before);
    assert_true(plain->adapted_smooth == 0 && plain->adapted_offset == 0);
    sfgp_result *adapted = fit(context, plate, subject, 1);
    const double was = error_of(context, plain, subject), is = error_of(context, adapted, subject);
    print_message("error %g, adapted %g: smoothed over %g, moved by %g\n", was, is, adapted->adapted_smooth,
                  adapted->adapted_offset);
    assert_int_equal(count_told(), before + 1);
    assert_int_equal(adapted->outcome, SFGP_CONVERGED);
    assert_true(is < share * was);
    assert_amount(adapted->adapted_smooth, subject.smooth);
    assert_amount(adapted->adapted_offset, subject.offset);
    const double radius = sfgp_points_radius(plate->count, 3, plate->points);
    const sfgp_adaptation found = {adapted->adapted_smooth / radius, adapted->adapted_offset / radius};
    sfgp_result_free(plain);
    sfgp_result_free(adapted);
    sfgp_mesh_free(plate);
    return found;
}

static void a_worn_subject_is_fitted_by_a_smoother_reference(void **state)
{
    assert_adapted(*state, WORN, 0.7);
}

static void a_rougher_subject_is_fitted_by_a_sharpened_reference(void **state)
{
    const sfgp_adaptation found = assert_adapted(*state, ROUGHER, 0.8);
    assert_true(fabs(found.smooth + 0.1 * sqrt(2)) < 1e-9); /* an amount between two doublings */
}

static void a_thicker_subject_is_fitted_by_a_thicker_reference(void **state)
{
    assert_adapted(*state, THICKER, 0.6);
}

static void other_subjects_keep_the_reference(void **state)
{
    sfgp_mesh *plate = make_plate(*state);
    sfgp_result *plain = fit(*state, plate, AS_IS, 0), *same = fit(*state, plate, AS_IS, 1);
    assert_int_equal(count_told(), 0);
    assert_memory_equal(plain->points, same->points, (size_t)(3 * plain->count) * sizeof(double));
    sfgp_result_free(plain);
    sfgp_result_free(same);
    sfgp_mesh_free(plate);
}

/* The short fits ask for it, and the score of the whole one is not larger by enough: the first one comes back. Ear 6 is smoothed, ear 9 sharpened. */
static void assert_refused(sfgp_context *context, int number)
{
    sfgp_mesh *reference = test_data_mesh(context, "families/ear/reference.ply", 0),
              *scan = test_data_mesh(context, "families/ear/scan/%03d.ply", number);
    const int before = count_told();
    sfgp_settings settings = test_settings();
    sfgp_result *asked = test_fit_of(context, reference, scan, &settings);
    settings.adapt = 0;
    sfgp_result *plain = test_fit_of(context, reference, scan, &settings);
    print_message("%lld and %lld fits\n", (long long)asked->fits, (long long)plain->fits);
    assert_true(asked->fits > plain->fits);
    assert_int_equal(count_told(), before);
    assert_true(asked->adapted_smooth == 0 && asked->adapted_offset == 0);
    assert_memory_equal(asked->points, plain->points, (size_t)(3 * plain->count) * sizeof(double));
    sfgp_result_free(asked);
    sfgp_result_free(plain);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(scan);
}

static void an_adapted_fit_that_is_no_better_is_refused(void **state)
{
    sfgp_test_data();
    assert_refused(*state, 6);
    assert_refused(*state, 9);
}

/* The next target of a solver has the prior as it was; a saved fit moves the points of the reference onto the fit. */
static void the_next_target_begins_anew(void **state)
{
    sfgp_mesh *plate = make_plate(*state), *worn = make_scan(*state, WORN), *plain = make_scan(*state, AS_IS);
    static double moved[3 * POINTS];
    sfgp_result *first, *second, *alone = fit(*state, plate, AS_IS, 1);
    sfgp_deformation *map;
    sfgp_settings settings = test_settings();
    sfgp_model *model = test_model(*state, plate, &settings);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_assert_ok(*state, sfgp_solver_run(solver, worn, &first));
    assert_true(first->adapted_smooth > 0);
    sfgp_assert_ok(*state, sfgp_solver_deformation(solver, first, &map));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, POINTS, plate->points, 1, moved, NULL));
    for (int k = 0; k < 3 * POINTS; k++)
        assert_true(fabs(moved[k] - first->points[k]) < 1e-9);
    sfgp_assert_ok(*state, sfgp_solver_run(solver, plain, &second));
    assert_true(second->adapted_smooth == 0);
    assert_memory_equal(second->points, alone->points, (size_t)(3 * alone->count) * sizeof(double));
    sfgp_deformation_free(map);
    sfgp_result_free(first);
    sfgp_result_free(second);
    sfgp_result_free(alone);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(plate);
    sfgp_mesh_free(worn);
    sfgp_mesh_free(plain);
}

/* Random points of a mesh with noise. */
static sfgp_mesh *make_dense_scan(sfgp_context *context, const sfgp_mesh *mesh, double size)
{
    sfgp_mesh *scan = test_mesh(context, mesh->count, 3, mesh->points);
    sfgp_random random = sfgp_random_of(7);
    for (int64_t k = 0; k < 3 * scan->count; k++)
        scan->points[k] += 0.01 * size * (sfgp_random_uniform(&random) - 0.5);
    return scan;
}

/* More than 6000 points: the moves of some are carried to all, the workspace stays, and the level below has the adapted mean. */
static void a_dense_reference_is_adapted_and_comes_back(void **state)
{
    static double moves[3 * 6000];
    sfgp_mesh *ear;
    sfgp_adapt_shape shape;
    sfgp_result *alone;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(*state, sfgp_simulate_ear(*state, 99, 0, &ear));
    sfgp_model *model = test_model(*state, ear, &settings);
    const double size = model->frame.scale;
    sfgp_assert_ok(*state, sfgp_adapt_shape_new(*state, ear, &shape));
    sfgp_assert_ok(*state, sfgp_adapt_shape_moves(&shape, &(sfgp_adaptation){0.2 * size, 0}, moves));
    sfgp_mesh *subject = test_mesh(*state, ear->count, 3, ear->points);
    sfgp_assert_ok(*state, sfgp_adapt_shape_carry(&shape, moves, subject->points));
    sfgp_mesh *first = make_dense_scan(*state, subject, size), *next = make_dense_scan(*state, ear, size);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *worn = test_run(*state, solver, first);
    print_message("smoothed over %g, moved by %g: %s\n", worn->adapted_smooth / size,
                  worn->adapted_offset / size, sfgp_test_warning());
    assert_true(worn->adapted_smooth > 0);
    const double error = test_mean_distance(ear->count, 3, worn->points, subject->points) / size;
    print_message("error %g\n", error);
    assert_true(error < 0.01);
    sfgp_result *second = test_run(*state, solver, next);
    alone = test_fit_of(*state, ear, next, &settings);
    assert_true(second->adapted_smooth == 0);
    assert_memory_equal(second->points, alone->points, (size_t)(3 * alone->count) * sizeof(double));
    sfgp_adapt_shape_clear(&shape);
    sfgp_result_free(worn);
    sfgp_result_free(second);
    sfgp_result_free(alone);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(ear);
    sfgp_mesh_free(subject);
    sfgp_mesh_free(first);
    sfgp_mesh_free(next);
}

/* ---- the score test ----------------------------------------------------------------------------------------------- */

/* Of a fit without adaptation: to be smoothed, and to be moved outwards, alone. */
static void gains_of(sfgp_context *context, sfgp_adaptation subject, double gain[2])
{
    static double moves[2][3 * POINTS];
    const sfgp_adaptation kind[2] = {{0.1, 0}, {0, 0.03}};
    sfgp_mesh *plate = make_plate(context), *scan = make_scan(context, subject);
    sfgp_adapt_shape shape;
    sfgp_settings settings = test_settings();
    settings.adapt = 0;
    sfgp_model *model = test_model(context, plate, &settings);
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_result *result = test_run(context, solver, scan);
    const sfgp_mesh reference = sfgp_model_mesh(model);
    sfgp_assert_ok(context, sfgp_adapt_shape_new(context, &reference, &shape));
    for (int k = 0; k < 2; k++) {
        sfgp_assert_ok(context, sfgp_adapt_shape_moves(&shape, &kind[k], moves[k]));
        sfgp_assert_ok(context, sfgp_adapt_gain(solver, (const double *[2]){moves[k], NULL}, &gain[k]));
    }
    double both;
    sfgp_assert_ok(context, sfgp_adapt_gain(solver, (const double *[2]){moves[0], moves[1]}, &both));
    assert_true(both >= fmax(gain[0], gain[1]) * (1 - 1e-9)); /* two directions gain no less than one */
    print_message("gains %g and %g, both %g\n", gain[0], gain[1], both);
    sfgp_adapt_shape_clear(&shape);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(plate);
    sfgp_mesh_free(scan);
}

static void the_test_tells_what_is_asked_for(void **state)
{
    double as_is[2], worn[2], thicker[2];
    gains_of(*state, AS_IS, as_is);
    gains_of(*state, WORN, worn);
    gains_of(*state, THICKER, thicker);
    assert_true(as_is[0] < 30 && as_is[1] < 10);
    assert_true(worn[0] > 100 && worn[1] < 10);
    assert_true(thicker[1] > 100 && thicker[0] < thicker[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_sphere_shrinks_as_it_has_to),
        sfgp_unit_test(moves_are_along_the_normals),
        sfgp_unit_test(sharpening_is_the_opposite_of_smoothing),
        sfgp_unit_test(a_cloud_can_be_smoothed),
        sfgp_unit_test(moves_of_some_points_are_carried_to_all),
        sfgp_unit_test(a_worn_subject_is_fitted_by_a_smoother_reference),
        sfgp_long_test(a_rougher_subject_is_fitted_by_a_sharpened_reference),
        sfgp_unit_test(a_thicker_subject_is_fitted_by_a_thicker_reference),
        sfgp_unit_test(other_subjects_keep_the_reference),
        sfgp_long_test(an_adapted_fit_that_is_no_better_is_refused),
        sfgp_unit_test(the_next_target_begins_anew),
        sfgp_long_test(a_dense_reference_is_adapted_and_comes_back),
        sfgp_unit_test(the_test_tells_what_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
