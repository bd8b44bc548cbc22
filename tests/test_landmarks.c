/* Landmarks in a fit: one step is dense regression on labels and landmarks together, at any pose; a landmark
 * of no weight changes no bit; a good one brings the fit near; four of them find the pose. */
#include "em/landmarks.h"
#include "em/loop.h"
#include "fit/solver.h"
#include "support/corrupt.h"
#include "support/oracle_map.h"
#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = 6 };

typedef struct scene {
    test_shapes *shapes;
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_mesh *target;
    double from[3 * L], to[3 * L];
} scene;

static sfgp_settings settings_of(const char *method)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    settings.max_iterations = 40;
    return settings;
}

static scene set_up(sfgp_context *context, int n, int training, uint64_t seed, const sfgp_settings *settings)
{
    scene s = {.shapes = test_shapes_new(n, 3, training, seed)};
    s.target = test_mesh(context, s.shapes->m, 3, s.shapes->target);
    s.model = test_shapes_model(context, s.shapes, training, settings);
    sfgp_assert_ok(context, sfgp_solver_new(context, s.model, settings, &s.solver));
    for (int k = 0; k < L; k++) {
        memcpy(s.from + 3 * k, s.shapes->reference + 3 * (k * n / L), 3 * sizeof(double));
        memcpy(s.to + 3 * k, s.shapes->truth + 3 * (k * n / L), 3 * sizeof(double));
    }
    return s;
}

static void clear(scene *s)
{
    sfgp_mesh_free(s->target);
    sfgp_solver_free(s->solver);
    sfgp_model_free(s->model);
    test_shapes_free(s->shapes);
}

static void set(sfgp_context *context, scene *s, double sd)
{
    sfgp_assert_ok(context, sfgp_solver_set_landmarks(s->solver, L, s->from, s->to, sd));
}

static double mean_error(sfgp_context *context, const scene *s)
{
    double sum = 0;
    sfgp_result *result = test_run(context, s->solver, s->target);
    for (int64_t i = 0; i < result->count; i++) {
        double square = 0;
        for (int a = 0; a < 3; a++)
            square += pow(result->points[3 * i + a] - s->shapes->truth[3 * i + a], 2);
        sum += sqrt(square) / (double)result->count;
    }
    sfgp_result_free(result);
    return sum;
}

/* ---- the oracle -------------------------------------------------------------------------------------- */

/* Prior covariance of axis a of point i with axis b of point j: the rows of B, which are the kernel's here.
 */
static long double covariance(const sfgp_model *model, int i, int a, int j, int b)
{
    const int64_t m = model->basis.scalar.rank, p = model->basis.pca.modes;
    long double sum = 0;
    for (int64_t k = 0; k < m && a == b; k++)
        sum += (long double)model->basis.scalar.values[i * m + k] * model->basis.scalar.values[j * m + k];
    for (int64_t k = 0; k < p; k++)
        sum += (long double)model->basis.pca.factor[(i * 3 + a) * p + k] *
               model->basis.pca.factor[(j * 3 + b) * p + k];
    return sum;
}

/* One observed coordinate: which, its value against the prior mean, its variance. */
typedef struct seen {
    int point, axis;
    double value, variance;
} seen;

/* The step leaves W_i (label_i - rbar_i). */
static int labels(const scene *s, seen *list)
{
    const sfgp_em *em = s->solver->em;
    int count = 0;
    for (int i = 0; i < s->model->count; i++)
        for (int a = 0; a < 3 && em->weights[i] > 0; a++) {
            const int k = 3 * i + a;
            const double value =
                em->deltas[k] / em->weights[i] + em->state.points[k] - s->model->basis.mean[k];
            list[count++] = (seen){i, a, value, 1 / em->weights[i]};
        }
    return count;
}

/* R'(y - t) - prior mean of the landmarks. */
static int landmarks(const scene *s, const sfgp_similarity *pose, double sd, seen *list)
{
    const sfgp_model *model = s->model;
    for (int k = 0; k < L; k++) {
        const int i = k * s->shapes->n / L;
        double y[3];
        sfgp_frame_enter(&model->frame, 1, s->to + 3 * k, y);
        for (int a = 0; a < 3; a++) {
            seen *one = &list[3 * k + a];
            *one = (seen){i, a, -model->basis.mean[3 * i + a], pow(sd / model->frame.scale, 2)};
            for (int b = 0; b < 3; b++)
                one->value += pose->rotation[3 * b + a] * (y[b] - pose->shift[b]);
        }
    }
    return 3 * L;
}

/* x = (their covariance under the prior)^-1 values */
static void regress(const scene *s, int count, const seen *list, long double *a, long double *x)
{
    for (int i = 0; i < count; i++) {
        x[i] = list[i].value;
        for (int j = 0; j < count; j++)
            a[i * count + j] =
                covariance(s->model, list[i].point, list[i].axis, list[j].point, list[j].axis) +
                (i == j ? list[i].variance : 0);
    }
    oracle_solve(count, a, x);
}

/* Turned about an axis (of length 1) by an angle in degrees, R = cos I + sin [axis]x + (1 - cos) axis axis',
 * and moved, in the frame. */
static sfgp_similarity pose_of(const double *axis, double angle, double shift)
{
    const double c = cos(angle * atan(1) / 45), n = sin(angle * atan(1) / 45);
    const double cross[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
    sfgp_similarity pose = {.dimension = 3, .scale = 1, .shift = {shift, -shift, 0.5 * shift}};
    for (int k = 0; k < 9; k++)
        pose.rotation[k] = c * (k % 4 == 0) + n * cross[k] + (1 - c) * axis[k / 3] * axis[k % 3];
    return pose;
}

static const double slanted[3] = {2 / 3.0, -1 / 3.0, 2 / 3.0}, along_y[3] = {0, 1, 0};

/* Scan, truth and landmarks where a pose takes them. */
static void move(scene *s, const sfgp_similarity *pose)
{
    double *points[] = {s->target->points, s->shapes->truth, s->to};
    const int64_t counts[] = {s->target->count, s->shapes->n, L};
    for (int k = 0; k < 3; k++) {
        sfgp_frame_enter(&s->model->frame, counts[k], points[k], points[k]);
        sfgp_similarity_apply(pose, counts[k], points[k], points[k]);
        sfgp_frame_leave(&s->model->frame, counts[k], points[k], points[k]);
    }
}

/* The step's M-step, densely: labels and landmarks are observations alike, seen from the pose. */
static void assert_step_is_dense_regression(sfgp_context *context, int training, const sfgp_similarity *pose)
{
    enum { N = 60, MOST = 3 * (N + L) };
    sfgp_settings settings = settings_of("sfgp-full");
    settings.accuracy = 1e-13; /* all of the kernel is in B, and nothing is left out at the landmarks */
    scene s = set_up(context, N, training, 3, &settings);
    const double sd = 0.02 * s.model->frame.scale;
    static seen list[MOST];
    static long double a[MOST * MOST], b[MOST];
    move(&s, pose);
    set(context, &s, sd);
    sfgp_assert_ok(context, sfgp_solver_load(s.solver, s.target));
    sfgp_em_start start = s.solver->em->state.start;
    start.pose = *pose;
    sfgp_assert_ok(context, sfgp_em_begin(s.solver->em, &start));
    sfgp_assert_ok(context, sfgp_em_step(s.solver->em));
    int count = labels(&s, list);
    count += landmarks(&s, pose, sd, list + count);
    regress(&s, count, list, a, b);
    for (int i = 0; i < N; i++)
        for (int axis = 0; axis < 3; axis++) {
            long double mean = s.model->basis.mean[3 * i + axis];
            for (int k = 0; k < count; k++)
                mean += b[k] * covariance(s.model, i, axis, list[k].point, list[k].axis);
            /* Woodbury in doubles: 1e-16 times the condition of A, prior variance over noise, below 1e5 */
            if (!(fabsl(mean - s.solver->em->state.points[3 * i + axis]) < 1e-9L))
                fail_msg("point %d: %g beside the oracle", i,
                         (double)(mean - s.solver->em->state.points[3 * i + axis]));
        }
    clear(&s);
}

static void a_step_is_dense_regression_with_landmarks(void **state)
{
    const sfgp_similarity poses[] = {sfgp_similarity_identity(3), pose_of(slanted, 70, 0.8)};
    for (int k = 0; k < 2; k++) {
        assert_step_is_dense_regression(*state, 0, &poses[k]);
        assert_step_is_dense_regression(*state, 5, &poses[k]);
    }
}

/* values' covariance^-1 values; seen from 70 degrees beside. */
static void misfit_is_their_density_under_the_prior(void **state)
{
    const sfgp_similarity poses[] = {sfgp_similarity_identity(3), pose_of(slanted, 70, 0.8)};
    for (int training = 0; training <= 5; training += 5) {
        sfgp_settings settings = settings_of("auto");
        settings.accuracy = 1e-13;
        scene s = set_up(*state, 60, training, 9, &settings);
        const double sd = 0.02 * s.model->frame.scale;
        double misfit;
        set(*state, &s, sd);
        for (int p = 0; p < 2; p++) {
            seen list[3 * L];
            long double a[9 * L * L], b[3 * L], sum = 0;
            const int count = landmarks(&s, &poses[p], sd, list);
            regress(&s, count, list, a, b);
            for (int k = 0; k < count; k++)
                sum += b[k] * list[k].value;
            sfgp_assert_ok(*state, sfgp_landmarks_misfit(s.solver->em, &poses[p], &misfit));
            /* what cancels, squares over sd^2, is below 1e5: 1e-16 times that and the condition of A */
            if (!(fabsl(misfit - sum) < 1e-7L * sum))
                fail_msg("%.12g, densely %.12Lg", misfit, sum);
        }
        set(*state, &s, 1e200);
        sfgp_assert_ok(*state, sfgp_landmarks_misfit(s.solver->em, &poses[1], &misfit));
        assert_true(misfit == 0);
        sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 0, NULL, NULL, 0));
        sfgp_assert_ok(*state, sfgp_landmarks_misfit(s.solver->em, &poses[1], &misfit));
        assert_true(misfit == 0);
        clear(&s);
    }
}

/* What a saved fit is made of stays as the last update has left it: the search asks for the misfit when it has ended. */
static void misfit_leaves_the_posterior_as_it_is(void **state)
{
    const sfgp_similarity elsewhere = pose_of(slanted, 70, 0.8);
    for (int training = 0; training <= 5; training += 5) {
        const sfgp_settings settings = settings_of("auto");
        scene s = set_up(*state, 60, training, 9, &settings);
        double misfit;
        set(*state, &s, 0.02 * s.model->frame.scale);
        sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.target));
        sfgp_assert_ok(*state, sfgp_em_step(s.solver->em));
        const sfgp_posterior *posterior = &s.solver->em->posterior;
        const size_t bytes = (size_t)posterior->normal_size * sizeof(double);
        double *before = malloc(bytes);
        memcpy(before, posterior->lane_normals, bytes);
        sfgp_assert_ok(*state, sfgp_landmarks_misfit(s.solver->em, &elsewhere, &misfit));
        assert_true(misfit > 0 && posterior->solved);
        assert_memory_equal(before, posterior->lane_normals, bytes);
        free(before);
        clear(&s);
    }
}

/* At the points of the reference the map has the standard deviations of the fit, but for what the factor leaves out: 1e-6 of
 * the prior's variance. Those of the prior are some tenths of the radius. */
static void a_map_has_the_deviations_of_the_fit(void **state)
{
    sfgp_settings settings = settings_of("auto");
    settings.max_iterations = 3; /* a fit that has converged makes more steps after the last misfit */
    scene s = set_up(*state, 200, 0, 21, &settings);
    sfgp_deformation *map;
    double moved[600], sd[200];
    const double scale = s.model->frame.scale;
    set(*state, &s, 0.02 * scale);
    sfgp_result *result = test_run(*state, s.solver, s.target);
    sfgp_assert_ok(*state, sfgp_solver_deformation(s.solver, result, &map));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, 200, s.shapes->reference, 1, moved, sd));
    assert_int_equal(result->outcome, SFGP_MAX_ITERATIONS);
    for (int i = 0; i < 200; i++)
        if (!(fabs(sd[i] * sd[i] - result->sd[i] * result->sd[i]) < 1e-5 * scale * scale))
            fail_msg("point %d: sd %g, of the fit %g", i, sd[i], result->sd[i]);
    sfgp_deformation_free(map);
    sfgp_result_free(result);
    clear(&s);
}

/* More of them than a block has. What cancels is below 1e6. */
static void misfit_does_not_depend_on_their_order(void **state)
{
    enum { MANY = 80 };
    const sfgp_similarity here = sfgp_similarity_identity(3);
    const sfgp_settings settings = settings_of("auto");
    scene s = set_up(*state, MANY, 0, 9, &settings);
    double from[3 * MANY], to[3 * MANY], misfit[2];
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < MANY; k++) {
            const int at = turn ? MANY - 1 - k : k;
            memcpy(from + 3 * k, s.shapes->reference + 3 * at, 3 * sizeof(double));
            memcpy(to + 3 * k, s.shapes->truth + 3 * at, 3 * sizeof(double));
        }
        sfgp_assert_ok(*state,
                       sfgp_solver_set_landmarks(s.solver, MANY, from, to, 0.02 * s.model->frame.scale));
        sfgp_assert_ok(*state, sfgp_landmarks_misfit(s.solver->em, &here, &misfit[turn]));
    }
    assert_true(misfit[0] > 0 && fabs(misfit[0] - misfit[1]) < 1e-7 * misfit[0]);
    clear(&s);
}

/* ---- weight ------------------------------------------------------------------------------------------ */

static void no_weight_changes_no_bit(void **state)
{
    static const char *const methods[] = {"sfgp-scalar", "sfgp-full", "closest-point", "auto"};
    for (int m = 0; m < 4; m++)
        for (int training = 0; training <= 5; training += 5) {
            const sfgp_settings settings = settings_of(methods[m]);
            const double none[] = {(double)INFINITY, 1e200};
            scene s = set_up(*state, 120, training, 4, &settings);
            sfgp_result *with;
            sfgp_result *without = test_run(*state, s.solver, s.target);
            for (int k = 0; k < 2; k++) {
                set(*state, &s, none[k]);
                sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &with));
                assert_int_equal(with->iterations, without->iterations);
                assert_memory_equal(with->points, without->points, 360 * sizeof(double));
                assert_memory_equal(with->sd, without->sd, 120 * sizeof(double));
                sfgp_result_free(with);
            }
            set(*state, &s, 0.01);
            sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 0, NULL, NULL, 0)); /* taken away */
            sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &with));
            assert_memory_equal(with->points, without->points, 360 * sizeof(double));
            sfgp_result_free(with);
            sfgp_result_free(without);
            clear(&s);
        }
}

/* What the columns have less than the kernel has at its point is noise of a landmark: 1 / (sd^2 + k(x, x) - |b(x)|^2). */
static void a_landmark_is_as_exact_as_the_columns(void **state)
{
    sfgp_settings settings = settings_of("sfgp-scalar");
    strcpy(settings.kernel, "se:length=0.5,variance=0.1");
    settings.accuracy = 0.05;
    scene s = set_up(*state, 150, 0, 5, &settings);
    set(*state, &s, 0.1 * s.model->frame.scale);
    const double *weights = s.solver->problem.landmarks->weights;
    double most = 0;
    for (int k = 0; k < L; k++) {
        const int i = k * 150 / L;
        const double left = 0.1 - (double)covariance(s.model, i, 0, i, 0);
        assert_true(fabs(weights[k] * (0.01 + left) - 1) < 1e-9); /* b(x) by a factor of the pivots */
        most = fmax(most, left);
    }
    assert_true(most > 0.01); /* as much as the landmark has itself */
    clear(&s);
}

/* A landmark that is 1e-4 RMS radii exact holds its point, which labels alone leave a thousandfold as far. */
static void a_sharp_landmark_holds_its_point(void **state)
{
    const sfgp_settings settings = settings_of("sfgp-scalar");
    scene s = set_up(*state, 150, 0, 5, &settings);
    const double sd = 1e-4 * s.model->frame.scale;
    for (int k = 0; k < L; k++)
        s.to[3 * k] += 0.1 * s.model->frame.scale; /* against what the scan says */
    set(*state, &s, sd);
    sfgp_result *result = test_run(*state, s.solver, s.target);
    for (int k = 0; k < L; k++)
        for (int a = 0; a < 3; a++) {
            const double gap = fabs(result->points[3 * (k * 150 / L) + a] - s.to[3 * k + a]);
            if (!(gap < 0.02 * s.model->frame.scale))
                fail_msg("landmark %d is missed by %g RMS radii", k, gap / s.model->frame.scale);
        }
    for (int k = 0; k < L; k++) /* and knows how well it does; left out: accuracy 1e-6 */
        assert_true(result->sd[k * 150 / L] < 0.01 * s.model->frame.scale);
    sfgp_result_free(result);
    clear(&s);
}

static void without_a_deviation_it_is_a_hundredth_of_the_radius(void **state)
{
    const sfgp_settings settings = settings_of("auto");
    scene s = set_up(*state, 150, 0, 5, &settings);
    double weights[L];
    set(*state, &s, 0);
    memcpy(weights, s.solver->landmarks.weights, sizeof weights);
    set(*state, &s, 0.01 * s.model->frame.scale);
    for (int k = 0; k < L; k++) /* one division and a square are rounded */
        assert_true(fabs(s.solver->landmarks.weights[k] / weights[k] - 1) < 1e-14);
    clear(&s);
}

static void true_landmarks_help(void **state)
{
    const sfgp_settings settings = settings_of("sfgp-scalar");
    double without = 0, with = 0;
    for (uint64_t seed = 20; seed < 26; seed++) {
        scene s = set_up(*state, 200, 0, seed, &settings);
        for (int i = 0; i < s.shapes->n * 3; i++) /* a larger motion than the scan itself has */
            s.shapes->truth[i] += 0.4 * s.model->frame.scale * (i % 3 == 0);
        for (int j = 0; j < s.shapes->m; j++)
            s.target->points[3 * j] += 0.4 * s.model->frame.scale;
        for (int k = 0; k < L; k++)
            s.to[3 * k] += 0.4 * s.model->frame.scale;
        without += mean_error(*state, &s);
        set(*state, &s, 0);
        with += mean_error(*state, &s);
        clear(&s);
    }
    if (!(with < 0.9 * without))
        fail_msg("error %g without, %g with landmarks", without, with);
}

static void bits_do_not_depend_on_threads(void **state)
{
    sfgp_result *results[2];
    for (int t = 0; t < 2; t++) {
        sfgp_settings settings = settings_of("sfgp-scalar");
        settings.threads = t + 1;
        scene s = set_up(*state, 400, 4, 6, &settings);
        set(*state, &s, 0);
        sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &results[t]));
        clear(&s);
    }
    assert_memory_equal(results[0]->points, results[1]->points, 1200 * sizeof(double));
    assert_memory_equal(results[0]->sd, results[1]->sd, 400 * sizeof(double));
    sfgp_result_free(results[0]);
    sfgp_result_free(results[1]);
}

/* ---- poses ------------------------------------------------------------------------------------------- */

/* Degrees between two rotations: trace(R'Q) = 1 + 2 cos. */
static double angle_between(const double *r, const double *q)
{
    double trace = 0;
    for (int k = 0; k < 9; k++)
        trace += r[k] * q[k];
    return acos(fmax(-1, fmin((trace - 1) / 2, 1))) * 45 / atan(1);
}

/* Landmarks that only moved ask for that motion; too few, or of no weight, for none. */
static void a_rigid_motion_is_the_pose_of_its_landmarks(void **state)
{
    const sfgp_settings settings = settings_of("auto");
    const sfgp_similarity turn = pose_of(slanted, 100, 0.5);
    scene s = set_up(*state, 60, 0, 11, &settings);
    sfgp_similarity found = sfgp_similarity_identity(3);
    const double rounding = 4 * s.model->frame.step; /* of the points, in radii; they lie within two radii */
    assert_null(s.solver->problem.landmarks);
    assert_false(sfgp_landmarks_pose(&s.solver->landmarks, &found));
    memcpy(s.to, s.from, sizeof s.to);
    move(&s, &turn);
    for (int k = 0; k < 40; k++) { /* without memory there are none */
        sfgp_memory_counters.fail_at = k;
        const sfgp_status status = sfgp_solver_set_landmarks(s.solver, 2, s.from, s.to, 0);
        sfgp_memory_counters.fail_at = -1;
        assert_true(status == SFGP_ERROR_MEMORY ? !s.solver->problem.landmarks : status == SFGP_OK);
    }
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 2, s.from, s.to, 0));
    assert_false(sfgp_landmarks_pose(s.solver->problem.landmarks, &found));
    set(*state, &s, INFINITY);
    assert_false(sfgp_landmarks_pose(s.solver->problem.landmarks, &found));
    assert_true(sfgp_similarity_is_identity(&found));
    set(*state, &s, 0);
    assert_true(sfgp_landmarks_pose(s.solver->problem.landmarks, &found));
    for (int k = 0; k < 9; k++)
        assert_true(fabs(found.rotation[k] - turn.rotation[k]) < rounding);
    for (int a = 0; a < 3; a++)
        assert_true(fabs(found.shift[a] - turn.shift[a]) < rounding);
    clear(&s);
}

/* Error in RMS radii of the fit of a turned scan with the first landmarks, four or none of them; missed:
 * degrees between its pose and the turn. */
static double error_turned(sfgp_context *context, int n, int count, const sfgp_similarity *turn,
                           double *missed)
{
    const sfgp_settings settings = settings_of("auto");
    scene s = set_up(context, n, 0, 12, &settings);
    move(&s, turn);
    sfgp_assert_ok(context, sfgp_solver_set_landmarks(s.solver, count, s.from, s.to, 0));
    const double error = mean_error(context, &s) / s.model->frame.scale;
    *missed = angle_between(s.solver->em->state.pose.rotation, turn->rotation);
    clear(&s);
    return error;
}

/* Turned scans keep their landmarks; 15 degrees: the motion of the sheet turns these by up to 5 on its own.
 */
static void landmarks_find_a_turned_scan(void **state)
{
    const sfgp_similarity turns[] = {pose_of(slanted, 100, 0.5), pose_of(along_y, 180, 0.1)};
    static const int counts[] = {120, 450}; /* searched whole, and by a part */
    for (int k = 0; k < 4; k++) {
        const sfgp_similarity *turn = &turns[k % 2];
        double missed, none;
        const double without = error_turned(*state, counts[k / 2], 0, turn, &none);
        const double with = error_turned(*state, counts[k / 2], 4, turn, &missed);
        if (!(missed < 15 && with < 0.02 && with < without + 0.01))
            fail_msg("%g degrees beside the pose; error %g RMS radii, %g without landmarks", missed, with,
                     without);
    }
}

/* ---- errors ------------------------------------------------------------------------------------------ */

/* Landmarks in metres of shapes in mm, and those of another shape: the fit was doubtful, and landmarks were the advice. */
static void landmarks_of_another_unit_or_place_are_told(void **state)
{
    const sfgp_settings settings = settings_of("auto");
    scene s = set_up(*state, 60, 0, 5, &settings);
    double small[3 * L], beside[3 * L];
    for (int k = 0; k < 3 * L; k++) {
        small[k] = s.to[k] / 1000;
        beside[k] = s.from[k] + 2 * s.model->frame.scale;
    }
    set(*state, &s, 0);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, small, 0));
    sfgp_assert_has(sfgp_test_warning(), "landmarks: those of the target lie 0.001");
    sfgp_assert_has(sfgp_test_warning(), "is each file in the unit of its shape?");
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, L, beside, s.to, 0));
    assert_non_null(
        strstr(sfgp_test_warning(), "landmarks: 6 of the 6 of the reference lie farther than half"));
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 1, s.from, small, 0)); /* one has no extent */
    clear(&s);
}

static void what_cannot_be_observed_is_refused(void **state)
{
    sfgp_settings settings = settings_of("sfgp-scalar");
    scene s = set_up(*state, 60, 0, 7, &settings);
    sfgp_assert_status(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, -1),
                       SFGP_ERROR_PARAMETER);
    sfgp_assert_status(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, NAN),
                       SFGP_ERROR_PARAMETER);
    const int places[] = {4, 3 * L - 1};
    const char *words[] = {"point 1 of the target", "point 5 of the target"};
    for (int k = 1; k >= 0; k--) {
        s.to[places[k]] = NAN;
        sfgp_assert_error(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, 0), SFGP_ERROR_DATA,
                          words[k]);
    }
    clear(&s);
    settings = settings_of("cpd");
    s = set_up(*state, 60, 0, 7, &settings);
    sfgp_assert_error(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, 0), SFGP_ERROR_PARAMETER,
                      "'cpd'");
    clear(&s);
}

static sfgp_status set_again(sfgp_context *context, void *user)
{
    scene *s = user;
    sfgp_context *before = s->solver->context;
    s->solver->context = s->solver->em->context = context;
    sfgp_status status = sfgp_solver_set_landmarks(s->solver, L, s->from, s->to, 0);
    if (status == SFGP_OK)
        status = sfgp_solver_set_landmarks(s->solver, 0, NULL, NULL, 0);
    assert_null(s->solver->problem.landmarks); /* also after an error */
    assert_null(s->solver->em->posterior.landmarks);
    s->solver->context = s->solver->em->context = before;
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    sfgp_settings settings = settings_of("sfgp-scalar");
    strcpy(settings.lowrank, "eigen");
    scene s = set_up(*state, 60, 4, 8, &settings);
    assert_true(sfgp_sweep_allocations(*state, set_again, &s) > 10);
    clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_step_is_dense_regression_with_landmarks),
        sfgp_unit_test(misfit_is_their_density_under_the_prior),
        sfgp_unit_test(misfit_leaves_the_posterior_as_it_is),
        sfgp_unit_test(a_map_has_the_deviations_of_the_fit),
        sfgp_unit_test(misfit_does_not_depend_on_their_order),
        sfgp_unit_test(no_weight_changes_no_bit),
        sfgp_unit_test(a_landmark_is_as_exact_as_the_columns),
        sfgp_unit_test(a_sharp_landmark_holds_its_point),
        sfgp_unit_test(without_a_deviation_it_is_a_hundredth_of_the_radius),
        sfgp_unit_test(true_landmarks_help),
        sfgp_unit_test(bits_do_not_depend_on_threads),
        sfgp_unit_test(a_rigid_motion_is_the_pose_of_its_landmarks),
        sfgp_long_test(landmarks_find_a_turned_scan),
        sfgp_unit_test(landmarks_of_another_unit_or_place_are_told),
        sfgp_unit_test(what_cannot_be_observed_is_refused),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
