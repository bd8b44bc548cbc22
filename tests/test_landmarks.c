/* Landmarks in a fit: one step is dense regression on labels and landmarks together; a landmark of no weight
 * changes no bit; a good one brings the fit near. */
#include "fit/landmarks.h"
#include "support/corrupt.h"
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
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    strcpy(settings.method, method);
    settings.max_iterations = 40;
    return settings;
}

static scene set_up(sfgp_context *context, int n, int training, uint64_t seed, const sfgp_settings *settings)
{
    scene s = {.shapes = test_shapes_new(n, 3, training, seed)};
    sfgp_mesh *reference, *learned[8];
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, 3, s.shapes->reference, &reference));
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, s.shapes->m, 3, s.shapes->target, &s.target));
    for (int t = 0; t < training; t++)
        sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, 3, s.shapes->training[t], &learned[t]));
    sfgp_assert_ok(context, sfgp_model_new(context, reference, (const sfgp_mesh *const *)learned, training,
                                           settings, &s.model));
    sfgp_assert_ok(context, sfgp_solver_new(context, s.model, settings, &s.solver));
    for (int t = 0; t < training; t++)
        sfgp_mesh_free(learned[t]);
    sfgp_mesh_free(reference);
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
    sfgp_result *result;
    double sum = 0;
    sfgp_assert_ok(context, sfgp_solver_run(s->solver, s->target, &result));
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

/* A (n x n, positive definite) x = b by elimination, in long double. */
static void solve(int n, long double *a, long double *b)
{
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++) {
            const long double factor = i == p ? 0 : a[i * n + p] / a[p * n + p];
            for (int j = p; j < n && i != p; j++)
                a[i * n + j] -= factor * a[p * n + j];
            b[i] -= i == p ? 0 : factor * b[p];
        }
    for (int i = 0; i < n; i++)
        b[i] /= a[i * n + i];
}

/* Prior covariance of axis a of point i with axis b of point j: the rows of B, which are the kernel's here.
 */
static long double covariance(const sfgp_model *model, int i, int a, int j, int b)
{
    const int64_t m = model->scalar.rank, p = model->pca.modes;
    long double sum = 0;
    for (int64_t k = 0; k < m && a == b; k++)
        sum += (long double)model->scalar.values[i * m + k] * model->scalar.values[j * m + k];
    for (int64_t k = 0; k < p; k++)
        sum += (long double)model->pca.factor[(i * 3 + a) * p + k] * model->pca.factor[(j * 3 + b) * p + k];
    return sum;
}

/* One observed coordinate: which, its value against the prior mean, its variance. */
typedef struct seen {
    int point, axis;
    double value, variance;
} seen;

static int observations(const scene *s, double sd, seen *list)
{
    const sfgp_model *model = s->model;
    int count = 0;
    for (int i = 0; i < model->count; i++)
        for (int a = 0; a < 3 && s->solver->weights[i] > 0; a++)
            list[count++] = (seen){i, a, s->solver->deltas[3 * i + a], 1 / s->solver->weights[i]};
    for (int k = 0; k < L; k++) {
        const int i = k * s->shapes->n / L;
        double y[3];
        sfgp_frame_enter(&model->frame, 1, s->to + 3 * k, y);
        for (int a = 0; a < 3; a++)
            list[count++] =
                (seen){i, a, y[a] - model->prior_mean[3 * i + a], pow(sd / model->frame.scale, 2)};
    }
    return count;
}

/* The step's M-step, densely: labels and landmarks are observations alike. */
static void assert_step_is_dense_regression(sfgp_context *context, int training)
{
    enum { N = 60, MOST = 3 * (N + L) };
    sfgp_settings settings = settings_of("sfgp-full");
    settings.accuracy = 1e-13; /* all of the kernel is in B, and nothing is left out at the landmarks */
    scene s = set_up(context, N, training, 3, &settings);
    const double sd = 0.02 * s.model->frame.scale;
    static seen list[MOST];
    static long double a[MOST * MOST], b[MOST];
    set(context, &s, sd);
    sfgp_assert_ok(context, sfgp_solver_start(s.solver, s.target));
    sfgp_assert_ok(context, sfgp_solver_step(s.solver));
    const int count = observations(&s, sd, list);
    for (int i = 0; i < count; i++) {
        b[i] = list[i].value;
        for (int j = 0; j < count; j++)
            a[i * count + j] = covariance(s.model, list[i].point, list[i].axis, list[j].point, list[j].axis) +
                               (i == j ? list[i].variance : 0);
    }
    solve(count, a, b);
    for (int i = 0; i < N; i++)
        for (int axis = 0; axis < 3; axis++) {
            long double mean = s.model->prior_mean[3 * i + axis];
            for (int k = 0; k < count; k++)
                mean += b[k] * covariance(s.model, i, axis, list[k].point, list[k].axis);
            /* Woodbury in doubles: 1e-16 times the condition of A, prior variance over noise, below 1e5 */
            if (!(fabsl(mean - s.solver->fitted[3 * i + axis]) < 1e-9L))
                fail_msg("point %d: %g beside the oracle", i,
                         (double)(mean - s.solver->fitted[3 * i + axis]));
        }
    clear(&s);
}

static void a_step_is_dense_regression_with_landmarks(void **state)
{
    assert_step_is_dense_regression(*state, 0);
    assert_step_is_dense_regression(*state, 5);
}

/* ---- weight ------------------------------------------------------------------------------------------ */

static void no_weight_changes_no_bit(void **state)
{
    static const char *const methods[] = {"sfgp-scalar", "sfgp-full", "closest-point"};
    for (int m = 0; m < 3; m++)
        for (int training = 0; training <= 5; training += 5) {
            const sfgp_settings settings = settings_of(methods[m]);
            const double none[] = {(double)INFINITY, 1e200};
            scene s = set_up(*state, 120, training, 4, &settings);
            sfgp_result *without, *with;
            sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &without));
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

/* A landmark that is 1e-4 RMS radii exact holds its point, which labels alone leave a thousandfold as far. */
static void a_sharp_landmark_holds_its_point(void **state)
{
    const sfgp_settings settings = settings_of("sfgp-scalar");
    scene s = set_up(*state, 150, 0, 5, &settings);
    sfgp_result *result;
    const double sd = 1e-4 * s.model->frame.scale;
    for (int k = 0; k < L; k++)
        s.to[3 * k] += 0.1 * s.model->frame.scale; /* against what the scan says */
    set(*state, &s, sd);
    sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &result));
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

/* ---- errors ------------------------------------------------------------------------------------------ */

static void what_cannot_be_observed_is_refused(void **state)
{
    sfgp_settings settings = settings_of("sfgp-scalar");
    scene s = set_up(*state, 60, 0, 7, &settings);
    sfgp_assert_status(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, -1),
                       SFGP_ERROR_PARAMETER);
    sfgp_assert_status(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, NAN),
                       SFGP_ERROR_PARAMETER);
    s.to[4] = NAN;
    sfgp_assert_status(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, 0), SFGP_ERROR_DATA);
    assert_non_null(strstr(sfgp_context_error(*state), "point 1 of the target"));
    clear(&s);
    settings = settings_of("cpd");
    s = set_up(*state, 60, 0, 7, &settings);
    sfgp_assert_status(*state, sfgp_solver_set_landmarks(s.solver, L, s.from, s.to, 0), SFGP_ERROR_PARAMETER);
    assert_non_null(strstr(sfgp_context_error(*state), "'cpd'"));
    clear(&s);
}

static sfgp_status set_again(sfgp_context *context, void *user)
{
    scene *s = user;
    sfgp_context *before = s->solver->context;
    s->solver->context = context;
    sfgp_status status = sfgp_solver_set_landmarks(s->solver, L, s->from, s->to, 0);
    if (status == SFGP_OK)
        status = sfgp_solver_set_landmarks(s->solver, 0, NULL, NULL, 0);
    s->solver->context = before;
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
        sfgp_unit_test(no_weight_changes_no_bit),
        sfgp_unit_test(a_sharp_landmark_holds_its_point),
        sfgp_unit_test(true_landmarks_help),
        sfgp_unit_test(bits_do_not_depend_on_threads),
        sfgp_unit_test(what_cannot_be_observed_is_refused),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
