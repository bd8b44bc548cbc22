/* The progress call-back: what it is told, and that it can stop a fit at any time. */
#include "support/fit.h"
#include "support/shapes.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#ifdef SFGP_SLOW_BUILD /* sanitizers, coverage: two minutes more */
enum { FIRST_STOP = 2, LAST_STOP = 3, LEAST_THREADS = 2 };
#else
enum { FIRST_STOP = 0, LAST_STOP = 4, LEAST_THREADS = 1 };
#endif

/* What the call-back has seen, and when it stops the fit. */
typedef struct watch {
    int64_t calls, stop_at; /* stop_at 0: never */
    int64_t in_search;      /* calls of fits that have a limit of their own */
    int64_t max_iterations; /* of the settings */
    double fraction;
    pthread_t thread;
    bool wrong; /* cmocka must not leave a parallel region */
} watch;

static int look(void *user, const sfgp_progress *progress)
{
    watch *w = user;
    w->calls++;
    w->in_search += progress->max_iterations != w->max_iterations;
    w->wrong |= !pthread_equal(w->thread, pthread_self()) || !(progress->fraction >= w->fraction) ||
                progress->fraction > 1;
    w->fraction = progress->fraction;
    return w->calls == w->stop_at;
}

static sfgp_status run(sfgp_context *context, const test_fit *f, int64_t stop_at, watch *w,
                       sfgp_result **result)
{
    *w = (watch){.stop_at = stop_at, .max_iterations = f->settings.max_iterations, .thread = pthread_self()};
    sfgp_context_set_progress(context, look, w);
    const sfgp_status status = sfgp_solver_run(f->solver, f->target, result);
    sfgp_context_set_progress(context, NULL, NULL);
    assert_false(w->wrong);
    return status;
}

static void a_fit_stops_wherever_it_is(sfgp_context *context, test_fit *f)
{
    watch w;
    sfgp_result *whole, *again, *none;
    sfgp_assert_ok(context, run(context, f, 0, &w, &whole));
    const long live = sfgp_memory_counters.live;
    const int64_t calls = w.calls, stops[] = {1, w.in_search / 2, w.in_search + 1, calls};
    assert_true(w.in_search > 0 && w.in_search < calls && w.fraction > 0.5);
    for (int k = FIRST_STOP; k < LAST_STOP; k++) {
        sfgp_assert_status(context, run(context, f, stops[k], &w, &none), SFGP_CANCELLED);
        assert_true(w.calls == stops[k] && none == NULL); /* it is not asked again */
        sfgp_assert_has(sfgp_context_error(context), "cancelled");
        assert_true(sfgp_memory_counters.live <= live); /* what the solver keeps */
    }
    sfgp_assert_ok(context, run(context, f, 0, &w, &again));
    assert_true(w.calls == calls);
    assert_memory_equal(again->points, whole->points, (size_t)(f->n * f->d) * sizeof(double));
    assert_memory_equal(again->sd, whole->sd, (size_t)f->n * sizeof(double));
    sfgp_result_free(whole);
    sfgp_result_free(again);
}

/* With one thread and with two: in the search one of them asks for both. */
static void an_ear_stops(void **state)
{
    for (int threads = LEAST_THREADS; threads <= 2; threads++) {
        test_fit f = test_fit_moved_ear(*state, 3, 0.5);
        sfgp_test_threads(threads);
        a_fit_stops_wherever_it_is(*state, &f);
        test_fit_free(&f);
    }
}

static void a_dense_ear_stops(void **state)
{
    test_fit f = test_fit_dense_ear(*state, 0, 2);
    sfgp_solver_free(f.solver);
    strcpy(f.settings.effort, "thorough"); /* runs the rungs, which ask within the search */
    sfgp_assert_ok(*state, sfgp_solver_new(*state, f.model, &f.settings, &f.solver));
    f.em = f.solver->em;
    a_fit_stops_wherever_it_is(*state, &f);
    test_fit_free(&f);
}

/* Every method asks after its first iteration. */
static void every_method_stops(void **state)
{
    const sfgp_method_info *method;
    test_shapes *shapes = test_shapes_new(80, 2, 6, 5);
    test_fit f = {.target = test_mesh(*state, shapes->m, 2, shapes->target)};
    sfgp_settings_default(&f.settings);
    f.model = test_shapes_model(*state, shapes, 6, &f.settings);
    for (int k = 0; (method = sfgp_method_row(k)); k++) {
        watch w;
        sfgp_result *result;
        strcpy(f.settings.method, method->name);
        sfgp_assert_ok(*state, sfgp_solver_new(*state, f.model, &f.settings, &f.solver));
        const sfgp_status status = run(*state, &f, 1, &w, &result);
        if (status != SFGP_CANCELLED || w.calls != 1 || result)
            fail_msg("%s: status %d after %d calls", method->name, status, (int)w.calls);
        sfgp_solver_free(f.solver);
    }
    sfgp_model_free(f.model);
    sfgp_mesh_free(f.target);
    test_shapes_free(shapes);
}

/* ---- the setting max_time ------------------------------------------------------------------------------ */

/* Longer than the limit. */
static int wait_for_the_limit(void *user, const sfgp_progress *progress)
{
    (void)user, (void)progress;
    usleep(2000);
    return 0;
}

static void assert_ends_early(sfgp_context *context, const test_fit *f, const char *method)
{
    sfgp_settings settings = f->settings;
    strcpy(settings.method, method);
    settings.max_time = 1e-3;
    sfgp_solver *solver = test_solver(context, f->model, &settings);
    sfgp_context_set_progress(context, wait_for_the_limit, NULL);
    sfgp_result *r = test_run(context, solver, f->target);
    sfgp_context_set_progress(context, NULL, NULL);
    if (r->outcome != SFGP_MAX_TIME && r->outcome != SFGP_NO_OVERLAP)
        fail_msg("%s: %s", method, sfgp_outcome_name(r->outcome));
    assert_true(r->iterations <= 4); /* an extrapolation is seen through */
    for (int64_t k = 0; k < r->count * r->dimension; k++)
        assert_true(isfinite(r->points[k]));
    sfgp_result_free(r);
    sfgp_solver_free(solver);
}

/* Every loop ends after the iteration in which the time was over, and what was found is the result. */
static void a_limit_of_time_ends_every_method(void **state)
{
    const sfgp_method_info *method;
    test_shapes *shapes = test_shapes_new(80, 2, 6, 5);
    test_fit f = {.target = test_mesh(*state, shapes->m, 2, shapes->target)};
    sfgp_settings_default(&f.settings);
    f.model = test_shapes_model(*state, shapes, 6, &f.settings);
    for (int k = 0; (method = sfgp_method_row(k)); k++)
        assert_ends_early(*state, &f, method->name);
    sfgp_model_free(f.model);
    sfgp_mesh_free(f.target);
    test_shapes_free(shapes);
}

static void a_limit_that_is_not_reached_changes_nothing(void **state)
{
    test_shapes *shapes = test_shapes_new(80, 2, 0, 5);
    sfgp_result *r[2];
    sfgp_settings settings = test_settings();
    for (int k = 0; k < 2; k++, settings.max_time = 1e6)
        r[k] = test_shapes_fit(*state, shapes, &settings);
    assert_int_equal(r[1]->outcome, SFGP_CONVERGED);
    assert_memory_equal(r[0]->points, r[1]->points, 2 * 80 * sizeof(double));
    sfgp_result_free(r[0]);
    sfgp_result_free(r[1]);
    test_shapes_free(shapes);
}

/* With levels and several threads, and with more time than the first fits take. */
static void a_dense_ear_ends_with_what_it_has(void **state)
{
    test_fit f = test_fit_dense_ear(*state, 0, 2);
    f.settings.max_time = 0.05;
    sfgp_solver *solver = test_solver(*state, f.model, &f.settings);
    sfgp_result *r = test_run(*state, solver, f.target);
    assert_int_equal(r->outcome, SFGP_MAX_TIME);
    sfgp_result_free(r);
    sfgp_solver_free(solver);
    test_fit_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(an_ear_stops),
        sfgp_long_test(a_dense_ear_stops),
        sfgp_unit_test(every_method_stops),
        sfgp_unit_test(a_limit_of_time_ends_every_method),
        sfgp_unit_test(a_limit_that_is_not_reached_changes_nothing),
        sfgp_long_test(a_dense_ear_ends_with_what_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
