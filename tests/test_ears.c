/* The main job on real data: 24 scans of ears (../shared/data or $SFGP_DATA; skipped where absent). */
#include "support/shapes.h"
#include "support/support.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SFGP_SLOW_BUILD /* sanitizers, coverage: one scan shows what they are for */
enum { SCANS = 1, CHANGES = 1, TRAINING = 60 };
#else
enum { SCANS = 24, CHANGES = 3, TRAINING = 60 };
#endif

static sfgp_settings trained_settings(void)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, "sfgp-scalar");
    strcpy(settings.kernel, "se:length=4,variance=0.02");
    return settings;
}

/* Applied to reference, training shapes and target before a fit. */
typedef struct change {
    double scale, offset;
    bool shuffle;
} change;

static void apply(const change *how, sfgp_mesh *mesh, uint64_t seed)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t k = 0; k < 3 * mesh->count; k++)
        mesh->points[k] = mesh->points[k] * how->scale + how->offset;
    for (int64_t i = mesh->count - 1; i > 0 && how->shuffle; i--)
        for (int64_t a = 0, j = sfgp_random_below(&random, i + 1); a < 3; a++) {
            double other = mesh->points[3 * i + a];
            mesh->points[3 * i + a] = mesh->points[3 * j + a];
            mesh->points[3 * j + a] = other;
        }
}

/* Solver and model for the reference with all training shapes; equal seeds keep the correspondence. */
static sfgp_solver *trained_solver(sfgp_context *context, const change *how, sfgp_model **model)
{
    const sfgp_settings settings = trained_settings();
    sfgp_mesh *reference = test_data_mesh(context, "ears/reference.ply", 0), *training[TRAINING];
    apply(how, reference, 1);
    for (int k = 0; k < TRAINING; k++)
        apply(how, training[k] = test_data_mesh(context, "ears/train/%03d.ply", k), 1);
    sfgp_assert_ok(context, sfgp_model_new(context, reference, (const sfgp_mesh *const *)training, TRAINING,
                                           &settings, model));
    sfgp_solver *solver = test_solver(context, *model, &settings);
    sfgp_mesh_free(reference);
    for (int k = 0; k < TRAINING; k++)
        sfgp_mesh_free(training[k]);
    return solver;
}

static const change NONE = {1, 0, false};

/* The bounds: 0.70 mm on observed, 0.85 mm on missing points, means over the scans. */
static void trained_fits_are_accurate(void **state)
{
    sfgp_context *context = *state;
    sfgp_test_data();
    sfgp_model *model;
    sfgp_solver *solver = trained_solver(context, &NONE, &model);
    double observed = 0, missing = 0;
    for (int k = 0; k < SCANS; k++) {
        sfgp_mesh *scan = test_data_mesh(context, "ears/scan/%03d.ply", k),
                  *truth = test_data_mesh(context, "ears/truth/%03d.ply", k);
        unsigned char *mask;
        sfgp_evaluation errors;
        char name[64];
        snprintf(name, sizeof name, "ears/truth/%03d_missing.txt", k);
        sfgp_assert_ok(context,
                       sfgp_mask_read(context, sfgp_test_path(sfgp_test_data(), name), truth->count, &mask));
        sfgp_result *result = test_run(context, solver, scan);
        assert_int_equal(result->outcome, SFGP_CONVERGED);
        sfgp_mesh fitted = {.count = result->count, .dimension = 3, .points = result->points};
        sfgp_assert_ok(context, sfgp_evaluate(context, &fitted, truth, mask, &errors));
        observed += errors.observed.mean / SCANS;
        missing += errors.missing.mean / SCANS;
        sfgp_mask_free(mask);
        sfgp_result_free(result);
        sfgp_mesh_free(scan), sfgp_mesh_free(truth);
    }
    print_message("ears: %.3f mm observed, %.3f mm missing\n", observed, missing);
    assert_true(SCANS < 24 || (observed <= 0.70 && missing <= 0.85));
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

static sfgp_result *fit_changed(sfgp_context *context, const change *how)
{
    sfgp_model *model;
    sfgp_solver *solver = trained_solver(context, how, &model);
    sfgp_mesh *scan = test_data_mesh(context, "ears/scan/%03d.ply", 2);
    apply(how, scan, 2);
    sfgp_result *result = test_run(context, solver, scan);
    sfgp_mesh_free(scan);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    return result;
}

/* mm or metres, moved by 1e5, points in another order: the same fit to 1e-6 of the size (100 mm). */
static void unit_place_and_order_do_not_matter(void **state)
{
    const change changes[] = {{1e-3, 0, false}, {1, 1e5, false}, {1, 0, true}};
    sfgp_test_data();
    sfgp_result *plain = fit_changed(*state, &NONE);
    for (int k = 0; k < CHANGES; k++) {
        sfgp_result *changed = fit_changed(*state, &changes[k]);
        sfgp_mesh expected = {
            .count = plain->count, .dimension = 3, .points = malloc((size_t)plain->count * 24)};
        memcpy(expected.points, plain->points, (size_t)plain->count * 24);
        apply(&changes[k], &expected, 1);
        double worst = 0;
        for (int64_t i = 0; i < 3 * plain->count; i++)
            worst = fmax(worst, fabs(changed->points[i] - expected.points[i]) / changes[k].scale);
        if (!(worst < 1e-6 * 100 && changed->iterations == plain->iterations))
            fail_msg("change %d: %g mm", k, worst);
        free(expected.points);
        sfgp_result_free(changed);
    }
    sfgp_result_free(plain);
}

/* Case 641 of bench/batch: where the default's steps with old sums once went to and fro for ever. */
static void the_default_comes_to_rest(void **state)
{
    sfgp_damage damage;
    sfgp_mesh *scan;
    sfgp_test_data();
    sfgp_mesh *reference = test_data_mesh(*state, "ears/reference.ply", 0),
              *truth = test_data_mesh(*state, "ears/truth/%03d.ply", 641 % 24);
    sfgp_damage_default(&damage);
    damage.rotation = 3, damage.translation = 0.03, damage.scale = 0.02;
    damage.holes = 3, damage.hole_radius = 0.5;
    damage.noise = 0.003, damage.outliers = 0.05;
    damage.seed = 642;
    sfgp_assert_ok(*state, sfgp_simulate_scan(*state, truth, &damage, &scan, NULL));
    sfgp_settings settings = test_settings();
    sfgp_result *result = test_fit_of(*state, reference, scan, &settings);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    sfgp_result_free(result);
    sfgp_mesh_free(scan);
    sfgp_mesh_free(truth);
    sfgp_mesh_free(reference);
}

/* Turned about the middle of the ear; the axis and the angle are those of a quaternion. */
static void turn_about(const double q[4], const double middle[3], sfgp_mesh *mesh)
{
    for (int64_t i = 0; i < mesh->count; i++) {
        double *x = mesh->points + 3 * i, v[3], once[3], twice[3];
        for (int a = 0; a < 3; a++)
            v[a] = x[a] - middle[a];
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            once[a] = q[1 + b] * v[c] - q[1 + c] * v[b] + q[0] * v[a];
        }
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            twice[a] = q[1 + b] * once[c] - q[1 + c] * once[b];
        }
        for (int a = 0; a < 3; a++) /* v + 2 u x (u x v + w v) */
            x[a] = middle[a] + v[a] + 2 * twice[a];
    }
}

static void middle_of(const sfgp_mesh *mesh, double middle[3])
{
    for (int a = 0; a < 3; a++) {
        middle[a] = 0;
        for (int64_t i = 0; i < mesh->count; i++)
            middle[a] += mesh->points[3 * i + a] / (double)mesh->count;
    }
}

/* A scan that is turned about the middle of its reference. */
typedef struct {
    const char *folder;
    int training, number; /* training shapes; number of the scan */
    double q[4];
    double bound; /* on the mean error, mm */
} turned_scan;

static sfgp_mesh *read_of(sfgp_context *context, const turned_scan *scan, const char *part, int number)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", scan->folder, part);
    return test_data_mesh(context, name, number);
}

/* The mean error of the default with training shapes. */
static double error_of_turned(sfgp_context *context, const turned_scan *turned)
{
    sfgp_mesh *reference = read_of(context, turned, "reference.ply", 0), *training[TRAINING],
              *scan = read_of(context, turned, "scan/%03d.ply", turned->number),
              *truth = read_of(context, turned, "truth/%03d.ply", turned->number);
    sfgp_model *model;
    sfgp_evaluation errors;
    double middle[3];
    sfgp_settings settings = test_settings();
    for (int k = 0; k < turned->training; k++)
        training[k] = read_of(context, turned, "train/%03d.ply", k);
    middle_of(reference, middle);
    turn_about(turned->q, middle, scan), turn_about(turned->q, middle, truth);
    sfgp_assert_ok(context, sfgp_model_new(context, reference, (const sfgp_mesh *const *)training,
                                           turned->training, &settings, &model));
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_result *result = test_run(context, solver, scan);
    sfgp_mesh fitted = {.count = result->count, .dimension = 3, .points = result->points};
    sfgp_assert_ok(context, sfgp_evaluate(context, &fitted, truth, NULL, &errors));
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(reference), sfgp_mesh_free(scan), sfgp_mesh_free(truth);
    for (int k = 0; k < turned->training; k++)
        sfgp_mesh_free(training[k]);
    return errors.all.mean;
}

/* Before ADR 0056 two of the ears were lost by 28 mm, and the third was 1.5 mm off. The foot was lost by 88 mm where only a turn that
 * was better than none was looked at. */
static void turned_scans_are_found(void **state)
{
    static const turned_scan turned[] = {
        {"ears",
         60,
         7,
         {0.37013692378852592, -0.062520604989086959, 0.77001848848131715, -0.51590828545111855},
         0.5},
        {"ears",
         60,
         10,
         {0.10845259762973181, 0.65474990702079117, -0.44302101540541894, -0.60272130643671717},
         0.5},
        {"ears",
         60,
         1,
         {0.92306054611432764, -0.34877070075994643, -0.041815071893827375, 0.15674733254843354},
         0.5},
        {"families/foot",
         40,
         7,
         {-0.4577774728170609, 0.26094904820395076, 0.725045666146647, -0.4434570572497886},
         3}};
    sfgp_test_data();
    for (size_t k = 0; k < sizeof turned / sizeof *turned; k++) {
        const double error = error_of_turned(*state, &turned[k]);
        if (!(error < turned[k].bound))
            fail_msg("%s %d: %g mm", turned[k].folder, turned[k].number, error);
    }
}

/* A scan at random, of two points for five of the reference, and training shapes, so that the fit is right: before ADR 0082 three
 * tenths of what was called missing were seen. */
static void gaps_between_points_at_random_are_no_holes(void **state)
{
    sfgp_test_data();
    sfgp_mesh *reference = test_data_mesh(*state, "families/ear/reference.ply", 0),
              *scan = test_data_mesh(*state, "families/ear/scan/%03d.ply", 1), *training[40];
    sfgp_model *model;
    unsigned char *mask;
    double both = 0, truly = 0;
    sfgp_settings settings = test_settings();
    for (int k = 0; k < 40; k++)
        training[k] = test_data_mesh(*state, "families/ear/train/%03d.ply", k);
    sfgp_assert_ok(
        *state, sfgp_model_new(*state, reference, (const sfgp_mesh *const *)training, 40, &settings, &model));
    for (int k = 0; k < 40; k++)
        sfgp_mesh_free(training[k]);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *result = test_run(*state, solver, scan);
    sfgp_assert_ok(
        *state, sfgp_mask_read(*state, sfgp_test_path(sfgp_test_data(), "families/ear/truth/001_missing.txt"),
                               reference->count, &mask));
    for (int64_t i = 0; i < result->count; i++)
        both += mask[i] && result->missing[i], truly += mask[i];
    if (!(both > 0.9 * truly && both > 0.85 * (double)result->missing_count))
        fail_msg("recall %g, precision %g", both / truly, both / (double)result->missing_count);
    sfgp_mask_free(mask);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(reference), sfgp_mesh_free(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(trained_fits_are_accurate),
        sfgp_long_test(unit_place_and_order_do_not_matter),
        sfgp_long_test(the_default_comes_to_rest),
        sfgp_long_test(turned_scans_are_found),
        sfgp_long_test(gaps_between_points_at_random_are_no_holes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
