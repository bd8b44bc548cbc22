/* The number of threads of OpenBLAS belongs to the program that calls the library: it is one during a call, and what it was
 * after it. */
#include "support/shapes.h"
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);

enum { HOST = 3 }; /* more than one, and not what any part of the library would set */

/* Of a fit. */
typedef struct made {
    sfgp_context *context;
    sfgp_mesh *reference, *target, *shape;
    sfgp_settings settings;
    sfgp_model *model, *again, *posterior;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map, *map_again;
    sfgp_array *variances;
    int seen; /* threads of OpenBLAS during the fit */
} made;

static int ask_openblas(void *user, const sfgp_progress *progress)
{
    (void)progress;
    *(int *)user = openblas_get_num_threads();
    return 0;
}

static void expect_host(sfgp_context *context, sfgp_status status, const char *call)
{
    sfgp_assert_ok(context, status);
    if (openblas_get_num_threads() != HOST)
        fail_msg("%s leaves OpenBLAS on %d threads", call, openblas_get_num_threads());
}
#define CALL(call) expect_host(m->context, call, #call)

static void call_models(made *m)
{
    const char *path = test_path("model.h5");
    CALL(sfgp_model_new(m->context, m->reference, NULL, 0, &m->settings, &m->model));
    CALL(sfgp_model_write(m->context, m->model, path));
    CALL(sfgp_model_read(m->context, path, &m->again));
    CALL(sfgp_model_variances(m->context, m->again, &m->variances));
    CALL(sfgp_model_component(m->context, m->again, 0, 1, &m->shape));
    sfgp_mesh_free(m->shape);
    CALL(sfgp_model_sample(m->context, m->again, 1, &m->shape));
}

static void call_fits(made *m)
{
    const char *path = test_path("fit.h5");
    const double *at = m->reference->points;
    sfgp_context_set_progress(m->context, ask_openblas, &m->seen);
    CALL(sfgp_solver_new(m->context, m->model, &m->settings, &m->solver));
    CALL(sfgp_solver_set_landmarks(m->solver, 3, at, at, 1));
    CALL(sfgp_solver_run(m->solver, m->target, &m->result));
    assert_int_equal(m->seen, 1);
    CALL(sfgp_solver_deformation(m->solver, m->result, &m->map));
    CALL(sfgp_deformation_apply(m->context, m->map, 1, at, 0, m->shape->points, NULL));
    CALL(sfgp_deformation_posterior(m->context, m->map, &m->posterior));
    CALL(sfgp_deformation_write(m->context, m->map, path));
    CALL(sfgp_deformation_read(m->context, path, &m->map_again));
}

static void clear(made *m)
{
    sfgp_deformation_free(m->map_again);
    sfgp_deformation_free(m->map);
    sfgp_result_free(m->result);
    sfgp_solver_free(m->solver);
    sfgp_model_free(m->posterior);
    sfgp_model_free(m->again);
    sfgp_model_free(m->model);
    sfgp_array_free(m->variances);
    sfgp_mesh_free(m->shape);
    sfgp_mesh_free(m->target);
    sfgp_mesh_free(m->reference);
}

static made make_shapes(sfgp_context *context)
{
    made m = {.context = context};
    test_shapes *shapes = test_shapes_new(120, 3, 0, 8);
    m.reference = test_mesh(context, shapes->n, 3, shapes->reference);
    m.target = test_mesh(context, shapes->m, 3, shapes->target);
    test_shapes_free(shapes);
    sfgp_settings_default(&m.settings);
    m.settings.max_iterations = 3;
    m.settings.rank = 10;
    return m;
}

static void calls_give_the_hosts_number_back(void **state)
{
    made m = make_shapes(*state);
    openblas_set_num_threads(HOST);
    call_models(&m);
    call_fits(&m);
    clear(&m);
}

/* ---- several callers ---------------------------------------------------------------------------------- */

static void *fit_alone(void *user)
{
    sfgp_context *context = NULL;
    made m = {0};
    int *wrong = user;
    *wrong = 1;
    if (sfgp_context_new(NULL, &context) != SFGP_OK)
        return NULL;
    m = make_shapes(context);
    sfgp_context_set_progress(context, ask_openblas, &m.seen);
    for (int k = 0; k < 5; k++) {
        if (sfgp_model_new(context, m.reference, NULL, 0, &m.settings, &m.model) == SFGP_OK &&
            sfgp_solver_new(context, m.model, &m.settings, &m.solver) == SFGP_OK &&
            sfgp_solver_run(m.solver, m.target, &m.result) == SFGP_OK)
            *wrong = m.seen != 1;
        sfgp_result_free(m.result);
        sfgp_solver_free(m.solver);
        sfgp_model_free(m.model);
        m.result = NULL, m.solver = NULL, m.model = NULL;
    }
    clear(&m);
    sfgp_context_free(context);
    return NULL;
}

/* While one thread is inside it is one for all; after the last has left it is the host's. */
static void callers_side_by_side_agree(void **state)
{
    enum { CALLERS = 4 };
    pthread_t threads[CALLERS];
    int wrong[CALLERS];
    (void)state;
    openblas_set_num_threads(HOST);
    for (int k = 0; k < CALLERS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, fit_alone, &wrong[k]), 0);
    for (int k = 0; k < CALLERS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < CALLERS; k++)
        assert_int_equal(wrong[k], 0);
    assert_int_equal(openblas_get_num_threads(), HOST);
}

/* ---- fork --------------------------------------------------------------------------------------------- */

/* In the middle of a fit: the child has the number of the fit, and gives the host's back with its own next call. */
static int fork_once(void *user, const sfgp_progress *progress)
{
    (void)progress;
    int *code = user, state = -1;
    if (*code >= 0)
        return 0;
    const pid_t child = fork();
    if (child == 0) {
        int wrong = 1;
        fit_alone(&wrong);
        _exit(wrong);
    }
    waitpid(child, &state, 0);
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : 99;
    return 0;
}

static void children_of_a_fit_can_fit(void **state)
{
    made m = make_shapes(*state);
    int code = -1;
    openblas_set_num_threads(HOST);
    sfgp_context_set_progress(*state, fork_once, &code);
    sfgp_assert_ok(*state, sfgp_model_new(*state, m.reference, NULL, 0, &m.settings, &m.model));
    sfgp_assert_ok(*state, sfgp_solver_new(*state, m.model, &m.settings, &m.solver));
    sfgp_assert_ok(*state, sfgp_solver_run(m.solver, m.target, &m.result));
    assert_int_equal(code, 0);
    assert_int_equal(openblas_get_num_threads(), HOST);
    clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(calls_give_the_hosts_number_back),
        sfgp_unit_test(callers_side_by_side_agree),
        sfgp_unit_test(children_of_a_fit_can_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
