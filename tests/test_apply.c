/* The deformation: points of the reference land on the fit, others where a dense Gaussian process puts them;
 * a coarse fit carries a fine shape; files give the same bits. */
#include "deformation/deformation.h"
#include "em/loop.h"
#include "fit/solver.h"
#include "outcome/result.h"
#include "outcome/uncertainty.h"
#include "geom/interpolate.h"
#include "io/hdf5.h"
#include "model/prior_at.h"
#include "support/gauss.h"
#include "support/corrupt.h"
#include "support/damaged_hdf5.h"
#include "support/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL "matern52:length=1.5,variance=0.3"

/* A fit and its map. */
typedef struct fitted {
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map;
} fitted;

static void clear(fitted *fit)
{
    sfgp_deformation_free(fit->map);
    sfgp_result_free(fit->result);
    sfgp_solver_free(fit->solver);
    sfgp_model_free(fit->model);
}

static sfgp_settings settings_of(const char *method, const char *lowrank)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    strcpy(settings.lowrank, lowrank);
    strcpy(settings.kernel, KERNEL);
    settings.accuracy = 1e-4;
    settings.max_iterations = 30;
    return settings;
}

static fitted fit_shapes(sfgp_context *context, const test_shapes *shapes, int training,
                         const sfgp_settings *settings)
{
    fitted fit;
    sfgp_mesh *target = test_mesh(context, shapes->m, shapes->d, shapes->target);
    fit.model = test_shapes_model(context, shapes, training, settings);
    sfgp_assert_ok(context, sfgp_solver_new(context, fit.model, settings, &fit.solver));
    sfgp_assert_ok(context, sfgp_solver_run(fit.solver, target, &fit.result));
    sfgp_assert_ok(context, sfgp_solver_deformation(fit.solver, fit.result, &fit.map));
    sfgp_mesh_free(target);
    return fit;
}

static double largest_difference(int64_t count, const double *a, const double *b)
{
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* ---- at the reference -------------------------------------------------------------------------------- */

/* The residual makes the points exact up to the rounding of adding it: the size of the coordinates times 1e-15. */
static void assert_lands_on_fit(sfgp_context *context, const test_shapes *shapes, const fitted *fit,
                                bool posterior)
{
    const int64_t n = shapes->n, d = shapes->d;
    double *out = malloc((size_t)(n * d) * sizeof *out), *sd = malloc((size_t)n * sizeof *sd), size = 0;
    sfgp_model_info info;
    sfgp_model_describe(fit->model, &info);
    for (int64_t k = 0; k < n * d; k++)
        size = fmax(size, fabs(fit->result->points[k]));
    sfgp_assert_ok(context, sfgp_deformation_apply(context, fit->map, n, shapes->reference, 1, out, sd));
    const double gap = largest_difference(n * d, out, fit->result->points);
    if (!(gap <= 1e-13 * size))
        fail_msg("%s, %s: %g beside the fit", fit->result->settings->method, fit->result->settings->lowrank,
                 gap);
    /* the fit's variance, and no more than the certified residual added */
    const double residual = info.kernel_residual * info.scale * info.scale;
    for (int64_t i = 0; i < n && posterior; i++) {
        const double variance = fit->result->sd[i] * fit->result->sd[i];
        const double more = sd[i] * sd[i] - variance, rounding = 1e-6 * info.scale * info.scale;
        if (!(more > -rounding && more < residual + rounding))
            fail_msg("%s: the variance %g is %g more than that of the fit; residual %g",
                     fit->result->settings->lowrank, variance, more, residual);
    }
    free(out);
    free(sd);
}

static void reference_points_land_on_the_fit(void **state)
{
    static const char *const factors[] = {"cholesky", "nystrom", "eigen"};
    for (int d = 2; d <= 3; d++) {
        test_shapes *shapes = test_shapes_new(150, d, 6, 3);
        for (int training = 0; training <= 6; training += 6)
            for (int f = 0; f < 3; f++) {
                const sfgp_settings settings = settings_of("sfgp-scalar", factors[f]);
                fitted fit = fit_shapes(*state, shapes, training, &settings);
                assert_lands_on_fit(*state, shapes, &fit, f == 0);
                clear(&fit);
            }
        test_shapes_free(shapes);
    }
}

/* The scan is the reference. Then the fit states less at some points than its posterior says, and the factor leaves out more than both.
 * On the reference the map has the deviations of the fit: 1e-6 for differences of variances that cancel. Between two points it
 * has at least the least one that the fit has anywhere, although interpolation can go below it. */
static void an_exact_fit_keeps_its_deviations(void **state)
{
    enum { N = 500 };
    test_shapes *shapes = test_shapes_new(N, 3, 0, 3);
    sfgp_settings settings = test_settings();
    shapes->m = N;
    free(shapes->target);
    shapes->target = malloc(3 * N * sizeof *shapes->target);
    memcpy(shapes->target, shapes->reference, 3 * N * sizeof *shapes->target);
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    double out[3 * N], sd[N], between[3 * N], least = HUGE_VAL, lowest = HUGE_VAL;
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, N, shapes->reference, 1, out, sd));
    for (int i = 0; i < N; i++) {
        assert_true(fabs(sd[i] - fit.result->sd[i]) < 1e-6 * sd[i]);
        least = fmin(least, sd[i]);
        lowest = fmin(lowest, fit.map->extra_variance[i]);
    }
    assert_true(lowest < 0);
    for (int k = 0; k < 3 * N; k++)
        between[k] = (shapes->reference[k] + shapes->reference[(k + 3) % (3 * N)]) / 2;
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, N, between, 1, out, sd));
    for (int i = 0; i < N; i++)
        assert_true(sd[i] > (1 - 1e-6) * least);
    clear(&fit);
    test_shapes_free(shapes);
}

static void so_do_those_of_every_method(void **state)
{
    test_shapes *shapes = test_shapes_new(100, 3, 6, 4);
    for (int k = 0; sfgp_method_row(k); k++) {
        const sfgp_settings settings = settings_of(sfgp_method_row(k)->name, "cholesky");
        fitted fit = fit_shapes(*state, shapes, 6, &settings);
        assert_lands_on_fit(*state, shapes, &fit, false);
        clear(&fit);
    }
    test_shapes_free(shapes);
}

/* No overlap: nothing moves, but for the rounding of the frame, and sd is the prior's, sqrt(0.3) RMS radii. */
static void without_overlap_nothing_moves(void **state)
{
    test_shapes *shapes = test_shapes_new(60, 3, 0, 5);
    sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    for (int64_t k = 0; k < 3 * shapes->m; k++)
        shapes->target[k] += 1e4;
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    double in[6] = {0.1, 0.2, 0.3, 40, -50, 60}, out[6], sd[2];
    sfgp_model_info info;
    sfgp_model_describe(fit.model, &info);
    assert_int_equal(sfgp_deformation_outcome(fit.map), SFGP_NO_OVERLAP);
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, 2, in, 1, out, sd));
    assert_true(largest_difference(6, in, out) < fit.model->frame.step * info.scale);
    for (int k = 0; k < 2; k++)
        assert_true(fabs(sd[k] - info.scale * sqrt(0.3)) < 1e-9 * info.scale);
    clear(&fit);
    test_shapes_free(shapes);
}

/* ---- pose -------------------------------------------------------------------------------------------- */

/* T of the frame on points of the files. */
static void turn(const sfgp_model *model, const sfgp_similarity *pose, int64_t count, double *points)
{
    const sfgp_frame *frame = &model->frame;
    sfgp_frame_enter_exactly(frame, count, points, points);
    sfgp_similarity_apply(pose, count, points, points);
    sfgp_frame_leave(frame, count, points, points);
}

static sfgp_similarity some_pose(int d)
{
    const double c = cos(2.0), s = sin(2.0);
    const sfgp_similarity plane = {2, 1, {c, -s, s, c}, {0.3, -0.7}};
    const sfgp_similarity space = {3, 1, {c, 0, s, 0, 1, 0, -s, 0, c}, {0.3, -0.7, 0.2}};
    return d == 2 ? plane : space;
}

/* The same fit found in another pose: its result and its map, from a solver that has it. */
static sfgp_deformation *pose_fit(sfgp_context *context, fitted *fit, const sfgp_similarity *pose)
{
    sfgp_deformation *map;
    fit->solver->em->state.pose = *pose;
    turn(fit->model, pose, fit->model->count, fit->result->points);
    sfgp_assert_ok(context, sfgp_solver_deformation(fit->solver, fit->result, &map));
    return map;
}

/* All that is carried is turned, the interpolated residual with it. 1e-12: 1e-13 for landing on the
 * fit, and weights of the interpolation up to a few times 1. */
static void a_pose_turns_what_is_carried(void **state)
{
    enum { N = 120, Q = 90 };
    const double size = 200; /* mm, more than any coordinate */
    for (int d = 2; d <= 3; d++)
        for (int training = 0; training <= 6; training += 6) {
            test_shapes *shapes = test_shapes_new(N, d, 6, 16);
            const sfgp_settings settings = settings_of("sfgp-scalar", "eigen");
            fitted fit = fit_shapes(*state, shapes, training, &settings);
            const sfgp_similarity pose = some_pose(d);
            sfgp_deformation *map = pose_fit(*state, &fit, &pose);
            const double zero[3 * N] = {0};
            double a[3 * N], b[3 * N], sd_a[N], sd_b[N], in[3 * Q];
            sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, N, shapes->reference, 1, a, NULL));
            assert_true(largest_difference(N * d, a, fit.result->points) < 1e-13 * size);
            assert_true(largest_difference(N * d, map->residual, zero) > 1e-6); /* there is some */
            for (int k = 0; k < Q * d; k++)                                     /* off the surface */
                in[k] = shapes->reference[k] + 0.1 * fit.model->frame.scale * sin(k + 1.0);
            sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, Q, in, 1, a, sd_a));
            sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, Q, in, 1, b, sd_b));
            turn(fit.model, &pose, Q, a);
            assert_true(largest_difference(Q * d, a, b) < 1e-12 * size);
            assert_memory_equal(sd_a, sd_b, Q * sizeof *sd_a);
            sfgp_deformation_free(map);
            clear(&fit);
            test_shapes_free(shapes);
        }
}

/* A fit that starts at a pose, its result and its map. The density of outliers is given: the box of a turned
 * scan is not the box turned. */
static void fit_from(sfgp_context *context, const sfgp_mesh *target, const sfgp_similarity *pose,
                     double density, fitted *fit)
{
    sfgp_outcome outcome;
    sfgp_assert_ok(context, sfgp_solver_load(fit->solver, target));
    sfgp_em_start start = fit->solver->em->state.start;
    start.pose = *pose;
    sfgp_assert_ok(context, sfgp_em_begin(fit->solver->em, &start));
    fit->solver->problem.volume_density = true;
    fit->solver->problem.target.density = density;
    sfgp_assert_ok(context, sfgp_em_run(fit->solver->em, &outcome));
    if (fit->solver->method->variant->learns)
        sfgp_assert_ok(context, sfgp_outcome_finish(fit->solver->em));
    sfgp_assert_ok(context, sfgp_result_new(context, fit->model, &fit->result));
    *fit->result->settings = fit->solver->settings;
    fit->result->outcome = outcome;
    sfgp_result_fill(fit->solver->em, fit->model, fit->result);
    sfgp_assert_ok(context, sfgp_solver_deformation(fit->solver, fit->result, &fit->map));
}

/* A turned scan, fitted from that pose, is the fit of the scan as it was, turned: result and map. 1e-9 of
 * the size: roundings of 1e-16, through 30 iterations. By half a turn and some steps, as the default rounds the points of a scan and
 * sorts them by the first axis. */
static void a_turned_scan_is_the_fit_turned(void **state)
{
    enum { N = 120 };
    static const char *const methods[] = {"auto", "sfgp-full"};
    for (int m = 0; m < 2; m++) {
        test_shapes *shapes = test_shapes_new(N, 3, 0, 20);
        const sfgp_settings settings = settings_of(methods[m], "cholesky");
        const sfgp_similarity poses[2] = {sfgp_similarity_identity(3),
                                          {3, 1, {1, 0, 0, 0, -1, 0, 0, 0, -1}, {0.25, -0.75, 0.125}}};
        fitted fits[2];
        double carried[2][3 * N], sd[2][N];
        for (int k = 0; k < 2; k++) {
            fits[k].model = test_shapes_model(*state, shapes, 0, &settings);
            sfgp_assert_ok(*state, sfgp_solver_new(*state, fits[k].model, &settings, &fits[k].solver));
            turn(fits[k].model, &poses[k], shapes->m, shapes->target);
            sfgp_mesh *target = test_mesh(*state, shapes->m, 3, shapes->target);
            fit_from(*state, target, &poses[k], 0.1, &fits[k]);
            assert_lands_on_fit(*state, shapes, &fits[k], true);
            sfgp_assert_ok(
                *state, sfgp_deformation_apply(*state, fits[k].map, N, shapes->truth, 1, carried[k], sd[k]));
            sfgp_mesh_free(target);
        }
        const double size = 200; /* mm, more than any coordinate */
        assert_true(fits[0].result->iterations > 5 && fits[0].result->outcome != SFGP_NO_OVERLAP);
        turn(fits[0].model, &poses[1], N, carried[0]);
        turn(fits[0].model, &poses[1], N, fits[0].result->points);
        assert_true(largest_difference(3 * N, fits[0].result->points, fits[1].result->points) < 1e-9 * size);
        assert_true(largest_difference(3 * N, carried[0], carried[1]) < 1e-9 * size);
        assert_true(largest_difference(N, sd[0], sd[1]) < 1e-9 * size);
        clear(&fits[0]);
        clear(&fits[1]);
        test_shapes_free(shapes);
    }
}

/* Baselines put a pose into their points; without overlap none was found. */
static void there_is_none_without_a_posterior(void **state)
{
    static const char *const methods[] = {"cpd", "sfgp-scalar"};
    test_shapes *shapes = test_shapes_new(60, 3, 0, 17);
    const sfgp_similarity pose = some_pose(3);
    for (int m = 0; m < 2; m++) {
        const sfgp_settings settings = settings_of(methods[m], "cholesky");
        fitted fit = fit_shapes(*state, shapes, 0, &settings);
        sfgp_deformation *map;
        assert_int_equal(fit.solver->em == NULL, m == 0);
        if (fit.solver->em)
            fit.solver->em->state.pose = pose;
        fit.result->outcome = m == 0 ? fit.result->outcome : SFGP_NO_OVERLAP;
        sfgp_assert_ok(*state, sfgp_solver_deformation(fit.solver, fit.result, &map));
        assert_true(sfgp_similarity_is_identity(&map->pose));
        sfgp_deformation_free(map);
        clear(&fit);
    }
    test_shapes_free(shapes);
}

/* ---- elsewhere --------------------------------------------------------------------------------------- */

static double kernel(const double *x, const double *y)
{
    double r2 = 0;
    for (int a = 0; a < 3; a++)
        r2 += (x[a] - y[a]) * (x[a] - y[a]);
    const double t = sqrt(5 * r2) / 1.5;
    return 0.3 * (1 + t + t * t / 3) * exp(-t);
}

/* A fit of landmarks alone (no iterations), with all columns: regression on them with the exact kernel. */
static void other_points_go_where_dense_regression_puts_them(void **state)
{
    enum { N = 80, L = 12, Q = 10 };
    test_shapes *shapes = test_shapes_new(N, 3, 0, 6);
    sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    settings.accuracy = 1e-14;
    settings.max_iterations = 0;
    sfgp_model *model = test_shapes_model(*state, shapes, 0, &settings);
    sfgp_mesh *target = test_mesh(*state, shapes->m, 3, shapes->target);
    double from[3 * L], to[3 * L], in[3 * Q], out[3 * Q], sd[Q];
    for (int k = 0; k < L; k++) {
        memcpy(from + 3 * k, shapes->reference + 3 * (5 * k), 3 * sizeof *from);
        memcpy(to + 3 * k, shapes->truth + 3 * (5 * k), 3 * sizeof *to);
    }
    for (int k = 0; k < 3 * Q; k++) /* off the surface and off the points */
        in[k] = shapes->reference[3 * 7 * (k / 3) + k % 3] + model->frame.scale * 0.2 * sin(k + 1.0);
    const double noise = 0.05 * model->frame.scale;
    sfgp_deformation *map;
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(solver, L, from, to, noise));
    sfgp_result *result = test_run(*state, solver, target);
    sfgp_assert_ok(*state, sfgp_solver_deformation(solver, result, &map));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, Q, in, 1, out, sd));
    double r[3 * L], x[3 * Q];
    sfgp_frame_enter(&model->frame, L, from, r);
    sfgp_frame_enter(&model->frame, Q, in, x);
    for (int q = 0; q < Q; q++) {
        double a[L * L], b[L], move[3] = {0}, variance = 0.3;
        for (int i = 0; i < L; i++) {
            for (int j = 0; j < L; j++)
                a[i * L + j] = kernel(r + 3 * i, r + 3 * j) + (i == j) * 0.05 * 0.05;
            b[i] = kernel(x + 3 * q, r + 3 * i);
        }
        test_gauss(L, 1, a, b);
        for (int i = 0; i < L; i++) {
            variance -= b[i] * kernel(x + 3 * q, r + 3 * i);
            for (int axis = 0; axis < 3; axis++)
                move[axis] += b[i] * (to[3 * i + axis] - from[3 * i + axis]);
        }
        /* 1e-8: the factor's rows at reference points are exact to its accuracy's root, 1e-7, at worst */
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(out[3 * q + axis] - in[3 * q + axis] - move[axis]) < 1e-7 * model->frame.scale);
        assert_true(fabs(sd[q] - model->frame.scale * sqrt(variance)) < 1e-7 * model->frame.scale);
    }
    sfgp_deformation_free(map);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(target);
    test_shapes_free(shapes);
}

/* Every second point makes the coarse shape; both shapes get the same labels, as landmarks. What the coarse
 * fit says of the other points is what the whole shape's fit says of them, to 1 % of the motion. */
static void assert_coarse_carries_fine(sfgp_context *context, int training)
{
    enum { N = 800, HALF = N / 2 };
    test_shapes *fine = test_shapes_new(N, 3, training, 7), coarse = *fine;
    double *fits[2];
    coarse.n = HALF;
    coarse.reference = calloc(3 * HALF, sizeof(double));
    coarse.training = calloc(8, sizeof(double *));
    double *labels = calloc(3 * HALF, sizeof(double)), *carried = calloc(3 * N, sizeof(double));
    for (int t = 0; t < training; t++)
        coarse.training[t] = calloc(3 * HALF, sizeof(double));
    for (int i = 0; i < HALF; i++)
        for (int a = 0; a < 3; a++) {
            coarse.reference[3 * i + a] = fine->reference[6 * i + a];
            labels[3 * i + a] = fine->truth[6 * i + a];
            for (int t = 0; t < training; t++)
                coarse.training[t][3 * i + a] = fine->training[t][6 * i + a];
        }
    const test_shapes *const shapes[2] = {fine, &coarse};
    for (int s = 0; s < 2; s++) {
        sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
        strcpy(settings.kernel, "se:length=2,variance=0.1");
        settings.accuracy = 1e-6;
        settings.max_iterations = 0;
        sfgp_mesh *target = test_mesh(context, fine->m, 3, fine->target);
        fitted fit = {.model = test_shapes_model(context, shapes[s], training, &settings)};
        sfgp_assert_ok(context, sfgp_solver_new(context, fit.model, &settings, &fit.solver));
        sfgp_assert_ok(context, sfgp_solver_set_landmarks(fit.solver, HALF, coarse.reference, labels, 0));
        sfgp_assert_ok(context, sfgp_solver_run(fit.solver, target, &fit.result));
        sfgp_assert_ok(context, sfgp_solver_deformation(fit.solver, fit.result, &fit.map));
        fits[s] = calloc(3 * N, sizeof(double));
        sfgp_assert_ok(context,
                       sfgp_deformation_apply(context, fit.map, N, fine->reference, 1, fits[s], NULL));
        clear(&fit);
        sfgp_mesh_free(target);
    }
    double gap = 0, motion = 0;
    for (int k = 0; k < 3 * N; k++) {
        gap += pow(fits[0][k] - fits[1][k], 2);
        motion += pow(fits[0][k] - fine->reference[k], 2);
    }
    if (!(sqrt(gap / motion) < 0.01))
        fail_msg("training %d: %.2f %% of the motion", training, 100 * sqrt(gap / motion));
    for (int t = 0; t < training; t++)
        free(coarse.training[t]);
    free(coarse.training);
    free(coarse.reference);
    free(labels);
    free(carried);
    free(fits[0]);
    free(fits[1]);
    test_shapes_free(fine);
}

static void a_coarse_fit_carries_a_fine_shape(void **state)
{
    assert_coarse_carries_fine(*state, 0);
    assert_coarse_carries_fine(*state, 6);
}

/* Modes are interpolated, and that is in sd: never below what the points around it say without it. */
static void sd_grows_off_the_reference(void **state)
{
    test_shapes *shapes = test_shapes_new(200, 3, 6, 8);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    fitted fit = fit_shapes(*state, shapes, 6, &settings);
    double far[9], sd[3], none[9];
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            far[3 * k + a] =
                shapes->reference[a] + (a == 2) * fit.model->frame.scale * (k == 0 ? 0 : pow(10, k - 2));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, 3, far, 1, none, sd));
    assert_true(sd[0] < sd[1] && sd[1] < sd[2]);
    clear(&fit);
    test_shapes_free(shapes);
}

/* ---- interpolation ----------------------------------------------------------------------------------- */

static void weights_interpolate(void **state)
{
    enum { N = 60 };
    test_shapes *shapes = test_shapes_new(N, 3, 0, 9);
    sfgp_interpolator at;
    sfgp_neighbourhood near;
    int32_t index[N];
    double distance2[N];
    memcpy(shapes->reference + 3, shapes->reference, 3 * sizeof(double)); /* coincident points */
    sfgp_assert_ok(*state, sfgp_interpolator_new(*state, N, 3, shapes->reference, &at));
    for (int i = 2; i < N; i++) {
        sfgp_interpolator_at(&at, shapes->reference + 3 * i, index, distance2, &near);
        assert_int_equal(near.count, 1);
        assert_int_equal(near.index[0], i);
        assert_true(near.weight[0] == 1 && near.left == 0);
    }
    double before[N] = {0};
    for (int step = 0; step <= 400; step++) { /* along a line through the shape and out of it */
        double x[3], now[N] = {0}, sum = 0, jump = 0;
        for (int a = 0; a < 3; a++)
            x[a] = shapes->reference[3 * 5 + a] +
                   step / 100.0 * (shapes->reference[3 * 40 + a] - shapes->reference[3 * 5 + a]);
        sfgp_interpolator_at(&at, x, index, distance2, &near);
        for (int k = 0; k < near.count; k++) {
            now[near.index[k]] += near.weight[k];
            sum += near.weight[k];
        }
        assert_true(fabs(sum - 1) < 1e-9); /* solved with condition numbers up to 1e5 */
        assert_true(near.left >= 0);
        for (int i = 0; i < N; i++)
            jump = fmax(jump, fabs(now[i] - before[i]));
        if (step > 0 &&
            !(jump < 0.25)) /* a step is an eighth of the spacing: no point comes or goes at once */
            fail_msg("step %d: a weight jumps by %g", step, jump);
        memcpy(before, now, sizeof before);
    }
    sfgp_interpolator_clear(&at);
    test_shapes_free(shapes);
}

/* x'C^-1 x by elimination, C = L L'. */
static double likely(int n, const double *lower, const double *x)
{
    enum { MOST = SFGP_NEIGHBOURS };
    double c[MOST][MOST + 1] = {{0}}, sum = 0;
    for (int i = 0; i < n; i++) {
        c[i][n] = x[i];
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= (i < j ? i : j); k++)
                c[i][j] += lower[i * n + k] * lower[j * n + k];
    }
    for (int p = 0; p < n;
         p++) /* what is left of the last column is (x_p given those before)^2 / its variance */
        for (int i = n; i-- > p;) {
            sum += i == p ? c[p][n] * c[p][n] / c[p][p] : 0;
            for (int j = n; j >= p && i > p; j--)
                c[i][j] -= c[i][p] / c[p][p] * c[p][j];
        }
    return sum;
}

/* Between points of the reference modes lack the kriging variance, times the variance that makes the modes and the mean
 * displacement of the neighbours likely: the mean of V'C^-1 V over neighbours and axes. */
static void modes_between_points_lack_the_kriging_variance(void **state)
{
    test_shapes *shapes = test_shapes_new(100, 3, 4, 9);
    sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    sfgp_prior_at prior;
    sfgp_prior_rows rows;
    double x[3], sum = 0;
    strcpy(settings.kernel, "none");
    sfgp_model *model = test_shapes_model(*state, shapes, 4, &settings);
    const int64_t p = model->basis.pca.modes;
    for (int a = 0; a < 3; a++)
        x[a] = 0.6 * model->reference[a] + 0.4 * model->reference[3 + a];
    sfgp_assert_ok(*state, sfgp_prior_at_new(*state, model, &prior));
    sfgp_assert_ok(*state, sfgp_prior_rows_new(*state, &prior, &rows));
    sfgp_prior_at_fill(&prior, 1, x, &rows);
    const sfgp_neighbourhood *at = &rows.nearby[0];
    for (int64_t c = 0; c < 3 * (p + 1); c++) {
        double values[SFGP_NEIGHBOURS], mean = 0;
        for (int k = 0; k < at->count; k++) {
            const int64_t i = 3 * at->index[k];
            values[k] = c < 3 * p ? model->basis.pca.factor[i * p + c]
                                  : model->basis.mean[i + c - 3 * p] - model->reference[i + c - 3 * p];
            mean += values[k] / at->count;
        }
        for (int k = 0; k < at->count; k++)
            values[k] -= mean;
        sum += likely(at->count, at->factor, values);
    }
    const double expected = at->left * sum / (at->count * 3);
    assert_true(at->count == SFGP_NEIGHBOURS && p > 0 && expected > 0);
    assert_true(fabs(rows.left[0] - expected) < 1e-9 * expected); /* condition numbers up to 1e5 */
    sfgp_prior_rows_clear(&rows);
    sfgp_prior_at_clear(&prior);
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

static void few_points_do(void **state)
{
    const double square[] = {0, 0, 1, 0, 0, 1, 1, 1};
    const double x[] = {0.5, 0.5};
    sfgp_interpolator at;
    sfgp_neighbourhood near;
    int32_t index[4];
    double distance2[4];
    sfgp_assert_ok(*state, sfgp_interpolator_new(*state, 4, 2, square, &at));
    sfgp_interpolator_at(&at, x, index, distance2, &near);
    assert_int_equal(near.count, 4);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(near.weight[k] - 0.25) < 1e-9);
    sfgp_interpolator_clear(&at);
}

/* ---- same bits --------------------------------------------------------------------------------------- */

static void bits_do_not_depend_on_threads_or_company(void **state)
{
    enum { Q = 700 };
    test_shapes *shapes = test_shapes_new(150, 3, 6, 10);
    const sfgp_settings settings = settings_of("sfgp-full", "nystrom");
    fitted fit = fit_shapes(*state, shapes, 6, &settings);
    static double in[3 * Q], one[3 * Q], two[3 * Q], sd_one[Q], sd_two[Q];
    for (int k = 0; k < 3 * Q; k++)
        in[k] = shapes->reference[k % 450] + 0.01 * (k / 450);
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, Q, in, 1, one, sd_one));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, Q, in, 2, two, sd_two));
    assert_memory_equal(one, two, sizeof one);
    assert_memory_equal(sd_one, sd_two, sizeof sd_one);
    for (int k = 0; k < Q; k += 83) {
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, 1, in + 3 * k, 1, two, sd_two));
        assert_true(largest_difference(3, two, one + 3 * k) == 0 && sd_two[0] == sd_one[k]);
    }
    memcpy(two, in, sizeof in);
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, Q, two, 1, two, NULL)); /* in place */
    assert_memory_equal(one, two, sizeof one);
    clear(&fit);
    test_shapes_free(shapes);
}

static void a_saved_fit_is_the_fit(void **state)
{
    static const char *const methods[] = {"sfgp-scalar", "bcpd"};
    test_shapes *shapes = test_shapes_new(120, 3, 6, 11);
    const char *path = test_path("fit.h5"), *again = test_path("2.h5");
    for (int m = 0; m < 2; m++)
        for (int training = 0; training <= 6; training += 6) {
            const sfgp_settings settings = settings_of(methods[m], "cholesky");
            fitted fit = fit_shapes(*state, shapes, training, &settings);
            sfgp_deformation *read;
            double a[3 * 120], b[3 * 120], sd_a[120], sd_b[120];
            sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, path));
            sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &read));
            assert_int_equal(sfgp_deformation_outcome(read), fit.result->outcome);
            sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, 120, shapes->truth, 1, a, sd_a));
            sfgp_assert_ok(*state, sfgp_deformation_apply(*state, read, 120, shapes->truth, 1, b, sd_b));
            assert_memory_equal(a, b, sizeof a);
            assert_memory_equal(sd_a, sd_b, sizeof sd_a);
            sfgp_assert_ok(*state, sfgp_deformation_write(*state, read, again));
            size_t sizes[2];
            char *files[2] = {sfgp_test_read(path, &sizes[0]), sfgp_test_read(again, &sizes[1])};
            assert_int_equal(sizes[0], sizes[1]);
            assert_memory_equal(files[0], files[1], sizes[0]);
            free(files[0]);
            free(files[1]);
            sfgp_deformation_free(read);
            clear(&fit);
        }
    test_shapes_free(shapes);
}

static bool has_pose(sfgp_context *context, const char *path)
{
    sfgp_hdf5 *file;
    sfgp_assert_ok(context, sfgp_hdf5_open(context, path, &file));
    const bool found = sfgp_hdf5_has(file, "/fit/pose/rotation") || sfgp_hdf5_has(file, "/fit/pose/shift");
    sfgp_hdf5_free(file);
    return found;
}

static void its_pose_is_saved(void **state)
{
    enum { N = 60 };
    const char *path = test_path("posed.h5");
    for (int d = 2; d <= 3; d++) {
        test_shapes *shapes = test_shapes_new(N, d, 0, 18);
        const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
        fitted fit = fit_shapes(*state, shapes, 0, &settings);
        sfgp_deformation *read;
        double a[3 * N], b[3 * N];
        sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, path));
        assert_false(has_pose(*state, path)); /* the identity is what older files have: none */
        sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &read));
        assert_true(sfgp_similarity_is_identity(&read->pose));
        sfgp_deformation_free(read);

        const sfgp_similarity pose = some_pose(d);
        sfgp_deformation *map = pose_fit(*state, &fit, &pose);
        sfgp_assert_ok(*state, sfgp_deformation_write(*state, map, path));
        assert_true(has_pose(*state, path));
        sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &read));
        assert_memory_equal(&read->pose, &pose, sizeof pose);
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, N, shapes->truth, 1, a, NULL));
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, read, N, shapes->truth, 1, b, NULL));
        assert_memory_equal(a, b, (size_t)(N * d) * sizeof *a);
        sfgp_deformation_free(read);
        sfgp_deformation_free(map);
        clear(&fit);
        test_shapes_free(shapes);
    }
}

/* ---- damage and errors ------------------------------------------------------------------------------- */

static void damage_is_found(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 2, 0, 12);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    const sfgp_similarity pose = some_pose(2);
    sfgp_deformation *map = pose_fit(*state, &fit, &pose);
    const char *path = test_path("damaged.h5");
    double whole[80], out[80];
    const size_t step =
        SFGP_TEST_SLOW ? 307 : 181; /* one byte of so many is changed; bench/flips.c has all */
    size_t size;
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, map, path));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, 40, shapes->truth, 1, whole, NULL));
    sfgp_deformation_free(map);
    sfgp_test_remove_digest(path); /* else its digest finds all */
    char *bytes = sfgp_test_read(path, &size);
    int found = 0, harmless = 0;
    for (size_t at = 0; at < size; at += step) {
        sfgp_deformation *read;
        bytes[at] ^= 0x10;
        sfgp_test_write(path, bytes, size);
        sfgp_status status = sfgp_deformation_read(*state, path, &read);
        bytes[at] ^= 0x10;
        found += status != SFGP_OK;
        if (status != SFGP_OK)
            continue;
        harmless++; /* a byte that nobody reads: the fit is the same */
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, read, 40, shapes->truth, 1, out, NULL));
        assert_memory_equal(whole, out, sizeof whole);
        sfgp_deformation_free(read);
    }
    assert_true(found > 100 * 61 / (int)step && harmless > 0);
    for (size_t length = 0; length < size; length += 8 * step) {
        sfgp_deformation *read;
        sfgp_test_write(path, bytes, length);
        assert_true(sfgp_deformation_read(*state, path, &read) != SFGP_OK);
        assert_null(read);
    }
    free(bytes);
    clear(&fit);
    test_shapes_free(shapes);
}

/* A whole file, checksum and all, whose numbers are no rigid motion. */
/* A reflection is none that bends: the setting mirror makes it. */
static void a_pose_that_bends_is_refused(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, 0, 19);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    const char *path = test_path("bent.h5");
    const sfgp_similarity pose = some_pose(3);
    sfgp_similarity bad[3] = {pose, pose, {3, 1, {0}, {1, 2, 3}}};
    sfgp_deformation *read;
    bad[0].rotation[4] += 1e-5;
    bad[1].rotation[1] += 1e-5;
    for (int k = 0; k < 3; k++) {
        fit.map->pose = bad[k];
        sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, path));
        sfgp_assert_error(*state, sfgp_deformation_read(*state, path, &read), SFGP_ERROR_FORMAT, path);
        sfgp_assert_has(sfgp_context_error(*state), "not a rotation");
        assert_null(read);
    }
    fit.map->pose = pose;
    fit.map->pose.rotation[4] += 1e-7; /* rounding of a single-precision tool */
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, path));
    sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &read));
    sfgp_deformation_free(read);
    fit.map->pose.shift[2] = NAN;
    sfgp_assert_status(*state, sfgp_deformation_write(*state, fit.map, path), SFGP_ERROR_DATA);
    clear(&fit);
    test_shapes_free(shapes);
}

/* A slip would replace a mesh: what stands there stays. */
static void models_and_fits_are_written_as_h5_only(void **state)
{
    static const char *const NAMES[] = {"scan.ply", "fit", "fit.h5.gz", "-.ply"};
    test_shapes *shapes = test_shapes_new(40, 3, 0, 13);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    for (int k = 0; k < 4; k++) {
        const char *path = test_path(NAMES[k]);
        sfgp_test_write(path, "old", 3);
        for (int model = 0; model < 2; model++) {
            sfgp_assert_error(*state,
                              model ? sfgp_model_write(*state, sfgp_deformation_model(fit.map), path)
                                    : sfgp_deformation_write(*state, fit.map, path),
                              SFGP_ERROR_PARAMETER, "give a name that ends in .h5 or .hdf5");
        }
        char *text = sfgp_test_read(path, NULL);
        assert_string_equal(text, "old");
        free(text);
    }
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, "/dev/null"));
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, test_path("A.HDF5")));
    clear(&fit);
    test_shapes_free(shapes);
}

static void a_model_is_not_a_fit(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, 0, 13);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    sfgp_model *model = test_shapes_model(*state, shapes, 0, &settings);
    const char *path = test_path("model.h5");
    sfgp_deformation *read;
    sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
    sfgp_assert_error(*state, sfgp_deformation_read(*state, path, &read), SFGP_ERROR_FORMAT,
                      "register --save");
    sfgp_assert_status(*state, sfgp_deformation_read(*state, "/nowhere/x.h5", &read), SFGP_ERROR_READ);
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

static void what_cannot_be_carried_is_refused(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, 0, 14);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    double points[6] = {1, 2, 3, 4, NAN, 6};
    sfgp_deformation *map;
    sfgp_assert_error(*state, sfgp_deformation_apply(*state, fit.map, 2, points, 1, points, NULL),
                      SFGP_ERROR_DATA, "point 1");
    points[4] = 1e300; /* its square is no number */
    sfgp_assert_error(*state, sfgp_deformation_apply(*state, fit.map, 2, points, 1, points, NULL),
                      SFGP_ERROR_DATA, "point 1");
    sfgp_result other = *fit.result;
    other.count--;
    sfgp_assert_status(*state, sfgp_solver_deformation(fit.solver, &other, &map), SFGP_ERROR_PARAMETER);
    assert_null(map);
    clear(&fit);
    test_shapes_free(shapes);
}

struct sweep {
    fitted *fit;
    const char *path;
};

static sfgp_status save_read_apply(sfgp_context *context, void *user)
{
    struct sweep *sweep = user;
    sfgp_deformation *map = NULL, *read = NULL;
    double point[3] = {1, 2, 3}, sd;
    sfgp_context *before = sweep->fit->solver->context;
    sweep->fit->solver->context = context;
    sfgp_status status = sfgp_solver_deformation(sweep->fit->solver, sweep->fit->result, &map);
    sweep->fit->solver->context = before;
    if (status == SFGP_OK)
        status = sfgp_deformation_write(context, map, sweep->path);
    if (status == SFGP_OK)
        status = sfgp_deformation_read(context, sweep->path, &read);
    if (status == SFGP_OK)
        status = sfgp_deformation_apply(context, read, 1, point, 1, point, &sd);
    sfgp_deformation_free(map);
    sfgp_deformation_free(read);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    static const char *const methods[] = {"sfgp-scalar", "cpd"};
    test_shapes *shapes = test_shapes_new(40, 3, 3, 15);
    for (int m = SFGP_TEST_SLOW; m < 2; m++) {
        const sfgp_settings settings = settings_of(methods[m], m == 0 ? "nystrom" : "cholesky");
        fitted fit = fit_shapes(*state, shapes, 3, &settings);
        if (fit.solver->em)
            fit.solver->em->state.pose = some_pose(3);
        struct sweep sweep = {&fit, test_path("sweep.h5")};
        assert_true(sfgp_sweep_allocations(*state, save_read_apply, &sweep) > 100);
        clear(&fit);
    }
    test_shapes_free(shapes);
}

/* A whole file, checksum and all, whose factor has a zero on its diagonal. */
static void a_factor_that_would_divide_by_zero_is_refused(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, 0, 19);
    const sfgp_settings settings = settings_of("sfgp-scalar", "cholesky");
    fitted fit = fit_shapes(*state, shapes, 0, &settings);
    const char *path = test_path("singular.h5");
    sfgp_deformation *read;
    fit.map->block[0] = 0;
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, path));
    sfgp_assert_error(*state, sfgp_deformation_read(*state, path, &read), SFGP_ERROR_FORMAT,
                      "it is not a Cholesky factor");
    assert_null(read);
    clear(&fit);
    test_shapes_free(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_factor_that_would_divide_by_zero_is_refused),
        sfgp_unit_test(reference_points_land_on_the_fit),
        sfgp_unit_test(an_exact_fit_keeps_its_deviations),
        sfgp_unit_test(so_do_those_of_every_method),
        sfgp_unit_test(without_overlap_nothing_moves),
        sfgp_unit_test(a_pose_turns_what_is_carried),
        sfgp_unit_test(a_turned_scan_is_the_fit_turned),
        sfgp_unit_test(there_is_none_without_a_posterior),
        sfgp_unit_test(other_points_go_where_dense_regression_puts_them),
        sfgp_long_test(a_coarse_fit_carries_a_fine_shape),
        sfgp_unit_test(sd_grows_off_the_reference),
        sfgp_unit_test(weights_interpolate),
        sfgp_unit_test(modes_between_points_lack_the_kriging_variance),
        sfgp_unit_test(few_points_do),
        sfgp_unit_test(bits_do_not_depend_on_threads_or_company),
        sfgp_unit_test(a_saved_fit_is_the_fit),
        sfgp_unit_test(its_pose_is_saved),
        sfgp_unit_test(damage_is_found),
        sfgp_unit_test(a_pose_that_bends_is_refused),
        sfgp_unit_test(models_and_fits_are_written_as_h5_only),
        sfgp_unit_test(a_model_is_not_a_fit),
        sfgp_unit_test(what_cannot_be_carried_is_refused),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
