/* Uncertainty of a settled fit: its formula from its parts, what it leaves as it was, and how much of
 * the truth stated 95 % regions hold: on these noisy sheets all, as c sigma2 is more than their noise asks for. */
#include "outcome/uncertainty.h"
#include "em/amplitude.h"
#include "em/estep.h"
#include "em/loop.h"
#include "fit/solver.h"
#include "geom/measure.h"
#include "gpr/information.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    sfgp_context *context;
    test_shapes *shapes;
    sfgp_mesh *target;
    sfgp_model *model;
    sfgp_solver *solver;
    int64_t n;
} scene;

static scene scene_new(int n, int d, int training)
{
    scene s = {.n = n, .shapes = test_shapes_new(n, d, training, 11)};
    sfgp_outcome outcome;
    sfgp_settings settings = test_settings();
    sfgp_context_new(NULL, &s.context);
    s.model = test_shapes_model(s.context, s.shapes, training, &settings);
    s.target = test_mesh(s.context, s.shapes->m, d, s.shapes->target);
    sfgp_assert_ok(s.context, sfgp_solver_new(s.context, s.model, &settings, &s.solver));
    sfgp_assert_ok(s.context, sfgp_solver_load(s.solver, s.target));
    sfgp_assert_ok(s.context, sfgp_em_run(s.solver->em, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    return s;
}

static void scene_free(scene *s)
{
    sfgp_solver_free(s->solver);
    sfgp_model_free(s->model);
    sfgp_mesh_free(s->target);
    test_shapes_free(s->shapes);
    sfgp_context_free(s->context);
}

static double *copy(int64_t n, const double *x)
{
    double *y = malloc((size_t)n * sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

/* Variance by the information at labels `temper` times as uncertain. */
static double *information_at(scene *s, double temper)
{
    sfgp_em *em = s->solver->em;
    double *sigma2 = copy(s->n, em->state.sigma2), *variance = copy(s->n, em->state.variance);
    for (int64_t i = 0; i < s->n; i++)
        em->state.sigma2[i] = temper * sigma2[i];
    sfgp_assert_ok(s->context, sfgp_em_estep(em));
    const sfgp_observed observed = {em->problem->basis, &em->responsibilities, em->view.points,
                                    em->state.points, em->state.sigma2};
    sfgp_assert_ok(s->context, sfgp_information_variance(s->context, &em->posterior, &observed, 1, variance));
    memcpy(em->state.sigma2, sigma2, (size_t)s->n * sizeof *sigma2);
    free(sigma2);
    return variance;
}

/* Distance to the next point that is not missing, in spacings of the target. */
static double hole(const sfgp_em *em, int64_t i)
{
    const int d = em->problem->basis->dimension;
    double least = em->responsibilities.weight[i] > 0 ? 0 : INFINITY;
    for (int64_t j = 0; j < em->problem->basis->count; j++) {
        double square = 0;
        for (int a = 0; a < d; a++)
            square += pow(em->state.points[i * d + a] - em->state.points[j * d + a], 2);
        if (em->responsibilities.weight[j] > 0)
            least = fmin(least, sqrt(square));
    }
    return least / em->problem->target.spacing;
}

/* Rows of search/tuning.h. */
typedef struct constants {
    double temper, amplitude, unspanned, unexpressed, hole, cone; /* and 0.05 radii for what is not spanned */
    sfgp_em_prior prior;
    bool noisy; /* sigma is 0.61 spacings of the reference */
} constants;

/* variance = a A information at labels T sigma2 + c sigma2 (1 + g h) + v / sqrt(1 + v / 0.05^2) + (k h s)^2, v = l u (1 + g h), a A = 1 for
 * a = 0, u as is, not known, or larger */
static void assert_formula(int n, int d, int training, double times_known, const constants *t)
{
    scene s = scene_new(n, d, training);
    const sfgp_em *em = s.solver->em;
    double deepest = 0, amplitude;
    s.solver->em->state.start.prior = t->prior;
    if (t->noisy)
        sfgp_em_state_set_sigma2(n, pow(0.61 * sfgp_points_spacing(n, d, s.model->basis.mean), 2),
                                 &s.solver->em->state);
    double *variance = information_at(&s, t->temper);
    s.model->basis.pca.unspanned *= times_known; /* below 0: not known */
    const double unspanned = fmax(s.model->basis.pca.unspanned, 0);
    assert_true((unspanned > 0) == (training > 0 && times_known > 0));
    sfgp_assert_ok(s.context, sfgp_amplitude_of_fit(s.solver->em, &amplitude));
    assert_true(fabs(amplitude - 1) > 0.1);
    sfgp_assert_ok(s.context, sfgp_outcome_finish(s.solver->em));
    for (int64_t i = 0; i < s.n; i++) {
        const double h = hole(em, i), wide = t->unspanned * unspanned * (1 + t->hole * h),
                     rest = t->unexpressed * em->state.sigma2[0] * (1 + t->hole * h) +
                            wide / sqrt(1 + wide / (0.05 * 0.05)) +
                            pow(t->cone * h * em->problem->target.spacing, 2),
                     scaled = (t->amplitude > 0 ? t->amplitude * amplitude : 1) * variance[i];
        assert_true(fabs(em->state.variance[i] - (scaled + rest)) <= 1e-9 * em->state.variance[i]);
        deepest = fmax(deepest, hole(em, i));
    }
    assert_true(deepest > 1);
    free(variance);
    scene_free(&s);
}

static void it_is_information_for_the_amplitude_and_what_no_column_expresses(void **state)
{
    (void)state;
    assert_formula(80, 2, 0, 1, &(constants){2, 0, 0, 0, 0.5, 0.4, SFGP_PRIOR_AS_IS, false});
    assert_formula(80, 2, 0, 1,
                   &(constants){8, 20, 0, 3, 0.5, 0.4, SFGP_PRIOR_STIFF, false}); /* a label for ten points */
    assert_formula(80, 2, 0, 1, &(constants){2, 20, 0, 3, 0.5, 0.4, SFGP_PRIOR_STIFF, true});
    assert_formula(
        80, 2, 6, 1,
        &(constants){2, 0, 2, 0.02, 0.5, 0, SFGP_PRIOR_AS_IS, false}); /* its scan holds the vertices */
    assert_formula(200, 3, 0, 1, &(constants){4, 16, 0, 1.5, 0.5, 0, SFGP_PRIOR_AS_IS, false});
    assert_formula(200, 3, 0, 1, &(constants){4, 16, 0, 1.5, 0.5, 0, SFGP_PRIOR_STIFF, false});
    assert_formula(200, 3, 0, 1, &(constants){4, 4, 0, 1.5, 0.5, 0, SFGP_PRIOR_LOOSE, false});
    assert_formula(200, 3, 6, 1, &(constants){1, 4, 2, 0, 1, 0, SFGP_PRIOR_AS_IS, false});
    assert_formula(200, 3, 6, 100, &(constants){1, 4, 2, 0, 1, 0, SFGP_PRIOR_AS_IS, false});
    assert_formula(200, 3, 6, -1, &(constants){1, 4, 0, 1, 1, 0, SFGP_PRIOR_AS_IS, false});
}

/* Labels of a fit that was stopped are wide as they are. */
static void what_has_not_settled_is_not_tempered(void **state)
{
    scene s = scene_new(80, 2, 0);
    (void)state;
    s.solver->em->settled = false;
    double *variance = information_at(&s, 1);
    sfgp_assert_ok(s.context, sfgp_outcome_finish(s.solver->em));
    for (int64_t i = 0; i < s.n; i++)
        if (s.solver->em->responsibilities.weight[i] > 0)
            assert_true(fabs(s.solver->em->state.variance[i] - variance[i]) <= 1e-9 * variance[i]);
    free(variance);
    scene_free(&s);
}

static void points_responsibilities_and_sigma2_stay(void **state)
{
    scene s = scene_new(200, 3, 0);
    (void)state;
    sfgp_assert_ok(s.context, sfgp_em_estep(s.solver->em));
    const size_t bytes = (size_t)s.n * sizeof(double);
    double *mass = copy(s.n, s.solver->em->responsibilities.mass),
           *fitted = copy(3 * s.n, s.solver->em->state.points),
           *sigma2 = copy(s.n, s.solver->em->state.sigma2);
    sfgp_assert_ok(s.context, sfgp_outcome_finish(s.solver->em));
    assert_memory_equal(mass, s.solver->em->responsibilities.mass, bytes);
    assert_memory_equal(fitted, s.solver->em->state.points, 3 * bytes);
    assert_memory_equal(sigma2, s.solver->em->state.sigma2, bytes);
    free(mass);
    free(fitted);
    free(sigma2);
    scene_free(&s);
}

/* Shares of the truth inside the 95 % region, seen and unseen. */
static void coverage(const sfgp_result *result, const test_shapes *shapes, double *inside, double *count)
{
    const double quantile = shapes->d == 2 ? 5.991 : 7.815;
    for (int i = 0; i < shapes->n; i++) {
        double square = 0;
        for (int a = 0; a < shapes->d; a++)
            square += pow(result->points[i * shapes->d + a] - shapes->truth[i * shapes->d + a], 2);
        inside[shapes->missing[i]] += square <= quantile * pow(result->sd[i], 2);
        count[shapes->missing[i]]++;
    }
}

static void regions_hold_most_of_the_truth(void **state)
{
    enum { SHAPES = 6 };
    double inside[2] = {0}, count[2] = {0};
    sfgp_context *context;
    (void)state;
    sfgp_settings settings = test_settings();
    sfgp_context_new(NULL, &context);
    for (uint64_t seed = 1; seed <= SHAPES; seed++) {
        test_shapes *shapes = test_shapes_new(250, 3, 0, seed);
        sfgp_model *model = test_shapes_model(context, shapes, 0, &settings);
        sfgp_mesh *target = test_mesh(context, shapes->m, 3, shapes->target);
        sfgp_solver *solver = test_solver(context, model, &settings);
        sfgp_result *result = test_run(context, solver, target);
        coverage(result, shapes, inside, count);
        sfgp_result_free(result);
        sfgp_solver_free(solver);
        sfgp_mesh_free(target);
        sfgp_model_free(model);
        test_shapes_free(shapes);
    }
    if (!(inside[0] >= 0.9 * count[0] && inside[1] >= 0.9 * count[1]))
        fail_msg("95 %% regions hold %.3f of the seen, %.3f of the missing points", inside[0] / count[0],
                 inside[1] / count[1]);
    sfgp_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_information_for_the_amplitude_and_what_no_column_expresses),
        cmocka_unit_test(what_has_not_settled_is_not_tempered),
        cmocka_unit_test(points_responsibilities_and_sigma2_stay),
        cmocka_unit_test(regions_hold_most_of_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
