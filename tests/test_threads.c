/* The number of threads: resolved, in force for the time of a public call, and the caller's again after it.
 */
#include "base/threads.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, OWN = 7 }; /* points: work for one thread; threads of the caller */

static void a_number_is_clamped_to_the_cores(void **state)
{
    (void)state;
    assert_true(sfgp_threads_resolve(0) >= 1 && sfgp_threads_resolve(1) == 1);
    assert_true(sfgp_threads_resolve(10000) >= sfgp_threads_resolve(0));
    assert_int_equal(sfgp_threads_resolve(-1), 1);
    assert_int_equal(sfgp_threads_for(0, 100), 1);
    assert_int_equal(sfgp_threads_for(0, 1000000), sfgp_threads_resolve(0));
}

static void the_environment_limits_the_usual_number_only(void **state)
{
    const int cores = sfgp_threads_resolve(10000);
    (void)state;
    setenv("OMP_NUM_THREADS", "1,4", 1); /* of a list the first */
    assert_int_equal(sfgp_threads_resolve(0), 1);
    assert_int_equal(sfgp_threads_resolve(10000), cores);
    setenv("OMP_NUM_THREADS", "many", 1);
    assert_true(sfgp_threads_resolve(0) >= 1);
    unsetenv("OMP_NUM_THREADS");
    setenv("OMP_THREAD_LIMIT", "1", 1);
    assert_int_equal(sfgp_threads_resolve(0), 1);
    unsetenv("OMP_THREAD_LIMIT");
}

static void pairs_are_nested(void **state)
{
    (void)state;
    sfgp_test_threads(OWN);
    const int outer = sfgp_threads_begin(10000, INT64_MAX);
    const int all = sfgp_threads_count();
    assert_true(outer == OWN && all == sfgp_threads_resolve(10000));
    const int inner = sfgp_threads_begin(0, 10);
    assert_true(inner == all && sfgp_threads_count() == 1);
    sfgp_threads_end(inner);
    assert_int_equal(sfgp_threads_count(), all);
    sfgp_threads_end(outer);
    assert_int_equal(sfgp_threads_count(), OWN);
}

/* ---- public functions --------------------------------------------------------------------------------- */

/* Memory that fails from some block on, and the most threads of a region while it was asked for. */
static struct {
    long left; /* blocks that can still be had */
    int most;
} memory;

static void *allocate(size_t bytes, void *user)
{
    (void)user;
    if (sfgp_threads_count() > memory.most)
        memory.most = sfgp_threads_count();
    return memory.left-- > 0 ? malloc(bytes) : NULL;
}

static void release(void *block, void *user)
{
    (void)user;
    free(block);
}

/* What a public function has returned: it asked for memory under one thread, and the caller's number is back.
 */
static sfgp_status expect_own_threads(sfgp_status status)
{
    assert_int_equal(sfgp_threads_count(), OWN);
    assert_int_equal(memory.most, 1);
    return status;
}
#define DOOR(call) (memory.most = 1, expect_own_threads(call))

typedef struct scene {
    sfgp_mesh *reference, *target;
    const char *path;
    sfgp_settings settings;
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map, *read;
} scene;

static sfgp_status fit(sfgp_context *context, scene *s)
{
    const double *at = s->reference->points;
    sfgp_status status = SFGP_OK;
    if ((status = DOOR(sfgp_model_new(context, s->reference, NULL, 0, &s->settings, &s->model))) != SFGP_OK ||
        (status = DOOR(sfgp_solver_new(context, s->model, &s->settings, &s->solver))) != SFGP_OK ||
        (status = DOOR(sfgp_solver_set_landmarks(s->solver, 3, at, at, 1))) != SFGP_OK)
        return status;
    return DOOR(sfgp_solver_run(s->solver, s->target, &s->result));
}

static sfgp_status carry(sfgp_context *context, scene *s)
{
    double moved[3 * N], sd[N];
    sfgp_status status = DOOR(sfgp_solver_deformation(s->solver, s->result, &s->map));
    if (status == SFGP_OK)
        status = sfgp_deformation_write(context, s->map, s->path);
    if (status == SFGP_OK)
        status = DOOR(sfgp_deformation_read(context, s->path, &s->read));
    return status == SFGP_OK
               ? DOOR(sfgp_deformation_apply(context, s->read, N, s->reference->points, 2, moved, sd))
               : status;
}

static void clear(scene *s)
{
    sfgp_deformation_free(s->map);
    sfgp_deformation_free(s->read);
    sfgp_result_free(s->result);
    sfgp_solver_free(s->solver);
    sfgp_model_free(s->model);
    s->map = s->read = NULL;
    s->result = NULL;
    s->solver = NULL;
    s->model = NULL;
}

static scene scene_new(sfgp_context *context, const char *method)
{
    test_shapes *shapes = test_shapes_new(N, 3, 0, 8);
    scene s = {.reference = test_mesh(context, N, 3, shapes->reference),
               .target = test_mesh(context, shapes->m, 3, shapes->target),
               .path = test_path("fit.h5")};
    sfgp_settings_default(&s.settings);
    s.settings.threads = 2;
    s.settings.max_iterations = 3;
    snprintf(s.settings.method, sizeof s.settings.method, "%s", method);
    test_shapes_free(shapes);
    return s;
}

static void scene_free(scene *s)
{
    sfgp_mesh_free(s->reference);
    sfgp_mesh_free(s->target);
}

/* Also where memory runs out, after each block of a fit and of its map. */
static void public_functions_give_the_callers_number_back(void **state)
{
    const sfgp_allocator allocator = {allocate, release, NULL};
    sfgp_context *context = NULL;
    scene s = scene_new(*state, "sfgp-full");
    sfgp_status status = SFGP_ERROR_MEMORY;
    memory.left = 1000;
    sfgp_assert_ok(*state, sfgp_context_new(&allocator, &context));
    sfgp_test_threads(OWN);
    for (long blocks = 0; status == SFGP_ERROR_MEMORY; blocks++) {
        memory.left = blocks;
        status = fit(context, &s);
        if (status == SFGP_OK)
            status = carry(context, &s);
        clear(&s);
        assert_true(blocks < 1000);
    }
    sfgp_assert_ok(context, status);
    sfgp_context_free(context);
    scene_free(&s);
}

static void refused_input_gives_the_callers_number_back(void **state)
{
    const double nowhere[3] = {NAN, 0, 0};
    double moved[3];
    scene s = scene_new(*state, "sfgp-full");
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map;
    sfgp_test_threads(OWN);
    sfgp_assert_ok(*state, fit(*state, &s));
    sfgp_assert_ok(*state, carry(*state, &s));
    sfgp_settings wrong = s.settings;
    snprintf(wrong.kernel, sizeof wrong.kernel, "none");
    s.result->count--;
    snprintf(wrong.method, sizeof wrong.method, "no such");
    assert_true(DOOR(sfgp_model_new(*state, s.reference, NULL, 0, &wrong, &model)) != SFGP_OK);
    assert_true(DOOR(sfgp_solver_new(*state, s.model, &wrong, &solver)) != SFGP_OK);
    assert_true(DOOR(sfgp_solver_set_landmarks(s.solver, 1, nowhere, nowhere, 1)) != SFGP_OK);
    assert_true(DOOR(sfgp_solver_deformation(s.solver, s.result, &map)) != SFGP_OK);
    assert_true(DOOR(sfgp_deformation_read(*state, "/no/such", &map)) != SFGP_OK);
    assert_true(DOOR(sfgp_deformation_apply(*state, s.read, 1, nowhere, 2, moved, NULL)) != SFGP_OK);
    s.target->points[0] = NAN;
    assert_true(DOOR(sfgp_solver_run(s.solver, s.target, &result)) != SFGP_OK);
    s.result->count++;
    clear(&s);
    scene_free(&s);
}

static int see_progress(void *user, const sfgp_progress *progress)
{
    (void)progress;
    *(int *)user = sfgp_threads_count();
    return 0;
}

/* Enough points for two; where there is one core, one. */
static void a_fit_runs_on_the_threads_that_were_asked_for(void **state)
{
    for (int threads = 1; threads <= 2; threads++) {
        int seen = 0;
        test_shapes *shapes = test_shapes_new(1200, 3, 0, 8);
        scene s = {.target = test_mesh(*state, shapes->m, 3, shapes->target)};
        sfgp_settings_default(&s.settings);
        s.settings.threads = threads;
        s.settings.max_iterations = 3;
        s.settings.rank = 10;
        sfgp_test_threads(OWN);
        s.model = test_shapes_model(*state, shapes, 0, &s.settings);
        sfgp_context_set_progress(*state, see_progress, &seen);
        sfgp_assert_ok(*state, sfgp_solver_new(*state, s.model, &s.settings, &s.solver));
        sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &s.result));
        assert_int_equal(seen, sfgp_threads_resolve(threads));
        assert_int_equal(sfgp_threads_count(), OWN);
        clear(&s);
        scene_free(&s);
        test_shapes_free(shapes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_number_is_clamped_to_the_cores),
        sfgp_unit_test(the_environment_limits_the_usual_number_only),
        sfgp_unit_test(pairs_are_nested),
        sfgp_unit_test(public_functions_give_the_callers_number_back),
        sfgp_unit_test(refused_input_gives_the_callers_number_back),
        sfgp_unit_test(a_fit_runs_on_the_threads_that_were_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
