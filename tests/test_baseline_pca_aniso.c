/* PCA_ANISO against the dense method, iteration by iteration, and the contract of a baseline. */
#include "support/oracle_aniso.h"
#include "test_baseline_prior.h"
#include "baseline/pca_aniso.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both sides work on the same numbers; ours rounds to 1e-16, which normals of nearly round neighbourhoods and
 * small variances make larger. */
#define RELATIVE 1e-8

static prior_fixture fixture_new(sfgp_context *context, int n, int d, int training, const char *kernel,
                                 uint64_t seed)
{
    return prior_fixture_new(context, "pca-aniso", 1e-3, n, d, training, kernel, seed);
}

static double worst_of(int count, const double *ours, const long double *exact)
{
    long double worst = 0, size = 0;
    for (int k = 0; k < count; k++) {
        worst = fmaxl(worst, fabsl(ours[k] - exact[k]));
        size = fmaxl(size, fabsl(exact[k]));
    }
    return (double)(worst / size);
}

/* Settings as a solver resolves them, labels below 1e-200 left out: none that counts. */
static sfgp_settings resolved(const prior_fixture *f, double anisotropy, double omega, double variance0)
{
    sfgp_settings settings = f->settings;
    settings.anisotropy = anisotropy;
    settings.omega = omega;
    settings.variance0 = variance0;
    settings.prune = 1e-200;
    settings.pmin = 1.0 / (double)f->model->count;
    settings.threads = 1;
    return settings;
}

static const struct {
    int d, training;
    const char *kernel;
    double anisotropy, omega, variance0;
} ROWS[] = {{3, 6, "none", 0.1, 0.1, 0},
            {3, 6, "none", 0.01, 1e-6, 0.02},
            {3, 5, "se:length=2,variance=0.05", 0.3, 0.2, 0},
            {3, 4, "none", 1, 0.1, 0},
            {2, 6, "none", 0.1, 0.1, 0},
            {2, 5, "se:length=2,variance=0.05", 0.05, 1e-3, 0.05}};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS, STEPS = 8 };

static void assert_same_state(const sfgp_aniso *ours, const oracle_aniso *o, double motion, int row, int step)
{
    const int n = o->linear->n, m = o->linear->m, d = o->linear->d;
    double points = worst_of(n * d, ours->points, o->points), c = worst_of(o->linear->size, ours->c, o->c);
    double variance = (double)fabsl(ours->variance / o->variance - 1), explained = 0, best = 0, turned = 0;
    for (int j = 0; j < m; j++) {
        long double sum = 0;
        for (int i = 0; i < n; i++)
            sum += o->p[i * m + j];
        explained = fmax(explained, (double)fabsl(sum - ours->explained[j]));
    }
    for (int i = 0; i < n; i++) {
        long double largest = 0, dot = 0;
        for (int j = 0; j < m; j++)
            largest = fmaxl(largest, o->p[i * m + j]);
        for (int a = 0; a < d; a++)
            dot += o->normals[i * d + a] * ours->normals[i * d + a];
        best = fmax(best, (double)fabsl(largest - ours->best[i]));
        best = fmax(best, (double)fabsl(largest - o->p[i * m + ours->best_target[i]]));
        turned = fmax(turned, (double)fabsl(1 - fabsl(dot)));
    }
    if (!(points < RELATIVE && c < RELATIVE && variance < RELATIVE && explained < RELATIVE &&
          best < RELATIVE && turned < RELATIVE && motion > 0))
        fail_msg("row %d, step %d: points %g, c %g, variance %g, explained %g, best %g, normals %g", row,
                 step, points, c, variance, explained, best, turned);
}

static void every_iteration_is_that_of_the_dense_method(void **state)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        prior_fixture f =
            fixture_new(*state, 60, ROWS[row].d, ROWS[row].training, ROWS[row].kernel, 80 + (uint64_t)row);
        const sfgp_settings settings =
            resolved(&f, ROWS[row].anisotropy, ROWS[row].omega, ROWS[row].variance0);
        oracle_aniso *o = oracle_aniso_new(f.model, f.shapes->m, f.shapes->target, ROWS[row].anisotropy,
                                           ROWS[row].omega, ROWS[row].variance0);
        sfgp_aniso ours;
        sfgp_assert_ok(*state, sfgp_aniso_new(*state, f.model, f.target, &settings, &ours));
        assert_int_equal(ours.size, o->linear->size);
        assert_true(fabsl(ours.variance / o->variance - 1) < 1e-13L);
        for (int step = 0; step < STEPS; step++) {
            double mass = sfgp_aniso_label(&ours);
            sfgp_assert_ok(*state, sfgp_aniso_move(*state, &ours));
            double motion = sfgp_aniso_accept(&ours, mass);
            oracle_aniso_step(o);
            assert_same_state(&ours, o, motion, row, step);
        }
        sfgp_aniso_clear(&ours);
        oracle_aniso_free(o);
        prior_fixture_free(&f);
    }
}

/* With a = 1 the normals drop out and the steps are conditional maximisations: the objective never falls. */
static void without_normals_the_objective_never_falls(void **state)
{
    prior_fixture f = fixture_new(*state, 60, 3, 6, "none", 90);
    oracle_aniso *o = oracle_aniso_new(f.model, f.shapes->m, f.shapes->target, 1, 0.1, 0);
    long double last = oracle_aniso_objective(o);
    for (int step = 0; step < 15; step++) {
        oracle_aniso_step(o);
        long double now = oracle_aniso_objective(o);
        assert_true(now >= last);
        last = now;
    }
    oracle_aniso_free(o);
    prior_fixture_free(&f);
}

/* A label that is left out is below prune: what it changes is at most prune x N_S a point. */
static void pruning_changes_next_to_nothing(void **state)
{
    prior_fixture f = fixture_new(*state, 200, 3, 6, "none", 91);
    sfgp_settings settings = resolved(&f, 0.1, 0.1, 0.01);
    sfgp_aniso all, pruned;
    sfgp_assert_ok(*state, sfgp_aniso_new(*state, f.model, f.target, &settings, &all));
    settings.prune = 1e-9;
    sfgp_assert_ok(*state, sfgp_aniso_new(*state, f.model, f.target, &settings, &pruned));
    double mass = sfgp_aniso_label(&all), less = sfgp_aniso_label(&pruned);
    assert_true(less <= mass && mass - less < 200.0 * f.shapes->m * 1e-9);
    for (int i = 0; i < 200; i++)
        assert_true(fabs(all.mass[i] - pruned.mass[i]) < f.shapes->m * 1e-8);
    sfgp_aniso_clear(&all), sfgp_aniso_clear(&pruned);
    prior_fixture_free(&f);
}

/* No label is in reach of some points: they follow the others. */
static void points_without_labels_are_predicted(void **state)
{
    prior_fixture f = fixture_new(*state, 200, 3, 6, "none", 97);
    sfgp_settings settings = resolved(&f, 0.1, 0.1, 1e-3);
    sfgp_aniso ours;
    int without = 0;
    settings.prune = 1e-6;
    sfgp_assert_ok(*state, sfgp_aniso_new(*state, f.model, f.target, &settings, &ours));
    assert_true(sfgp_aniso_label(&ours) > 0);
    sfgp_assert_ok(*state, sfgp_aniso_move(*state, &ours));
    for (int i = 0; i < 200; i++)
        without += ours.mass[i] == 0;
    assert_true(without > 0 && without < 200);
    for (int k = 0; k < 600; k++)
        assert_true(isfinite(ours.moved[k]) && ours.moved[k] != ours.points[k]);
    sfgp_aniso_clear(&ours);
    prior_fixture_free(&f);
}

/* A target that is one of the shapes of the model is found. */
static void a_shape_of_the_model_is_found(void **state)
{
    for (int d = 2; d <= 3; d++) {
        prior_fixture f = fixture_new(*state, 300, d, 6, "none", 92);
        sfgp_result *r;
        double mean = 0;
        sfgp_mesh_free(f.target);
        sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 300, d, f.shapes->training[2], &f.target));
        f.settings.tolerance = 1e-6;
        f.settings.omega = 1e-3;
        sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
        assert_int_equal(r->outcome, SFGP_CONVERGED);
        for (int i = 0; i < 300; i++) {
            double square = 0;
            for (int a = 0; a < d; a++)
                square += pow(r->points[i * d + a] - f.shapes->training[2][i * d + a], 2);
            mean += sqrt(square) / 300;
        }
        if (!(mean < 0.1)) /* mm, of shapes 60 mm wide that differ by 3 mm */
            fail_msg("%dD: %g mm", d, mean);
        assert_true(r->explained > 0.95);
        sfgp_result_free(r);
        prior_fixture_free(&f);
    }
}

static void the_result_keeps_the_contract(void **state)
{
    prior_fixture f = fixture_new(*state, 250, 3, 6, "none", 93);
    sfgp_result *r;
    int64_t missing = 0;
    sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
    assert_true(r->outcome == SFGP_CONVERGED && r->change < r->settings->tolerance && r->sigma > 0);
    assert_true(r->settings->variance0 > 0 && r->explained > 0.5 && r->explained < 1);
    for (int i = 0; i < 250; i++) {
        assert_true(r->sd[i] == 0 && r->missing[i] == !(r->probability[i] > r->settings->pmin));
        assert_true(r->missing[i] ? r->target[i] == -1 : r->target[i] >= 0 && r->target[i] < f.shapes->m);
        missing += r->missing[i];
    }
    assert_true(missing == r->missing_count && missing > 0);
    sfgp_result_free(r);
    f.settings.max_iterations = 0;
    sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
    assert_true(r->outcome == SFGP_MAX_ITERATIONS && r->iterations == 0);
    const sfgp_frame *frame = &f.model->frame;
    sfgp_frame_enter_exactly(frame, 250, r->points, r->points);
    for (int k = 0; k < 750; k++) /* the mean shape */
        assert_true(fabs(r->points[k] - f.model->basis.mean[k]) < 1e-14);
    sfgp_result_free(r);
    strcpy(f.settings.outlier_density, "volume");
    f.settings.max_iterations = 5;
    sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
    assert_int_equal(r->iterations, 5);
    sfgp_result_free(r);
    prior_fixture_free(&f);
}

static void far_targets_and_models_without_training_are_refused(void **state)
{
    prior_fixture f = fixture_new(*state, 100, 3, 4, "none", 94),
                  plain = fixture_new(*state, 100, 3, 0, "auto", 94);
    sfgp_result *r;
    f.settings.variance0 = 1e-4; /* auto would be as wide as the distance */
    prior_assert_no_overlap(*state, &f);
    sfgp_assert_error(*state, prior_fit(*state, &plain, &r), SFGP_ERROR_PARAMETER, "needs training shapes");
    assert_null(r);
    prior_fixture_free(&f), prior_fixture_free(&plain);
}

static void threads_do_not_change_a_bit(void **state)
{
    prior_fixture f = fixture_new(*state, 1500, 3, 4, "none", 95);
    f.settings.variance0 = 0.01;
    f.settings.max_iterations = 6;
    prior_assert_same_bits(*state, &f);
    prior_fixture_free(&f);
}

static void every_failing_allocation_is_reported(void **state)
{
    prior_fixture f = fixture_new(*state, 60, 3, 3, "none", 96);
    prior_assert_failures(*state, &f, 2, 25);
    prior_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_iteration_is_that_of_the_dense_method),
        sfgp_unit_test(without_normals_the_objective_never_falls),
        sfgp_unit_test(pruning_changes_next_to_nothing),
        sfgp_unit_test(points_without_labels_are_predicted),
        sfgp_unit_test(a_shape_of_the_model_is_found),
        sfgp_unit_test(the_result_keeps_the_contract),
        sfgp_unit_test(far_targets_and_models_without_training_are_refused),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
