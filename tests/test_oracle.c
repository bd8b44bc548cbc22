/* The engine against the dense, exact method, iteration by iteration. */
#include "support/support.h"
#include "support/oracle.h"
#include "support/shapes.h"
#include "support/sparse.h"
#include "em/loop.h"
#include "fit/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RELATIVE 1e-9 /* what the issue asks for; the rounding of both sides is near 1e-12 */

static const struct {
    const char *name;
    oracle_method oracle;
    double variance0;
} METHODS[] = {{"sfgp-full", ORACLE_FULL, 0.02},
               {"sfgp-scalar", ORACLE_SCALAR, 0.02},
               {"sfgp-nothreshold", ORACLE_NOTHRESHOLD, 0.02},
               {"closest-point", ORACLE_CLOSEST, 1e-3}};

typedef struct pair {
    test_shapes *shapes;
    oracle *oracle;
    sfgp_mesh *reference, *target, *training[8];
    sfgp_model *model;
    sfgp_solver *solver;
} pair;

static const double TERMS[][2] = {{1, 0.1}, {0.5, 0.02}};
#define KERNEL "se:length=1,variance=0.1+se:length=0.5,variance=0.02"

static pair pair_with_kernel(sfgp_context *context, const char *kernel, int method, int n, int d,
                             int training, const char *lowrank, double accuracy, double prune, uint64_t seed)
{
    pair p = {.shapes = test_shapes_new(n, d, training, seed)};
    const test_shapes *s = p.shapes;
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    strcpy(settings.method, METHODS[method].name);
    strcpy(settings.lowrank, lowrank);
    settings.accuracy = accuracy;
    settings.prune = prune;
    settings.variance0 = METHODS[method].variance0;
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, d, s->reference, &p.reference));
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, s->m, d, s->target, &p.target));
    for (int t = 0; t < training; t++)
        sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, d, s->training[t], &p.training[t]));
    sfgp_assert_ok(context, sfgp_model_new(context, p.reference, (const sfgp_mesh *const *)p.training,
                                           training, &settings, &p.model));
    sfgp_assert_ok(context, sfgp_solver_new(context, p.model, &settings, &p.solver));
    sfgp_assert_ok(context, sfgp_solver_load(p.solver, p.target));
    const oracle_axes axes = {p.model->frame.axes, p.model->frame.step};
    p.oracle = oracle_new(METHODS[method].oracle, n, s->m, d, s->reference, s->target,
                          (const double *const *)s->training, training, TERMS, 2, d == 3 ? &axes : NULL);
    p.oracle->variance0 = METHODS[method].variance0;
    p.oracle->max_distance = 0.2;
    return p;
}

static pair pair_new(sfgp_context *context, int method, int n, int d, int training, const char *lowrank,
                     double accuracy, double prune, uint64_t seed)
{
    return pair_with_kernel(context, KERNEL, method, n, d, training, lowrank, accuracy, prune, seed);
}

static void pair_free(pair *p)
{
    sfgp_solver_free(p->solver);
    sfgp_model_free(p->model);
    sfgp_mesh_free(p->reference);
    sfgp_mesh_free(p->target);
    for (int t = 0; t < p->shapes->training_count; t++)
        sfgp_mesh_free(p->training[t]);
    oracle_free(p->oracle);
    test_shapes_free(p->shapes);
}

/* Largest difference over the largest value. */
static double difference(int64_t n, const double *ours, const real *exact)
{
    real worst = 0, size = 0;
    for (int64_t k = 0; k < n; k++) {
        worst = fmaxl(worst, fabsl((real)ours[k] - exact[k]));
        size = fmaxl(size, fabsl(exact[k]));
    }
    return (double)(worst / size);
}

static double entry_difference(const pair *p)
{
    const sfgp_responsibilities *labels = &p->solver->em->responsibilities;
    const int32_t *start = sfgp_sparse_start(&labels->matrix), *index = sfgp_sparse_index(&labels->matrix);
    double *dense = calloc((size_t)(labels->count * labels->targets), sizeof *dense);
    for (int64_t i = 0; i < labels->count; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++)
            dense[i * labels->targets + index[k]] = sfgp_sparse_value(&labels->matrix)[k];
    double worst = difference(labels->count * labels->targets, dense, p->oracle->p);
    free(dense);
    return worst;
}

static double noise_difference(const pair *p) /* each v_i by itself: they differ by orders of magnitude */
{
    double worst = 0;
    for (int i = 0; i < p->oracle->n; i++)
        worst = fmax(worst, difference(1, p->solver->em->state.sigma2 + i, p->oracle->noise + i));
    return worst;
}

static void check_step(const pair *p, const char *name, int iteration)
{
    const int n = p->oracle->n, d = p->oracle->d;
    const double differences[] = {difference(n * d, p->solver->em->state.points, p->oracle->fitted),
                                  difference(n, p->solver->em->state.variance, p->oracle->variance),
                                  entry_difference(p),
                                  difference(n, p->solver->em->responsibilities.mass, p->oracle->mass),
                                  difference(n, p->solver->em->responsibilities.weight, p->oracle->weight),
                                  noise_difference(p)};
    const char *const what[] = {"mean", "variance", "P", "mass", "weight", "v"};
    for (int k = 0; k < 6; k++)
        if (!(differences[k] <= RELATIVE))
            fail_msg("%s %dD iteration %d: %s differs by %g", name, d, iteration, what[k], differences[k]);
    for (int i = 0; i < n; i++)
        assert_int_equal(p->solver->em->responsibilities.weight[i] == 0, p->oracle->missing[i]);
}

/* inverse (n x n) of a symmetric positive definite matrix, which is destroyed: Gauss and Jordan. */
static void invert(int n, real *a, real *inverse)
{
    for (int i = 0; i < n; i++)
        inverse[i * n + i] = 1;
    for (int k = 0; k < n; k++) {
        const real pivot = a[k * n + k];
        for (int c = 0; c < n; c++)
            a[k * n + c] /= pivot, inverse[k * n + c] /= pivot;
        for (int r = 0; r < n; r++) {
            const real factor = r == k ? 0 : a[r * n + k];
            for (int c = 0; c < n && factor != 0; c++)
                a[r * n + c] -= factor * a[k * n + c], inverse[r * n + c] -= factor * inverse[k * n + c];
        }
    }
}

/* The covariance of the oracle grows by that of the field of the model, Q^-1 for each axis. */
static void add_field(const pair *p)
{
    const sfgp_sparse *q = &p->model->field->precision;
    const int n = p->oracle->n, d = p->oracle->d;
    real *dense = calloc((size_t)(n * n), sizeof *dense), *inverse = calloc((size_t)(n * n), sizeof *inverse);
    for (int j = 0; j < n; j++)
        for (int32_t k = sfgp_sparse_start(q)[j]; k < sfgp_sparse_start(q)[j + 1]; k++) {
            const int i = sfgp_sparse_index(q)[k];
            dense[i * n + j] = dense[j * n + i] = sfgp_sparse_value(q)[k];
        }
    invert(n, dense, inverse);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int a = 0; a < d; a++)
                p->oracle->covariance[(i * d + a) * n * d + j * d + a] += inverse[i * n + j];
    free(dense), free(inverse);
}

static void agrees_with_kernel(sfgp_context *context, const char *kernel, int n, int d, int training,
                               const char *lowrank, int iterations)
{
    int64_t missing = 0;
    for (int method = 0; method < 4; method++) {
        pair p = pair_with_kernel(context, kernel, method, n, d, training, lowrank, 1e-16, 1e-300,
                                  7 + (uint64_t)method);
        if (p.model->field)
            add_field(&p);
        for (int iteration = 1; iteration <= iterations; iteration++) {
            sfgp_assert_ok(context, sfgp_em_step(p.solver->em));
            oracle_step(p.oracle);
            check_step(&p, METHODS[method].name, iteration);
            assert_true(test_sparse_is_valid(&p.solver->em->responsibilities.matrix));
            missing += p.solver->em->responsibilities.missing;
        }
        pair_free(&p);
    }
    assert_true(missing > 0); /* otherwise the mask has not been tested */
}

static void agrees(sfgp_context *context, int n, int d, int training, const char *lowrank, int iterations)
{
    agrees_with_kernel(context, KERNEL, n, d, training, lowrank, iterations);
}

/* A field along the surface in the sparse form beside the columns. */
static void field_and_se_in_2d(void **state)
{
    agrees_with_kernel(*state, KERNEL "+surface:length=0.5,variance=0.05,smoothness=2,form=sparse", 70, 2, 0,
                       "cholesky", 4);
}

static void field_pca_and_se_in_3d(void **state)
{
    agrees_with_kernel(*state, KERNEL "+surface:length=0.7,variance=0.03,smoothness=1,form=sparse", 50, 3, 8,
                       "cholesky", 4);
}

static void se_in_2d(void **state)
{
    agrees(*state, 200, 2, 0, "cholesky", 6);
}

static void se_in_3d(void **state)
{
    agrees(*state, 80, 3, 0, "eigen", 10);
}

static void pca_and_se_in_2d(void **state)
{
    agrees(*state, 100, 2, 8, "nystrom", 10);
}

static void pca_and_se_in_3d(void **state)
{
    agrees(*state, 80, 3, 8, "cholesky", 10);
}

/* With the default accuracy and pruning the fitted points stay within 1 % of the motion of the exact ones. */
static void defaults_stay_within_one_percent(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int method = 0; method < 3; method++) {
            pair p = pair_new(*state, method, 80, d, 0, "cholesky", 1e-5, 0, 3);
            double error = 0, motion = 0;
            for (int iteration = 0; iteration < 12; iteration++) {
                sfgp_assert_ok(*state, sfgp_em_step(p.solver->em));
                oracle_step(p.oracle);
            }
            for (int k = 0; k < 80 * d; k++) {
                error += fabs(p.solver->em->state.points[k] - (double)p.oracle->fitted[k]);
                motion += fabs((double)(p.oracle->fitted[k] - p.oracle->reference[k]));
            }
            if (!(error < 0.01 * motion))
                fail_msg("%s %dD: %g of the motion", METHODS[method].name, d, error / motion);
            pair_free(&p);
        }
}

/* A target that is turned by an angle about the middle of the shape, so far that most points have no label at first. */
static void turn_target(pair *p, double angle)
{
    double *x = p->shapes->target;
    for (int j = 0; j < p->shapes->m; j++) {
        const double a = x[2 * j], b = x[2 * j + 1];
        x[2 * j] = cos(angle) * a - sin(angle) * b;
        x[2 * j + 1] = sin(angle) * a + cos(angle) * b;
    }
    sfgp_mesh_free(p->target);
    p->target = NULL;
}

/* Runs to the end; returns whether there were labels. */
static bool run_turned(sfgp_context *context, pair *p, double angle)
{
    sfgp_outcome outcome;
    turn_target(p, angle);
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, p->shapes->m, 2, p->shapes->target, &p->target));
    sfgp_assert_ok(context, sfgp_solver_load(p->solver, p->target));
    sfgp_assert_ok(context, sfgp_em_run(p->solver->em, &outcome));
    return outcome != SFGP_NO_OVERLAP;
}

/* The pruning of the default settings changes no end by more than the tolerance, and no outcome (ADR 0046). */
static void pruning_changes_no_end(void **state)
{
    for (int method = 0; method < 3; method++)
        for (int k = 0; k < 8; k++) {
            pair pruned = pair_new(*state, method, 100, 2, 0, "cholesky", 1e-9, 0, 3 + (uint64_t)k),
                 whole = pair_new(*state, method, 100, 2, 0, "cholesky", 1e-9, 1e-300, 3 + (uint64_t)k);
            const double tolerance = whole.solver->settings.tolerance, angle = 0.3 * k;
            assert_int_equal(run_turned(*state, &pruned, angle), run_turned(*state, &whole, angle));
            double worst = 0;
            for (int i = 0; i < 200; i++)
                worst =
                    fmax(worst, fabs(pruned.solver->em->state.points[i] - whole.solver->em->state.points[i]));
            if (!(worst < tolerance))
                fail_msg("%s, turned by %g: %g", METHODS[method].name, angle, worst);
            pair_free(&pruned);
            pair_free(&whole);
        }
}

/* A warped fish without noise, cut by a box, its points in the order of the shape or in the other. */
static sfgp_mesh *scan_of_fish(sfgp_context *context, const sfgp_mesh *fish, uint64_t seed, bool backwards)
{
    sfgp_damage damage;
    sfgp_mesh *scan, *truth;
    sfgp_damage_default(&damage);
    damage.seed = seed, damage.deformation = 0.2, damage.affine = 0.2, damage.box_width = 1.5;
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, fish->count, 2, fish->points, &truth));
    sfgp_assert_ok(context, sfgp_simulate_scan(context, truth, &damage, &scan, NULL));
    for (int64_t i = 0, j = scan->count - 1; backwards && i < j; i++, j--)
        for (int a = 0; a < 2; a++) {
            const double kept = scan->points[2 * i + a];
            scan->points[2 * i + a] = scan->points[2 * j + a], scan->points[2 * j + a] = kept;
        }
    sfgp_mesh_free(truth);
    return scan;
}

static sfgp_result *fit_of_fish(sfgp_context *context, sfgp_mesh *fish, int method, uint64_t seed,
                                bool backwards)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, METHODS[method].name), strcpy(settings.kernel, "se:length=1,variance=1");
    settings.variance0 = 1;
    sfgp_mesh *scan = scan_of_fish(context, fish, seed, backwards);
    sfgp_model *model = test_model(context, fish, &settings);
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_result *fit = test_run(context, solver, scan);
    sfgp_solver_free(solver), sfgp_model_free(model), sfgp_mesh_free(scan);
    return fit;
}

/* Exact data take sigma2 down to where B'WB is 1e12 times I: its rounding, which the order of the points changes, moved ends
 * by up to 1e-5 radii (ADR 0076). A radius is 0.235. */
static void rounding_changes_no_end(void **state)
{
    sfgp_mesh *fish;
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &fish));
    for (int method = 0; method < 3; method++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            sfgp_result *one = fit_of_fish(*state, fish, method, seed, false),
                        *other = fit_of_fish(*state, fish, method, seed, true);
            double worst = 0;
            for (int k = 0; k < 2 * 98; k++)
                worst = fmax(worst, fabs(one->points[k] - other->points[k]));
            if (!(worst < 1e-6 * 0.235) || one->iterations != other->iterations)
                fail_msg("%s, seed %d: %g", METHODS[method].name, (int)seed, worst / 0.235);
            sfgp_result_free(one), sfgp_result_free(other);
        }
    sfgp_mesh_free(fish);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(se_in_2d),
        sfgp_unit_test(se_in_3d),
        sfgp_unit_test(field_and_se_in_2d),
        sfgp_unit_test(field_pca_and_se_in_3d),
        sfgp_unit_test(pca_and_se_in_2d),
        sfgp_unit_test(pca_and_se_in_3d),
        sfgp_long_test(defaults_stay_within_one_percent),
        sfgp_unit_test(pruning_changes_no_end),
        sfgp_long_test(rounding_changes_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
