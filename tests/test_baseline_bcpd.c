/* BCPD against its paper, iteration by iteration, and the properties of its three methods. */
#include "test_baseline_mixture.h"
#include "linalg/rotation.h"
#include "base/memory.h"
#include "base/random.h"
#include "outcome/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of one iteration is near 1e-14 of the size; a start with the scale free doubles it for a few. */
#define RELATIVE 1e-9
/* The shipped method leaves 1e-10 of the kernel's variance out of its factor and labels below 1e-12 out of P:
 * times the weight nu / (lambda sigma^2) < 1e4 of a label, and a factor 1 of accumulation. */
#define SHIPPED 1e-6

static const sfgp_mixture_method PAPER = {.name = "with variances",
                                          .bayesian = true,
                                          .variances = true,
                                          .smooth = true,
                                          .exact = true,
                                          .map = SFGP_MIXTURE_SIMILARITY};
static const sfgp_mixture_method PROGRAM = {.name = "without variances",
                                            .bayesian = true,
                                            .smooth = true,
                                            .exact = true,
                                            .map = SFGP_MIXTURE_SIMILARITY};
static const char *const METHODS[] = {"bcpd", "bcpd-accelerated", "bcpd++"};
enum { METHOD_COUNT = 3 };

/* ---- parts --------------------------------------------------------------------------------------------- */

static void digamma_is_exact(void **state)
{
    static const double EULER = 0.57721566490153286061, LN2 = 0.69314718055994530942;
    (void)state;
    assert_true(fabs(sfgp_mixture_digamma(1) + EULER) < 1e-14);
    assert_true(fabs(sfgp_mixture_digamma(0.5) + EULER + 2 * LN2) < 1e-14);
    assert_true(fabs(sfgp_mixture_digamma(2) - 1 + EULER) < 1e-14);
    for (double x = 1e-6; x < 1e9; x *= 1.37) {
        const double exact = (double)oracle_digamma(x);
        assert_true(fabs(sfgp_mixture_digamma(x) - exact) <= 1e-14 * fmax(1, fabs(exact)));
    }
}

static void fill(int n, sfgp_random *random, double *values)
{
    for (int k = 0; k < n; k++)
        values[k] = sfgp_random_normal(random);
}

static double trace_product(int d, const double *r, const double *s)
{
    double sum = 0;
    for (int k = 0; k < d * d; k++)
        sum += r[k] * s[k];
    return sum;
}

/* The decomposition of the oracle: condition below 1e3 by the choice of the draws. Half of them are mirrored.
 */
static void rotations_are_the_nearest(void **state)
{
    int mirrored = 0;
    (void)state;
    sfgp_random random = sfgp_random_of(5);
    for (int d = 2; d <= 3; d++)
        for (int trial = 0; trial < 300; trial++) {
            double s[9], r[9];
            real exact_s[9], exact[9];
            fill(d * d, &random, s);
            const double determinant = d == 2 ? s[0] * s[3] - s[1] * s[2]
                                              : s[0] * (s[4] * s[8] - s[5] * s[7]) -
                                                    s[1] * (s[3] * s[8] - s[5] * s[6]) +
                                                    s[2] * (s[3] * s[7] - s[4] * s[6]);
            if (fabs(determinant) < 0.05)
                continue;
            mirrored += determinant < 0;
            for (int k = 0; k < d * d; k++)
                exact_s[k] = s[k];
            oracle_rotation(d, exact_s, exact);
            const double trace = sfgp_rotation_nearest(d, s, r);
            assert_true(fabs(trace - trace_product(d, r, s)) < 1e-13);
            for (int k = 0; k < d * d; k++)
                if (!(fabs(r[k] - (double)exact[k]) < 1e-10))
                    fail_msg("%dD trial %d, determinant %g: %g for %g", d, trial, determinant, r[k],
                             (double)exact[k]);
        }
    assert_true(mirrored > 100);
}

static void flat_and_empty_moments_have_a_rotation(void **state)
{
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[9] = {0};
    const double flat[9] = {0, -2, 0, 3, 0, 0, 0, 0, 0}; /* a quarter turn of a plane */
    const double turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    double r[9];
    (void)state;
    assert_true(sfgp_rotation_nearest(3, zero, r) == 0);
    assert_memory_equal(r, identity, sizeof r);
    assert_true(sfgp_rotation_nearest(2, zero, r) == 0 && r[0] == 1 && r[1] == 0 && r[2] == 0 && r[3] == 1);
    assert_true(fabs(sfgp_rotation_nearest(3, flat, r) - 5) < 1e-14);
    assert_true(mixture_distance(9, r, turn, 1) < 1e-14);
}

/* ---- the loop against the oracle ----------------------------------------------------------------------- */

static void agrees(sfgp_context *context, const sfgp_mixture_method *method, int d, const char *normalise,
                   double kappa, uint64_t seed)
{
    sfgp_settings settings = mixture_settings("bcpd");
    mixture_pair pair;
    strcpy(settings.normalise, normalise);
    settings.kappa = kappa;
    settings.lambda = 3;
    settings.beta = strcmp(normalise, "none") == 0 ? 30 : 1.2; /* the shapes have a size of 30 */
    settings.gamma = 0.8;
    if (strcmp(normalise, "none") == 0)
        settings.lambda = 0.01;
    mixture_pair_new(context, method, ORACLE_SIMILARITY, &settings, d == 2 ? 40 : 48, d, seed, &pair);
    for (int iteration = 0; iteration < (SFGP_TEST_SLOW ? 8 : 30); iteration++)
        mixture_pair_step(context, method->name, RELATIVE, &pair);
    mixture_pair_clear(&pair);
}

static void every_iteration_is_the_papers(void **state)
{
    static const char *const NORMALISE[] = {"each", "target", "reference", "none"};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 4; k++)
            for (int finite = 0; finite < 2; finite++) {
                agrees(*state, &PROGRAM, d, NORMALISE[k], finite ? 3 : 0, 50 + (uint64_t)k);
                agrees(*state, &PAPER, d, NORMALISE[k], finite ? 0.5 : 0, 60 + (uint64_t)k);
            }
}

/* ---- results ------------------------------------------------------------------------------------------- */

static double rms_radius(const test_shapes *s)
{
    double centre[3] = {0, 0, 0}, sum = 0;
    for (int k = 0; k < s->n * s->d; k++)
        centre[k % s->d] += s->reference[k] / s->n;
    for (int k = 0; k < s->n * s->d; k++)
        sum += pow(s->reference[k] - centre[k % s->d], 2) / s->n;
    return sqrt(sum);
}

static void compare_result(const sfgp_result *r, oracle_mixture *o)
{
    double *points = calloc((size_t)(o->n * o->d), sizeof *points), *sd = calloc((size_t)o->n, sizeof *sd);
    for (int k = 0; k < o->n * o->d; k++)
        points[k] = (double)(o->to_centre[k % o->d] + o->to_scale * o->fitted[k]);
    for (int i = 0; i < o->n; i++)
        sd[i] = (double)(o->to_scale * o->scale * sqrtl(o->variance[i]));
    const double size = (double)o->to_scale;
    const double apart = mixture_distance(o->n * o->d, r->points, points, size);
    const double apart_sd = mixture_distance(o->n, r->sd, sd, size);
    if (!(apart < SHIPPED && apart_sd < SHIPPED))
        fail_msg("%dD normalise %s: points differ by %g, sd by %g", o->d, o->normalise, apart, apart_sd);
    assert_true(fabs(r->sigma - size * (double)sqrtl(o->noise)) < SHIPPED * size);
    oracle_mixture_label(o);
    for (int i = 0; i < o->n; i++) {
        int best = 0;
        for (int j = 1; j < o->m; j++)
            best = o->p[i * o->m + j] > o->p[i * o->m + best] ? j : best;
        const double p = (double)o->p[i * o->m + best];
        assert_true(r->missing[i] ? p < r->settings->pmin + SHIPPED : fabs(r->probability[i] - p) < 1e-4);
        if (!r->missing[i] && p > 0.6) /* no tie */
            assert_int_equal(r->target[i], best);
    }
    free(points), free(sd);
}

static void results_are_the_oracles_in_the_unit_of_the_files(void **state)
{
    static const char *const NORMALISE[] = {"each", "target", "reference"};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            sfgp_settings settings = mixture_settings("bcpd");
            mixture_pair pair;
            strcpy(settings.normalise, NORMALISE[k]);
            settings.max_iterations = 25;
            settings.kappa = k == 1 ? 4 : 0;
            mixture_pair_new(*state, &PROGRAM, ORACLE_SIMILARITY, &settings, 50, d, 70, &pair);
            sfgp_result *r = mixture_fit(*state, pair.shapes, &settings);
            const double unit = (double)pair.oracle.to_scale;
            assert_true(fabs(r->settings->variance0 * pow(rms_radius(pair.shapes), 2) -
                             unit * unit * (double)pair.oracle.noise) < 1e-9 * unit * unit);
            for (int iteration = 0; iteration < 25; iteration++)
                oracle_mixture_step(&pair.oracle);
            assert_true(r->outcome == SFGP_MAX_ITERATIONS && r->iterations == 25);
            assert_true(r->settings->prune <= 1e-12 && r->change > 0);
            compare_result(r, &pair.oracle);
            sfgp_result_free(r);
            mixture_pair_clear(&pair);
        }
}

/* The oracle says when sigma rests; the first 31 iterations may not stop. */
static void it_stops_when_sigma_rests(void **state)
{
    for (int loose = 0; loose < 2; loose++) {
        sfgp_settings settings = mixture_settings("bcpd");
        mixture_pair pair;
        settings.tolerance = loose ? 0.9 : 1e-6;
        mixture_pair_new(*state, &PROGRAM, ORACLE_SIMILARITY, &settings, 40, 2, 71, &pair);
        sfgp_result *r = mixture_fit(*state, pair.shapes, &settings);
        int iterations = 0;
        for (real change = 1; iterations < SFGP_MIXTURE_LEAST || change >= settings.tolerance; iterations++) {
            change = sqrtl(pair.oracle.noise);
            oracle_mixture_step(&pair.oracle);
            change = fabsl(change - sqrtl(pair.oracle.noise));
        }
        assert_true(r->outcome == SFGP_CONVERGED && r->iterations == iterations);
        assert_true(loose ? iterations == 32 : iterations > 32);
        sfgp_result_free(r);
        mixture_pair_clear(&pair);
    }
}

static void auto_becomes_what_is_used(void **state)
{
    test_shapes *s = test_shapes_new(120, 3, 0, 72);
    sfgp_settings settings = test_settings();
    settings.beta = 0.75;
    for (int method = 0; method < METHOD_COUNT; method++) {
        strcpy(settings.method, METHODS[method]);
        settings.max_iterations = 3;
        sfgp_result *r = mixture_fit(*state, s, &settings);
        assert_true(r->settings->lambda == 2);
        assert_string_equal(r->settings->kernel, "se:length=0.75,variance=0.5");
        assert_string_equal(r->settings->outlier_density, "volume");
        assert_true(method == 0 ? r->settings->rank > 70 : r->settings->rank == 70);
        sfgp_result_free(r);
    }
    strcpy(settings.kernel, "se:length=1,variance=0.3+se:length=0.4,variance=0.01");
    settings.rank = 20;
    sfgp_result *r = mixture_fit(*state, s, &settings);
    assert_string_equal(r->settings->kernel, settings.kernel);
    assert_int_equal(r->settings->rank, 20);
    sfgp_result_free(r);
    test_shapes_free(s);
}

/* A named kernel has the place of beta and lambda. */
static void a_named_kernel_is_taken_literally(void **state)
{
    test_shapes *s = test_shapes_new(60, 2, 0, 73);
    sfgp_settings settings = mixture_settings("bcpd");
    settings.beta = 0.7, settings.lambda = 8, settings.max_iterations = 20;
    sfgp_result *a = mixture_fit(*state, s, &settings);
    strcpy(settings.kernel, "se:length=0.7,variance=0.125");
    settings.beta = 5, settings.lambda = 1000;
    sfgp_result *b = mixture_fit(*state, s, &settings);
    assert_true(mixture_distance(120, a->points, b->points, 30) < 1e-12);
    sfgp_result_free(a), sfgp_result_free(b);
    test_shapes_free(s);
}

/* ---- properties
 * --------------------------------------------------------------------------------------------- */

/* For shapes that lie roughly in place, as BCPD's documentation has it: one frame and a narrow start. */
static sfgp_settings settings_in_place(const char *method)
{
    sfgp_settings settings = mixture_defaults(method);
    strcpy(settings.normalise, "reference");
    settings.gamma = 0.2;
    return settings;
}

static void fits_recover_the_truth(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int method = 0; method < METHOD_COUNT; method++) {
            test_shapes *s = test_shapes_new(400, d, 0, 21);
            sfgp_settings settings = settings_in_place(METHODS[method]);
            settings.subset = 200;
            sfgp_result *r = mixture_fit(*state, s, &settings);
            const double left = mixture_error(s, r->points);
            /* What each is good for: a curve slides along itself, half of the points know less. */
            if (!(left < (d == 2 ? 0.85 : method == 2 ? 0.65 : 0.35) && r->outcome == SFGP_CONVERGED))
                fail_msg("%s %dD: %g of the deformation is left", METHODS[method], d, left);
            assert_true(r->explained > 0.8 && r->explained <= 1 && r->sigma > 0);
            for (int i = 0; i < s->n; i++) {
                assert_true(r->sd[i] >= 0 && isfinite(r->sd[i]));
                assert_true(r->missing[i]
                                ? r->target[i] == -1
                                : r->target[i] >= 0 && r->target[i] < s->m && r->probability[i] > 0);
            }
            sfgp_result_free(r);
            test_shapes_free(s);
        }
}

/* normalise each: target and reference may each have a unit and an origin of their own. */
static void each_unit_is_its_own(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        sfgp_settings settings = mixture_defaults(METHODS[method]);
        settings.max_iterations = 40;
        settings.subset = 100;
        test_shapes *s = test_shapes_new(150, 3, 0, 24);
        sfgp_result *plain = mixture_fit(*state, s, &settings);
        for (int k = 0; k < 3 * s->n; k++)
            s->reference[k] = 5 * s->reference[k] + 100;
        for (int k = 0; k < 3 * s->m; k++)
            s->target[k] = 3 * s->target[k] - 40;
        sfgp_result *moved = mixture_fit(*state, s, &settings);
        for (int k = 0; k < 3 * s->n; k++)
            plain->points[k] = 3 * plain->points[k] - 40;
        for (int i = 0; i < s->n; i++)
            plain->sd[i] *= 3;
        assert_true(mixture_distance(3 * s->n, plain->points, moved->points, 90) < 1e-8);
        assert_true(mixture_distance(s->n, plain->sd, moved->sd, 90) < 1e-8);
        assert_true(fabs(moved->sigma / plain->sigma - 3) < 1e-6);
        sfgp_result_free(plain), sfgp_result_free(moved);
        test_shapes_free(s);
    }
}

/* A similarity of the target alone is undone by T: a quarter radian, half as large again, moved. */
static void a_turned_target_is_found(void **state)
{
    const double c = cos(0.25), t = sin(0.25);
    test_shapes *s = test_shapes_new(300, 3, 0, 25);
    sfgp_settings settings = mixture_defaults("bcpd");
    settings.lambda = 1000; /* stiff, so that it is T which moves */
    double *clouds[] = {s->target, s->truth};
    const int counts[] = {s->m, s->n};
    for (int cloud = 0; cloud < 2; cloud++)
        for (int i = 0; i < counts[cloud]; i++) {
            double *x = clouds[cloud] + 3 * i, x0 = x[0], x1 = x[1];
            x[0] = 1.5 * (c * x0 - t * x1) + 40, x[1] = 1.5 * (t * x0 + c * x1) - 7, x[2] = 1.5 * x[2] + 3;
        }
    sfgp_result *r = mixture_fit(*state, s, &settings);
    assert_true(mixture_error(s, r->points) < 0.2);
    sfgp_result_free(r);
    test_shapes_free(s);
}

static void runs_and_threads_give_the_same_bits(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        sfgp_settings settings = mixture_defaults(METHODS[method]);
        settings.max_iterations = 8;
        settings.subset = 700;
        mixture_assert_same_bits(*state, settings, 1200, 23, 8);
    }
}

static void shapes_that_agree_stay(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++)
        mixture_assert_stays(*state, METHODS[method], 30, 1e-3);
}

/* normalise none and a start so narrow that nothing lies in reach: no fit, and the reference comes back. */
static void nothing_in_reach_is_no_overlap(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        sfgp_settings settings = mixture_defaults(METHODS[method]);
        strcpy(settings.normalise, "none");
        settings.gamma = 1e-6;
        settings.subset = 50;
        test_shapes *s = test_shapes_new(100, 3, 0, 31);
        for (int k = 0; k < 3 * s->m; k++)
            s->target[k] += 200;
        sfgp_result *r = mixture_fit(*state, s, &settings);
        assert_int_equal(r->outcome, SFGP_NO_OVERLAP);
        assert_memory_equal(r->points, s->reference, 300 * sizeof(double));
        sfgp_result_free(r);
        test_shapes_free(s);
    }
}

static void flat_shapes_are_fitted(void **state)
{
    test_shapes *s = test_shapes_new(200, 3, 0, 32);
    mixture_assert_flat(*state, "bcpd", s, 0);
    test_shapes_free(s);
}

/* ---- acceleration
 * ------------------------------------------------------------------------------------------ */

/* With all columns and nothing pruned, accelerated is exact. */
static void accelerated_with_all_columns_is_exact(void **state)
{
    test_shapes *s = test_shapes_new(80, 3, 0, 33);
    sfgp_settings settings = mixture_settings("bcpd");
    settings.max_iterations = 30;
    sfgp_result *exact = mixture_fit(*state, s, &settings);
    strcpy(settings.method, "bcpd-accelerated");
    settings.rank = 80, settings.accuracy = 1e-16;
    sfgp_result *fast = mixture_fit(*state, s, &settings);
    assert_true(mixture_distance(240, exact->points, fast->points, 30) < SHIPPED);
    assert_true(mixture_distance(80, exact->sd, fast->sd, 30) < SHIPPED);
    sfgp_result_free(exact), sfgp_result_free(fast);
    test_shapes_free(s);
}

static void acceleration_stays_within_two_percent(void **state)
{
    for (int d = 2; d <= 3; d++) {
        test_shapes *s = test_shapes_new(400, d, 0, 34);
        sfgp_settings settings = mixture_defaults("bcpd");
        sfgp_result *exact = mixture_fit(*state, s, &settings);
        strcpy(settings.method, "bcpd-accelerated");
        sfgp_result *fast = mixture_fit(*state, s, &settings);
        double apart = 0, motion = 0;
        for (int k = 0; k < 400 * d; k++) {
            apart += fabs(exact->points[k] - fast->points[k]);
            motion += fabs(exact->points[k] - s->reference[k]);
        }
        if (!(apart < 0.02 * motion))
            fail_msg("%dD: %g of the motion", d, apart / motion);
        sfgp_result_free(exact), sfgp_result_free(fast);
        test_shapes_free(s);
    }
}

static const sfgp_mixture_method FAST = {
    .name = "fast", .bayesian = true, .smooth = true, .map = SFGP_MIXTURE_SIMILARITY};

/* A budget of a quarter of the pairs: it starts with a quarter of the target, never passes the budget, and
 * ends with all points next to where the fit with all points from the start ends. */
static void thinned_starts_end_with_all_points(void **state)
{
    sfgp_settings settings = settings_in_place("bcpd-accelerated");
    mixture_pair pair;
    settings.omega = 0.1, settings.lambda = 2, settings.prune = 1e-6, settings.threads = 1;
    mixture_pair_new(*state, &FAST, ORACLE_SIMILARITY, &settings, 400, 3, 38, &pair);
    double points[1200];
    pair.mixture.budget = 400 * pair.oracle.m / 4;
    sfgp_assert_ok(*state, sfgp_mixture_thin(&pair.mixture));
    assert_true(pair.mixture.thinning >= 4);
    while (!pair.mixture.settled && pair.mixture.iterations < 500) {
        sfgp_assert_ok(*state, sfgp_mixture_step(&pair.mixture));
        assert_true(sfgp_sparse_start(&pair.mixture.labels.matrix)[400] <= pair.mixture.budget);
    }
    assert_true(pair.mixture.settled && pair.mixture.thinning == 1);
    sfgp_frame_leave(&pair.from, 400, pair.mixture.fitted, points);
    const double left = mixture_error(pair.shapes, points);
    if (!(left < 0.35)) /* what all points from the start leave in fits_recover_the_truth */
        fail_msg("%g of the deformation is left", left);
    mixture_pair_clear(&pair);
}

/* A target in which every point comes twice, and the same with one half in use that counts double. */
static void points_out_of_use_are_counted_for(void **state)
{
    sfgp_settings settings = mixture_settings("bcpd");
    mixture_pair pair;
    sfgp_mixture twice;
    settings.kappa = 2;
    mixture_pair_new(*state, &PROGRAM, ORACLE_SIMILARITY, &settings, 50, 2, 42, &pair);
    const int m = pair.oracle.m;
    double *target = malloc((size_t)(4 * m) * sizeof *target);
    memcpy(target, pair.target, (size_t)(2 * m) * sizeof *target);
    memcpy(target + 2 * m, pair.target, (size_t)(2 * m) * sizeof *target);
    const sfgp_mixture_task task = {&PROGRAM, &pair.settings, &pair.model->basis, 2 * m, target};
    sfgp_assert_ok(*state, sfgp_mixture_new(*state, &task, &twice));
    pair.mixture.thinning = 2;
    pair.mixture.budget = 1; /* and stays */
    for (int iteration = 0; iteration < 20; iteration++) {
        sfgp_assert_ok(*state, sfgp_mixture_step(&pair.mixture));
        sfgp_assert_ok(*state, sfgp_mixture_step(&twice));
    }
    assert_true(mixture_distance(100, pair.mixture.fitted, twice.fitted, 1) < RELATIVE);
    assert_true(mixture_distance(50, pair.mixture.variance, twice.variance, 1) < RELATIVE);
    assert_true(mixture_distance(50, pair.mixture.mixing, twice.mixing, 1) < RELATIVE);
    assert_true(fabs(pair.mixture.sigma2 - twice.sigma2) < RELATIVE);
    sfgp_mixture_clear(&twice);
    mixture_pair_clear(&pair);
    free(target);
}

/* Labels of a shuffled target are handed back by the index that the caller knows. */
static void labels_of_a_thinned_target_are_the_callers(void **state)
{
    sfgp_settings settings = settings_in_place("bcpd-accelerated");
    mixture_pair pair;
    sfgp_result *r = NULL;
    int64_t found = 0;
    settings.lambda = 2, settings.prune = 1e-6, settings.threads = 1;
    mixture_pair_new(*state, &FAST, ORACLE_SIMILARITY, &settings, 200, 3, 43, &pair);
    pair.mixture.budget = 200 * pair.oracle.m / 4;
    sfgp_assert_ok(*state, sfgp_mixture_thin(&pair.mixture));
    sfgp_assert_ok(*state, sfgp_mixture_label(&pair.mixture));
    sfgp_assert_ok(*state, sfgp_result_new(*state, pair.model, &r));
    const sfgp_mixture_frames frames = {.from = pair.from, .to = pair.from};
    sfgp_mixture_fill_result(&pair.mixture, &frames, pair.model, r);
    for (int i = 0; i < 200; i++)
        if (r->target[i] >= 0) {
            const double *used = pair.mixture.target + 3 * pair.mixture.labels.best_target[i];
            assert_memory_equal(pair.target + 3 * r->target[i], used, 3 * sizeof *used);
            found += r->target[i] != pair.mixture.labels.best_target[i];
        }
    assert_true(found > 50);
    sfgp_result_free(r);
    mixture_pair_clear(&pair);
}

static void a_subset_of_all_points_is_no_subset(void **state)
{
    test_shapes *s = test_shapes_new(200, 3, 0, 36);
    sfgp_settings settings = test_settings();
    settings.max_iterations = 20;
    strcpy(settings.method, "bcpd-accelerated");
    sfgp_result *a = mixture_fit(*state, s, &settings);
    strcpy(settings.method, "bcpd++");
    settings.subset = s->n > s->m ? s->n : s->m;
    sfgp_result *b = mixture_fit(*state, s, &settings);
    assert_memory_equal(a->points, b->points, 600 * sizeof(double));
    settings.subset--; /* one point is left out and interpolated */
    sfgp_result *c = mixture_fit(*state, s, &settings);
    const double apart = mixture_distance(600, a->points, c->points, 30);
    if (!(apart > 0 && apart < 0.02)) /* a point less among 200 */
        fail_msg("%g apart", apart);
    sfgp_result_free(a), sfgp_result_free(b), sfgp_result_free(c);
    test_shapes_free(s);
}

/* Nine tenths of the points crowd in one place: together they weigh as much as one point of the rest. */
static void subsets_draw_dense_and_thin_regions_alike(void **state)
{
    enum { N = 1000, THIN = 100 };
    double points[2 * N];
    sfgp_settings settings = mixture_settings("bcpd++");
    int64_t thin = 0, *index = NULL;
    settings.subset = THIN;
    for (int i = 0; i < N; i++) {
        points[2 * i] = i < THIN ? i % 10 : 20 + 1e-5 * i;
        points[2 * i + 1] = i < THIN ? i / 10 : 0;
    }
    sfgp_assert_ok(*state, sfgp_mixture_draw(*state, 2, N, points, &settings, &index));
    for (int k = 0; k < THIN; k++) {
        assert_true(k == 0 || index[k] > index[k - 1]);
        thin += index[k] < THIN;
    }
    assert_true(thin >= THIN - 5 && index[THIN - 1] < N); /* the crowd has 1 of 101 parts of the weight */
    sfgp_free(index);
}

static void subsets_are_drawn_by_the_seed(void **state)
{
    double left[2];
    for (int seed = 1; seed <= 2; seed++) {
        test_shapes *s = test_shapes_new(900, 3, 0, 40);
        sfgp_settings settings = settings_in_place("bcpd++");
        settings.subset = 300;
        settings.seed = seed;
        sfgp_result *r = mixture_fit(*state, s, &settings);
        left[seed - 1] = mixture_error(s, r->points);
        assert_true(left[seed - 1] < 0.65);
        sfgp_result_free(r);
        test_shapes_free(s);
    }
    assert_true(left[0] != left[1]);
}

/* ---- errors and memory
 * ------------------------------------------------------------------------------------- */

static void settings_that_cannot_be_are_refused(void **state)
{
    test_shapes *s = test_shapes_new(60, 2, 0, 38);
    sfgp_settings settings = mixture_settings("bcpd");
    strcpy(settings.normalise, "both");
    mixture_assert_refused(*state, s, &settings, SFGP_ERROR_PARAMETER, "normalise");
    settings = mixture_settings("bcpd");
    strcpy(settings.kernel, "none");
    mixture_assert_refused(*state, s, &settings, SFGP_ERROR_PARAMETER, "kernel: 'none'");
    settings = mixture_settings("bcpd");
    settings.lambda = 1e-9;
    mixture_assert_refused(*state, s, &settings, SFGP_ERROR_PARAMETER, "lambda: 1e-09");
    test_shapes_free(s);
}

static void too_many_pairs_are_refused(void **state)
{
    mixture_assert_too_many(*state, "bcpd", 39, "bcpd++");
}

static void every_failing_allocation_is_reported(void **state)
{
    mixture_assert_failures(*state, METHODS, METHOD_COUNT, 40);
}

static void the_iteration_allocates_nothing(void **state)
{
    sfgp_settings settings = mixture_settings("bcpd");
    mixture_pair pair;
    settings.kappa = 2;
    mixture_pair_new(*state, &PAPER, ORACLE_SIMILARITY, &settings, 60, 3, 41, &pair);
    sfgp_memory_counters.allocations = 0;
    for (int iteration = 0; iteration < 20; iteration++)
        sfgp_assert_ok(*state, sfgp_mixture_step(&pair.mixture));
    assert_int_equal(sfgp_memory_counters.allocations, 0);
    mixture_pair_clear(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(digamma_is_exact),
        sfgp_unit_test(rotations_are_the_nearest),
        sfgp_unit_test(flat_and_empty_moments_have_a_rotation),
        sfgp_unit_test(every_iteration_is_the_papers),
        sfgp_unit_test(results_are_the_oracles_in_the_unit_of_the_files),
        sfgp_unit_test(it_stops_when_sigma_rests),
        sfgp_unit_test(auto_becomes_what_is_used),
        sfgp_unit_test(a_named_kernel_is_taken_literally),
        sfgp_unit_test(fits_recover_the_truth),
        sfgp_unit_test(each_unit_is_its_own),
        sfgp_unit_test(a_turned_target_is_found),
        sfgp_long_test(runs_and_threads_give_the_same_bits),
        sfgp_unit_test(shapes_that_agree_stay),
        sfgp_unit_test(nothing_in_reach_is_no_overlap),
        sfgp_unit_test(flat_shapes_are_fitted),
        sfgp_unit_test(accelerated_with_all_columns_is_exact),
        sfgp_unit_test(acceleration_stays_within_two_percent),
        sfgp_unit_test(thinned_starts_end_with_all_points),
        sfgp_unit_test(points_out_of_use_are_counted_for),
        sfgp_unit_test(labels_of_a_thinned_target_are_the_callers),
        sfgp_unit_test(a_subset_of_all_points_is_no_subset),
        sfgp_unit_test(subsets_draw_dense_and_thin_regions_alike),
        sfgp_unit_test(subsets_are_drawn_by_the_seed),
        sfgp_unit_test(settings_that_cannot_be_are_refused),
        sfgp_unit_test(too_many_pairs_are_refused),
        sfgp_unit_test(every_failing_allocation_is_reported),
        sfgp_unit_test(the_iteration_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
