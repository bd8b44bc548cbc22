/* Subjects that are not as symmetric as their reference (fit/asymmetry.h, ADR 0136): they are fitted without the symmetric prior. */
#include "fit/asymmetry.h"
#include "fit/follow_ups.h"
#include "fit/one_search.h"
#include "fit/priors.h"
#include "support/corrupt.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { D = 3, MANY = 1200, DENSE = 6400 };

#define GOLDEN 2.39996322972865332 /* angle between two points of a spiral */

/* A long bumpy body of a spiral of points, symmetric to the plane y = 0. */
static void set_body(int n, double *points)
{
    for (int i = 0; i < n; i++) {
        const double x = (2 * i + 1.0) / n - 1, r = sqrt(1 - x * x), y = r * cos(GOLDEN * i),
                     z = r * sin(GOLDEN * i), bumps = 1 + 0.25 * cos(5 * x) + 0.2 * sin(3 * z);
        const double at[D] = {2.5 * x + 0.3 * z, bumps * y, 0.7 * bumps * z};
        memcpy(points + i * D, at, sizeof at);
    }
}

/* Bends it to one side, by so many radians at each end. */
static void bend(double angle, int n, double *points)
{
    for (int i = 0; i < n; i++) {
        double *x = points + i * D;
        const double turn = angle * x[0] / 2.5, radius = 2.5 / angle;
        const double at[2] = {(radius + x[1]) * sin(turn), (radius + x[1]) * cos(turn) - radius};
        memcpy(x, at, sizeof at);
    }
}

/* What two subjects of a kind differ in: both sides alike. */
static void widen(int n, double *points)
{
    for (int i = 0; i < n; i++)
        points[i * D + 1] *= 1 + 0.15 * sin(points[i * D]);
}

/* A body, a subject, and a scan of it with a hole at one side. */
typedef struct pair {
    sfgp_model *model;
    sfgp_mesh *scan;
    double truth[DENSE * D];
} pair;

static void pair_new(sfgp_context *context, int n, double angle, double noise, pair *p)
{
    static double points[DENSE * D];
    sfgp_settings settings = test_settings();
    set_body(n, points);
    sfgp_mesh *reference = test_mesh(context, n, D, points);
    sfgp_assert_ok(context, sfgp_model_new(context, reference, NULL, 0, &settings, &p->model));
    sfgp_mesh_free(reference);
    memcpy(p->truth, points, sizeof p->truth);
    widen(n, p->truth);
    if (angle != 0)
        bend(angle, n, p->truth);
    int seen = 0;
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < D; a++)
            points[seen * D + a] = p->truth[i * D + a] + noise * sin(17.0 * (i * D + a));
        seen += hypot(p->truth[i * D] - 0.8, p->truth[i * D + 1] - 0.9) > 0.5;
    }
    p->scan = test_mesh(context, seen, D, points);
}

static void pair_free(pair *p)
{
    sfgp_model_free(p->model);
    sfgp_mesh_free(p->scan);
}

static sfgp_solver *make_solver(sfgp_context *context, const pair *p, int symmetry, const char *effort)
{
    sfgp_settings settings = test_settings();
    settings.symmetry = symmetry;
    strcpy(settings.effort, effort);
    sfgp_solver *solver = test_solver(context, p->model, &settings);
    return solver;
}

static sfgp_result *run(sfgp_context *context, sfgp_solver *solver, const sfgp_mesh *scan)
{
    sfgp_result *r = test_run(context, solver, scan);
    return r;
}

#define NOISE 0.01

static double error_of(const pair *p, const sfgp_result *r)
{
    return test_mean_distance(r->count, D, r->points, p->truth);
}

/* ---- which prior ----------------------------------------------------------------------------------------- */

/* Of a bent subject the fit is that without symmetry. One that is only wider keeps it, and hardly bent ones do. */
static void bent_subjects_are_fitted_without(void **state)
{
    static const double ANGLES[] = {0, 0.15, 0.6, 0.9};
    static pair p;
    for (int k = 0; k < 4; k++) {
        double error[2];
        for (int symmetry = 0; symmetry < 2; symmetry++) {
            pair_new(*state, MANY, ANGLES[k], NOISE, &p);
            sfgp_solver *solver = make_solver(*state, &p, symmetry, "normal");
            sfgp_result *r = run(*state, solver, p.scan);
            assert_int_equal(r->outcome, SFGP_CONVERGED);
            assert_int_equal(r->symmetric, symmetry == 1 && ANGLES[k] < 0.3);
            error[symmetry] = error_of(&p, r);
            sfgp_result_free(r);
            sfgp_solver_free(solver);
            pair_free(&p);
        }
        print_message("bent by %g: error %g, without symmetry %g\n", ANGLES[k], error[1], error[0]);
        assert_true(error[1] < 0.95 * error[0] || (ANGLES[k] >= 0.3 && error[1] < 1.001 * error[0]));
    }
}

/* ---- the solver after that ------------------------------------------------------------------------------- */

/* The next target is fitted with symmetry, and has the bits of a new solver. */
static void assert_next_is_symmetric(sfgp_context *context, int n, const char *effort)
{
    static pair bent, wide;
    pair_new(context, n, 0.7, NOISE, &bent);
    pair_new(context, n, 0, NOISE, &wide);
    sfgp_solver *used = make_solver(context, &bent, 1, effort), *new = make_solver(context, &bent, 1, effort);
    sfgp_result *first = run(context, used, bent.scan), *second = run(context, used, wide.scan),
                *alone = run(context, new, wide.scan);
    assert_true(!first->symmetric && second->symmetric);
    assert_memory_equal(second->points, alone->points, (size_t)(n * D) * sizeof(double));
    assert_memory_equal(second->sd, alone->sd, (size_t)n * sizeof(double));
    sfgp_result_free(first);
    sfgp_result_free(second);
    sfgp_result_free(alone);
    sfgp_solver_free(used);
    sfgp_solver_free(new);
    pair_free(&bent);
    pair_free(&wide);
}

static void the_next_target_is_symmetric(void **state)
{
    assert_next_is_symmetric(*state, MANY, "normal");
}

/* Begins from some of the points, whose workspace the solver keeps. */
static void the_next_target_of_a_quick_fit_is_symmetric(void **state)
{
    assert_next_is_symmetric(*state, MANY, "quick");
}

static void the_next_target_of_a_dense_shape_is_symmetric(void **state)
{
    assert_next_is_symmetric(*state, DENSE, "normal");
}

/* Noise makes the fit doubtful, so that it asks. What is no better without symmetry comes back. */
static void assert_comes_back(sfgp_context *context, int n, double noise)
{
    static pair p;
    static double points[DENSE * D];
    sfgp_outcome outcome;
    pair_new(context, n, 0, noise, &p);
    sfgp_solver *solver = make_solver(context, &p, 1, "normal");
    sfgp_em *const *em = &solver->em;
    sfgp_assert_ok(context, sfgp_solver_load(solver, p.scan));
    sfgp_assert_ok(context, sfgp_one_search(solver, true, &outcome));
    memcpy(points, (*em)->state.points, (size_t)(n * D) * sizeof(double));
    const int64_t starts = (*em)->starts;
    sfgp_assert_ok(context, sfgp_follow_up_ask(SFGP_FOLLOW_UP_ASYMMETRY, solver, &outcome));
    assert_true((*em)->starts > starts && solver->problem.symmetric);
    assert_memory_equal((*em)->state.points, points, (size_t)(n * D) * sizeof(double));
    sfgp_solver_free(solver);
    pair_free(&p);
}

static void a_worse_fit_is_refused(void **state)
{
    assert_comes_back(*state, MANY, 0.2);
}

static void a_worse_fit_of_a_dense_shape_is_refused(void **state)
{
    assert_comes_back(*state, DENSE, 0.12);
}

static sfgp_status ask(sfgp_context *context, void *user)
{
    double gain;
    sfgp_solver *solver = user;
    (void)context;
    sfgp_status status = sfgp_priors_make_asymmetric(solver);
    for (int k = 0; k < SFGP_PRIORS; k++)
        assert_true((solver->asymmetric.within[k] != NULL) == (status == SFGP_OK));
    if (status == SFGP_OK)
        status = sfgp_asymmetry_gain(solver, &gain);
    sfgp_priors_clear(&solver->asymmetric);
    return status;
}

/* All of the priors are there, or none. */
static void every_failing_allocation_is_reported(void **state)
{
    static pair p;
    sfgp_outcome outcome;
    pair_new(*state, MANY, 0, NOISE, &p);
    sfgp_solver *solver = make_solver(*state, &p, 1, "normal");
    sfgp_assert_ok(*state, sfgp_solver_load(solver, p.scan));
    sfgp_assert_ok(*state, sfgp_one_search(solver, true, &outcome));
    assert_true(sfgp_sweep_allocations(*state, ask, solver) > 30);
    sfgp_solver_free(solver);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(bent_subjects_are_fitted_without),
        sfgp_unit_test(the_next_target_is_symmetric),
        sfgp_unit_test(the_next_target_of_a_quick_fit_is_symmetric),
        sfgp_long_test(the_next_target_of_a_dense_shape_is_symmetric),
        sfgp_unit_test(a_worse_fit_is_refused),
        sfgp_unit_test(every_failing_allocation_is_reported),
        sfgp_long_test(a_worse_fit_of_a_dense_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
