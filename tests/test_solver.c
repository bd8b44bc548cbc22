/* Model, solver and result through the public header: properties that hold for every fit, and bad data. */
#include "search/tuning.h"
#include "support/support.h"
#include "support/shapes.h"
#include "base/random.h"
#include "em/estep.h"
#include "em/loop.h"
#include "fit/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const METHODS[] = {"sfgp-full", "sfgp-scalar", "sfgp-nothreshold", "closest-point"};
enum { METHOD_COUNT = 4 };

static sfgp_settings settings_for(const char *method)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    settings.max_iterations = 40;
    return settings;
}

/* Model, fit, and everything freed but the result. */
static sfgp_status fit(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *target,
                       const sfgp_settings *settings, sfgp_result **result)
{
    sfgp_model *model = NULL;
    sfgp_solver *solver = NULL;
    *result = NULL;
    sfgp_status status = sfgp_model_new(context, reference, NULL, 0, settings, &model);
    if (status == SFGP_OK)
        status = sfgp_solver_new(context, model, settings, &solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, target, result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    return status;
}

static sfgp_result *fit_shapes(sfgp_context *context, const test_shapes *s, const sfgp_settings *settings)
{
    sfgp_mesh *reference = test_mesh(context, s->n, s->d, s->reference);
    sfgp_mesh *target = test_mesh(context, s->m, s->d, s->target);
    sfgp_result *result;
    sfgp_assert_ok(context, fit(context, reference, target, settings, &result));
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    return result;
}

/* A solver ready to run, and what it was made of. */
typedef struct fixture {
    test_shapes *shapes;
    sfgp_mesh *reference, *target;
    sfgp_model *model;
    sfgp_solver *solver;
} fixture;

/* Takes the shapes over. */
static fixture fixture_new(sfgp_context *context, test_shapes *s, const sfgp_settings *settings)
{
    fixture f = {.shapes = s};
    f.reference = test_mesh(context, s->n, s->d, s->reference);
    f.target = test_mesh(context, s->m, s->d, s->target);
    sfgp_assert_ok(context, sfgp_model_new(context, f.reference, NULL, 0, settings, &f.model));
    sfgp_assert_ok(context, sfgp_solver_new(context, f.model, settings, &f.solver));
    return f;
}

static void fixture_free(fixture *f)
{
    sfgp_solver_free(f->solver);
    sfgp_model_free(f->model);
    sfgp_mesh_free(f->reference);
    sfgp_mesh_free(f->target);
    test_shapes_free(f->shapes);
}

/* Largest distance of two fits in RMS radii of the reference; permutation maps b's points to a's, or NULL. */
static double distance(const sfgp_result *a, const double *b, const int *permutation, double scale)
{
    double worst = 0;
    for (int64_t i = 0; i < a->count; i++)
        for (int k = 0; k < a->dimension; k++) {
            int64_t j = permutation ? permutation[i] : i;
            worst = fmax(worst, fabs(a->points[j * a->dimension + k] - b[i * a->dimension + k]) / scale);
        }
    return worst;
}

static void fits_recover_the_truth(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int method = 0; method < METHOD_COUNT; method++) {
            const sfgp_settings settings = settings_for(METHODS[method]);
            test_shapes *s = test_shapes_new(400, d, 0, 21);
            sfgp_result *r = fit_shapes(*state, s, &settings);
            double before = 0, after = 0;
            for (int k = 0; k < 400 * d; k++) {
                before += fabs(s->reference[k] - s->truth[k]);
                after += fabs(r->points[k] - s->truth[k]);
            }
            const double bound = method == 1 && d == 3 ? 0.35
                                 : method == 3         ? 2
                                                       : 0.9; /* what each is good for */
            if (!(after < bound * before))
                fail_msg("%s %dD: %g of the deformation is left", METHODS[method], d, after / before);
            for (int i = 0; i < 400; i++) {
                assert_true(r->sd[i] >= 0 && isfinite(r->sd[i]));
                assert_true(r->missing[i] ? r->target[i] == -1 && r->probability[i] == 0
                                          : r->target[i] >= 0 && r->target[i] < s->m &&
                                                r->probability[i] > 0 && r->probability[i] <= 1);
            }
            sfgp_result_free(r);
            test_shapes_free(s);
        }
}

/* 0 <= posterior variance <= prior variance, and points in the hole are less certain. */
static void variances_lie_below_the_prior(void **state)
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    test_shapes *s = test_shapes_new(300, 3, 6, 22);
    sfgp_mesh *target = test_mesh(*state, s->m, 3, s->target);
    sfgp_model *model = test_shapes_model(*state, s, 6, &settings);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *r = test_run(*state, solver, target);
    double inside = 0, outside = 0;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        double prior = model->frame.scale * sqrt(sfgp_basis_variance(&model->basis, i));
        assert_true(r->sd[i] >= 0 && r->sd[i] <= prior * (1 + 1e-9));
        *(s->missing[i] ? &inside : &outside) += r->sd[i];
        count += s->missing[i];
    }
    assert_true(inside / count > outside / (s->n - count));
    sfgp_model_info info;
    sfgp_model_describe(model, &info);
    assert_true(info.rank == info.rank_scalar + info.rank_pca && info.rank_pca == 5);
    sfgp_assert_has(info.kernel, "pca+se");
    sfgp_result_free(r);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(target);
    test_shapes_free(s);
}

static void runs_and_threads_give_the_same_bits(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        sfgp_settings settings = settings_for(METHODS[method]);
        test_shapes *s = test_shapes_new(1600, 3, 0, 23);
        sfgp_result *first = NULL;
        for (int threads = 1; threads <= 8; threads *= 2) {
            settings.threads = threads;
            sfgp_result *r = fit_shapes(*state, s, &settings);
            if (first) {
                assert_memory_equal(first->points, r->points, 4800 * sizeof(double));
                assert_memory_equal(first->sd, r->sd, 1600 * sizeof(double));
                assert_memory_equal(first->probability, r->probability, 1600 * sizeof(double));
                sfgp_result_free(r);
            } else {
                first = r;
            }
        }
        sfgp_result_free(first);
        test_shapes_free(s);
    }
}

/* The same scan in another unit, moved, and in another order. Bound: the 1e-6 of the size. */
static void units_offsets_and_order_do_not_matter(void **state)
{
    const double scales[] = {1, 1e-3, 1e9, 1e-9, 1e-12, 1, 1, 1}, offsets[] = {0, 0, 0, 0, 0, 1e5, 1e6, 0};
    for (int d = 2; d <= 3; d++) {
        const sfgp_settings settings = settings_for("sfgp-scalar");
        test_shapes *s = test_shapes_new(250, d, 0, 24);
        sfgp_result *plain = fit_shapes(*state, s, &settings);
        for (int variant = 1; variant < 8; variant++) {
            test_shapes *v = test_shapes_new(250, d, 0, 24);
            int permutation[250];
            for (int i = 0; i < 250; i++)
                permutation[i] = variant == 7 ? i * 97 % 250 : i;
            for (int i = 0; i < 250; i++)
                for (int k = 0; k < d; k++)
                    v->reference[i * d + k] =
                        s->reference[permutation[i] * d + k] * scales[variant] + offsets[variant];
            for (int j = 0; j < s->m; j++)
                for (int k = 0; k < d; k++)
                    v->target[j * d + k] =
                        s->target[(variant == 7 ? s->m - 1 - j : j) * d + k] * scales[variant] +
                        offsets[variant];
            sfgp_result *r = fit_shapes(*state, v, &settings);
            for (int k = 0; k < 250 * d; k++)
                r->points[k] = (r->points[k] - offsets[variant]) / scales[variant];
            double worst = distance(plain, r->points, permutation, 25);
            if (!(worst < 1e-6 && r->iterations == plain->iterations))
                fail_msg("variant %d in %dD: %g of the size, %lld iterations for %lld", variant, d, worst,
                         (long long)r->iterations, (long long)plain->iterations);
            sfgp_result_free(r);
            test_shapes_free(v);
        }
        sfgp_result_free(plain);
        test_shapes_free(s);
    }
}

/* A rigid motion of both shapes moves the result with them. */
static void rigid_motion_moves_the_fit(void **state)
{
    const double c = cos(0.7), t = sin(0.7);
    const sfgp_settings settings = settings_for("sfgp-scalar");
    test_shapes *s = test_shapes_new(250, 3, 0, 25);
    sfgp_result *plain = fit_shapes(*state, s, &settings);
    double *clouds[] = {s->reference, s->target, plain->points};
    const int counts[] = {s->n, s->m, s->n};
    for (int cloud = 0; cloud < 3; cloud++)
        for (int i = 0; i < counts[cloud]; i++) {
            double *x = clouds[cloud] + 3 * i, x0 = x[0], x1 = x[1];
            x[0] = c * x0 - t * x1 + 40, x[1] = t * x0 + c * x1 - 7, x[2] += 3;
        }
    sfgp_result *moved = fit_shapes(*state, s, &settings);
    assert_true(distance(moved, plain->points, NULL, 25) < 1e-6);
    sfgp_result_free(plain);
    sfgp_result_free(moved);
    test_shapes_free(s);
}

static void the_iteration_allocates_nothing(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        const sfgp_settings settings = settings_for(METHODS[method]);
        test_shapes *s = test_shapes_new(300, 3, 0, 26);
        fixture f = fixture_new(*state, s, &settings);
        sfgp_assert_ok(*state, sfgp_solver_load(f.solver, f.target));
        sfgp_memory_counters.allocations = 0;
        for (int iteration = 0; iteration < 30; iteration++)
            sfgp_assert_ok(*state, sfgp_em_step(f.solver->em));
        assert_int_equal(sfgp_memory_counters.allocations, 0);
        fixture_free(&f);
    }
}

/* One solver, many targets of different sizes: the same as a fresh solver each. */
static void a_solver_is_reused_over_targets(void **state)
{
    const sfgp_settings settings = settings_for("sfgp-full");
    test_shapes *s = test_shapes_new(200, 3, 0, 27);
    sfgp_mesh *reference = test_mesh(*state, s->n, 3, s->reference);
    sfgp_mesh *small = test_mesh(*state, s->m / 2, 3, s->target),
              *large = test_mesh(*state, s->m, 3, s->target);
    sfgp_result *fresh;
    sfgp_model *model = test_model(*state, reference, &settings);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *other = test_run(*state, solver, small);
    sfgp_result_free(other);
    sfgp_result *warm = test_run(*state, solver, large);
    sfgp_assert_ok(*state, fit(*state, reference, large, &settings, &fresh));
    assert_memory_equal(warm->points, fresh->points, 600 * sizeof(double));
    sfgp_result_free(warm);
    sfgp_result_free(fresh);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(reference), sfgp_mesh_free(small), sfgp_mesh_free(large);
    test_shapes_free(s);
}

static void nothing_in_reach_returns_the_reference(void **state) /* faults 56 and 57 */
{
    const sfgp_settings settings = settings_for("sfgp-scalar");
    test_shapes *s = test_shapes_new(200, 3, 0, 28);
    for (int k = 0; k < 3 * s->m; k++)
        s->target[k] += 1e4;
    sfgp_result *r = fit_shapes(*state, s, &settings);
    assert_int_equal(r->outcome, SFGP_NO_OVERLAP);
    assert_memory_equal(r->points, s->reference, 600 * sizeof(double));
    assert_true(r->missing_count == 200 && r->missing[0] == 1 && r->target[0] == -1 && r->sd[0] > 0);
    sfgp_result_free(r);
    for (int k = 0; k < 3 * s->m; k++)
        s->target[k] = (s->target[k] - 1e4) * 1000;
    r = fit_shapes(*state, s, &settings);
    sfgp_assert_has(sfgp_test_warning(), "times as large as the reference");
    assert_int_equal(r->outcome, SFGP_NO_OVERLAP);
    sfgp_result_free(r);
    test_shapes_free(s);
}

static void add_noise(test_shapes *s, double deviation)
{
    sfgp_random random = sfgp_random_of(3);
    for (int k = 0; k < s->d * s->m; k++)
        s->target[k] += deviation * sfgp_random_normal(&random);
}

static void outliers_alone_and_crumbs_are_no_overlap(void **state) /* fault 57, docs/adr/0005 */
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 500;
    test_shapes *s = test_shapes_new(300, 3, 0, 40);
    sfgp_random random = sfgp_random_of(4);
    for (int k = 3 * 15; k < 3 * s->m; k++) /* 95 % outliers */
        s->target[k] = 100 * (sfgp_random_uniform(&random) - 0.5);
    sfgp_result *r = fit_shapes(*state, s, &settings);
    assert_true(r->outcome == SFGP_NO_OVERLAP && r->sigma > 0);
    assert_memory_equal(r->points, s->reference, 900 * sizeof(double));
    for (int k = 0; k < 16; k++) /* the reference has not moved */
        assert_true(r->pose[k] == (k % 5 == 0) && r->similarity[k] == (k % 5 == 0));
    sfgp_result_free(r);
    s->m = 15; /* 95 % missing */
    memcpy(s->target, s->truth + 3 * 100, 45 * sizeof(double));
    r = fit_shapes(*state, s, &settings);
    assert_int_equal(r->outcome, SFGP_NO_OVERLAP);
    sfgp_result_free(r);
    test_shapes_free(s);
}

static void a_large_residual_is_warned_of(void **state) /* fault 59, docs/adr/0005 */
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 500;
    test_shapes *s = test_shapes_new(1000, 3, 0, 41);
    sfgp_result_free(fit_shapes(*state, s, &settings));
    assert_null(strstr(sfgp_test_warning(), "residual"));
    add_noise(s, 3); /* the points are 2 mm apart */
    sfgp_result_free(fit_shapes(*state, s, &settings));
    sfgp_assert_has(sfgp_test_warning(), "residual");
    test_shapes_free(s);
}

/* Nothing low-rank is left of such a kernel. */
static void a_kernel_of_very_many_columns_is_told(void **state)
{
    static const struct {
        const char *kernel;
        int rank;
        bool told;
    } CASES[] = {{"laplace", 0, true}, {"laplace", 50, false}, {"se", 0, false}};
    test_shapes *s = test_shapes_new(1600, 3, 0, 31);
    sfgp_mesh *mesh = test_mesh(*state, s->n, s->d, s->reference);
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        sfgp_settings settings = settings_for("auto");
        strcpy(settings.kernel, CASES[k].kernel);
        settings.rank = CASES[k].rank;
        const size_t before = strlen(sfgp_test_warning());
        sfgp_model *model = test_model(*state, mesh, &settings);
        assert_int_equal(strstr(sfgp_test_warning() + before, "it needs 1600 columns") != NULL,
                         CASES[k].told);
        sfgp_model_free(model);
    }
    sfgp_mesh_free(mesh);
    test_shapes_free(s);
}

static void zero_iterations_return_the_prior_mean(void **state)
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 0;
    test_shapes *s = test_shapes_new(100, 2, 0, 29);
    sfgp_result *r = fit_shapes(*state, s, &settings);
    assert_true(r->outcome == SFGP_MAX_ITERATIONS && r->iterations == 0);
    assert_true(distance(r, s->reference, NULL, 25) < 1e-14);
    assert_int_equal(r->missing_count, 100); /* the scan was not asked: all is as the prior says */
    for (int k = 0; k < 100; k++)
        assert_true(r->sd[k] > 10 && r->missing[k] && r->target[k] == -1);
    sfgp_result_free(r);
    test_shapes_free(s);
}

static void equal_clouds_stay_where_they_are(void **state) /* fault 48 */
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 500;
    test_shapes *s = test_shapes_new(200, 3, 0, 30);
    memcpy(s->target, s->reference, 600 * sizeof(double));
    s->m = 200;
    for (int twice = 0; twice < 2; twice++) { /* and with half of the points doubled */
        sfgp_result *r = fit_shapes(*state, s, &settings);
        assert_true(r->outcome == SFGP_CONVERGED && distance(r, s->reference, NULL, 25) < 2e-3);
        sfgp_result_free(r);
        memcpy(s->reference, s->reference + 300, 300 * sizeof(double));
        memcpy(s->target, s->reference, 600 * sizeof(double));
    }
    test_shapes_free(s);
}

/* Points are counted by 32 bits. There are none behind this mesh: it is refused before it is read. */
static void too_many_points_are_refused(void **state)
{
    const sfgp_settings settings = settings_for("sfgp-scalar");
    fixture f = fixture_new(*state, test_shapes_new(60, 3, 0, 31), &settings);
    for (int64_t count = INT32_MAX; count <= INT64_MAX / 2; count *= 2) {
        const sfgp_mesh many = {.count = count, .dimension = 3};
        sfgp_result *result;
        sfgp_assert_error(*state, sfgp_solver_run(f.solver, &many, &result), SFGP_ERROR_DATA,
                          "fewer than 2147483647 can be fitted");
        assert_null(result);
    }
    fixture_free(&f);
}

/* Beside a reference of 1e-300 the place of a target is no number, and beside one of 1e-155 its square is none. */
static void targets_out_of_reach_are_refused(void **state)
{
    static const char *const REACH[] = {"sfgp-full", "sfgp-scalar", "cpd"};
    for (int k = 0; k < 6; k++) {
        const sfgp_settings settings = settings_for(REACH[k % 3]);
        test_shapes *s = test_shapes_new(60, 3, 0, 31);
        for (int i = 0; i < 3 * 60; i++)
            s->reference[i] *= k < 3 ? 1e-300 : 1e-155;
        fixture f = fixture_new(*state, s, &settings);
        sfgp_result *result;
        sfgp_assert_error(*state, sfgp_solver_run(f.solver, f.target, &result), SFGP_ERROR_DATA,
                          "bring both into one unit");
        fixture_free(&f);
    }
}

/* Faults 46 to 53: what cannot be fitted is refused by name, what is odd is fitted with a warning. */
static void odd_points_are_refused_or_survived(void **state)
{
    enum { N = 60 };
    const sfgp_settings settings = settings_for("sfgp-scalar");
    static const struct {
        const char *name;
        sfgp_status status;
        const char *words;
    } rows[] = {{"one point", SFGP_ERROR_DATA, "at least 4"},
                {"identical", SFGP_ERROR_DATA, "zero extent: all 60 points lie at one place"},
                {"nan", SFGP_ERROR_DATA, "point 5"},
                {"inf", SFGP_ERROR_DATA, "point 5"},
                {"collinear", SFGP_OK, "one line"},
                {"coplanar", SFGP_OK, "one plane"},
                {"two clusters", SFGP_OK, ""},
                {"a point far away", SFGP_OK, " from the middle"},
                {"huge", SFGP_OK, ""},
                {"beyond doubles", SFGP_ERROR_DATA, "out of range"},
                {"far origin", SFGP_OK, "move it to the origin"}};
    for (int role = 0; role < 2; role++)
        for (int row = 0; row < 11; row++) {
            sfgp_mesh *meshes[2];
            test_shapes *s = test_shapes_new(N, 3, 0, 31);
            for (int which = 0; which < 2; which++) {
                double x[3 * N];
                memcpy(x, which ? s->truth : s->reference, sizeof x);
                bool odd = which == role || row >= 8;
                for (int i = 0; odd && i < N; i++) {
                    double *p = x + 3 * i;
                    if (row == 1 || (row == 4 && i > 0))
                        p[0] = row == 1 ? 1 : i, p[1] = row == 1 ? 2 : 2 * i, p[2] = row == 1 ? 3 : -i;
                    else if (row == 4)
                        p[0] = p[1] = p[2] = 0;
                    if (row == 5)
                        p[2] = 0;
                    if (row == 6)
                        p[0] += i % 2 ? 1000 : 0;
                    for (int k = 0; k < 3 && row >= 8; k++)
                        p[k] = row == 8   ? p[k] * 1e148
                               : row == 9 ? (i > 0 ? 1.7e308 : -1.7e308)
                                          : p[k] + 1e15;
                }
                if (odd && (row == 2 || row == 3))
                    x[16] = row == 2 ? NAN : INFINITY;
                if (odd && row == 7)
                    x[3] += 2.5e7;
                meshes[which] = test_mesh(*state, odd && row == 0 ? 1 : N, 3, x);
            }
            sfgp_result *r;
            sfgp_status status = fit(*state, meshes[0], meshes[1], &settings, &r);
            if (status != rows[row].status)
                fail_msg("%s (role %d): %d, %s", rows[row].name, role, (int)status,
                         sfgp_context_error(*state));
            const char *said = status != SFGP_OK ? sfgp_context_error(*state) : sfgp_test_warning();
            if (!strstr(said, rows[row].words))
                fail_msg("%s (role %d): '%s' lacks '%s'", rows[row].name, role, said, rows[row].words);
            for (int k = 0; r && k < 3 * N; k++)
                assert_true(isfinite(r->points[k]) && isfinite(r->sd[k / 3]));
            sfgp_result_free(r);
            sfgp_mesh_free(meshes[0]);
            sfgp_mesh_free(meshes[1]);
            test_shapes_free(s);
        }
}

static void few_points_and_uneven_sizes_are_fitted(void **state) /* faults 46 and 60 */
{
    const sfgp_settings settings = settings_for("sfgp-scalar");
    const int sizes[][2] = {{4, 4}, {5, 2000}, {2000, 5}};
    for (int k = 0; k < 3; k++) {
        test_shapes *s = test_shapes_new(sizes[k][0], 3, 0, 32), *t = test_shapes_new(sizes[k][1], 3, 0, 32);
        sfgp_mesh *reference = test_mesh(*state, s->n, 3, s->reference),
                  *target = test_mesh(*state, t->n, 3, t->truth);
        sfgp_result *r;
        sfgp_assert_ok(*state, fit(*state, reference, target, &settings, &r));
        for (int i = 0; i < 3 * s->n; i++)
            assert_true(isfinite(r->points[i]));
        sfgp_result_free(r);
        sfgp_mesh_free(reference), sfgp_mesh_free(target);
        test_shapes_free(s), test_shapes_free(t);
    }
}

static void wrong_settings_and_sets_are_named(void **state)
{
    test_shapes *s = test_shapes_new(50, 3, 2, 33), *flat = test_shapes_new(50, 2, 0, 33);
    sfgp_mesh *reference = test_mesh(*state, 50, 3, s->reference),
              *target = test_mesh(*state, s->m, 3, s->target);
    sfgp_mesh *plane = test_mesh(*state, 50, 2, flat->reference),
              *fewer = test_mesh(*state, 49, 3, s->reference);
    const sfgp_mesh *training[] = {reference, fewer}, *same[] = {reference, reference};
    const char *bad[][3] = {{"method", "magic", "method"},
                            {"lowrank", "magic", "lowrank"},
                            {"kernel", "magic", "kernel"},
                            {"outlier_density", "magic", "outlier_density"}};
    sfgp_result *r;
    sfgp_model *model;
    for (int k = 0; k < 4; k++) {
        sfgp_settings settings = settings_for("sfgp-scalar");
        sfgp_assert_ok(*state, sfgp_settings_set(*state, &settings, bad[k][0], bad[k][1]));
        sfgp_assert_error(*state, fit(*state, reference, target, &settings, &r), SFGP_ERROR_PARAMETER,
                          bad[k][2]);
    }
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.omega = 2;
    sfgp_assert_status(*state, fit(*state, reference, target, &settings, &r), SFGP_ERROR_PARAMETER);
    settings.omega = 0.1;
    sfgp_assert_status(*state, fit(*state, reference, plane, &settings, &r), SFGP_ERROR_DATA);
    sfgp_assert_error(*state, sfgp_model_new(*state, reference, training, 2, &settings, &model),
                      SFGP_ERROR_DATA, "49 points");
    s->reference[16] = NAN;
    sfgp_mesh *spoilt = test_mesh(*state, s->n, 3, s->reference);
    sfgp_assert_error(
        *state,
        sfgp_model_new(*state, reference, (const sfgp_mesh *[]){reference, spoilt}, 2, &settings, &model),
        SFGP_ERROR_DATA, "training shape 1");
    sfgp_mesh_free(spoilt);
    sfgp_assert_status(*state, sfgp_model_new(*state, reference, training, 1, &settings, &model),
                       SFGP_ERROR_DATA);
    strcpy(settings.kernel, "none");
    sfgp_assert_status(*state, sfgp_model_new(*state, reference, same, 2, &settings, &model),
                       SFGP_ERROR_DATA);
    sfgp_mesh_free(reference), sfgp_mesh_free(target), sfgp_mesh_free(plane), sfgp_mesh_free(fewer);
    test_shapes_free(s), test_shapes_free(flat);
}

static void ranks_are_clamped_or_reported(void **state) /* faults 64 and 65 */
{
    test_shapes *s = test_shapes_new(60, 3, 0, 34);
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.rank = 1000;
    sfgp_result_free(fit_shapes(*state, s, &settings));
    sfgp_assert_has(sfgp_test_warning(), "more than the 60 points");
    settings.rank = 2;
    sfgp_result_free(fit_shapes(*state, s, &settings));
    sfgp_assert_has(sfgp_test_warning(), "kernel residual");
    settings.rank = 0;
    settings.threads = 10000;
    sfgp_result_free(fit_shapes(*state, s, &settings));
    sfgp_assert_has(sfgp_test_warning(), "10000 asked");
    test_shapes_free(s);
}

/* The table of schedules has a column for each. */
static void a_cold_fit_has_the_schedule_of_its_shape(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int learns = 0; learns < 2; learns++) {
            const sfgp_settings settings = settings_for(learns ? "auto" : "sfgp-full");
            fixture f = fixture_new(*state, test_shapes_new(60, d, 0, 37), &settings);
            assert_ptr_equal(f.solver->problem.cold, !learns  ? &sfgp_schedule_paper
                                                     : d == 2 ? &sfgp_schedule_curve
                                                              : &sfgp_schedule_surface);
            fixture_free(&f);
        }
}

/* ADR 0095: as far as 4.5 sigma, or two spacings where that is more; curves as far as prune says. */
static void labels_of_surfaces_are_searched_within_reach(void **state)
{
    const sfgp_settings settings = settings_for("auto");
    for (int d = 2; d <= 3; d++)
        for (int narrow = 0; narrow < 2; narrow++) {
            fixture f = fixture_new(*state, test_shapes_new(500, d, 0, 38), &settings);
            sfgp_assert_ok(*state, sfgp_solver_load(f.solver, f.target));
            sfgp_em *em = f.solver->em;
            const double spacing = em->problem->target.spacing, sigma = narrow ? 0.4 * spacing : 2 * spacing,
                         reach = narrow ? 2 * spacing : 4.5 * sigma;
            int at_reach = 0, beyond = 0;
            sfgp_em_state_set_sigma2(500, sigma * sigma, &em->state);
            sfgp_assert_ok(*state, sfgp_em_estep_whole(em));
            for (int i = 0; i < 500; i++) {
                at_reach += fabs(em->responsibilities.radius2[i] / (reach * reach) - 1) < 1e-9;
                beyond += em->responsibilities.radius2[i] > reach * reach * (1 + 1e-9);
            }
            assert_int_equal(beyond, d == 2 ? 500 : 0);
            assert_int_equal(at_reach, d == 2 ? 0 : 500);
            fixture_free(&f);
        }
}

/* ADR 0080: the fish lies inclined, and so do these points. */
static void in_the_plane_the_box_lies_along_the_coordinates(void **state)
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    strcpy(settings.outlier_density, "volume");
    test_shapes *s = test_shapes_new(300, 2, 0, 35);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    fixture f = fixture_new(*state, s, &settings);
    sfgp_assert_ok(*state, sfgp_solver_load(f.solver, f.target));
    for (int k = 0; k < 2 * s->m; k++) {
        low[k % 2] = fmin(low[k % 2], s->target[k]);
        high[k % 2] = fmax(high[k % 2], s->target[k]);
    }
    const double area = (high[0] - low[0]) * (high[1] - low[1]) / pow(f.model->frame.scale, 2);
    assert_true(fabs(f.solver->problem.target.density * area - 1) < 1e-12);
    fixture_free(&f);
}

static void outlier_density_by_volume_works_too(void **state)
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    strcpy(settings.outlier_density, "volume");
    test_shapes *s = test_shapes_new(300, 3, 0, 35);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, volume = 1;
    fixture f = fixture_new(*state, s, &settings);
    sfgp_assert_ok(*state, sfgp_solver_load(f.solver, f.target));
    for (int j = 0; j < s->m; j++) { /* along the axes of the frame */
        double x[3];
        sfgp_frame_enter(&f.model->frame, 1, s->target + 3 * j, x);
        for (int a = 0; a < 3; a++)
            low[a] = fmin(low[a], x[a]), high[a] = fmax(high[a], x[a]);
    }
    for (int a = 0; a < 3; a++)
        volume *= high[a] - low[a];
    assert_true(f.solver->problem.volume_density &&
                fabs(f.solver->problem.target.density * volume - 1) < 1e-12);
    sfgp_result *r = fit_shapes(*state, s, &settings);
    assert_true(r->outcome != SFGP_NO_OVERLAP && r->explained > 0.8 && r->explained < 1);
    sfgp_result_free(r);
    fixture_free(&f);
}

static int64_t progress_calls;

static int count_progress(void *user, const sfgp_progress *progress)
{
    (void)user;
    assert_true(progress->iteration == ++progress_calls && progress->missing < 1 && progress->change > 0);
    return 0;
}

static void progress_is_told_every_iteration(void **state)
{
    const sfgp_settings settings = settings_for("sfgp-scalar");
    test_shapes *s = test_shapes_new(100, 2, 0, 36);
    progress_calls = 0;
    sfgp_context_set_progress(*state, count_progress, NULL);
    sfgp_result *r = fit_shapes(*state, s, &settings);
    assert_int_equal(progress_calls, r->iterations);
    sfgp_result_free(r);
    test_shapes_free(s);
}

/* A schedule with room for so many pairs a reference point only. */
static sfgp_em_schedule with_pair_budget(int64_t each, const sfgp_em_schedule *schedule)
{
    sfgp_em_schedule narrow = *schedule;
    narrow.pairs = 0;
    narrow.pairs_each = each;
    return narrow;
}

/* Noise keeps sigma2 large, and the pairs above the budget: every point is used in the end all the same. */
static void thinning_ends_when_the_points_rest(void **state)
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 500;
    test_shapes *s = test_shapes_new(600, 3, 0, 42);
    add_noise(s, 4);
    fixture f = fixture_new(*state, s, &settings);
    const sfgp_em_schedule narrow = with_pair_budget(32, f.solver->problem.cold);
    f.solver->problem.cold = &narrow;
    sfgp_result *r = test_run(*state, f.solver, f.target);
    assert_true(r->outcome == SFGP_CONVERGED && f.solver->em->state.thinning == 1);
    sfgp_result_free(r);
    fixture_free(&f);
}

/* Points of an ellipsoid, the same for every count but for how dense they are. */
static double *make_ellipsoid(int64_t count, double scale)
{
    double *x = malloc((size_t)(3 * count) * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) {
        const double z = (2 * (double)i + 1) / (double)count - 1, turn = 2.399963229728653 * (double)i;
        x[3 * i] = 3 * scale * sqrt(1 - z * z) * cos(turn);
        x[3 * i + 1] = 2 * scale * sqrt(1 - z * z) * sin(turn);
        x[3 * i + 2] = scale * z;
    }
    return x;
}

/* Few points against very many rest with a part of the labels, where all labels would bring them. */
static void few_points_use_as_many_labels_as_they_need(void **state)
{
    enum { N = 12, M = 40000 };
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 500;
    settings.reject = 0; /* sigma is a part of the wide spacing */
    strcpy(settings.kernel, "se:length=10,variance=1");
    double *x = make_ellipsoid(N, 1), *y = make_ellipsoid(M, 1.2), difference = 0, motion = 0;
    sfgp_mesh *reference = test_mesh(*state, N, 3, x), *target = test_mesh(*state, M, 3, y);
    sfgp_model *model = test_model(*state, reference, &settings);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *whole = test_run(*state, solver, target);
    assert_int_equal(solver->em->state.thinning, 1);
    sfgp_em_schedule few = *solver->problem.cold;
    few.labels_at_rest = sfgp_schedule_surface.labels_at_rest;
    solver->problem.cold = &few;
    sfgp_result *part = test_run(*state, solver, target);
    assert_true(solver->em->state.thinning > 1);
    assert_int_equal(whole->outcome, SFGP_CONVERGED);
    assert_int_equal(part->outcome, SFGP_CONVERGED);
    for (int k = 0; k < 3 * N; k++) {
        difference += fabs(part->points[k] - whole->points[k]);
        motion += fabs(whole->points[k] - x[k]);
    }
    if (!(difference < 0.01 * motion))
        fail_msg("%g of the motion", difference / motion);
    sfgp_result_free(whole);
    sfgp_result_free(part);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    free(x);
    free(y);
}

/* docs/adr/0004: the variance of a point that no label reaches is set by the nearest target point. */
static void points_without_mass_look_for_the_nearest(void **state)
{
    sfgp_settings settings = settings_for("sfgp-full");
    settings.variance0 = 1e-4; /* so far in the hole that a label is less than the smallest double */
    test_shapes *s = test_shapes_new(400, 3, 0, 39);
    int without = 0;
    fixture f = fixture_new(*state, s, &settings);
    sfgp_assert_ok(*state, sfgp_solver_load(f.solver, f.target));
    sfgp_assert_ok(*state, sfgp_em_step(f.solver->em));
    for (int i = 0; i < 400; i++) {
        double least = INFINITY;
        for (int j = 0; j < s->m; j++) {
            double square = 0;
            for (int a = 0; a < 3; a++)
                square +=
                    pow(f.solver->em->state.points[3 * i + a] - f.solver->em->view.points[3 * j + a], 2);
            least = fmin(least, square);
        }
        if (f.solver->em->responsibilities.mass[i] > 0)
            continue;
        without++;
        assert_true(fabs(f.solver->em->state.sigma2[i] - (least / 3 + f.solver->em->state.variance[i])) <
                    1e-12);
    }
    assert_true(without > 0);
    fixture_free(&f);
}

/* A dense scan starts with a part of its points and ends with all of them, at the fit of the plain start:
 * with a stiff prior, for with a finer one a fit that does not search has several places to end. */
static void thinned_starts_end_where_plain_ones_do(void **state)
{
    sfgp_settings settings = settings_for("sfgp-scalar");
    settings.max_iterations = 500;
    settings.tolerance = 1e-6;
    strcpy(settings.kernel, "se:length=10,variance=1+se:length=1.5,variance=0.03");
    test_shapes *s = test_shapes_new(900, 3, 0, 38);
    sfgp_mesh *reference = test_mesh(*state, s->n, 3, s->reference),
              *target = test_mesh(*state, s->m, 3, s->target);
    sfgp_result *results[3];
    double motion = 0, difference = 0;
    sfgp_model *model = test_model(*state, reference, &settings);
    for (int k = 0; k < 3; k++) {
        sfgp_solver *solver = test_solver(*state, model, &settings);
        const sfgp_em_schedule narrow = with_pair_budget(256, solver->problem.cold);
        if (k > 0)
            solver->problem.cold = &narrow;
        sfgp_assert_ok(*state, sfgp_solver_load(solver, target));
        assert_int_equal(solver->em->state.thinning, k > 0 ? 4 : 1);
        sfgp_assert_ok(*state, sfgp_solver_run(solver, target, &results[k]));
        assert_int_equal(solver->em->state.thinning, 1);
        assert_int_equal(results[k]->outcome, SFGP_CONVERGED);
        sfgp_solver_free(solver);
    }
    assert_memory_equal(results[1]->points, results[2]->points, 2700 * sizeof(double));
    for (int k = 0; k < 2700; k++) {
        motion += fabs(results[0]->points[k] - s->reference[k]);
        difference += fabs(results[1]->points[k] - results[0]->points[k]);
    }
    if (!(difference < 0.01 * motion))
        fail_msg("%g of the motion", difference / motion);
    for (int i = 0; i < 900; i++) /* labels are indices of the caller's target */
        for (int a = 0; a < 3 && !results[1]->missing[i]; a++)
            assert_true(fabs(s->target[3 * results[1]->target[i] + a] - results[1]->points[3 * i + a]) < 6);
    for (int k = 0; k < 3; k++)
        sfgp_result_free(results[k]);
    sfgp_model_free(model);
    sfgp_mesh_free(reference), sfgp_mesh_free(target);
    test_shapes_free(s);
}

static void every_allocation_may_fail(void **state) /* fault 71 for the engine */
{
    const char *lowranks[] = {"cholesky", "eigen", "nystrom"};
    test_shapes *s = test_shapes_new(60, 3, 0, 37);
    for (int which = 0; which < 6; which++) {
        sfgp_settings settings = settings_for(METHODS[which % 4]);
        strcpy(settings.lowrank, lowranks[which % 3]);
        settings.max_iterations = 3;
        sfgp_mesh *reference = test_mesh(*state, s->n, 3, s->reference),
                  *target = test_mesh(*state, s->m, 3, s->target);
        sfgp_result *r = NULL;
        for (long k = 0; !r; k++) {
            long live = sfgp_memory_counters.live;
            sfgp_memory_counters.fail_at = k;
            sfgp_memory_counters.fail_always = which >= 3;
            sfgp_status status = fit(*state, reference, target, &settings, &r);
            sfgp_memory_counters.fail_at = -1;
            sfgp_memory_counters.fail_always = false;
            if (status != SFGP_OK)
                sfgp_assert_status(*state, status, SFGP_ERROR_MEMORY);
            if (status != SFGP_OK)
                assert_int_equal(sfgp_memory_counters.live, live);
        }
        sfgp_result_free(r);
        sfgp_mesh_free(reference);
        sfgp_mesh_free(target);
    }
    test_shapes_free(s);
}

static void null_is_freed_without_harm(void **state)
{
    sfgp_result_free(NULL);
    sfgp_solver_free(NULL);
    sfgp_model_free(NULL);
    sfgp_mesh_free(NULL);
    assert_int_equal(sfgp_model_write(NULL, NULL, "m.h5"), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_model_write(*state, NULL, "m.h5"), SFGP_ERROR_PARAMETER);
    assert_string_equal(sfgp_outcome_name((sfgp_outcome)7), "unknown");
    assert_string_equal(sfgp_outcome_name(SFGP_CONVERGED), "converged");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(fits_recover_the_truth),
        sfgp_unit_test(variances_lie_below_the_prior),
        sfgp_long_test(runs_and_threads_give_the_same_bits),
        sfgp_unit_test(units_offsets_and_order_do_not_matter),
        sfgp_unit_test(rigid_motion_moves_the_fit),
        sfgp_unit_test(the_iteration_allocates_nothing),
        sfgp_unit_test(a_solver_is_reused_over_targets),
        sfgp_unit_test(nothing_in_reach_returns_the_reference),
        sfgp_unit_test(outliers_alone_and_crumbs_are_no_overlap),
        sfgp_unit_test(a_large_residual_is_warned_of),
        sfgp_unit_test(a_kernel_of_very_many_columns_is_told),
        sfgp_unit_test(zero_iterations_return_the_prior_mean),
        sfgp_unit_test(equal_clouds_stay_where_they_are),
        sfgp_unit_test(odd_points_are_refused_or_survived),
        sfgp_unit_test(too_many_points_are_refused),
        sfgp_unit_test(targets_out_of_reach_are_refused),
        sfgp_unit_test(few_points_and_uneven_sizes_are_fitted),
        sfgp_unit_test(wrong_settings_and_sets_are_named),
        sfgp_unit_test(ranks_are_clamped_or_reported),
        sfgp_unit_test(a_cold_fit_has_the_schedule_of_its_shape),
        sfgp_unit_test(labels_of_surfaces_are_searched_within_reach),
        sfgp_unit_test(outlier_density_by_volume_works_too),
        sfgp_unit_test(in_the_plane_the_box_lies_along_the_coordinates),
        sfgp_unit_test(progress_is_told_every_iteration),
        sfgp_unit_test(points_without_mass_look_for_the_nearest),
        sfgp_unit_test(thinning_ends_when_the_points_rest),
        sfgp_long_test(few_points_use_as_many_labels_as_they_need),
        sfgp_unit_test(thinned_starts_end_where_plain_ones_do),
        sfgp_unit_test(every_allocation_may_fail),
        sfgp_unit_test(null_is_freed_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
