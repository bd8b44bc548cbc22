/* What the tests of BCPD and CPD share: a mixture of the library beside its oracle, and the properties that
 * all their methods have. */
#ifndef SFGP_TEST_BASELINE_MIXTURE_H
#define SFGP_TEST_BASELINE_MIXTURE_H

#include "support/corrupt.h"
#include "support/oracle_bcpd.h"
#include "support/shapes.h"
#include "support/support.h"
#include "baseline/mixture_register.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mixture_pair {
    test_shapes *shapes;
    sfgp_settings settings;
    sfgp_frame from;   /* as the oracle finds it */
    sfgp_model *model; /* in that frame, with the whole kernel */
    double *target;    /* in the oracle's frame of the target */
    sfgp_mixture mixture;
    oracle_mixture oracle;
} mixture_pair;

/* The defaults of a method that is named as a user names it. */
static inline sfgp_settings mixture_defaults(const char *method)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    return settings;
}

/* Settings that both take: omega 0.1, lambda 2, beta 2, gamma 1, nothing pruned, one thread. */
static inline sfgp_settings mixture_settings(const char *method)
{
    sfgp_settings settings = mixture_defaults(method);
    settings.omega = 0.1;
    settings.lambda = 2;
    settings.prune = 1e-300;
    settings.threads = 1;
    return settings;
}

/* Full rank, so that only rounding separates the two sides. */
static inline void make_model(sfgp_context *context, const oracle_mixture *o, mixture_pair *pair)
{
    sfgp_settings factor = pair->settings;
    const sfgp_mesh reference = {.count = o->n, .dimension = o->d, .points = pair->shapes->reference};
    factor.accuracy = 1e-300;
    snprintf(factor.kernel, sizeof factor.kernel, "se:length=%.17g,variance=%.17g", pair->settings.beta,
             1 / pair->settings.lambda);
    if (!o->smooth)
        strcpy(factor.kernel, "none");
    pair->from = sfgp_frame_plain(o->d);
    pair->from.scale = (double)o->from_scale;
    for (int a = 0; a < o->d; a++)
        pair->from.centre[a] = (double)o->from_centre[a];
    sfgp_assert_ok(context, sfgp_model_new_in_frame(context, &reference, &pair->from, &factor, &pair->model));
}

/* settings: omega, lambda, beta, gamma, kappa, normalise count. Shapes of n points in d axes; seed. */
static inline void mixture_pair_new(sfgp_context *context, const sfgp_mixture_method *method,
                                    oracle_mixture_map map, const sfgp_settings *settings, int n, int d,
                                    uint64_t seed, mixture_pair *pair)
{
    oracle_mixture *o = &pair->oracle;
    *pair = (mixture_pair){.shapes = test_shapes_new(n, d, 0, seed), .settings = *settings};
    *o = (oracle_mixture){.bayesian = method->bayesian,
                          .variances = method->variances,
                          .smooth = method->smooth,
                          .map = map,
                          .normalise = pair->settings.normalise,
                          .omega = settings->omega,
                          .lambda = settings->lambda,
                          .beta = settings->beta,
                          .gamma = settings->gamma,
                          .kappa = settings->kappa,
                          .n = n,
                          .m = pair->shapes->m,
                          .d = d};
    oracle_mixture_start(o, pair->shapes->reference, pair->shapes->target);
    make_model(context, o, pair);
    pair->target = calloc((size_t)(o->m * d), sizeof(double));
    for (int k = 0; k < o->m * d; k++)
        pair->target[k] = (double)o->x[k];
    const sfgp_mixture_task task = {method, &pair->settings, &pair->model->basis, o->m, pair->target};
    sfgp_assert_ok(context, sfgp_mixture_new(context, &task, &pair->mixture));
}

static inline void mixture_pair_clear(mixture_pair *pair)
{
    sfgp_mixture_clear(&pair->mixture);
    sfgp_model_free(pair->model);
    oracle_mixture_clear(&pair->oracle);
    free(pair->target);
    test_shapes_free(pair->shapes);
}

/* Largest difference over the largest value. */
static inline double difference(int n, const double *ours, const real *exact)
{
    real worst = 0, size = 0;
    for (int k = 0; k < n; k++) {
        worst = isnan(ours[k]) ? (double)INFINITY : fmaxl(worst, fabsl((real)ours[k] - exact[k]));
        size = fmaxl(size, fabsl(exact[k]));
    }
    return worst == 0 ? 0 : (double)(worst / size);
}

static inline double mixing_difference(const mixture_pair *pair)
{
    double worst = 0;
    for (int i = 0; i < pair->oracle.n; i++)
        worst = fmax(worst,
                     fabs(exp(pair->mixture.mixing[i]) - (double)(pair->oracle.alpha[i] * pair->oracle.n)));
    return worst;
}

/* A of the present map */
static inline void linear_part(const sfgp_mixture *mixture, double linear[9])
{
    const sfgp_similarity *map = &mixture->map;
    for (int k = 0; k < map->dimension * map->dimension; k++)
        linear[k] = mixture->task.method->map == SFGP_MIXTURE_AFFINE ? mixture->affine.linear[k]
                                                                     : map->scale * map->rotation[k];
}

/* Steps both and fails the test where one quantity differs by more than tolerance of its largest value. */
static inline void mixture_pair_step(sfgp_context *context, const char *name, double tolerance,
                                     mixture_pair *pair)
{
    const sfgp_mixture *ours = &pair->mixture;
    const oracle_mixture *o = &pair->oracle;
    sfgp_assert_ok(context, sfgp_mixture_step(&pair->mixture));
    oracle_mixture_step(&pair->oracle);
    double linear[9];
    linear_part(ours, linear);
    const double differences[] = {difference(o->n * o->d, ours->fitted, o->fitted),
                                  difference(o->n, ours->variance, o->variance),
                                  difference(o->n, ours->labels.mass, o->mass),
                                  difference(1, &ours->sigma2, &o->noise),
                                  difference(o->d * o->d, linear, o->linear),
                                  difference(1, &ours->map.scale, &o->scale),
                                  mixing_difference(pair)};
    const char *const what[] = {"y", "sigma_i^2", "nu", "sigma^2", "A", "s", "alpha N"};
    for (int k = 0; k < 7; k++)
        if (!(differences[k] <= tolerance))
            fail_msg("%s, %dD, normalise %s, kappa %g, iteration %lld: %s differs by %g", name, o->d,
                     o->normalise, (double)o->kappa, (long long)ours->iterations, what[k], differences[k]);
}

/* Fits target to reference by the public functions; sfgp_result_free. */
static inline sfgp_status mixture_try(sfgp_context *context, const test_shapes *s,
                                      const sfgp_settings *settings, sfgp_result **result)
{
    sfgp_mesh *reference = NULL, *target = NULL;
    sfgp_model *model = NULL;
    sfgp_solver *solver = NULL;
    sfgp_settings plain; /* the model of the library's own prior is not used: a small one will do */
    sfgp_settings_default(&plain);
    plain.rank = 4;
    plain.accuracy = 1;
    strcpy(plain.kernel, "se:length=4,variance=2");
    *result = NULL;
    sfgp_status status = sfgp_mesh_from_points(context, s->n, s->d, s->reference, &reference);
    if (status == SFGP_OK)
        status = sfgp_mesh_from_points(context, s->m, s->d, s->target, &target);
    if (status == SFGP_OK)
        status = sfgp_model_new(context, reference, NULL, 0, &plain, &model);
    if (status == SFGP_OK)
        status = sfgp_solver_new(context, model, settings, &solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, target, result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    return status;
}

static inline sfgp_result *mixture_fit(sfgp_context *context, const test_shapes *shapes,
                                       const sfgp_settings *settings)
{
    sfgp_result *result = NULL;
    sfgp_assert_ok(context, mixture_try(context, shapes, settings, &result));
    return result;
}

/* Largest difference of n values, in units of `unit`. */
static inline double mixture_distance(int64_t n, const double *a, const double *b, double unit)
{
    double worst = 0;
    for (int64_t k = 0; k < n; k++)
        worst = isnan(a[k]) || isnan(b[k]) ? (double)INFINITY : fmax(worst, fabs(a[k] - b[k]) / unit);
    return worst;
}

/* Mean distance of fitted to true points over that of the reference to them. */
static inline double mixture_error(const test_shapes *s, const double *points)
{
    double before = 0, after = 0;
    for (int i = 0; i < s->n; i++) {
        double was = 0, is = 0;
        for (int k = i * s->d; k < (i + 1) * s->d; k++) {
            was += (s->reference[k] - s->truth[k]) * (s->reference[k] - s->truth[k]);
            is += (points[k] - s->truth[k]) * (points[k] - s->truth[k]);
        }
        before += sqrt(was);
        after += sqrt(is);
    }
    return after / before;
}

/* ---- properties of every method ------------------------------------------------------------------------ */

/* n points in three axes, 1, 2, 4 ... threads up to most. */
static inline void mixture_assert_same_bits(sfgp_context *context, sfgp_settings settings, int n,
                                            uint64_t seed, int most)
{
    test_shapes *s = test_shapes_new(n, 3, 0, seed);
    const size_t size = (size_t)n * sizeof(double);
    sfgp_result *first = NULL;
    for (int threads = 1; threads <= most; threads *= 2) {
        settings.threads = threads;
        sfgp_result *r = mixture_fit(context, s, &settings);
        if (first) {
            assert_memory_equal(first->points, r->points, 3 * size);
            assert_memory_equal(first->sd, r->sd, size);
            assert_memory_equal(first->probability, r->probability, size);
            sfgp_result_free(r);
        } else {
            first = r;
        }
    }
    sfgp_result_free(first);
    test_shapes_free(s);
}

/* A target that is the reference moves no point by more than tolerance of the size of the shape. */
static inline void mixture_assert_stays(sfgp_context *context, const char *method, uint64_t seed,
                                        double tolerance)
{
    const sfgp_settings settings = mixture_defaults(method);
    test_shapes *s = test_shapes_new(200, 3, 0, seed);
    memcpy(s->target, s->reference, 600 * sizeof(double));
    s->m = 200;
    sfgp_result *r = mixture_fit(context, s, &settings);
    assert_int_equal(r->outcome, SFGP_CONVERGED);
    assert_true(mixture_distance(600, r->points, s->reference, 30) < tolerance);
    sfgp_result_free(r);
    test_shapes_free(s);
}

/* Lays the reference flat at 0 and the target at height: the fit is flat at height. */
static inline void mixture_assert_flat(sfgp_context *context, const char *method, test_shapes *s,
                                       double height)
{
    const sfgp_settings settings = mixture_defaults(method);
    for (int i = 0; i < s->n; i++)
        s->reference[3 * i + 2] = 0;
    for (int j = 0; j < s->m; j++)
        s->target[3 * j + 2] = height;
    sfgp_result *r = mixture_fit(context, s, &settings);
    assert_int_equal(r->outcome, SFGP_CONVERGED);
    for (int i = 0; i < s->n; i++)
        assert_true(fabs(r->points[3 * i + 2] - height) < 1e-6);
    sfgp_result_free(r);
}

static inline void mixture_assert_refused(sfgp_context *context, const test_shapes *s,
                                          const sfgp_settings *settings, sfgp_status status,
                                          const char *words)
{
    sfgp_result *result;
    sfgp_assert_status(context, mixture_try(context, s, settings, &result), status);
    assert_null(result);
    if (!strstr(sfgp_context_error(context), words))
        fail_msg("'%s' does not say '%s'", sfgp_context_error(context), words);
}

/* More pairs than an exact method takes; words: the method that would. */
static inline void mixture_assert_too_many(sfgp_context *context, const char *method, uint64_t seed,
                                           const char *words)
{
    const sfgp_settings settings = mixture_defaults(method);
    test_shapes *s = test_shapes_new(12500, 2, 0, seed);
    assert_true((double)s->n * s->m > 1e8);
    mixture_assert_refused(context, s, &settings, SFGP_ERROR_MEMORY, words);
    test_shapes_free(s);
}

typedef struct mixture_sweep {
    const test_shapes *shapes;
    sfgp_settings settings;
} mixture_sweep;

static inline sfgp_status mixture_try_and_free(sfgp_context *context, void *user)
{
    const mixture_sweep *sweep = user;
    sfgp_result *result;
    sfgp_status status = mixture_try(context, sweep->shapes, &sweep->settings, &result);
    sfgp_result_free(result);
    return status;
}

/* Two iterations of each method while each of their allocations fails in turn. */
static inline void mixture_assert_failures(sfgp_context *context, const char *const *methods, int count,
                                           uint64_t seed)
{
    test_shapes *s = test_shapes_new(40, 2, 0, seed);
    for (int method = 0; method < count; method++) {
        mixture_sweep sweep = {s, mixture_settings(methods[method])};
        sweep.settings.max_iterations = 2;
        sweep.settings.subset = 20; /* where there is one */
        assert_true(sfgp_sweep_allocations(context, mixture_try_and_free, &sweep) > 30);
    }
    test_shapes_free(s);
}

#endif
